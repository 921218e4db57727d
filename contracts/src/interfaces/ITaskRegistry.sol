// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Milestone, Receipt, Settlement, Signature, Task, TaskState, TaskTerms } from "../types/Task.sol";

/// @title The lifecycle of a task, and the only writer of its state
/// @notice Silence pays for a delivery that the poster could open. Refunds read what is held. Anyone can end any wait.
interface ITaskRegistry {
    event TaskPosted(
        uint256 indexed taskId, address indexed poster, uint256 totalAmount, bytes32 settlementDigest, TaskTerms terms
    );
    /// @notice A private task, born claimed from two signatures.
    event TaskCreated(
        uint256 indexed taskId,
        address indexed poster,
        address indexed worker,
        uint256 totalAmount,
        bytes32 settlementDigest,
        TaskTerms terms
    );
    event TaskFunded(uint256 indexed taskId, address indexed from, uint256 amount);
    /// @notice The poster lets this worker claim without a signed permit. Every claim ends it; zero: nobody.
    event WorkerAllowed(uint256 indexed taskId, address indexed worker);
    event TaskClaimed(uint256 indexed taskId, address indexed worker, bytes32 settlementDigest);
    event TaskActivated(uint256 indexed taskId, address indexed by, uint256 deadline);
    event WorkerDismissed(uint256 indexed taskId, address indexed worker, TaskState next);
    /// @notice The poster ends the work: until `deadline` the worker may deliver what it has, or end the task at no cost.
    event NoticeGiven(uint256 indexed taskId, address indexed worker, uint256 deadline);
    event WorkerLeft(uint256 indexed taskId, address indexed worker, TaskState next);
    event MilestoneDelivered(uint256 indexed taskId, uint256 milestone, bytes32 proofHash, uint256 reviewEnd);
    /// @notice The store of the terms signed for the delivery; silence pays after `reviewEnd`.
    event DeliveryReceipted(
        uint256 indexed taskId, uint256 milestone, address indexed store, uint256 size, uint256 until, uint256 reviewEnd
    );
    event RevisionRequested(uint256 indexed taskId, uint256 milestone, bytes32 reasonHash, uint256 deadline);
    /// @param lapsed The review window passed in silence.
    /// @param deadline Of the next milestone; zero after the last.
    event MilestoneReleased(uint256 indexed taskId, uint256 milestone, uint256 amount, bool lapsed, uint256 deadline);
    /// @param paid What the worker got in all.
    event TaskCompleted(uint256 indexed taskId, uint256 paid);
    event TaskCancelled(uint256 indexed taskId, uint256 refunded);
    /// @param next POSTED when a funded claim was not started on an open task, else EXPIRED.
    event TaskExpired(uint256 indexed taskId, TaskState previous, TaskState next);
    /// @param next CANCELLED, or RESOLVED out of a dispute.
    event TaskMutuallyCancelled(uint256 indexed taskId, uint256 workerBps, uint256 workerAmount, TaskState next);
    event DisputeOpened(uint256 indexed taskId, uint256 milestone, address indexed opener, bytes32 evidenceHash);
    event DisputeConceded(uint256 indexed taskId, uint256 milestone);
    /// @param courtShare What the final court got out of the milestone.
    event TaskResolved(uint256 indexed taskId, uint256 workerBps, uint256 workerAmount, uint256 courtShare);
    /// @notice Spent by a signature, by terms, or by its owner: no nonce is used without it.
    event NonceInvalidated(address indexed account, uint256 nonce);

