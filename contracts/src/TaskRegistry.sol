// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "./interfaces/IArbitration.sol";
import { IPaymentGateway } from "./interfaces/IPaymentGateway.sol";
import { ITaskRegistry } from "./interfaces/ITaskRegistry.sol";
import { ITaskScopeRegistry } from "./interfaces/ITaskScopeRegistry.sol";
import { EntryPause } from "./registry/EntryPause.sol";
import { TaskMoney } from "./registry/TaskMoney.sol";
import {
    BPS,
    Contracts,
    ENTRY_DEPOSIT,
    EXIT_PENALTY,
    MarketParams,
    PAUSE_THRESHOLD,
    TASK_RESERVE
} from "./types/Market.sol";
import { ClaimPolicy, Signature, Task, TaskScope, TaskState, TaskTerms } from "./types/Task.sol";

/// @title The lifecycle of a task
/// @dev Each function reads in one order: state, caller, agreement; effects and event; deposits; escrow money last.
/// "t <= limit" belongs to the party with the duty and "t > limit" to the default, so that exactly one of them applies.
contract TaskRegistry is TaskMoney, EntryPause {
    IArbitration private immutable ARBITRATION;
    ITaskScopeRegistry private immutable SCOPES;
    uint256 private immutable VET_WINDOW;
    uint256 private immutable FUNDING_WINDOW;

    constructor(Contracts memory contracts_, MarketParams memory params, address owner_, address guardian_)
        TaskMoney(contracts_, params)
        EntryPause(owner_, guardian_)
    {
        ARBITRATION = IArbitration(contracts_.arbitration);
        SCOPES = ITaskScopeRegistry(contracts_.taskScopeRegistry);
        VET_WINDOW = params.vetWindow;
        FUNDING_WINDOW = params.fundingWindow;
    }

    /// @inheritdoc ITaskRegistry
    function post(TaskTerms calldata terms, string calldata text, uint256 fundAmount)
        external
        whenNotPaused
        returns (uint256 taskId)
    {
        if (terms.poster != msg.sender) revert PosterMismatch(terms.poster, msg.sender);
        if (terms.scope != TaskScope.OPEN) revert WrongScope();
        _checkDeposit(msg.sender, ENTRY_DEPOSIT);

        Task storage task;
        (taskId, task) = _store(terms, TaskState.POSTED);
        emit TaskPosted(taskId, msg.sender, task.total, _settlementDigest(task.termsHash, address(0)), terms);

        SCOPES.publish(taskId, terms.criteriaHash, text);
        _reserve(taskId, msg.sender);
        if (fundAmount != 0) _fund(taskId, task, fundAmount);
        GATEWAY.chargeAccessFee(taskId, msg.sender, IPaymentGateway.AccessAction.POST);
    }

    /// @inheritdoc ITaskRegistry
    function create(
        TaskTerms calldata terms,
        address worker,
        Signature calldata posterAcceptance,
        Signature calldata workerAcceptance
    ) external whenNotPaused returns (uint256 taskId) {
        if (terms.scope != TaskScope.PRIVATE) revert WrongScope();
        if (worker == terms.poster) revert WorkerIsPoster(worker);
        _checkDeposit(terms.poster, ENTRY_DEPOSIT);

        Task storage task;
        (taskId, task) = _store(terms, TaskState.CLAIMED);
        bytes32 termsHash = task.termsHash;
        _checkAcceptance(termsHash, worker, terms.poster, posterAcceptance);
        _checkAcceptance(termsHash, worker, worker, workerAcceptance);
        bytes32 digest = _settlementDigest(termsHash, worker);
        emit TaskCreated(taskId, terms.poster, worker, task.total, digest, terms);

        SCOPES.setPrivate(taskId);
        _reserve(taskId, terms.poster);
        _engage(taskId, task, worker);
        GATEWAY.chargeAccessFee(taskId, terms.poster, IPaymentGateway.AccessAction.POST);
    }

    /// @inheritdoc ITaskRegistry
    function fund(uint256 taskId, uint256 amount) external {
        (Task storage task, TaskState state) = _inEither(taskId, TaskState.POSTED, TaskState.CLAIMED);
        _onlyPoster(taskId, task);
        if (state == TaskState.POSTED) {
            _requireNotPaused();
            _checkDeposit(msg.sender, PAUSE_THRESHOLD);
        } else {
            // Funding a claim is a duty with a deadline, so no pause may stand in its way.
            uint256 end = _fundingEnd(task);
            if (block.timestamp > end) revert FundingWindowClosed(taskId, end);
        }
        // Missed windows may have eaten into it; no work starts without a whole one.
        _reserve(taskId, msg.sender);
        _fund(taskId, task, amount);
    }

    /// @inheritdoc ITaskRegistry
    function claim(uint256 taskId, bytes32 digest) external {
        Task storage task = _claimable(taskId, digest);
        if (task.claimPolicy == ClaimPolicy.PERMIT) revert ClaimPermitRequired(taskId);
        _claim(taskId, task, digest);
    }

    /// @inheritdoc ITaskRegistry
    function claimWithPermit(uint256 taskId, bytes32 digest, Signature calldata permit) external {
        Task storage task = _claimable(taskId, digest);
        _checkClaimPermit(taskId, task.poster, msg.sender, permit);
        _claim(taskId, task, digest);
    }

    /// @inheritdoc ITaskRegistry
    function activate(uint256 taskId) external {
        Task storage task = _in(taskId, TaskState.CLAIMED);
        _onlyParty(taskId, task);
        uint256 vetEnd = task.claimedAt + VET_WINDOW;
        if (msg.sender == task.worker && block.timestamp <= vetEnd) revert VetWindowOpen(taskId, vetEnd);
        uint256 funded = ESCROW.accountOf(taskId).funded;
        if (funded != task.total) revert NotFullyFunded(taskId, funded, task.total);
        uint256 end = _claimEnd(taskId, task);
        if (block.timestamp > end) revert StartWindowClosed(taskId, end);

        task.state = TaskState.ACTIVE;
        task.deadline = uint40(block.timestamp + _milestones[taskId][0].duration);
        emit TaskActivated(taskId, msg.sender, task.deadline);
    }

    /// @inheritdoc ITaskRegistry
    function dismiss(uint256 taskId) external {
        Task storage task = _in(taskId, TaskState.CLAIMED);
        _onlyPoster(taskId, task);

        address worker = task.worker;
        TaskState next = _afterClaim(task, TaskState.CANCELLED);
        emit WorkerDismissed(taskId, worker, next);

        REPUTATION.recordDismissal(taskId, msg.sender);
        _penaliseExit(taskId, msg.sender, worker);
        _disengage(taskId, task, next);
        if (next == TaskState.POSTED) DEPOSITS.refill(taskId, msg.sender, TASK_RESERVE);
        GATEWAY.chargeAccessFee(taskId, msg.sender, IPaymentGateway.AccessAction.DISMISS);
        _refundUnlessPosted(taskId, task, next);
    }

    /// @inheritdoc ITaskRegistry
    function leaveTask(uint256 taskId) external {
        (Task storage task, TaskState state) = _inEither(taskId, TaskState.CLAIMED, TaskState.ACTIVE);
        if (msg.sender != task.worker) revert NotWorker(taskId, msg.sender);
        if (task.reviewEnd != 0) revert AlreadyDelivered(taskId, task.current);

        TaskState next = state == TaskState.CLAIMED ? _afterClaim(task, TaskState.CANCELLED) : TaskState.CANCELLED;
        emit WorkerLeft(taskId, msg.sender, next);

        if (state == TaskState.CLAIMED && block.timestamp > _claimEnd(taskId, task)) {
            _penaliseLatePoster(taskId, task);
            _disengage(taskId, task, next);
        } else {
            REPUTATION.recordLeave(taskId, msg.sender);
            _penaliseExit(taskId, msg.sender, task.poster);
            _disengage(taskId, task, next);
            GATEWAY.chargeAccessFee(taskId, msg.sender, IPaymentGateway.AccessAction.LEAVE);
        }
        _refundUnlessPosted(taskId, task, next);
    }

    /// @inheritdoc ITaskRegistry
    function markDelivered(uint256 taskId, uint256 milestone, bytes32 proofHash) external {
        Task storage task = _in(taskId, TaskState.ACTIVE);
        if (msg.sender != task.worker) revert NotWorker(taskId, msg.sender);
        _onlyCurrent(taskId, task, milestone);
        if (task.reviewEnd != 0) revert AlreadyDelivered(taskId, milestone);
        if (block.timestamp > task.deadline) revert DeadlinePassed(taskId, task.deadline);
        if (proofHash == 0) revert HashMissing();

        task.reviewEnd = uint40(block.timestamp + task.reviewWindow);
        emit MilestoneDelivered(taskId, milestone, proofHash, task.reviewEnd);
    }

    /// @inheritdoc ITaskRegistry
    function requestRevision(uint256 taskId, uint256 milestone, bytes32 reasonHash) external {
        Task storage task = _in(taskId, TaskState.ACTIVE);
        _onlyPoster(taskId, task);
        _onlyInReview(taskId, task, milestone);
        if (task.revisions == task.maxRevisions) revert NoRevisionsLeft(taskId, milestone);
        if (reasonHash == 0) revert HashMissing();

        uint40 atLeast = uint40(block.timestamp + task.reviewWindow);
        if (task.deadline < atLeast) task.deadline = atLeast;
        task.revisions += 1;
        task.reviewEnd = 0;
        emit RevisionRequested(taskId, milestone, reasonHash, task.deadline);
    }

    /// @inheritdoc ITaskRegistry
    function release(uint256 taskId, uint256 milestone) external {
        (Task storage task, TaskState state) = _inEither(taskId, TaskState.ACTIVE, TaskState.DISPUTED);
        _onlyPoster(taskId, task);
        _onlyCurrent(taskId, task, milestone);
        if (state == TaskState.DISPUTED) {
            task.state = TaskState.ACTIVE;
            emit DisputeConceded(taskId, milestone);
            ARBITRATION.concede(taskId);
        }
        _acceptMilestone(taskId, task, false);
    }

    /// @inheritdoc ITaskRegistry
    function complete(uint256 taskId) external {
        Task storage task = _in(taskId, TaskState.ACTIVE);
        _onlyPoster(taskId, task);

        uint256 rest = ESCROW.heldOf(taskId);
        task.current = task.milestoneCount;
        emit TaskCompleted(taskId, rest);
        _complete(taskId, task, rest);
    }

    /// @inheritdoc ITaskRegistry
    function releaseLapsed(uint256 taskId, uint256 milestone) external {
        Task storage task = _in(taskId, TaskState.ACTIVE);
        _onlyCurrent(taskId, task, milestone);
        if (task.reviewEnd == 0) revert NotDelivered(taskId, milestone);
        if (block.timestamp <= task.reviewEnd) revert ReviewNotEnded(taskId, task.reviewEnd);
        _acceptMilestone(taskId, task, true);
    }

    /// @inheritdoc ITaskRegistry
    function cancel(uint256 taskId) external {
        Task storage task = _in(taskId, TaskState.POSTED);
        _onlyPoster(taskId, task);

        emit TaskCancelled(taskId, ESCROW.heldOf(taskId));
        _withdraw(taskId, task, TaskState.CANCELLED);
    }

    /// @inheritdoc ITaskRegistry
    function expire(uint256 taskId) external {
        Task storage task = _taskOf(taskId);
        TaskState state = task.state;
        if (state == TaskState.POSTED) {
            _checkExpired(taskId, task.claimDeadline - CLAIM_CUTOFF);
            emit TaskExpired(taskId, state, TaskState.EXPIRED);
            _withdraw(taskId, task, TaskState.EXPIRED);
        } else if (state == TaskState.CLAIMED) {
            _checkExpired(taskId, _claimEnd(taskId, task));
            TaskState next = _afterClaim(task, TaskState.EXPIRED);
            emit TaskExpired(taskId, state, next);
            _penaliseLatePoster(taskId, task);
            _disengage(taskId, task, next);
            _refundUnlessPosted(taskId, task, next);
        } else if (state == TaskState.ACTIVE) {
            if (task.reviewEnd != 0) revert AlreadyDelivered(taskId, task.current);
            _checkExpired(taskId, task.deadline);
            emit TaskExpired(taskId, state, TaskState.EXPIRED);
            REPUTATION.recordLapse(taskId, task.worker);
            DEPOSITS.penalise(taskId, task.worker, task.poster, EXIT_PENALTY);
            _end(taskId, task, TaskState.EXPIRED, 0);
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
        _checkMutualCancel(taskId, task, workerBps, task.poster, posterSignature);
        _checkMutualCancel(taskId, task, workerBps, task.worker, workerSignature);

        TaskState next = state == TaskState.DISPUTED ? TaskState.RESOLVED : TaskState.CANCELLED;
        uint256 workerAmount = ESCROW.heldOf(taskId) * workerBps / BPS;
        task.workerBps = uint16(workerBps);
        emit TaskMutuallyCancelled(taskId, workerBps, workerAmount, next);

        if (state == TaskState.DISPUTED) ARBITRATION.abandon(taskId);
        _end(taskId, task, next, workerAmount);
    }

    /// @inheritdoc ITaskRegistry
    function openDispute(uint256 taskId, uint256 milestone, bytes32 evidenceHash) external {
        Task storage task = _in(taskId, TaskState.ACTIVE);
        _onlyParty(taskId, task);
        _onlyInReview(taskId, task, milestone);
        if (evidenceHash == 0) revert HashMissing();

        task.state = TaskState.DISPUTED;
        emit DisputeOpened(taskId, milestone, msg.sender, evidenceHash);
        ARBITRATION.open(taskId, msg.sender, evidenceHash, task.poster, task.worker, task.arbitrator);
    }

    /// @inheritdoc ITaskRegistry
    function settleDispute(uint256 taskId, uint256 workerBps) external {
        Task storage task = _in(taskId, TaskState.DISPUTED);
        if (msg.sender != address(ARBITRATION)) revert Unauthorized(msg.sender);

        uint256 workerAmount = uint256(_milestones[taskId][task.current].amount) * workerBps / BPS;
        task.workerBps = uint16(workerBps);
        task.ruled = true;
        emit TaskResolved(taskId, workerBps, workerAmount);
        _end(taskId, task, TaskState.RESOLVED, workerAmount);
    }

    function _claimable(uint256 taskId, bytes32 digest) private view returns (Task storage task) {
        task = _in(taskId, TaskState.POSTED);
        if (msg.sender == task.poster) revert PosterCannotClaim(taskId);
        _requireNotPaused();
        bytes32 expected = _settlementDigest(task.termsHash, msg.sender);
        if (digest != expected) revert DigestMismatch(taskId, expected, digest);
        uint256 cutoff = task.claimDeadline - CLAIM_CUTOFF;
        if (block.timestamp > cutoff) revert ClaimClosed(taskId, cutoff);
    }

    function _claim(uint256 taskId, Task storage task, bytes32 digest) private {
        task.state = TaskState.CLAIMED;
        emit TaskClaimed(taskId, msg.sender, digest);
        _engage(taskId, task, msg.sender);
    }

    function _acceptMilestone(uint256 taskId, Task storage task, bool lapsed) private {
        uint256 milestone = task.current;
        uint256 amount = _milestones[taskId][milestone].amount;
        bool last = milestone + 1 == task.milestoneCount;
        uint40 deadline = last ? 0 : uint40(block.timestamp + _milestones[taskId][milestone + 1].duration);
        task.current = uint8(milestone + 1);
        task.deadline = deadline;
        task.reviewEnd = 0;
        task.revisions = 0;
        emit MilestoneReleased(taskId, milestone, amount, lapsed, deadline);
        if (!last) return _pay(taskId, task, amount);
        emit TaskCompleted(taskId, 0);
        _complete(taskId, task, amount);
    }

    function _onlyPoster(uint256 taskId, Task storage task) private view {
        if (msg.sender != task.poster) revert NotPoster(taskId, msg.sender);
    }

    function _onlyParty(uint256 taskId, Task storage task) private view {
        if (msg.sender != task.poster && msg.sender != task.worker) revert NotParty(taskId, msg.sender);
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

    function _fundingEnd(Task storage task) private view returns (uint256) {
        return task.claimedAt + FUNDING_WINDOW;
    }

    /// @dev Until when a claim stands. Funds that came in the last second still leave the worker time to start.
    function _claimEnd(uint256 taskId, Task storage task) private view returns (uint256) {
        return _isFunded(taskId, task) ? _fundingEnd(task) + VET_WINDOW : _fundingEnd(task);
    }
}
