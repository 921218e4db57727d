// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The token held per task
/// @notice Only the task registry moves a task's money, and only what the task itself holds.
interface IEscrowVault {
    /// @dev held = funded - released - refunded.
    struct Account {
        uint128 funded;
        uint128 released;
        uint128 refunded;
    }

    event Funded(uint256 indexed taskId, address indexed from, uint256 amount);
    /// @param deferred The push failed; the amount waits in `withdrawableOf(to)`.
    event Released(uint256 indexed taskId, address indexed to, uint256 amount, bool deferred);
    /// @param deferred The push failed; the amount waits in `withdrawableOf(to)`.
    event Refunded(uint256 indexed taskId, address indexed to, uint256 amount, bool deferred);
    event Withdrawn(address indexed account, address indexed to, uint256 amount);

    error Unauthorized(address caller);
    error UnexpectedAmount(uint256 expected, uint256 received);
    error InsufficientHeld(uint256 taskId, uint256 held, uint256 asked);
    error NothingToWithdraw(address account);

    /// @notice Pulls `amount` from `from` through the payment gateway; refuses anything but the exact amount.
    function fund(uint256 taskId, address from, uint256 amount) external;

    /// @notice Pays `amount` of what the task holds to `to`. A zero amount does nothing.
    function release(uint256 taskId, address to, uint256 amount) external;

    /// @notice Pays everything the task still holds to `to`. Holding nothing, it does nothing.
    function refund(uint256 taskId, address to) external returns (uint256 amount);

    /// @notice Sends the caller's deferred payments to an address of its choice.
    function withdraw(address to) external returns (uint256 amount);

    /// @notice What was paid in for a task, and where it went.
    function accountOf(uint256 taskId) external view returns (Account memory);

    /// @notice As `accountOf`, of many.
    function accountsOf(uint256[] calldata taskIds) external view returns (Account[] memory);

    /// @notice What the task holds now.
    function heldOf(uint256 taskId) external view returns (uint256);

    /// @notice Deferred payments that wait for the account.
    function withdrawableOf(address account) external view returns (uint256);

    /// @notice Sum of what all tasks hold.
    function totalHeld() external view returns (uint256);

    /// @notice Sum of all deferred payments.
    function totalWithdrawable() external view returns (uint256);
}