    error Unauthorized(address caller);
    error TaskNotFound(uint256 taskId);
    error WrongState(uint256 taskId, TaskState state);
    error NotPoster(uint256 taskId, address caller);
    error NotWorker(uint256 taskId, address caller);
    error NotParty(uint256 taskId, address caller);
    error PosterCannotClaim(uint256 taskId);
    error PosterMismatch(address poster, address caller);
    error WorkerIsPoster(address worker);
    error WrongScope();
    error CourtCannotEnter(address court);
    error DepositTooLow(address agent, uint256 free, uint256 needed);
    error DigestMismatch(uint256 taskId, bytes32 expected, bytes32 given);
    error ClaimClosed(uint256 taskId, uint256 cutoff);
    error ClaimPermitRequired(uint256 taskId);
    error PermitNotNeeded(uint256 taskId);
    error AmountNotMissing(uint256 taskId, uint256 amount, uint256 missing);
    error FundingWindowClosed(uint256 taskId, uint256 end);
    error StartWindowClosed(uint256 taskId, uint256 end);
    error NotFullyFunded(uint256 taskId, uint256 funded, uint256 total);
    error VetWindowOpen(uint256 taskId, uint256 end);
    error NotCurrentMilestone(uint256 taskId, uint256 milestone, uint256 current);
    error NotDelivered(uint256 taskId, uint256 milestone);
    error AlreadyDelivered(uint256 taskId, uint256 milestone);
    error UnderNotice(uint256 taskId);
    error DeadlinePassed(uint256 taskId, uint256 deadline);
    error ReviewEnded(uint256 taskId, uint256 reviewEnd);
    error ReviewNotEnded(uint256 taskId, uint256 reviewEnd);
    error GraceEnded(uint256 taskId, uint256 end);
    error ReceiptMissing(uint256 taskId, uint256 milestone);
    error ReceiptNotNeeded(uint256 taskId, uint256 milestone);
    error ReceiptEmpty(uint256 taskId, uint256 milestone);
    error ReceiptTooShort(uint256 taskId, uint256 until, uint256 needed);
    error NoRevisionsLeft(uint256 taskId, uint256 milestone);
    error NotExpired(uint256 taskId, uint256 until);
    error InvalidShare(uint256 workerBps);
    error NonceUsed(address account, uint256 nonce);

    /// @notice Posts an open task, publishes its text and funds it with `fundAmount`.
    /// @dev Costs the access fee, locks an exit deposit of the same size and reserves USD 13 of the poster's deposit.
    /// @param terms What the poster offers.
    /// @param text The task in words; its hash is `terms.criteriaHash`.
    /// @param fundAmount What goes into the escrow at once; zero for later.
    /// @return taskId The new task.
    function post(TaskTerms calldata terms, string calldata text, uint256 fundAmount) external returns (uint256 taskId);

    /// @notice Makes a private task from both parties' acceptances of one settlement digest. Anyone may submit them.
    /// @dev The nonce of the terms and that of the poster's acceptance are spent in one space, so they must differ.
    /// @param terms What both agreed on.
    /// @param worker The worker.
    /// @param posterAcceptance The poster's signature.
    /// @param workerAcceptance The worker's signature.
    /// @return taskId The new task.
    function create(
        TaskTerms calldata terms,
        address worker,
        Signature calldata posterAcceptance,
        Signature calldata workerAcceptance
    ) external returns (uint256 taskId);

    /// @notice The poster adds to the escrow, up to what is missing.
    /// @param taskId The task.
    /// @param amount How much TOK to add.
    function fund(uint256 taskId, uint256 amount) external;

    /// @notice Lets a worker claim a task that needs a permit, without a signature. Good for one claim.
    /// @param taskId The task.
    /// @param worker The worker; zero for nobody.
    function allowWorker(uint256 taskId, address worker) external;

    /// @notice Takes an open task.
    /// @dev Costs the worker what posting costs the poster.
    /// @param taskId The task.
    /// @param digest The settlement digest with the caller as worker.
    function claim(uint256 taskId, bytes32 digest) external;

    /// @notice As `claim`, with the poster's ClaimPermit; where the terms ask for one, unless the poster allowed the worker.
    /// @param taskId The task.
    /// @param digest The settlement digest with the caller as worker.
    /// @param permit The poster's signature.
    function claimWithPermit(uint256 taskId, bytes32 digest, Signature calldata permit) external;

    /// @notice Starts the work of a fully funded task: the poster at any time, the worker after the vet window.
    /// @param taskId The task.
    function activate(uint256 taskId) external;

    /// @notice The poster sends the worker away for its exit deposit; after the vet window with a mark. From ACTIVE, before a
    /// delivery, it gives notice: the worker delivers what it has within the time of a revision, or what is left
    /// of its own if that is less.
    /// @dev Where the task opens again, locks a new exit deposit.
    /// @param taskId The task.
    function dismiss(uint256 taskId) external;

    /// @notice The worker gives the task up in time, for its exit deposit. Under notice `expire` costs nothing.
    /// @param taskId The task.
    function leaveTask(uint256 taskId) external;

    /// @notice Delivers the current milestone and starts the poster's review.
    /// @dev With a receipt also a second time, if the first delivery came without.
    /// @param taskId The task.
    /// @param milestone The milestone in work.
    /// @param proofHash The hash of what is delivered.
    /// @param receipt The store's receipt, where the terms name a store; else one with an empty signature.
    function markDelivered(uint256 taskId, uint256 milestone, bytes32 proofHash, Receipt calldata receipt) external;

