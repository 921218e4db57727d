// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IAgreements } from "./interfaces/IAgreements.sol";
import { IArbitration } from "./interfaces/IArbitration.sol";
import { IEscrowVault } from "./interfaces/IEscrowVault.sol";
import { ITaskLens } from "./interfaces/ITaskLens.sol";
import { ITaskRegistry } from "./interfaces/ITaskRegistry.sol";
import { BPS, Contracts, MarketParams } from "./types/Market.sol";
import { Milestone, MilestoneState, MilestoneView, Task, TaskState, TaskView } from "./types/Task.sol";

/// @title Many tasks in one call
/// @dev Apart from the registry because the registry must fit the contract size limit.
contract TaskLens is ITaskLens {
    ITaskRegistry private immutable REGISTRY;
    IEscrowVault private immutable ESCROW;
    IArbitration private immutable ARBITRATION;

    /// @inheritdoc ITaskLens
    address public immutable predecessor;

    /// @dev Written once: the registry has no room to answer with them itself.
    MarketParams private _params;

    /// @param predecessor_ The lens of the market that this one replaces, or zero.
    constructor(Contracts memory contracts_, MarketParams memory params_, address predecessor_) {
        REGISTRY = ITaskRegistry(contracts_.taskRegistry);
        ESCROW = IEscrowVault(contracts_.escrowVault);
        ARBITRATION = IArbitration(contracts_.arbitration);
        predecessor = predecessor_;
        _params = params_;
        bytes32 hash = keccak256(abi.encode(params_));
        assert(hash == REGISTRY.paramsHash() && hash == ARBITRATION.paramsHash());
        assert(hash == IAgreements(contracts_.agreements).paramsHash());
    }

    /// @inheritdoc ITaskLens
    function params() external view returns (MarketParams memory) {
        return _params;
    }

    /// @inheritdoc ITaskLens
    function disputesOf(uint256[] calldata taskIds) external view returns (DisputeView[] memory views) {
        views = new DisputeView[](taskIds.length);
        for (uint256 i = 0; i < taskIds.length; ++i) {
            uint256 taskId = taskIds[i];
            views[i] = DisputeView({ taskId: taskId, dispute: ARBITRATION.disputeOf(taskId) });
        }
    }

    /// @inheritdoc ITaskLens
    function tasksIn(TaskState state, uint256 start, uint256 maxScan, uint256 limit)
        external
        view
        returns (TaskView[] memory views, uint256 next)
    {
        uint256[] memory taskIds;
        (taskIds, next) = REGISTRY.findTasks(state, start, maxScan, limit);
        views = tasksOf(taskIds);
    }

    /// @inheritdoc ITaskLens
    function tasksOf(uint256[] memory taskIds) public view returns (TaskView[] memory views) {
        IEscrowVault.Account[] memory accounts = ESCROW.accountsOf(taskIds);
        views = new TaskView[](taskIds.length);
        for (uint256 i = 0; i < taskIds.length; ++i) {
            TaskView memory view_ = views[i];
            Task memory task = REGISTRY.taskOf(taskIds[i]);
            view_.taskId = taskIds[i];
            view_.task = task;
            if (task.state == TaskState.NONE) continue;
            view_.settlementDigest = REGISTRY.settlementDigestOf(taskIds[i]);
            view_.funded = accounts[i].funded;
            view_.released = accounts[i].released;
            view_.refunded = accounts[i].refunded;
            view_.milestones = _milestonesOf(taskIds[i], task);
        }
    }

    function _milestonesOf(uint256 taskId, Task memory task) private view returns (MilestoneView[] memory views) {
        Milestone[] memory milestones = REGISTRY.milestonesOf(taskId);
        views = new MilestoneView[](milestones.length);
        for (uint256 i = 0; i < milestones.length; ++i) {
            views[i] = MilestoneView({
                amount: milestones[i].amount, duration: milestones[i].duration, state: _milestoneState(task, i)
            });
        }
    }

    /// @dev Derived, never stored: milestones settle in order, and an ending settles the rest in one way.
    function _milestoneState(Task memory task, uint256 index) private pure returns (MilestoneState) {
        if (index < task.current) return MilestoneState.PAID;
        if (task.state <= TaskState.DISPUTED) {
            return index == task.current && task.reviewEnd != 0 ? MilestoneState.DELIVERED : MilestoneState.OPEN;
        }
        // A ruling shares only the disputed milestone, a mutual cancel everything that was held.
        bool shared = !task.ruled || index == task.current;
        if (task.workerBps == 0 || !shared) return MilestoneState.REFUNDED;
        return task.workerBps == BPS ? MilestoneState.PAID : MilestoneState.SPLIT;
    }
}
