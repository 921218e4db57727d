// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Milestone, Signature, Task, TaskState, TaskTerms } from "../types/Task.sol";

/// @title The lifecycle of a task, and the only writer of its state
/// @notice Silence pays the worker, refunds read what is held, and every wait ends by a call any stranger can make.
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
    event TaskClaimed(uint256 indexed taskId, address indexed worker, bytes32 settlementDigest);
    event TaskActivated(uint256 indexed taskId, address indexed by, uint256 deadline);
    event WorkerDismissed(uint256 indexed taskId, address indexed worker, TaskState next);
    event WorkerLeft(uint256 indexed taskId, address indexed worker, TaskState next);
    event MilestoneDelivered(uint256 indexed taskId, uint256 milestone, bytes32 proofHash, uint256 reviewEnd);
    event RevisionRequested(uint256 indexed taskId, uint256 milestone, bytes32 reasonHash, uint256 deadline);
    /// @param lapsed The review window passed in silence.
    /// @param deadline Of the next milestone; zero after the last.
    event MilestoneReleased(uint256 indexed taskId, uint256 milestone, uint256 amount, bool lapsed, uint256 deadline);
    /// @param paid What this very call paid: the rest after `complete`, zero after the last `release`.
    event TaskCompleted(uint256 indexed taskId, uint256 paid);
    event TaskCancelled(uint256 indexed taskId, uint256 refunded);
    /// @param next POSTED when a claim lapsed on an open task, else EXPIRED.
    event TaskExpired(uint256 indexed taskId, TaskState previous, TaskState next);
    /// @param next CANCELLED, or RESOLVED out of a dispute.
    event TaskMutuallyCancelled(uint256 indexed taskId, uint256 workerBps, uint256 workerAmount, TaskState next);
    event DisputeOpened(uint256 indexed taskId, uint256 milestone, address indexed opener, bytes32 evidenceHash);
    event DisputeConceded(uint256 indexed taskId, uint256 milestone);
    event TaskResolved(uint256 indexed taskId, uint256 workerBps, uint256 workerAmount);
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
    error MilestoneCountOutOfRange(uint256 amounts, uint256 durations);
    error AmountOutOfRange(uint256 milestone, uint256 amount);
    error DurationOutOfRange(uint256 milestone, uint256 duration);
    error ReviewWindowOutOfRange(uint256 reviewWindow, uint256 min, uint256 max);
    error TooManyRevisions(uint256 maxRevisions, uint256 limit);
    error ClaimDeadlineOutOfRange(uint256 claimDeadline, uint256 min, uint256 max);
    error HashMissing();
    error DepositTooLow(address agent, uint256 balance, uint256 needed);
    error NoFreeSlot(address worker, uint256 live, uint256 slots);
    error DigestMismatch(uint256 taskId, bytes32 expected, bytes32 given);
    error ClaimClosed(uint256 taskId, uint256 cutoff);
    error ClaimPermitRequired(uint256 taskId);
    error AmountNotMissing(uint256 taskId, uint256 amount, uint256 missing);
    error FundingWindowClosed(uint256 taskId, uint256 end);
    error StartWindowClosed(uint256 taskId, uint256 end);
    error NotFullyFunded(uint256 taskId, uint256 funded, uint256 total);
    error VetWindowOpen(uint256 taskId, uint256 end);
    error NotCurrentMilestone(uint256 taskId, uint256 milestone, uint256 current);
    error NotDelivered(uint256 taskId, uint256 milestone);
    error AlreadyDelivered(uint256 taskId, uint256 milestone);
    error DeadlinePassed(uint256 taskId, uint256 deadline);
    error ReviewEnded(uint256 taskId, uint256 reviewEnd);
    error ReviewNotEnded(uint256 taskId, uint256 reviewEnd);
    error NoRevisionsLeft(uint256 taskId, uint256 milestone);
    error NotExpired(uint256 taskId, uint256 until);
    error InvalidShare(uint256 workerBps);
    error SignatureExpired(address signer, uint256 expiry);
    error InvalidSignature(address signer);
    error NonceUsed(address account, uint256 nonce);

    /// @notice Posts an open task, publishes its text and funds it with `fundAmount` (zero: later).
    /// @dev Costs the access fee and reserves USD 8 of the poster's deposit.
    function post(TaskTerms calldata terms, string calldata text, uint256 fundAmount) external returns (uint256 taskId);

    /// @notice Makes a private task from both parties' acceptances of one settlement digest. Anyone may submit them.
    /// @dev The nonce of the terms and that of the poster's acceptance are spent in one space, so they must differ.
    function create(
        TaskTerms calldata terms,
        address worker,
        Signature calldata posterAcceptance,
        Signature calldata workerAcceptance
    ) external returns (uint256 taskId);

    /// @notice The poster adds to the escrow, up to what is missing.
    /// @dev Makes the poster's reserve whole again, and refuses when the free deposit is short.
    function fund(uint256 taskId, uint256 amount) external;

    /// @notice Takes an open task. `digest` must be the settlement digest with the caller as worker.
    /// @dev While money is missing, at least USD 5 must be left of the poster's reserve, and a claim adds nothing to it.
    function claim(uint256 taskId, bytes32 digest) external;

    /// @notice As `claim`, with the poster's ClaimPermit; needed where the terms ask for one.
    function claimWithPermit(uint256 taskId, bytes32 digest, Signature calldata permit) external;

    /// @notice Starts the work of a fully funded task: the poster at any time, the worker after the vet window.
    function activate(uint256 taskId) external;

    /// @notice The poster sends the worker away before the work began, at the poster's cost.
    /// @dev Fills the poster's reserve up again, as far as the free deposit goes.
    function dismiss(uint256 taskId) external;

    /// @notice The worker gives the task up, at the worker's cost unless the claim had already lapsed.
    function leaveTask(uint256 taskId) external;

    /// @notice Delivers the current milestone and starts the poster's review.
    function markDelivered(uint256 taskId, uint256 milestone, bytes32 proofHash) external;

    /// @notice Sends a delivery back; the worker gets at least one more review window of time.
    function requestRevision(uint256 taskId, uint256 milestone, bytes32 reasonHash) external;

    /// @notice The poster accepts and pays the current milestone; of a disputed one it is a concession.
    function release(uint256 taskId, uint256 milestone) external;

    /// @notice The poster pays all that is left.
    function complete(uint256 taskId) external;

    /// @notice Anyone pays the worker a delivery that was not answered in time.
    function releaseLapsed(uint256 taskId, uint256 milestone) external;

    /// @notice The poster takes back a task that nobody has claimed.
    function cancel(uint256 taskId) external;

    /// @notice Anyone ends a wait whose time is over: no claim, no funds, no delivery.
    function expire(uint256 taskId) external;

    /// @notice Splits what is held as both parties signed.
    function mutualCancel(
        uint256 taskId,
        uint256 workerBps,
        Signature calldata posterSignature,
        Signature calldata workerSignature
    ) external;

    /// @notice Either party takes a delivery in review to arbitration.
    function openDispute(uint256 taskId, uint256 milestone, bytes32 evidenceHash) external;

    /// @notice Pays a closed dispute and ends the task. Arbitration only.
    function settleDispute(uint256 taskId, uint256 workerBps) external;

    /// @notice Makes a signature the caller gave, or might have given, worthless.
    function invalidateNonce(uint256 nonce) external;

    /// @notice Tasks are numbered 1 to taskCount.
    function taskCount() external view returns (uint256);

    /// @notice A task as stored; an unknown one has state NONE. `TaskLens` reads many at once.
    function taskOf(uint256 taskId) external view returns (Task memory);

    /// @notice The milestones of a task in their order; none for an unknown one.
    function milestonesOf(uint256 taskId) external view returns (Milestone[] memory);

    /// @notice The settlement digest with the task's present worker.
    function settlementDigestOf(uint256 taskId) external view returns (bytes32);

    /// @notice Ids in `state`, newest first, from `start` downwards, looking at `maxScan` tasks and returning `limit` at most.
    /// @return taskIds The ids found.
    /// @return next Where to go on; zero when there is nothing left.
    function findTasks(TaskState state, uint256 start, uint256 maxScan, uint256 limit)
        external
        view
        returns (uint256[] memory taskIds, uint256 next);

    /// @notice hashStruct(TaskTerms) as EIP-712 defines it.
    function hashTerms(TaskTerms calldata terms) external view returns (bytes32);

    /// @notice The EIP-712 digest of these terms with this worker; zero worker for an open task before its claim.
    function settlementDigest(TaskTerms calldata terms, address worker) external view returns (bytes32);

    /// @notice Whether a nonce of this account is spent.
    function isNonceUsed(address account, uint256 nonce) external view returns (bool);

    /// @notice Claimed, active or disputed tasks of a worker.
    function liveClaimsOf(address worker) external view returns (uint256);

    /// @notice How many live claims the worker's deposit allows.
    function slotsOf(address worker) external view returns (uint256);

    /// @notice The name of the market.
    function market() external view returns (string memory);

    /// @notice keccak256 of the ABI-encoded `MarketParams` this contract was deployed with; `TaskLens` has them in full.
    function paramsHash() external view returns (bytes32);
}