    /// @notice Sends a delivery back; the worker gets at least a review window, and the market's least time for a revision.
    /// @param taskId The task.
    /// @param milestone The milestone in review.
    /// @param reasonHash The hash of what to change.
    function requestRevision(uint256 taskId, uint256 milestone, bytes32 reasonHash) external;

    /// @notice The poster accepts and pays the current milestone; before a ruling on a disputed one it is a concession.
    /// @param taskId The task.
    /// @param milestone The milestone in work.
    function release(uint256 taskId, uint256 milestone) external;

    /// @notice The poster pays all that is left.
    /// @param taskId The task.
    function complete(uint256 taskId) external;

    /// @notice Anyone pays the worker a delivery that was not answered in time.
    /// @param taskId The task.
    /// @param milestone The milestone in review.
    function releaseLapsed(uint256 taskId, uint256 milestone) external;

    /// @notice The poster takes back a task that nobody has claimed.
    /// @param taskId The task.
    function cancel(uint256 taskId) external;

    /// @notice Anyone ends a wait whose time is over: no claim, no funds or start, no delivery, no receipt. A worker under
    /// notice that delivered nothing need not wait.
    /// @param taskId The task.
    function expire(uint256 taskId) external;

    /// @notice Splits what is held as both parties signed. In a dispute: until a judge has ruled.
    /// @param taskId The task.
    /// @param workerBps The worker's share in basis points.
    /// @param posterSignature The poster's signature.
    /// @param workerSignature The worker's signature.
    function mutualCancel(
        uint256 taskId,
        uint256 workerBps,
        Signature calldata posterSignature,
        Signature calldata workerSignature
    ) external;

    /// @notice Takes a delivery to arbitration: the poster in the review, if silence would pay; else the worker after it.
    /// @dev The poster locks a tenth of the milestone in TOK.
    /// @param taskId The task.
    /// @param milestone The milestone in review.
    /// @param evidenceHash The hash of the opener's evidence.
    /// @param shareBps The worker's share that the opener names: 0 from a poster and 10,000 from a worker ask for all.
    function openDispute(uint256 taskId, uint256 milestone, bytes32 evidenceHash, uint256 shareBps) external;

    /// @notice Pays a closed dispute and ends the task. Arbitration only.
    /// @param taskId The task.
    /// @param settlement What to pay and what is forfeited.
    function settleDispute(uint256 taskId, Settlement calldata settlement) external;

    /// @notice Makes a signature the caller gave, or might have given, worthless.
    /// @param nonce The nonce of the signature.
    function invalidateNonce(uint256 nonce) external;

    /// @notice Whom the poster lets claim without a signed permit.
    /// @param taskId The task.
    /// @return The worker, or zero.
    function allowedWorkerOf(uint256 taskId) external view returns (address);

    /// @notice Tasks are numbered 1 to taskCount.
    /// @return The number of the newest task.
    function taskCount() external view returns (uint256);

    /// @notice A task as stored. `TaskLens` reads many at once.
    /// @param taskId The task.
    /// @return The task; an unknown one has state NONE.
    function taskOf(uint256 taskId) external view returns (Task memory);

    /// @notice The milestones of a task in their order.
    /// @param taskId The task.
    /// @return The milestones; none for an unknown task.
    function milestonesOf(uint256 taskId) external view returns (Milestone[] memory);

    /// @notice The settlement digest with the task's present worker.
    /// @param taskId The task.
    /// @return The digest.
    function settlementDigestOf(uint256 taskId) external view returns (bytes32);

    /// @notice Ids in one state, newest first.
    /// @param state The state.
    /// @param start The id to begin at, downwards.
    /// @param maxScan How many tasks to look at, at most.
    /// @param limit How many ids to return, at most.
    /// @return taskIds The ids found.
    /// @return next Where to go on; zero when there is nothing left.
    function findTasks(TaskState state, uint256 start, uint256 maxScan, uint256 limit)
        external
        view
        returns (uint256[] memory taskIds, uint256 next);

    /// @notice Whether a nonce of this account is spent.
    /// @param account The account.
    /// @param nonce The nonce.
    /// @return True if it is spent.
    function isNonceUsed(address account, uint256 nonce) external view returns (bool);

    /// @notice The hash of the parameters this contract was deployed with; `TaskLens` has them in full.
    /// @return keccak256 of the ABI-encoded `MarketParams`.
    function paramsHash() external view returns (bytes32);
}
