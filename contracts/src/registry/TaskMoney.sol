// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IDepositVault } from "../interfaces/IDepositVault.sol";
import { IEscrowVault } from "../interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../interfaces/IPaymentGateway.sol";
import { IReputationRegistry } from "../interfaces/IReputationRegistry.sol";
import { Contracts, ENTRY_DEPOSIT, LAPSE_PENALTY, MarketParams, TASK_RESERVE } from "../types/Market.sol";
import { Task, TaskState } from "../types/Task.sol";
import { TaskStore } from "./TaskStore.sol";

/// @title What a transition moves: fees, reserves, exit deposits, penalties, escrow
/// @dev The state is written before anything moves. The vaults only keep books and the token is ours, but no step relies
/// on that: a payment that cannot be pushed waits in the vault.
abstract contract TaskMoney is TaskStore {
    IDepositVault internal immutable DEPOSITS;
    IEscrowVault internal immutable ESCROW;
    IPaymentGateway internal immutable GATEWAY;
    IReputationRegistry internal immutable REPUTATION;
    address private immutable TREASURY;
    address private immutable FINAL_COURT;
    uint256 internal immutable VET_WINDOW;

    constructor(Contracts memory contracts_, MarketParams memory params) TaskStore(contracts_, params) {
        DEPOSITS = IDepositVault(contracts_.depositVault);
        ESCROW = IEscrowVault(contracts_.escrowVault);
        GATEWAY = IPaymentGateway(contracts_.paymentGateway);
        REPUTATION = IReputationRegistry(contracts_.reputationRegistry);
        TREASURY = contracts_.treasury;
        FINAL_COURT = contracts_.finalCourt;
        VET_WINDOW = params.vetWindow;
    }

    function _fund(uint256 taskId, Task storage task, uint256 amount) internal {
        uint256 missing = task.total - _fundedOf(taskId);
        if (amount == 0 || amount > missing) revert AmountNotMissing(taskId, amount, missing);
        emit TaskFunded(taskId, task.poster, amount);
        ESCROW.fund(taskId, task.poster, amount);
    }

    /// @dev Who may enter: not the final court, and only with a free deposit that this task has for itself.
    function _checkEntry(address agent) internal view {
        if (agent == FINAL_COURT) revert CourtCannotEnter(agent);
        uint256 free = DEPOSITS.freeOf(agent);
        if (free < ENTRY_DEPOSIT) revert DepositTooLow(agent, free, ENTRY_DEPOSIT);
    }

    /// @dev What a party locks on entry.
    function _enter(uint256 taskId, address agent) internal {
        DEPOSITS.reserve(taskId, agent, TASK_RESERVE);
        _lockExitDeposit(taskId, agent);
    }

    /// @dev The last step of every entry: the token may call anyone, who must find the task as it will stay.
    function _chargeFee(uint256 taskId, address agent, IPaymentGateway.AccessAction action) internal {
        GATEWAY.chargeAccessFee(taskId, agent, action);
    }

    /// @dev Takes a worker on.
    function _engage(uint256 taskId, Task storage task, address worker) internal {
        _checkEntry(worker);
        task.worker = worker;
        task.claimedAt = uint40(block.timestamp);
        task.fundedAtClaim = _isFunded(taskId, task);
        _enter(taskId, worker);
    }

    /// @dev The task opens again (POSTED) or ends. Written before anything moves.
    /// @return worker Whom to let go.
    function _close(Task storage task, TaskState next) internal returns (address worker) {
        worker = task.worker;
        task.state = next;
        if (next == TaskState.POSTED) {
            task.worker = address(0);
            task.claimedAt = 0;
            task.fundedAtClaim = false;
        }
    }

    /// @dev Lets a worker go, and the poster of a task that ended, by the state this very call led to. The exit deposits
    /// that are still there go back.
    function _disengage(uint256 taskId, Task storage task, address worker, TaskState next) internal {
        if (next != TaskState.POSTED) _letGo(taskId, task.poster);
        _letGo(taskId, worker);
        if (next != TaskState.POSTED) _refund(taskId, task);
    }

    function _complete(uint256 taskId, Task storage task, uint256 amount) internal {
        emit TaskCompleted(taskId, ESCROW.accountOf(taskId).released + amount);
        REPUTATION.recordCompletion(taskId, task.poster, task.worker);
        _end(taskId, task, amount);
    }

    /// @dev The end of a task with a worker: deposits go back, the worker gets `workerAmount`, the poster the rest.
    function _end(uint256 taskId, Task storage task, uint256 workerAmount) internal {
        _letGo(taskId, task.poster);
        _letGo(taskId, task.worker);
        _pay(taskId, task, workerAmount);
        _refund(taskId, task);
    }

    /// @dev The end of a task that nobody has claimed.
    function _withdraw(uint256 taskId, Task storage task, TaskState next) internal {
        task.state = next;
        _letGo(taskId, task.poster);
        _refund(taskId, task);
    }

    function _pay(uint256 taskId, Task storage task, uint256 amount) internal {
        // Two wallets of one owner can settle any sum in one block. Only time makes a sum on record cost something.
        if (_isVetted(task)) REPUTATION.recordPayment(taskId, task.poster, task.worker, amount);
        _release(taskId, task.worker, amount);
    }

    function _release(uint256 taskId, address to, uint256 amount) internal {
        ESCROW.release(taskId, to, amount);
    }

    function _refund(uint256 taskId, Task storage task) private {
        ESCROW.refund(taskId, task.poster);
    }

    function _lockExitDeposit(uint256 taskId, address agent) internal {
        ESCROW.lockExitDeposit(taskId, agent);
    }

    /// @dev What the task still holds of a party's deposits goes back.
    function _letGo(uint256 taskId, address agent) private {
        DEPOSITS.unreserve(taskId, agent);
        ESCROW.returnExitDeposit(taskId, agent);
    }

    /// @dev A duty was missed: the exit deposit and a part of the reserve are lost.
    function _forfeit(uint256 taskId, address agent) internal {
        REPUTATION.recordLapse(taskId, agent);
        DEPOSITS.penalise(taskId, agent, TREASURY, LAPSE_PENALTY);
        _spendExitDeposit(taskId, agent, IPaymentGateway.AccessAction.FORFEIT);
    }

    function _spendExitDeposit(uint256 taskId, address agent, IPaymentGateway.AccessAction action) internal {
        ESCROW.spendExitDeposit(taskId, agent, action);
    }

    function _isFunded(uint256 taskId, Task storage task) internal view returns (bool) {
        return _fundedOf(taskId) == task.total;
    }

    function _fundedOf(uint256 taskId) internal view returns (uint256) {
        return ESCROW.accountOf(taskId).funded;
    }

    function _heldOf(uint256 taskId) internal view returns (uint256) {
        return ESCROW.heldOf(taskId);
    }

    function _isVetted(Task storage task) private view returns (bool) {
        return block.timestamp > task.claimedAt + VET_WINDOW;
    }
}
