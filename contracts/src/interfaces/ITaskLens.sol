// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TaskState, TaskView } from "../types/Task.sol";

/// @title Many tasks in one call
/// @notice Stateless; every answer is read from the registry and the vault at the block of the call.
interface ITaskLens {
    /// @notice Unknown ids come back with state NONE.
    function tasksOf(uint256[] calldata taskIds) external view returns (TaskView[] memory);

    /// @notice Tasks in `state`, newest first: see `ITaskRegistry.findTasks`.
    function tasksIn(TaskState state, uint256 start, uint256 maxScan, uint256 limit)
        external
        view
        returns (TaskView[] memory views, uint256 next);
}
