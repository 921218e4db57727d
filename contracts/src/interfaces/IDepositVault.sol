// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TokenPermit } from "../types/TokenPermit.sol";

/// @title USDC collateral per agent
/// @notice Penalties move inside the ledger, so no receiver can refuse one; money leaves only by `withdraw`.
interface IDepositVault {
    event ToppedUp(address indexed agent, address indexed payer, uint256 amount);
    event Withdrawn(address indexed agent, address indexed to, uint256 amount);
    /// @param amount What was added to the reserve of this agent for this task.
    event Reserved(uint256 indexed taskId, address indexed agent, uint256 amount);
    event Unreserved(uint256 indexed taskId, address indexed agent, uint256 amount);
    /// @notice `amount` left the agent's reserve and became part of `to`'s deposit.
    event Penalised(uint256 indexed taskId, address indexed agent, address indexed to, uint256 amount);

    error Unauthorized(address caller);
    error UnexpectedAmount(uint256 expected, uint256 received);
    error ZeroAmount();
    error InsufficientDeposit(address agent, uint256 free, uint256 needed);

    /// @notice Adds to the caller's deposit.
    /// @param amount How much USDC.
    function topUp(uint256 amount) external;

    /// @notice As `topUp`, with the allowance in the same transaction. A permit that was used already does no harm.
    /// @param amount How much USDC.
    /// @param permit The caller's signature that lets this vault take the amount.
    function topUpWithPermit(uint256 amount, TokenPermit calldata permit) external;

    /// @notice Adds to anyone's deposit, so that a friend can end somebody's pause. Refuses the zero address.
    /// @param agent Whose deposit.
    /// @param amount How much USDC.
    function topUpFor(address agent, uint256 amount) external;

    /// @notice Takes out what is withdrawable. Never paused.
    /// @param amount How much USDC.
    /// @param to Who receives it.
    function withdraw(uint256 amount, address to) external;

    /// @notice Raises the agent's reserve for a task to `target`; refuses when the free deposit is short.
    /// @dev Registry and arbitration only, as are the two below.
    /// @param taskId The task.
    /// @param agent The agent.
    /// @param target What the reserve is to be.
    function reserve(uint256 taskId, address agent, uint256 target) external;

    /// @notice Gives back what the task still reserves of the agent.
    /// @param taskId The task.
    /// @param agent The agent.
    function unreserve(uint256 taskId, address agent) external;

    /// @notice Moves a part of the agent's reserve for the task into another deposit.
    /// @param taskId The task.
    /// @param agent Who pays.
    /// @param to Who is paid.
    /// @param amount How much, at most.
    /// @return paid How much it was.
    function penalise(uint256 taskId, address agent, address to, uint256 amount) external returns (uint256 paid);

    /// @notice The whole deposit, reserved or not.
    /// @param agent The agent.
    /// @return The amount.
    function balanceOf(address agent) external view returns (uint256);

    /// @notice What live tasks and appeals reserve of the deposit.
    /// @param agent The agent.
    /// @return The amount.
    function reservedOf(address agent) external view returns (uint256);

    /// @notice What nothing reserves: balanceOf - reservedOf.
    /// @param agent The agent.
    /// @return The amount.
    function freeOf(address agent) external view returns (uint256);

    /// @notice What can be taken out: all that is free, less USD 17 while anything is reserved.
    /// @param agent The agent.
    /// @return The amount.
    function withdrawableOf(address agent) external view returns (uint256);

    /// @notice What this task reserves of the agent.
    /// @param taskId The task.
    /// @param agent The agent.
    /// @return The amount.
    function reserveOf(uint256 taskId, address agent) external view returns (uint256);

    /// @notice Sum of all deposits.
    /// @return The amount.
    function totalDeposits() external view returns (uint256);
}
