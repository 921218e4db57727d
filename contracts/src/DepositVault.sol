// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { ReentrancyGuardTransient } from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";

import { IDepositVault } from "./interfaces/IDepositVault.sol";
import { Contracts, LOCKED_DEPOSIT } from "./types/Market.sol";
import { TokenPermit, TokenPermits } from "./types/TokenPermit.sol";

/// @dev Invariant: an agent's reserves over all tasks add up to `reservedOf` and never exceed `balanceOf`.
contract DepositVault is IDepositVault, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;
    using TokenPermits for TokenPermit;

    IERC20 private immutable USDC;
    address private immutable TASK_REGISTRY;
    address private immutable ARBITRATION;

    /// @inheritdoc IDepositVault
    uint256 public totalDeposits;
    /// @inheritdoc IDepositVault
    mapping(address agent => uint256) public balanceOf;
    /// @inheritdoc IDepositVault
    mapping(address agent => uint256) public reservedOf;
    /// @inheritdoc IDepositVault
    mapping(uint256 taskId => mapping(address agent => uint256)) public reserveOf;

    modifier onlySystem() {
        if (msg.sender != TASK_REGISTRY && msg.sender != ARBITRATION) revert Unauthorized(msg.sender);
        _;
    }

    constructor(Contracts memory contracts_) {
        USDC = IERC20(contracts_.usdc);
        TASK_REGISTRY = contracts_.taskRegistry;
        ARBITRATION = contracts_.arbitration;
    }

    /// @inheritdoc IDepositVault
    function topUp(uint256 amount) external {
        topUpFor(msg.sender, amount);
    }

    /// @inheritdoc IDepositVault
    function topUpWithPermit(uint256 amount, TokenPermit calldata permit) external {
        permit.give(address(USDC), address(this), amount);
        topUpFor(msg.sender, amount);
    }

    /// @inheritdoc IDepositVault
    function topUpFor(address agent, uint256 amount) public nonReentrant {
        if (amount == 0) revert ZeroAmount();
        if (agent == address(0)) revert IERC20Errors.ERC20InvalidReceiver(agent);

        balanceOf[agent] += amount;
        totalDeposits += amount;
        emit ToppedUp(agent, msg.sender, amount);

        uint256 balanceBefore = USDC.balanceOf(address(this));
        USDC.safeTransferFrom(msg.sender, address(this), amount);
        uint256 received = USDC.balanceOf(address(this)) - balanceBefore;
        if (received != amount) revert UnexpectedAmount(amount, received);
    }

    /// @inheritdoc IDepositVault
    function withdraw(uint256 amount, address to) external nonReentrant {
        if (amount == 0) revert ZeroAmount();
        uint256 withdrawable = withdrawableOf(msg.sender);
        if (amount > withdrawable) revert InsufficientDeposit(msg.sender, withdrawable, amount);

        balanceOf[msg.sender] -= amount;
        totalDeposits -= amount;
        emit Withdrawn(msg.sender, to, amount);

        uint256 balanceBefore = USDC.balanceOf(address(this));
        USDC.safeTransfer(to, amount);
        uint256 sent = balanceBefore - USDC.balanceOf(address(this));
        if (sent != amount) revert UnexpectedAmount(amount, sent);
    }

    /// @inheritdoc IDepositVault
    function reserve(uint256 taskId, address agent, uint256 target) external onlySystem {
        uint256 missing = Math.saturatingSub(target, reserveOf[taskId][agent]);
        uint256 free = freeOf(agent);
        if (missing > free) revert InsufficientDeposit(agent, free, missing);
        if (missing == 0) return;

        reserveOf[taskId][agent] += missing;
        reservedOf[agent] += missing;
        emit Reserved(taskId, agent, missing);
    }

    /// @inheritdoc IDepositVault
    function unreserve(uint256 taskId, address agent) external onlySystem {
        uint256 amount = reserveOf[taskId][agent];
        if (amount == 0) return;

        delete reserveOf[taskId][agent];
        reservedOf[agent] -= amount;
        emit Unreserved(taskId, agent, amount);
    }

    /// @inheritdoc IDepositVault
    function penalise(uint256 taskId, address agent, address to, uint256 amount)
        external
        onlySystem
        returns (uint256 paid)
    {
        paid = Math.min(amount, reserveOf[taskId][agent]);
        if (paid == 0) return 0;

        reserveOf[taskId][agent] -= paid;
        reservedOf[agent] -= paid;
        balanceOf[agent] -= paid;
        balanceOf[to] += paid;
        emit Penalised(taskId, agent, to, paid);
    }

    /// @inheritdoc IDepositVault
    function withdrawableOf(address agent) public view returns (uint256) {
        uint256 free = freeOf(agent);
        return reservedOf[agent] == 0 ? free : Math.saturatingSub(free, LOCKED_DEPOSIT);
    }

    /// @inheritdoc IDepositVault
    function freeOf(address agent) public view returns (uint256) {
        return balanceOf[agent] - reservedOf[agent];
    }
}
