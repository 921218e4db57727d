// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { Vm, vm } from "../Vm.sol";

/// @dev What an index does: rebuilds tasks, escrow accounts, deposits and nonces from the logs alone. The clock and the block
/// number are those of the block the logs are in.
abstract contract Fold is Books {
    mapping(uint256 taskId => Task) private _tasks;
    mapping(uint256 taskId => IEscrowVault.Account) private _accounts;
    mapping(address account => uint256) private _withdrawable;
    mapping(address agent => uint256) private _balances;
    mapping(uint256 taskId => mapping(address agent => uint256)) private _reserves;
    mapping(address account => mapping(uint256 nonce => bool)) private _nonces;
    uint256 private _count;

    /// @dev How often each event was seen.
    mapping(bytes32 topic => uint256) internal seen;

    function _foldLogs() internal {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            seen[logs[i].topics[0]] += 1;
            if (logs[i].emitter == address(registry)) _foldTask(logs[i]);
            if (logs[i].emitter == address(escrow)) _foldEscrow(logs[i]);
            if (logs[i].emitter == address(deposits)) _foldDeposit(logs[i]);
        }
    }

    function _assertRebuilt() internal view {
        vm.assertEq(_count, registry.taskCount(), "tasks");
        address[4] memory agents = [POSTER, WORKER, STRANGER, TREASURY];
        uint256[4] memory live;
        for (uint256 id = 1; id <= _count; ++id) {
            vm.assertEq(abi.encode(_tasks[id]), abi.encode(_task(id)));
            vm.assertEq(abi.encode(_accounts[id]), abi.encode(escrow.accountOf(id)));
            for (uint256 i = 0; i < agents.length; ++i) {
                vm.assertEq(_reserves[id][agents[i]], deposits.reserveOf(id, agents[i]), "reserve");
                bool engaged = _tasks[id].state >= TaskState.CLAIMED && _tasks[id].state <= TaskState.DISPUTED;
                if (engaged && _tasks[id].worker == agents[i]) ++live[i];
            }
        }
        for (uint256 i = 0; i < agents.length; ++i) {
            vm.assertEq(_balances[agents[i]], deposits.balanceOf(agents[i]), "deposit");
            vm.assertEq(_withdrawable[agents[i]], escrow.withdrawableOf(agents[i]), "withdrawable");
            vm.assertEq(live[i], registry.liveClaimsOf(agents[i]), "live claims");
            // Tests number their nonces from one.
            for (uint256 nonce = 0; nonce < 64; ++nonce) {
                vm.assertEq(_nonces[agents[i]][nonce], registry.isNonceUsed(agents[i], nonce), "nonce");
            }
        }
    }

    function _foldTask(Vm.Log memory entry) private {
        bytes32 topic = entry.topics[0];
        Task storage task = _tasks[uint256(entry.topics[1])];
        if (topic == ITaskRegistry.NonceInvalidated.selector) {
            _nonces[address(uint160(uint256(entry.topics[1])))][abi.decode(entry.data, (uint256))] = true;
        } else if (topic == ITaskRegistry.TaskPosted.selector) {
            _foldTerms(task, entry.data, TaskState.POSTED);
        } else if (topic == ITaskRegistry.TaskCreated.selector) {
            _foldTerms(task, entry.data, TaskState.CLAIMED);
            _foldClaim(task, entry.topics[3]);
        } else if (topic == ITaskRegistry.TaskClaimed.selector) {
            _foldClaim(task, entry.topics[2]);
        } else if (topic == ITaskRegistry.TaskActivated.selector) {
            task.state = TaskState.ACTIVE;
            task.deadline = uint40(abi.decode(entry.data, (uint256)));
        } else if (topic == ITaskRegistry.WorkerLeft.selector || topic == ITaskRegistry.WorkerDismissed.selector) {
            _foldNext(task, abi.decode(entry.data, (TaskState)));
        } else if (topic == ITaskRegistry.TaskExpired.selector) {
            (, TaskState next) = abi.decode(entry.data, (TaskState, TaskState));
            _foldNext(task, next);
        } else if (topic == ITaskRegistry.TaskCancelled.selector) {
            task.state = TaskState.CANCELLED;
        } else if (topic == ITaskRegistry.DisputeOpened.selector) {
            task.state = TaskState.DISPUTED;
        } else if (topic == ITaskRegistry.DisputeConceded.selector) {
            task.state = TaskState.ACTIVE;
        } else if (topic == ITaskRegistry.TaskCompleted.selector) {
            task.state = TaskState.COMPLETED;
            task.current = task.milestoneCount;
        } else {
            _foldMilestone(task, topic, entry.data);
        }
    }

    function _foldMilestone(Task storage task, bytes32 topic, bytes memory data) private {
        if (topic == ITaskRegistry.MilestoneDelivered.selector) {
            (,, uint256 reviewEnd) = abi.decode(data, (uint256, bytes32, uint256));
            task.reviewEnd = uint40(reviewEnd);
        } else if (topic == ITaskRegistry.RevisionRequested.selector) {
            (,, uint256 deadline) = abi.decode(data, (uint256, bytes32, uint256));
            task.deadline = uint40(deadline);
            task.reviewEnd = 0;
            task.revisions += 1;
        } else if (topic == ITaskRegistry.MilestoneReleased.selector) {
            (uint256 milestone,,, uint256 deadline) = abi.decode(data, (uint256, uint256, bool, uint256));
            task.current = uint8(milestone + 1);
            task.deadline = uint40(deadline);
            task.reviewEnd = 0;
            task.revisions = 0;
        } else if (topic == ITaskRegistry.TaskMutuallyCancelled.selector) {
            (uint256 workerBps,, TaskState next) = abi.decode(data, (uint256, uint256, TaskState));
            task.workerBps = uint16(workerBps);
            task.state = next;
        } else if (topic == ITaskRegistry.TaskResolved.selector) {
            (uint256 workerBps,) = abi.decode(data, (uint256, uint256));
            task.workerBps = uint16(workerBps);
            task.ruled = true;
            task.state = TaskState.RESOLVED;
        }
    }

    function _foldTerms(Task storage task, bytes memory data, TaskState state) private {
        (uint256 total,, TaskTerms memory terms) = abi.decode(data, (uint256, bytes32, TaskTerms));
        _count += 1;
        task.poster = terms.poster;
        task.state = state;
        task.scope = terms.scope;
        task.claimPolicy = terms.claimPolicy;
        task.milestoneCount = uint8(terms.amounts.length);
        task.maxRevisions = terms.maxRevisions;
        task.reviewWindow = uint32(terms.reviewWindow);
        task.total = uint128(total);
        task.claimDeadline = uint40(terms.claimDeadline);
        task.arbitrator = terms.arbitrator;
        task.postedAt = uint40(block.timestamp);
        task.postedBlock = uint48(block.number);
        task.termsHash = registry.hashTerms(terms);
    }

    function _foldClaim(Task storage task, bytes32 worker) private {
        task.state = TaskState.CLAIMED;
        task.worker = address(uint160(uint256(worker)));
        task.claimedAt = uint40(block.timestamp);
    }

    function _foldNext(Task storage task, TaskState next) private {
        task.state = next;
        if (next != TaskState.POSTED) return;
        task.worker = address(0);
        task.claimedAt = 0;
    }

    function _foldEscrow(Vm.Log memory entry) private {
        bytes32 topic = entry.topics[0];
        address to = address(uint160(uint256(entry.topics[2])));
        if (topic == IEscrowVault.Withdrawn.selector) {
            _withdrawable[address(uint160(uint256(entry.topics[1])))] -= abi.decode(entry.data, (uint256));
            return;
        }
        IEscrowVault.Account storage account = _accounts[uint256(entry.topics[1])];
        if (topic == IEscrowVault.Funded.selector) {
            account.funded += uint128(abi.decode(entry.data, (uint256)));
            return;
        }
        (uint256 amount, bool deferred) = abi.decode(entry.data, (uint256, bool));
        if (topic == IEscrowVault.Released.selector) account.released += uint128(amount);
        else account.refunded += uint128(amount);
        if (deferred) _withdrawable[to] += amount;
    }

    function _foldDeposit(Vm.Log memory entry) private {
        bytes32 topic = entry.topics[0];
        uint256 amount = abi.decode(entry.data, (uint256));
        address first = address(uint160(uint256(entry.topics[1])));
        address second = address(uint160(uint256(entry.topics[2])));
        uint256 taskId = uint256(entry.topics[1]);
        if (topic == IDepositVault.ToppedUp.selector) _balances[first] += amount;
        else if (topic == IDepositVault.Withdrawn.selector) _balances[first] -= amount;
        else if (topic == IDepositVault.Reserved.selector) _reserves[taskId][second] += amount;
        else if (topic == IDepositVault.Unreserved.selector) _reserves[taskId][second] -= amount;
        if (topic != IDepositVault.Penalised.selector) return;
        _reserves[taskId][second] -= amount;
        _balances[second] -= amount;
        _balances[address(uint160(uint256(entry.topics[3])))] += amount;
    }
}
