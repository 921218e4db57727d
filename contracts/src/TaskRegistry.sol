// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { IAgreements } from "./interfaces/IAgreements.sol";
import { IArbitration } from "./interfaces/IArbitration.sol";
import { IPaymentGateway } from "./interfaces/IPaymentGateway.sol";
import { ITaskRegistry } from "./interfaces/ITaskRegistry.sol";
import { ITaskScopeRegistry } from "./interfaces/ITaskScopeRegistry.sol";
import { EntryPause } from "./registry/EntryPause.sol";
import { TaskMoney } from "./registry/TaskMoney.sol";
import { BPS, Contracts, ENTRY_DEPOSIT, MarketParams, PAUSE_THRESHOLD } from "./types/Market.sol";
import { ClaimPolicy, Receipt, Settlement, Signature, Task, TaskScope, TaskState, TaskTerms } from "./types/Task.sol";

/// @title The lifecycle of a task
/// @dev Each function reads in one order: state, caller, agreement; effects and event; deposits; escrow money last.
/// "t <= limit" belongs to the party with the duty and "t > limit" to the default, so that exactly one of them applies.
contract TaskRegistry is TaskMoney, EntryPause {
    IArbitration private immutable ARBITRATION;
    ITaskScopeRegistry private immutable SCOPES;
    uint256 private immutable FUNDING_WINDOW;
    uint256 private immutable MIN_REVISION_TIME;
    /// @dev The longest dispute.
    uint256 private immutable DISPUTE_TIME;
    uint256 private immutable MAX_REVIEW_WINDOW;

    /// @inheritdoc ITaskRegistry
    mapping(uint256 taskId => address) public allowedWorkerOf;

    constructor(Contracts memory contracts_, MarketParams memory params, address owner_, address guardian_)
        TaskMoney(contracts_, params)
        EntryPause(owner_, guardian_)
    {
        ARBITRATION = IArbitration(contracts_.arbitration);
        SCOPES = ITaskScopeRegistry(contracts_.taskScopeRegistry);
        FUNDING_WINDOW = params.fundingWindow;
        MIN_REVISION_TIME = params.minRevisionTime;
        MAX_REVIEW_WINDOW = params.maxReviewWindow;
        DISPUTE_TIME = uint256(params.evidenceWindow) + params.rulingWindow + params.appealWindow + params.courtWindow;
    }

    /// @inheritdoc ITaskRegistry
    function post(TaskTerms calldata terms, string calldata text, uint256 fundAmount)
        external
        returns (uint256 taskId)
    {
        _requireEntriesOpen();
        if (terms.poster != msg.sender) revert PosterMismatch(terms.poster, msg.sender);
        if (terms.scope != TaskScope.OPEN) revert WrongScope();
        _checkEntry(msg.sender);

        Task storage task;
        (taskId, task) = _store(terms, TaskState.POSTED);
        bytes32 digest = _digestOf(task.termsHash, address(0));
        emit TaskPosted(taskId, msg.sender, task.total, digest, terms);

        SCOPES.publish(taskId, terms.criteriaHash, text);
        if (fundAmount != 0) _fund(taskId, task, fundAmount);
        _enter(taskId, msg.sender);
        _chargeFee(taskId, msg.sender, IPaymentGateway.AccessAction.POST);
    }

    /// @inheritdoc ITaskRegistry
    function create(
        TaskTerms calldata terms,
        address worker,
        Signature calldata posterAcceptance,
        Signature calldata workerAcceptance
    ) external returns (uint256 taskId) {
        _requireEntriesOpen();
        if (terms.scope != TaskScope.PRIVATE) revert WrongScope();
        if (worker == terms.poster) revert WorkerIsPoster(worker);
        _checkEntry(terms.poster);

        Task storage task;
        (taskId, task) = _store(terms, TaskState.CLAIMED);
        bytes32 termsHash = task.termsHash;
        _useAcceptance(termsHash, worker, terms.poster, posterAcceptance);
        _useAcceptance(termsHash, worker, worker, workerAcceptance);
        bytes32 digest = _digestOf(termsHash, worker);
        emit TaskCreated(taskId, terms.poster, worker, task.total, digest, terms);

        SCOPES.setPrivate(taskId);
        _engage(taskId, task, worker);
        _enter(taskId, terms.poster);
        _chargeFee(taskId, worker, IPaymentGateway.AccessAction.CLAIM);
        _chargeFee(taskId, terms.poster, IPaymentGateway.AccessAction.POST);
    }

    /// @inheritdoc ITaskRegistry
    function fund(uint256 taskId, uint256 amount) external {
        (Task storage task, TaskState state) = _inEither(taskId, TaskState.POSTED, TaskState.CLAIMED);
        _onlyPoster(taskId, task);
        if (state == TaskState.POSTED) {
            _requireEntriesOpen();
            uint256 balance = DEPOSITS.balanceOf(msg.sender);
            if (balance < PAUSE_THRESHOLD) revert DepositTooLow(msg.sender, balance, PAUSE_THRESHOLD);
        } else {
            // Funding a claim is a duty with a deadline, so no pause may stand in its way.
            uint256 end = _claimEnd(task);
            if (block.timestamp > end) revert FundingWindowClosed(taskId, end);
        }
        _fund(taskId, task, amount);
    }

    /// @inheritdoc ITaskRegistry
    function allowWorker(uint256 taskId, address worker) external {
        Task storage task = _in(taskId, TaskState.POSTED);
        _onlyPoster(taskId, task);
        if (task.claimPolicy != ClaimPolicy.PERMIT) revert PermitNotNeeded(taskId);

        allowedWorkerOf[taskId] = worker;
        emit WorkerAllowed(taskId, worker);
    }

    /// @inheritdoc ITaskRegistry
    function claim(uint256 taskId, bytes32 digest) external {
        Task storage task = _claimable(taskId, digest);
        if (task.claimPolicy == ClaimPolicy.PERMIT && allowedWorkerOf[taskId] != msg.sender) {
            revert ClaimPermitRequired(taskId);
        }
        _claim(taskId, task, digest);
    }

    /// @inheritdoc ITaskRegistry
    function claimWithPermit(uint256 taskId, bytes32 digest, Signature calldata permit) external {
        Task storage task = _claimable(taskId, digest);
        _useNonce(task.poster, permit.nonce);
        AGREEMENTS.checkClaimPermit(taskId, digest, task.poster, msg.sender, permit);
        _claim(taskId, task, digest);
    }

    /// @inheritdoc ITaskRegistry
    function activate(uint256 taskId) external {
        Task storage task = _in(taskId, TaskState.CLAIMED);
        if (msg.sender != task.poster && msg.sender != task.worker) revert NotParty(taskId, msg.sender);
        uint256 vetEnd = task.claimedAt + VET_WINDOW;
        if (msg.sender == task.worker && block.timestamp <= vetEnd) revert VetWindowOpen(taskId, vetEnd);
        uint256 funded = _fundedOf(taskId);
        if (funded != task.total) revert NotFullyFunded(taskId, funded, task.total);
        _onlyInClaim(taskId, task);

        task.state = TaskState.ACTIVE;
        uint256 time = _milestones[taskId][0].duration;
        // No clock starts by surprise for a worker that still waits after the vet window.
        if (msg.sender == task.poster && block.timestamp > vetEnd) time = Math.max(time, MIN_REVISION_TIME);
        task.deadline = uint40(block.timestamp + time);
        emit TaskActivated(taskId, msg.sender, task.deadline);
    }

    /// @inheritdoc ITaskRegistry
    function dismiss(uint256 taskId) external {
        (Task storage task, TaskState state) = _inEither(taskId, TaskState.CLAIMED, TaskState.ACTIVE);
        _onlyPoster(taskId, task);
        if (state == TaskState.ACTIVE) return _giveNotice(taskId, task);
        _onlyInClaim(taskId, task);

        bool late = block.timestamp > task.claimedAt + VET_WINDOW;
        TaskState next = _afterClaim(task, TaskState.CANCELLED);
        address worker = _close(task, next);
        emit WorkerDismissed(taskId, worker, next);

        if (late) REPUTATION.recordDismissal(taskId, msg.sender);
        _spendExitDeposit(taskId, msg.sender, IPaymentGateway.AccessAction.DISMISS);
        _disengage(taskId, task, worker, next);
        if (next == TaskState.POSTED) _lockExitDeposit(taskId, msg.sender);
    }

    /// @inheritdoc ITaskRegistry
    function leaveTask(uint256 taskId) external {
        (Task storage task, TaskState state) = _inEither(taskId, TaskState.CLAIMED, TaskState.ACTIVE);
        _onlyWorker(taskId, task);
        TaskState next = TaskState.CANCELLED;
        if (state == TaskState.CLAIMED) {
            _onlyInClaim(taskId, task);
            next = _afterClaim(task, next);
        } else if (task.reviewEnd == 0) {
            // `expire` costs nothing then.
            _onlyWithoutNotice(taskId, task);
            _onlyInTime(taskId, task);
        } else {
            if (_silencePays(task)) revert AlreadyDelivered(taskId, task.current);
            _onlyInGrace(taskId, task);
        }
        _close(task, next);
        emit WorkerLeft(taskId, msg.sender, next);

        REPUTATION.recordLeave(taskId, msg.sender);
        _spendExitDeposit(taskId, msg.sender, IPaymentGateway.AccessAction.LEAVE);
        _disengage(taskId, task, msg.sender, next);
    }

    /// @inheritdoc ITaskRegistry
    function markDelivered(uint256 taskId, uint256 milestone, bytes32 proofHash, Receipt calldata receipt) external {
        Task storage task = _in(taskId, TaskState.ACTIVE);
        _onlyWorker(taskId, task);
        _onlyCurrent(taskId, task, milestone);
        bool receipted = receipt.signature.length != 0;
        if (task.reviewEnd == 0) {
            _onlyInTime(taskId, task);
        } else {
            // A second delivery only cures what the first one lacked.
            if (_silencePays(task) || !receipted) revert AlreadyDelivered(taskId, milestone);
            _onlyInGrace(taskId, task);
        }
        if (proofHash == 0) revert IAgreements.HashMissing();

        uint256 reviewEnd = block.timestamp + (task.underNotice ? _noticeOf(task) : task.reviewWindow);
        task.reviewEnd = uint40(reviewEnd);
        emit MilestoneDelivered(taskId, milestone, proofHash, reviewEnd);
        if (receipted) _receive(taskId, task, proofHash, receipt);
    }

    /// @inheritdoc ITaskRegistry
    function requestRevision(uint256 taskId, uint256 milestone, bytes32 reasonHash) external {
        Task storage task = _in(taskId, TaskState.ACTIVE);
        _onlyPoster(taskId, task);
        _onlyInReview(taskId, task, milestone);
        _onlyWithoutNotice(taskId, task);
        if (task.revisions == task.maxRevisions) revert NoRevisionsLeft(taskId, milestone);
        if (reasonHash == 0) revert IAgreements.HashMissing();

        uint40 atLeast = uint40(block.timestamp + _noticeOf(task));
        if (task.deadline < atLeast) task.deadline = atLeast;
        task.revisions += 1;
        task.reviewEnd = 0;
        task.receipted = false;
        emit RevisionRequested(taskId, milestone, reasonHash, task.deadline);
    }

    /// @inheritdoc ITaskRegistry
    function release(uint256 taskId, uint256 milestone) external {
        (Task storage task, TaskState state) = _inEither(taskId, TaskState.ACTIVE, TaskState.DISPUTED);
        _onlyPoster(taskId, task);
        _onlyCurrent(taskId, task, milestone);
        _acceptMilestone(taskId, task, false, state == TaskState.DISPUTED);
    }

    /// @inheritdoc ITaskRegistry
    function complete(uint256 taskId) external {
        Task storage task = _in(taskId, TaskState.ACTIVE);
        _onlyPoster(taskId, task);

        uint256 rest = _heldOf(taskId);
        _close(task, TaskState.COMPLETED);
        task.current = task.milestoneCount;
        _complete(taskId, task, rest);
    }

    /// @inheritdoc ITaskRegistry
    function releaseLapsed(uint256 taskId, uint256 milestone) external {
        Task storage task = _in(taskId, TaskState.ACTIVE);
        _onlyCurrent(taskId, task, milestone);
        if (task.reviewEnd == 0) revert NotDelivered(taskId, milestone);
        if (!_silencePays(task)) revert ReceiptMissing(taskId, milestone);
        if (block.timestamp <= task.reviewEnd) revert ReviewNotEnded(taskId, task.reviewEnd);
        _acceptMilestone(taskId, task, true, false);
    }

    /// @inheritdoc ITaskRegistry
    function cancel(uint256 taskId) external {
        Task storage task = _in(taskId, TaskState.POSTED);
        _onlyPoster(taskId, task);

        emit TaskCancelled(taskId, _heldOf(taskId));
        _withdraw(taskId, task, TaskState.CANCELLED);
    }

    /// @inheritdoc ITaskRegistry
    function expire(uint256 taskId) external {
        Task storage task = _taskOf(taskId);
        TaskState state = task.state;
        TaskState next = TaskState.EXPIRED;
        if (state == TaskState.POSTED) {
            _checkExpired(taskId, task.claimDeadline - CLAIM_CUTOFF);
            emit TaskExpired(taskId, state, next);
            _withdraw(taskId, task, next);
        } else if (state == TaskState.CLAIMED) {
            _checkExpired(taskId, _claimEnd(task));
            // Funding and starting what was claimed unfunded is the poster's duty. An offer that misses it ends: it
            // would only catch the next worker. What was funded and not started is nobody's fault.
            bool missed = !task.fundedAtClaim;
            if (!missed) next = _afterClaim(task, next);
            address worker = _close(task, next);
            emit TaskExpired(taskId, state, next);
            if (missed) _forfeit(taskId, task.poster);
            _disengage(taskId, task, worker, next);
        } else if (state == TaskState.ACTIVE) {
            bool owes = _checkWorkExpired(taskId, task);
            _close(task, next);
            emit TaskExpired(taskId, state, next);
            if (owes) _forfeit(taskId, task.worker);
            _end(taskId, task, 0);
        } else {
            revert WrongState(taskId, state);
        }
    }

    /// @inheritdoc ITaskRegistry
    function mutualCancel(
        uint256 taskId,
        uint256 workerBps,
        Signature calldata posterSignature,
        Signature calldata workerSignature
    ) external {
        Task storage task = _taskOf(taskId);
        TaskState state = task.state;
        if (state < TaskState.CLAIMED || state > TaskState.DISPUTED) revert WrongState(taskId, state);
        if (workerBps > BPS) revert InvalidShare(workerBps);
        IAgreements.MutualCancel memory agreed = IAgreements.MutualCancel({
            taskId: taskId,
            settlementDigest: _digestOf(task.termsHash, task.worker),
            milestone: task.current,
            state: state,
            reviewEnd: task.reviewEnd,
            disputePhase: ARBITRATION.phaseOf(taskId),
            workerBps: workerBps
        });
        _useCancel(agreed, task.poster, posterSignature);
        _useCancel(agreed, task.worker, workerSignature);

        TaskState next = state == TaskState.DISPUTED ? TaskState.RESOLVED : TaskState.CANCELLED;
        uint256 workerAmount = _heldOf(taskId) * workerBps / BPS;
        _close(task, next);
        task.workerBps = uint16(workerBps);
        emit TaskMutuallyCancelled(taskId, workerBps, workerAmount, next);

        if (state == TaskState.DISPUTED) ARBITRATION.abandon(taskId);
        _end(taskId, task, workerAmount);
    }

    /// @inheritdoc ITaskRegistry
    function openDispute(uint256 taskId, uint256 milestone, bytes32 evidenceHash, uint256 shareBps) external {
        Task storage task = _in(taskId, TaskState.ACTIVE);
        if (_silencePays(task)) {
            _onlyPoster(taskId, task);
            _onlyInReview(taskId, task, milestone);
        } else {
            _onlyWorker(taskId, task);
            _onlyCurrent(taskId, task, milestone);
            if (task.reviewEnd == 0) revert NotDelivered(taskId, milestone);
            if (block.timestamp <= task.reviewEnd) revert ReviewNotEnded(taskId, task.reviewEnd);
            _onlyInGrace(taskId, task);
        }
        if (evidenceHash == 0) revert IAgreements.HashMissing();

        task.state = TaskState.DISPUTED;
        emit DisputeOpened(taskId, milestone, msg.sender, evidenceHash);
        IArbitration.Case memory case_ = IArbitration.Case({
            opener: msg.sender,
            poster: task.poster,
            worker: task.worker,
            named: task.scope == TaskScope.PRIVATE ? task.arbitrator : address(0),
            proposed: task.arbitrator,
            amount: _milestones[taskId][milestone].amount,
            shareBps: shareBps,
            evidenceHash: evidenceHash
        });
        ARBITRATION.open(taskId, case_);
    }

    /// @inheritdoc ITaskRegistry
    function settleDispute(uint256 taskId, Settlement calldata settlement) external {
        Task storage task = _in(taskId, TaskState.DISPUTED);
        if (msg.sender != address(ARBITRATION)) revert Unauthorized(msg.sender);

        uint256 divided = _milestones[taskId][task.current].amount - settlement.courtShare;
        uint256 workerAmount = divided * settlement.workerBps / BPS;
        _close(task, TaskState.RESOLVED);
        task.workerBps = settlement.workerBps;
        task.ruled = true;
        emit TaskResolved(taskId, settlement.workerBps, workerAmount, settlement.courtShare);

        if (settlement.loser != address(0)) {
            _spendExitDeposit(taskId, settlement.loser, IPaymentGateway.AccessAction.FORFEIT);
        }
        _release(taskId, settlement.court, settlement.courtShare);
        _end(taskId, task, workerAmount);
    }

    /// @dev Under notice a worker that delivers nothing owes nothing, and need not wait.
    function _checkWorkExpired(uint256 taskId, Task storage task) private view returns (bool owes) {
        owes = !task.underNotice || task.reviewEnd != 0;
        if (task.reviewEnd != 0) {
            if (_silencePays(task)) revert AlreadyDelivered(taskId, task.current);
            _checkExpired(taskId, _graceEnd(task));
        } else if (owes || msg.sender != task.worker) {
            _checkExpired(taskId, task.deadline);
        }
    }

    function _claimable(uint256 taskId, bytes32 digest) private view returns (Task storage task) {
        task = _in(taskId, TaskState.POSTED);
        if (msg.sender == task.poster) revert PosterCannotClaim(taskId);
        _requireEntriesOpen();
        bytes32 expected = _digestOf(task.termsHash, msg.sender);
        if (digest != expected) revert DigestMismatch(taskId, expected, digest);
        uint256 cutoff = task.claimDeadline - CLAIM_CUTOFF;
        if (block.timestamp > cutoff) revert ClaimClosed(taskId, cutoff);
    }

    function _claim(uint256 taskId, Task storage task, bytes32 digest) private {
        task.state = TaskState.CLAIMED;
        // Good for one claim: a worker that was dismissed does not come back by itself.
        delete allowedWorkerOf[taskId];
        emit TaskClaimed(taskId, msg.sender, digest);
        _engage(taskId, task, msg.sender);
        _chargeFee(taskId, msg.sender, IPaymentGateway.AccessAction.CLAIM);
    }

    function _useAcceptance(bytes32 termsHash, address worker, address party, Signature calldata signature) private {
        _useNonce(party, signature.nonce);
        AGREEMENTS.checkAcceptance(termsHash, worker, party, signature);
    }

    function _useCancel(IAgreements.MutualCancel memory agreed, address party, Signature calldata signature) private {
        _useNonce(party, signature.nonce);
        AGREEMENTS.checkMutualCancel(agreed, party, signature);
    }

    /// @dev From now on silence pays, one full review window later.
    function _receive(uint256 taskId, Task storage task, bytes32 proofHash, Receipt calldata receipt) private {
        address store = task.store;
        if (store == address(0)) revert ReceiptNotNeeded(taskId, task.current);
        if (receipt.size == 0) revert ReceiptEmpty(taskId, task.current);
        // As if the poster had given notice, which lengthens the review: it must not make a good receipt too short.
        uint256 until = block.timestamp + _noticeOf(task) + DISPUTE_TIME;
        if (receipt.until < until) revert ReceiptTooShort(taskId, receipt.until, until);
        IAgreements.StorageReceipt memory signed = IAgreements.StorageReceipt({
            taskId: taskId,
            milestone: task.current,
            revision: task.revisions,
            worker: task.worker,
            proofHash: proofHash,
            size: receipt.size,
            until: receipt.until
        });
        AGREEMENTS.checkReceipt(store, signed, receipt.signature);
        task.receipted = true;
        emit DeliveryReceipted(taskId, task.current, store, receipt.size, receipt.until, task.reviewEnd);
    }

    function _acceptMilestone(uint256 taskId, Task storage task, bool lapsed, bool conceded) private {
        uint256 milestone = task.current;
        uint256 amount = _milestones[taskId][milestone].amount;
        bool last = task.underNotice || milestone + 1 == task.milestoneCount;
        uint40 deadline = last ? 0 : uint40(block.timestamp + _milestones[taskId][milestone + 1].duration);
        task.state = last ? TaskState.COMPLETED : TaskState.ACTIVE;
        task.current = uint8(milestone + 1);
        task.deadline = deadline;
        task.reviewEnd = 0;
        task.revisions = 0;
        task.receipted = false;
        if (conceded) {
            emit DisputeConceded(taskId, milestone);
            // What this case takes of the reserve must not be missing in the next one.
            if (!last) DEPOSITS.reserve(taskId, task.poster, ENTRY_DEPOSIT);
            ARBITRATION.concede(taskId);
        }
        emit MilestoneReleased(taskId, milestone, amount, lapsed, deadline);
        if (!last) return _pay(taskId, task, amount);
        _complete(taskId, task, amount);
    }

    /// @dev The poster ends work that is under way. The worker delivers what it has, or goes free of charge.
    function _giveNotice(uint256 taskId, Task storage task) private {
        _onlyWithoutNotice(taskId, task);
        if (task.reviewEnd != 0) revert AlreadyDelivered(taskId, task.current);
        _onlyInTime(taskId, task);

        // Asked to change what it has delivered once, a worker is not pressed for time.
        uint40 end = uint40(block.timestamp + (task.revisions == 0 ? _noticeOf(task) : MAX_REVIEW_WINDOW));
        if (end < task.deadline) task.deadline = end;
        task.underNotice = true;
        emit NoticeGiven(taskId, task.worker, task.deadline);

        REPUTATION.recordDismissal(taskId, msg.sender);
        _spendExitDeposit(taskId, msg.sender, IPaymentGateway.AccessAction.DISMISS);
    }

    /// @dev The least time in which a worker must answer a revision or a notice, and a poster a delivery under notice.
    function _noticeOf(Task storage task) private view returns (uint256) {
        return Math.max(task.reviewWindow, MIN_REVISION_TIME);
    }

    function _onlyPoster(uint256 taskId, Task storage task) private view {
        if (msg.sender != task.poster) revert NotPoster(taskId, msg.sender);
    }

    function _onlyWorker(uint256 taskId, Task storage task) private view {
        if (msg.sender != task.worker) revert NotWorker(taskId, msg.sender);
    }

    function _onlyWithoutNotice(uint256 taskId, Task storage task) private view {
        if (task.underNotice) revert UnderNotice(taskId);
    }

    function _onlyInClaim(uint256 taskId, Task storage task) private view {
        uint256 end = _claimEnd(task);
        if (block.timestamp > end) revert StartWindowClosed(taskId, end);
    }

    function _onlyInTime(uint256 taskId, Task storage task) private view {
        if (block.timestamp > task.deadline) revert DeadlinePassed(taskId, task.deadline);
    }

    function _onlyInGrace(uint256 taskId, Task storage task) private view {
        uint256 end = _graceEnd(task);
        if (block.timestamp > end) revert GraceEnded(taskId, end);
    }

    function _onlyCurrent(uint256 taskId, Task storage task, uint256 milestone) private view {
        if (milestone != task.current) revert NotCurrentMilestone(taskId, milestone, task.current);
    }

    function _onlyInReview(uint256 taskId, Task storage task, uint256 milestone) private view {
        _onlyCurrent(taskId, task, milestone);
        if (task.reviewEnd == 0) revert NotDelivered(taskId, milestone);
        if (block.timestamp > task.reviewEnd) revert ReviewEnded(taskId, task.reviewEnd);
    }

    function _checkExpired(uint256 taskId, uint256 until) private view {
        if (block.timestamp <= until) revert NotExpired(taskId, until);
    }

    function _afterClaim(Task storage task, TaskState terminal) private view returns (TaskState) {
        return task.scope == TaskScope.PRIVATE ? terminal : TaskState.POSTED;
    }

    /// @dev Until when a claimed task can be funded, started, left or dismissed.
    function _claimEnd(Task storage task) private view returns (uint256) {
        return task.claimedAt + FUNDING_WINDOW;
    }

    /// @dev Until when a delivery without a receipt can be cured or taken to arbitration.
    function _graceEnd(Task storage task) private view returns (uint256) {
        return uint256(task.reviewEnd) + _noticeOf(task);
    }

    /// @dev Whether the poster could have opened the delivery, as far as the terms ask for proof of it.
    function _silencePays(Task storage task) private view returns (bool) {
        return task.receipted || task.store == address(0);
    }
}
