// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IDepositVault } from "../interfaces/IDepositVault.sol";
import { IEscrowVault } from "../interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../interfaces/IPaymentGateway.sol";
import { IReputationRegistry } from "../interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../interfaces/ITaskRegistry.sol";
import { CLAIM_RESERVE, Contracts, ENTRY_DEPOSIT, EXIT_PENALTY, MarketParams, TASK_RESERVE } from "../types/Market.sol";
import { Task, TaskState } from "../types/Task.sol";
import { TaskStore } from "./TaskStore.sol";

/// @title What a transition moves: fees, reserves, penalties, escrow
/// @dev The state is written before anything moves. The vaults only keep books and the token is ours, but no step relies
/// on that: a payment that cannot be pushed waits in the vault.
abstract contract TaskMoney is TaskStore {
    IDepositVault internal immutable DEPOSITS;
    IEscrowVault internal immutable ESCROW;
    IPaymentGateway internal immutable GATEWAY;
    IReputationRegistry internal immutable REPUTATION;
    address private immutable TREASURY;
    uint256 private immutable BASE_CLAIMS;

    /// @inheritdoc ITaskRegistry
    mapping(address worker => uint256) public liveClaimsOf;

    constructor(Contracts memory contracts_, MarketParams memory params) TaskStore(params, contracts_.tok) {
        DEPOSITS = IDepositVault(contracts_.depositVault);
        ESCROW = IEscrowVault(contracts_.escrowVault);
        GATEWAY = IPaymentGateway(contracts_.paymentGateway);
        REPUTATION = IReputationRegistry(contracts_.reputationRegistry);
        TREASURY = contracts_.treasury;
        BASE_CLAIMS = params.baseClaims;
    }

    /// @inheritdoc ITaskRegistry
    function slotsOf(address worker) public view returns (uint256) {
        uint256 balance = DEPOSITS.balanceOf(worker);
        return balance < ENTRY_DEPOSIT ? 0 : BASE_CLAIMS + (balance - ENTRY_DEPOSIT) / TASK_RESERVE;
    }

    function _fund(uint256 taskId, Task storage task, uint256 amount) internal {
        uint256 missing = task.total - ESCROW.accountOf(taskId).funded;
        if (amount == 0 || amount > missing) revert AmountNotMissing(taskId, amount, missing);
        emit TaskFunded(taskId, task.poster, amount);
        ESCROW.fund(taskId, task.poster, amount);
    }

    /// @dev Takes a worker on: a slot, the worker's reserve and fee, and enough of the poster's.
    function _engage(uint256 taskId, Task storage task, address worker) internal {
        _checkDeposit(worker, ENTRY_DEPOSIT);
        uint256 live = liveClaimsOf[worker];
        uint256 slots = slotsOf(worker);
        if (live >= slots) revert NoFreeSlot(worker, live, slots);
        liveClaimsOf[worker] = live + 1;
        task.worker = worker;
        task.claimedAt = uint40(block.timestamp);
        _reserve(taskId, worker);
        // Where the money is missing, only the poster's own acts put more of its deposit at risk: else claims that are
        // left to lapse, one after the other, would eat up the deposit of a poster who is not there.
        if (_isFunded(taskId, task)) {
            _reserve(taskId, task.poster);
        } else {
            uint256 reserved = DEPOSITS.reserveOf(taskId, task.poster);
            if (reserved < CLAIM_RESERVE) {
                revert IDepositVault.InsufficientDeposit(task.poster, reserved, CLAIM_RESERVE);
            }
        }
        GATEWAY.chargeAccessFee(taskId, worker, IPaymentGateway.AccessAction.CLAIM);
    }

    /// @dev Lets a worker go; the task opens again (POSTED) or ends. Moves no token, so that a fee can still follow.
    function _disengage(uint256 taskId, Task storage task, TaskState next) internal {
        address worker = task.worker;
        task.state = next;
        liveClaimsOf[worker] -= 1;
        DEPOSITS.unreserve(taskId, worker);
        if (next == TaskState.POSTED) {
            task.worker = address(0);
            task.claimedAt = 0;
        } else {
            DEPOSITS.unreserve(taskId, task.poster);
        }
    }

    /// @dev By the state this very call led to, whatever a token may have called in between.
    function _refundUnlessPosted(uint256 taskId, Task storage task, TaskState next) internal {
        if (next != TaskState.POSTED) ESCROW.refund(taskId, task.poster);
    }

    function _complete(uint256 taskId, Task storage task, uint256 amount) internal {
        REPUTATION.recordCompletion(taskId, task.poster, task.worker);
        _end(taskId, task, TaskState.COMPLETED, amount);
    }

    /// @dev The end of a task with a worker: reserves go back, the worker gets `workerAmount`, the poster the rest.
    function _end(uint256 taskId, Task storage task, TaskState next, uint256 workerAmount) internal {
        _disengage(taskId, task, next);
        _pay(taskId, task, workerAmount);
        ESCROW.refund(taskId, task.poster);
    }

    /// @dev The end of a task that nobody has claimed.
    function _withdraw(uint256 taskId, Task storage task, TaskState next) internal {
        task.state = next;
        DEPOSITS.unreserve(taskId, task.poster);
        ESCROW.refund(taskId, task.poster);
    }

    function _pay(uint256 taskId, Task storage task, uint256 amount) internal {
        REPUTATION.recordPayment(taskId, task.poster, task.worker, amount);
        ESCROW.release(taskId, task.worker, amount);
    }

    function _reserve(uint256 taskId, address agent) internal {
        DEPOSITS.reserve(taskId, agent, TASK_RESERVE);
    }

    function _penaliseExit(uint256 taskId, address leaver, address other) internal {
        DEPOSITS.penalise(taskId, leaver, other, EXIT_PENALTY);
        DEPOSITS.penalise(taskId, leaver, TREASURY, EXIT_PENALTY);
    }

    /// @dev Makes the worker's claim fee good when the money did not come. Funded but never started is nobody's fault.
    function _penaliseLatePoster(uint256 taskId, Task storage task) internal {
        if (_isFunded(taskId, task)) return;
        REPUTATION.recordLapse(taskId, task.poster);
        DEPOSITS.penalise(taskId, task.poster, task.worker, EXIT_PENALTY);
    }

    function _isFunded(uint256 taskId, Task storage task) internal view returns (bool) {
        return ESCROW.accountOf(taskId).funded == task.total;
    }

    function _checkDeposit(address agent, uint256 needed) internal view {
        uint256 balance = DEPOSITS.balanceOf(agent);
        if (balance < needed) revert DepositTooLow(agent, balance, needed);
    }
}
