// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Counters from settled tasks only
/// @notice Nobody writes an opinion here: each counter follows from a transition of a task that held real money.
interface IReputationRegistry {
    struct Reputation {
        uint32 completedAsPoster;
        uint32 completedAsWorker;
        uint32 disputesWon;
        uint32 disputesLost;
        /// As worker: left after claiming.
        uint32 leaves;
        /// As poster: dismissed a worker.
        uint32 dismissals;
        /// As worker: missed a delivery deadline; as poster: missed a funding window.
        uint32 lapses;
        /// Wallets this one has settled money with, each counted once.
        uint32 distinctCounterparties;
        /// TOK received as worker.
        uint128 earned;
        /// TOK paid out as poster.
        uint128 paid;
    }

    /// @notice Money went from poster to worker.
    event PaymentRecorded(uint256 indexed taskId, address indexed poster, address indexed worker, uint256 amount);
    event CompletionRecorded(uint256 indexed taskId, address indexed poster, address indexed worker);
    event LeaveRecorded(uint256 indexed taskId, address indexed worker);
    event DismissalRecorded(uint256 indexed taskId, address indexed poster);
    event LapseRecorded(uint256 indexed taskId, address indexed account);
    event DisputeRecorded(uint256 indexed taskId, address indexed winner, address indexed loser);

    error Unauthorized(address caller);

    /// @notice Counts money that went from poster to worker. Registry only.
    /// @param taskId The task.
    /// @param poster Who paid.
    /// @param worker Who was paid.
    /// @param amount TOK wei.
    function recordPayment(uint256 taskId, address poster, address worker, uint256 amount) external;

    /// @notice Counts a completed task for both. Registry only.
    /// @param taskId The task.
    /// @param poster Its poster.
    /// @param worker Its worker.
    function recordCompletion(uint256 taskId, address poster, address worker) external;

    /// @notice Counts a worker who left. Registry only.
    /// @param taskId The task.
    /// @param worker Who left.
    function recordLeave(uint256 taskId, address worker) external;

    /// @notice Counts a poster who dismissed a worker after the vet window. Registry only.
    /// @param taskId The task.
    /// @param poster Who dismissed.
    function recordDismissal(uint256 taskId, address poster) external;

    /// @notice Counts a missed duty: a delivery, or funding and starting. Registry only.
    /// @param taskId The task.
    /// @param account Who missed it.
    function recordLapse(uint256 taskId, address account) external;

    /// @notice Counts a dispute that one side won. Arbitration only.
    /// @param taskId The task.
    /// @param winner Who won.
    /// @param loser Who lost.
    function recordDispute(uint256 taskId, address winner, address loser) external;

    /// @notice The counters of an account.
    /// @param account The account.
    /// @return Its counters.
    function reputationOf(address account) external view returns (Reputation memory);

    /// @notice As `reputationOf`, of many.
    /// @param accounts The accounts.
    /// @return Their counters, in the same order.
    function reputationsOf(address[] calldata accounts) external view returns (Reputation[] memory);

    /// @notice The registry of the market that this one replaced. Its counters are not copied: read them there.
    /// @return The older registry, or zero if this market is the first.
    function predecessor() external view returns (address);
}
