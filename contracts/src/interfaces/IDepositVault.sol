// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

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
    function topUp(uint256 amount) external;

    /// @notice Adds to anyone's deposit, so that a friend can end somebody's pause. Refuses the zero address.
    function topUpFor(address agent, uint256 amount) external;

    /// @notice Takes out what no live task has reserved. Never paused.
    function withdraw(uint256 amount, address to) external;

    /// @notice Raises the agent's reserve for a task to `target`; refuses when the free deposit is short.
    /// @dev Registry and arbitration only, as are the three below.
    function reserve(uint256 taskId, address agent, uint256 target) external;

    /// @notice As `reserve`, but takes what is there and never refuses: used where a right must not hang on money.
    function refill(uint256 taskId, address agent, uint256 target) external;

    /// @notice Gives back what the task still reserves of the agent.
    function unreserve(uint256 taskId, address agent) external;

    /// @notice Moves up to `amount` of the agent's reserve for the task into `to`'s deposit.
    function penalise(uint256 taskId, address agent, address to, uint256 amount) external returns (uint256 paid);

    /// @notice The whole deposit, reserved or not.
    function balanceOf(address agent) external view returns (uint256);

    /// @notice What live tasks and appeals reserve of the deposit.
    function reservedOf(address agent) external view returns (uint256);

    /// @notice balanceOf - reservedOf.
    function freeOf(address agent) external view returns (uint256);

    /// @notice What this task reserves of the agent.
    function reserveOf(uint256 taskId, address agent) external view returns (uint256);

    /// @notice Sum of all deposits.
    function totalDeposits() external view returns (uint256);
}
