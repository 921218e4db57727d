// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { IAgreements } from "../interfaces/IAgreements.sol";
import { ITaskRegistry } from "../interfaces/ITaskRegistry.sol";
import { Contracts, MarketParams } from "../types/Market.sol";
import { Milestone, Task, TaskState, TaskTerms } from "../types/Task.sol";
import { Nonces } from "./Nonces.sol";

/// @title Tasks in storage: how terms are checked in and how readers get them out
abstract contract TaskStore is Nonces {
    IAgreements internal immutable AGREEMENTS;
    uint256 internal immutable CLAIM_CUTOFF;

    /// @inheritdoc ITaskRegistry
    bytes32 public immutable paramsHash;
    /// @inheritdoc ITaskRegistry
    uint256 public taskCount;

    mapping(uint256 taskId => Task) private _tasks;
    mapping(uint256 taskId => mapping(uint256 index => Milestone)) internal _milestones;

    constructor(Contracts memory contracts_, MarketParams memory params) {
        AGREEMENTS = IAgreements(contracts_.agreements);
        paramsHash = keccak256(abi.encode(params));
        CLAIM_CUTOFF = params.claimCutoff;
    }

    /// @inheritdoc ITaskRegistry
    function taskOf(uint256 taskId) external view returns (Task memory) {
        return _tasks[taskId];
    }

    /// @inheritdoc ITaskRegistry
    function milestonesOf(uint256 taskId) external view returns (Milestone[] memory milestones) {
        milestones = new Milestone[](_tasks[taskId].milestoneCount);
        for (uint256 i = 0; i < milestones.length; ++i) {
            milestones[i] = _milestones[taskId][i];
        }
    }

    /// @inheritdoc ITaskRegistry
    function settlementDigestOf(uint256 taskId) external view returns (bytes32) {
        Task storage task = _taskOf(taskId);
        return _digestOf(task.termsHash, task.worker);
    }

    /// @inheritdoc ITaskRegistry
    function findTasks(TaskState state, uint256 start, uint256 maxScan, uint256 limit)
        external
        view
        returns (uint256[] memory taskIds, uint256 next)
    {
        next = start < taskCount ? start : taskCount;
        // No more than can be found, so that a careless bound costs no memory.
        taskIds = new uint256[](Math.min(Math.min(limit, maxScan), next));
        uint256 found = 0;
        for (uint256 scanned = 0; next != 0 && scanned < maxScan && found < limit; ++scanned) {
            if (_tasks[next].state == state) taskIds[found++] = next;
            --next;
        }
        // Cuts the list to what was found: Solidity cannot shorten an array in memory.
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            mstore(taskIds, found)
        }
    }

    /// @dev The task, if it exists. Every transition starts here.
    function _taskOf(uint256 taskId) internal view returns (Task storage task) {
        task = _tasks[taskId];
        if (task.state == TaskState.NONE) revert TaskNotFound(taskId);
    }

    /// @dev The task, if it is in `expected`.
    function _in(uint256 taskId, TaskState expected) internal view returns (Task storage task) {
        (task,) = _inEither(taskId, expected, expected);
    }

    /// @dev The task and its state, if that is one of two.
    function _inEither(uint256 taskId, TaskState one, TaskState other)
        internal
        view
        returns (Task storage task, TaskState state)
    {
        task = _taskOf(taskId);
        state = task.state;
        if (state != one && state != other) revert WrongState(taskId, state);
    }

    function _digestOf(bytes32 termsHash, address worker) internal view returns (bytes32) {
        return AGREEMENTS.settlementDigest(termsHash, worker);
    }

    /// @dev Checks the terms, spends their nonce and stores them as a new task.
    function _store(TaskTerms calldata terms, TaskState state) internal returns (uint256 taskId, Task storage task) {
        (uint256 total, bytes32 termsHash) = AGREEMENTS.checkTerms(terms);
        _useNonce(terms.poster, terms.nonce);
        taskId = ++taskCount;
        // Checked above: every amount fits 128 bits and every duration 32.
        for (uint256 i = 0; i < terms.amounts.length; ++i) {
            _milestones[taskId][i] =
                Milestone({ amount: uint128(terms.amounts[i]), duration: uint32(terms.durations[i]) });
        }
        task = _tasks[taskId];
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
        task.store = terms.store;
        task.termsHash = termsHash;
    }
}
