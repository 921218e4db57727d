// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ShortString, ShortStrings } from "@openzeppelin/contracts/utils/ShortStrings.sol";
import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { ITaskRegistry } from "../interfaces/ITaskRegistry.sol";
import { MAX_MILESTONES, MAX_REVISIONS, MarketParams } from "../types/Market.sol";
import { Milestone, Task, TaskState, TaskTerms } from "../types/Task.sol";
import { TaskSigning } from "./TaskSigning.sol";

/// @title Tasks in storage: how terms are checked in and how readers get them out
abstract contract TaskStore is TaskSigning {
    using ShortStrings for ShortString;
    using ShortStrings for string;

    ShortString private immutable MARKET;
    uint256 private immutable MIN_REVIEW_WINDOW;
    uint256 private immutable MAX_REVIEW_WINDOW;
    uint256 private immutable MIN_DURATION;
    uint256 private immutable MAX_DURATION;
    uint256 private immutable MAX_CLAIM_DEADLINE;
    uint256 internal immutable CLAIM_CUTOFF;

    /// @inheritdoc ITaskRegistry
    bytes32 public immutable paramsHash;
    /// @inheritdoc ITaskRegistry
    uint256 public taskCount;

    mapping(uint256 taskId => Task) private _tasks;
    mapping(uint256 taskId => mapping(uint256 index => Milestone)) internal _milestones;

    constructor(MarketParams memory params, address tok) TaskSigning(params.market, tok) {
        paramsHash = keccak256(abi.encode(params));
        MARKET = params.market.toShortString();
        MIN_REVIEW_WINDOW = params.minReviewWindow;
        MAX_REVIEW_WINDOW = params.maxReviewWindow;
        MIN_DURATION = params.minDuration;
        MAX_DURATION = params.maxDuration;
        MAX_CLAIM_DEADLINE = params.maxClaimDeadline;
        CLAIM_CUTOFF = params.claimCutoff;
    }

    /// @inheritdoc ITaskRegistry
    function market() external view returns (string memory) {
        return MARKET.toString();
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
        return _settlementDigest(task.termsHash, task.worker);
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

    /// @dev Checks the terms, spends their nonce and stores them as a new task.
    function _store(TaskTerms calldata terms, TaskState state) internal returns (uint256 taskId, Task storage task) {
        _checkTerms(terms);
        _useNonce(terms.poster, terms.nonce);
        taskId = ++taskCount;
        uint256 total = 0;
        for (uint256 i = 0; i < terms.amounts.length; ++i) {
            uint256 amount = terms.amounts[i];
            uint256 duration = terms.durations[i];
            // The vault counts in uint128, so the sum of all milestones must fit too.
            if (amount == 0 || amount > type(uint128).max - total) revert AmountOutOfRange(i, amount);
            if (duration < MIN_DURATION || duration > MAX_DURATION) revert DurationOutOfRange(i, duration);
            total += amount;
            _milestones[taskId][i] = Milestone({ amount: uint128(amount), duration: uint32(duration) });
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
        task.termsHash = hashTerms(terms);
    }

    function _checkTerms(TaskTerms calldata terms) private view {
        uint256 count = terms.amounts.length;
        if (count == 0 || count > MAX_MILESTONES || count != terms.durations.length) {
            revert MilestoneCountOutOfRange(count, terms.durations.length);
        }
        if (terms.reviewWindow < MIN_REVIEW_WINDOW || terms.reviewWindow > MAX_REVIEW_WINDOW) {
            revert ReviewWindowOutOfRange(terms.reviewWindow, MIN_REVIEW_WINDOW, MAX_REVIEW_WINDOW);
        }
        if (terms.maxRevisions > MAX_REVISIONS) revert TooManyRevisions(terms.maxRevisions, MAX_REVISIONS);
        if (terms.criteriaHash == 0) revert HashMissing();
        uint256 earliest = block.timestamp + CLAIM_CUTOFF;
        uint256 latest = block.timestamp + MAX_CLAIM_DEADLINE;
        if (terms.claimDeadline < earliest || terms.claimDeadline > latest) {
            revert ClaimDeadlineOutOfRange(terms.claimDeadline, earliest, latest);
        }
    }
}
