// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { ReentrancyGuardTransient } from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import { IEscrowVault } from "./interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "./interfaces/IPaymentGateway.sol";
import { Contracts, EXIT_DEPOSIT } from "./types/Market.sol";

/// @dev What counts is the vault's own balance before and after, never what the token says about a transfer.
contract EscrowVault is IEscrowVault, ReentrancyGuardTransient {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    IERC20 private immutable TOK;
    IPaymentGateway private immutable PAYMENT_GATEWAY;
    address private immutable TASK_REGISTRY;

    /// @inheritdoc IEscrowVault
    uint256 public totalHeld;
    /// @inheritdoc IEscrowVault
    uint256 public totalWithdrawable;
    /// @inheritdoc IEscrowVault
    uint256 public totalExitDeposits;
    /// @inheritdoc IEscrowVault
    mapping(address account => uint256) public withdrawableOf;
    /// @inheritdoc IEscrowVault
    mapping(uint256 taskId => mapping(address agent => uint256)) public exitDepositOf;

    mapping(uint256 taskId => Account) private _accounts;

    modifier onlyRegistry() {
        if (msg.sender != TASK_REGISTRY) revert Unauthorized(msg.sender);
        _;
    }

    constructor(Contracts memory contracts_) {
        TOK = IERC20(contracts_.tok);
        PAYMENT_GATEWAY = IPaymentGateway(contracts_.paymentGateway);
        TASK_REGISTRY = contracts_.taskRegistry;
    }

    /// @inheritdoc IEscrowVault
    function fund(uint256 taskId, address from, uint256 amount) external onlyRegistry nonReentrant {
        _accounts[taskId].funded += amount.toUint128();
        totalHeld += amount;
        emit Funded(taskId, from, amount);

        _pull(from, amount);
    }

    /// @inheritdoc IEscrowVault
    function lockExitDeposit(uint256 taskId, address agent) external onlyRegistry nonReentrant {
        exitDepositOf[taskId][agent] += EXIT_DEPOSIT;
        totalExitDeposits += EXIT_DEPOSIT;
        emit ExitDepositLocked(taskId, agent, EXIT_DEPOSIT);

        _pull(agent, EXIT_DEPOSIT);
    }

    /// @inheritdoc IEscrowVault
    function returnExitDeposit(uint256 taskId, address agent) external onlyRegistry nonReentrant {
        uint256 amount = _takeExitDeposit(taskId, agent);
        if (amount == 0) return;

        bool deferred = _push(agent, amount);
        emit ExitDepositReturned(taskId, agent, amount, deferred);
    }

    /// @inheritdoc IEscrowVault
    function spendExitDeposit(uint256 taskId, address agent, IPaymentGateway.AccessAction action)
        external
        onlyRegistry
        nonReentrant
    {
        uint256 amount = _takeExitDeposit(taskId, agent);
        if (amount == 0) return;

        bool deferred = _push(address(PAYMENT_GATEWAY), amount);
        emit ExitDepositSpent(taskId, agent, amount, deferred);
        if (deferred) return;
        // No exit waits for the treasury or the Union: what cannot be shared out stays with the gateway.
        // solhint-disable-next-line no-empty-blocks
        try PAYMENT_GATEWAY.shareExitDeposit(taskId, agent, action) { } catch { }
    }

    /// @inheritdoc IEscrowVault
    function release(uint256 taskId, address to, uint256 amount) external onlyRegistry nonReentrant {
        uint256 held = heldOf(taskId);
        if (amount > held) revert InsufficientHeld(taskId, held, amount);
        if (amount == 0) return;

        _accounts[taskId].released += amount.toUint128();
        totalHeld -= amount;
        bool deferred = _push(to, amount);
        emit Released(taskId, to, amount, deferred);
    }

    /// @inheritdoc IEscrowVault
    function refund(uint256 taskId, address to) external onlyRegistry nonReentrant returns (uint256 amount) {
        amount = heldOf(taskId);
        if (amount == 0) return 0;

        _accounts[taskId].refunded += amount.toUint128();
        totalHeld -= amount;
        bool deferred = _push(to, amount);
        emit Refunded(taskId, to, amount, deferred);
    }

    /// @inheritdoc IEscrowVault
    function withdraw(address to) external nonReentrant returns (uint256 amount) {
        amount = withdrawableOf[msg.sender];
        if (amount == 0) revert NothingToWithdraw(msg.sender);

        delete withdrawableOf[msg.sender];
        totalWithdrawable -= amount;
        emit Withdrawn(msg.sender, to, amount);

        uint256 balanceBefore = TOK.balanceOf(address(this));
        TOK.safeTransfer(to, amount);
        uint256 sent = balanceBefore - TOK.balanceOf(address(this));
        if (sent != amount) revert UnexpectedAmount(amount, sent);
    }

    /// @inheritdoc IEscrowVault
    function accountOf(uint256 taskId) external view returns (Account memory) {
        return _accounts[taskId];
    }

    /// @inheritdoc IEscrowVault
    function accountsOf(uint256[] calldata taskIds) external view returns (Account[] memory accounts) {
        accounts = new Account[](taskIds.length);
        for (uint256 i = 0; i < taskIds.length; i++) {
            accounts[i] = _accounts[taskIds[i]];
        }
    }

    /// @inheritdoc IEscrowVault
    function heldOf(uint256 taskId) public view returns (uint256) {
        Account storage account = _accounts[taskId];
        return account.funded - account.released - account.refunded;
    }

    function _pull(address from, uint256 amount) private {
        uint256 balanceBefore = TOK.balanceOf(address(this));
        PAYMENT_GATEWAY.pull(from, amount);
        uint256 received = TOK.balanceOf(address(this)) - balanceBefore;
        if (received != amount) revert UnexpectedAmount(amount, received);
    }

    function _takeExitDeposit(uint256 taskId, address agent) private returns (uint256 amount) {
        amount = exitDepositOf[taskId][agent];
        delete exitDepositOf[taskId][agent];
        totalExitDeposits -= amount;
    }

    /// @dev A receiver that cannot be paid must not stop the task from ending: its money waits for `withdraw`.
    /// @return deferred Nothing left the vault.
    function _push(address to, uint256 amount) private returns (bool deferred) {
        uint256 balanceBefore = TOK.balanceOf(address(this));
        TOK.trySafeTransfer(to, amount);
        deferred = TOK.balanceOf(address(this)) >= balanceBefore;

        if (deferred) {
            withdrawableOf[to] += amount;
            totalWithdrawable += amount;
        }
    }
}
