// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Vm } from "../Vm.sol";

/// @dev Folds the events of the registry and the escrow vault into tasks and their escrow accounts.
abstract contract TaskFold {
    mapping(uint256 taskId => Task) internal tasks;
    mapping(uint256 taskId => TaskTerms) internal termsOf;
    mapping(uint256 taskId => IEscrowVault.Account) internal accounts;
    mapping(address account => uint256) internal deferred;
    mapping(uint256 taskId => mapping(address agent => uint256)) internal exitDeposits;
    mapping(uint256 taskId => address) internal allowed;
    uint256 public taskCount;
    mapping(address account => mapping(uint256 nonce => bool)) public nonceUsed;
    uint256 public nonceCount;

    /// @notice How often each milestone was paid because it was accepted. At most once.
    mapping(uint256 taskId => mapping(uint256 milestone => uint256)) public settledOf;
    /// @notice How often a task ended. At most once.
    mapping(uint256 taskId => uint256) public endingsOf;
    /// @notice Number of events about a task that had already ended.
    uint256 public afterlives;

    function _foldRegistry(Vm.Log memory log) internal {
        bytes32 kind = log.topics[0];
        if (kind == ITaskRegistry.NonceInvalidated.selector) {
            nonceUsed[address(uint160(uint256(log.topics[1])))][abi.decode(log.data, (uint256))] = true;
            ++nonceCount;
            return;
        }
        uint256 taskId = uint256(log.topics[1]);
        Task storage task = tasks[taskId];
        if (task.state > TaskState.DISPUTED) ++afterlives;
        if (kind == ITaskRegistry.TaskPosted.selector) {
            _posted(taskId, log);
        } else if (kind == ITaskRegistry.TaskCreated.selector) {
            _created(taskId, log);
        } else if (kind == ITaskRegistry.WorkerAllowed.selector) {
            allowed[taskId] = address(uint160(uint256(log.topics[2])));
        } else if (kind == ITaskRegistry.TaskClaimed.selector) {
            _engaged(taskId, log.topics[2]);
        } else if (kind == ITaskRegistry.TaskActivated.selector) {
            _activated(task, log);
        } else if (kind == ITaskRegistry.WorkerDismissed.selector) {
            _letGo(taskId, abi.decode(log.data, (TaskState)));
        } else if (kind == ITaskRegistry.NoticeGiven.selector) {
            _noticed(task, log);
        } else if (kind == ITaskRegistry.WorkerLeft.selector) {
            _letGo(taskId, abi.decode(log.data, (TaskState)));
        } else if (kind == ITaskRegistry.TaskExpired.selector) {
            _expired(taskId, log);
        } else if (kind == ITaskRegistry.MilestoneDelivered.selector) {
            _delivered(task, log);
        } else if (kind == ITaskRegistry.DeliveryReceipted.selector) {
            _receipted(task, log);
        } else if (kind == ITaskRegistry.RevisionRequested.selector) {
            _revised(task, log);
        } else if (kind == ITaskRegistry.MilestoneReleased.selector) {
            _released(taskId, log);
        } else if (kind == ITaskRegistry.TaskCompleted.selector) {
            _completed(taskId, log);
        } else if (kind == ITaskRegistry.TaskCancelled.selector) {
            _ended(taskId, TaskState.CANCELLED);
        } else if (kind == ITaskRegistry.TaskMutuallyCancelled.selector) {
            _cancelledTogether(taskId, log);
        } else if (kind == ITaskRegistry.DisputeOpened.selector) {
            task.state = TaskState.DISPUTED;
        } else if (kind == ITaskRegistry.DisputeConceded.selector) {
            task.state = TaskState.ACTIVE;
        } else if (kind == ITaskRegistry.TaskResolved.selector) {
            _resolved(taskId, log);
        } else if (kind != ITaskRegistry.TaskFunded.selector) {
            revert("unknown event of TaskRegistry");
        }
    }

    function _foldEscrow(Vm.Log memory log) internal {
        bytes32 kind = log.topics[0];
        address account = address(uint160(uint256(log.topics[2])));
        if (kind == IEscrowVault.Withdrawn.selector) {
            deferred[address(uint160(uint256(log.topics[1])))] -= abi.decode(log.data, (uint256));
            return;
        }
        IEscrowVault.Account storage books = accounts[uint256(log.topics[1])];
        if (kind == IEscrowVault.Funded.selector) {
            books.funded += uint128(abi.decode(log.data, (uint256)));
            return;
        }
        mapping(address agent => uint256) storage exits = exitDeposits[uint256(log.topics[1])];
        if (kind == IEscrowVault.ExitDepositLocked.selector) {
            exits[account] += abi.decode(log.data, (uint256));
            return;
        }
        (uint256 amount, bool waits) = abi.decode(log.data, (uint256, bool));
        if (kind == IEscrowVault.Released.selector) books.released += uint128(amount);
        else if (kind == IEscrowVault.Refunded.selector) books.refunded += uint128(amount);
        else exits[account] -= amount;
        // What could not be spent waits for the gateway that was to share it out.
        if (waits) deferred[kind == IEscrowVault.ExitDepositSpent.selector ? _gateway() : account] += amount;
    }

    function _posted(uint256 taskId, Vm.Log memory log) private {
        (uint256 total,, TaskTerms memory terms) = abi.decode(log.data, (uint256, bytes32, TaskTerms));
        _stored(taskId, total, terms);
        tasks[taskId].state = TaskState.POSTED;
    }

    function _created(uint256 taskId, Vm.Log memory log) private {
        (uint256 total,, TaskTerms memory terms) = abi.decode(log.data, (uint256, bytes32, TaskTerms));
        _stored(taskId, total, terms);
        _engaged(taskId, log.topics[3]);
    }

    function _stored(uint256 taskId, uint256 total, TaskTerms memory terms) private {
        ++taskCount;
        termsOf[taskId] = terms;
        Task storage task = tasks[taskId];
        task.poster = terms.poster;
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
        task.store = terms.store;
        task.termsHash = _hashTerms(terms);
    }

    function _engaged(uint256 taskId, bytes32 worker) private {
        Task storage task = tasks[taskId];
        allowed[taskId] = address(0);
        task.state = TaskState.CLAIMED;
        task.worker = address(uint160(uint256(worker)));
        task.fundedAtClaim = accounts[taskId].funded == task.total;
        task.claimedAt = uint40(block.timestamp);
    }

    function _activated(Task storage task, Vm.Log memory log) private {
        task.state = TaskState.ACTIVE;
        task.deadline = uint40(abi.decode(log.data, (uint256)));
    }

    function _noticed(Task storage task, Vm.Log memory log) private {
        task.underNotice = true;
        task.deadline = uint40(abi.decode(log.data, (uint256)));
    }

    function _expired(uint256 taskId, Vm.Log memory log) private {
        (, TaskState next) = abi.decode(log.data, (TaskState, TaskState));
        _letGo(taskId, next);
    }

    function _letGo(uint256 taskId, TaskState next) private {
        if (next != TaskState.POSTED) return _ended(taskId, next);
        Task storage task = tasks[taskId];
        task.state = next;
        task.worker = address(0);
        task.claimedAt = 0;
        task.fundedAtClaim = false;
    }

    function _delivered(Task storage task, Vm.Log memory log) private {
        (,, uint256 reviewEnd) = abi.decode(log.data, (uint256, bytes32, uint256));
        task.reviewEnd = uint40(reviewEnd);
    }

    function _receipted(Task storage task, Vm.Log memory log) private {
        (,,, uint256 reviewEnd) = abi.decode(log.data, (uint256, uint256, uint256, uint256));
        task.receipted = true;
        task.reviewEnd = uint40(reviewEnd);
    }

    function _revised(Task storage task, Vm.Log memory log) private {
        (,, uint256 deadline) = abi.decode(log.data, (uint256, bytes32, uint256));
        task.deadline = uint40(deadline);
        task.revisions += 1;
        task.reviewEnd = 0;
        task.receipted = false;
    }

    function _released(uint256 taskId, Vm.Log memory log) private {
        (uint256 milestone,,, uint256 deadline) = abi.decode(log.data, (uint256, uint256, bool, uint256));
        Task storage task = tasks[taskId];
        task.current = uint8(milestone + 1);
        task.deadline = uint40(deadline);
        task.reviewEnd = 0;
        task.revisions = 0;
        task.receipted = false;
        ++settledOf[taskId][milestone];
    }

    /// @dev After the last milestone, or the one under notice, nothing is left to do; otherwise `complete` paid the rest.
    function _completed(uint256 taskId, Vm.Log memory log) private {
        Task storage task = tasks[taskId];
        if (abi.decode(log.data, (uint256)) == task.total) {
            for (uint256 i = task.current; i < task.milestoneCount; ++i) {
                ++settledOf[taskId][i];
            }
            task.current = task.milestoneCount;
        }
        _ended(taskId, TaskState.COMPLETED);
    }

    function _cancelledTogether(uint256 taskId, Vm.Log memory log) private {
        (uint256 workerBps,, TaskState next) = abi.decode(log.data, (uint256, uint256, TaskState));
        tasks[taskId].workerBps = uint16(workerBps);
        _ended(taskId, next);
    }

    function _resolved(uint256 taskId, Vm.Log memory log) private {
        (uint256 workerBps,,) = abi.decode(log.data, (uint256, uint256, uint256));
        tasks[taskId].workerBps = uint16(workerBps);
        tasks[taskId].ruled = true;
        _ended(taskId, TaskState.RESOLVED);
    }

    function _ended(uint256 taskId, TaskState end) private {
        tasks[taskId].state = end;
        ++endingsOf[taskId];
    }

    function _hashTerms(TaskTerms memory terms) internal view virtual returns (bytes32);

    function _gateway() internal view virtual returns (address);
}
