// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { MarketParams } from "../types/Market.sol";
import { TaskState, TaskView } from "../types/Task.sol";
import { IArbitration } from "./IArbitration.sol";

/// @title Many tasks in one call
/// @notice Every answer is read from the market's contracts at the block of the call.
interface ITaskLens {
    /// @dev A dispute and its task.
    struct DisputeView {
        uint256 taskId;
        IArbitration.Dispute dispute;
    }

    /// @notice Unknown ids come back with state NONE.
    /// @param taskIds The tasks to read.
    /// @return One view for each id, in the same order.
    function tasksOf(uint256[] calldata taskIds) external view returns (TaskView[] memory);

    /// @notice The last dispute of each task; one that never was has phase NONE.
    /// @param taskIds The tasks to read.
    /// @return One view for each id, in the same order.
    function disputesOf(uint256[] calldata taskIds) external view returns (DisputeView[] memory);

    /// @notice What the market was deployed with: registry and arbitration have vouched for it by their `paramsHash`.
    /// @return The parameters of the market.
    function params() external view returns (MarketParams memory);

    /// @notice The lens of the market that this one replaced. Its tasks run there until they end.
    /// @return The older lens, or zero if this market is the first.
    function predecessor() external view returns (address);

    /// @notice Tasks in `state`, newest first: see `ITaskRegistry.findTasks`.
    /// @param state The state to look for.
    /// @param start The first id to look at, going down.
    /// @param maxScan How many tasks to look at.
    /// @param limit How many tasks to return.
    /// @return views The tasks found.
    /// @return next Where the next call continues; zero at the end.
    function tasksIn(TaskState state, uint256 start, uint256 maxScan, uint256 limit)
        external
        view
        returns (TaskView[] memory views, uint256 next);
}
