// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IPaymentGateway } from "./IPaymentGateway.sol";

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

    event ExitDepositLocked(uint256 indexed taskId, address indexed agent, uint256 amount);
    /// @param deferred The push failed; the amount waits in `withdrawableOf(agent)`.
    event ExitDepositReturned(uint256 indexed taskId, address indexed agent, uint256 amount, bool deferred);
    /// @notice It paid for leaving or dismissing, or was forfeited.
    /// @param deferred The push failed; the amount waits in `withdrawableOf` of the payment gateway.
    event ExitDepositSpent(uint256 indexed taskId, address indexed agent, uint256 amount, bool deferred);

    error Unauthorized(address caller);
    error UnexpectedAmount(uint256 expected, uint256 received);
    error InsufficientHeld(uint256 taskId, uint256 held, uint256 asked);
    error NothingToWithdraw(address account);

    /// @notice Pulls money through the payment gateway; refuses anything but the exact amount. Registry only, as is all
    /// that moves the money of a task.
    /// @param taskId The task.
    /// @param from Who pays.
    /// @param amount How much.
    function fund(uint256 taskId, address from, uint256 amount) external;

    /// @notice Pulls an exit deposit of the size of the access fee.
    /// @param taskId The task.
    /// @param agent The party that enters.
    function lockExitDeposit(uint256 taskId, address agent) external;

    /// @notice Gives an exit deposit back. Without one, it does nothing.
    /// @param taskId The task.
    /// @param agent The party.
    function returnExitDeposit(uint256 taskId, address agent) external;

    /// @notice Shares an exit deposit out like an access fee. Without one, it does nothing.
    /// @param taskId The task.
    /// @param agent The party.
    /// @param action What it paid for.
    function spendExitDeposit(uint256 taskId, address agent, IPaymentGateway.AccessAction action) external;

    /// @notice Pays part of what the task holds. A zero amount does nothing.
    /// @param taskId The task.
    /// @param to Who is paid.
    /// @param amount How much.
    function release(uint256 taskId, address to, uint256 amount) external;

    /// @notice Pays everything the task still holds. Holding nothing, it does nothing.
    /// @param taskId The task.
    /// @param to Who is paid.
    /// @return amount How much.
    function refund(uint256 taskId, address to) external returns (uint256 amount);

    /// @notice Sends the caller's deferred payments to an address of its choice.
    /// @param to The address.
    /// @return amount How much.
    function withdraw(address to) external returns (uint256 amount);

    /// @notice What was paid in for a task, and where it went.
    /// @param taskId The task.
    /// @return Its account.
    function accountOf(uint256 taskId) external view returns (Account memory);

    /// @notice As `accountOf`, of many.
    /// @param taskIds The tasks.
    /// @return Their accounts, in the same order.
    function accountsOf(uint256[] calldata taskIds) external view returns (Account[] memory);

    /// @notice What the task holds now, without exit deposits.
    /// @param taskId The task.
    /// @return The amount.
    function heldOf(uint256 taskId) external view returns (uint256);

    /// @notice The exit deposit of a party.
    /// @param taskId The task.
    /// @param agent The party.
    /// @return The amount; zero if it has none.
    function exitDepositOf(uint256 taskId, address agent) external view returns (uint256);

    /// @notice Deferred payments that wait for the account.
    /// @param account The account.
    /// @return The amount.
    function withdrawableOf(address account) external view returns (uint256);

    /// @notice Sum of what all tasks hold.
    /// @return The amount.
    function totalHeld() external view returns (uint256);

    /// @notice Sum of all exit deposits.
    /// @return The amount.
    function totalExitDeposits() external view returns (uint256);

    /// @notice Sum of all deferred payments.
    /// @return The amount.
    function totalWithdrawable() external view returns (uint256);
}
