// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { MarketParams } from "../types/Market.sol";
import { TaskState, TaskView } from "../types/Task.sol";
import { IArbitration } from "./IArbitration.sol";

/// @title Many tasks in one call
/// @notice Every answer is read from the market's contracts at the block of the call.
interface ITaskLens {
    /// @dev A dispute with everyone seated and every appeal.
    struct DisputeView {
        uint256 taskId;
        IArbitration.Dispute dispute;
        IArbitration.Seat[] bench;
        IArbitration.Appeal[] appeals;
    }

    /// @notice Unknown ids come back with state NONE.
    function tasksOf(uint256[] calldata taskIds) external view returns (TaskView[] memory);

    /// @notice The last dispute of each task; one that never was has phase NONE.
    function disputesOf(uint256[] calldata taskIds) external view returns (DisputeView[] memory);

    /// @notice What the market was deployed with: registry and arbitration have vouched for it by their `paramsHash`.
    function params() external view returns (MarketParams memory);

    /// @notice Tasks in `state`, newest first: see `ITaskRegistry.findTasks`.
    function tasksIn(TaskState state, uint256 start, uint256 maxScan, uint256 limit)
        external
        view
        returns (TaskView[] memory views, uint256 next);
}
