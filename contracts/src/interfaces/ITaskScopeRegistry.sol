// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TaskScope } from "../types/Task.sol";

/// @title Whether a task is open or private, and the text of the open ones
interface ITaskScopeRegistry {
    /// @notice The text an open task was posted with; its keccak256 is the task's `criteriaHash`.
    event TaskTextPublished(uint256 indexed taskId, bytes32 indexed criteriaHash, string text);
    event TaskScopeSet(uint256 indexed taskId, TaskScope scope);

    error Unauthorized(address caller);
    error UnknownTask(uint256 taskId);
    error TextTooLong(uint256 length, uint256 maxLength);
    error TextMismatch(bytes32 criteriaHash, bytes32 textHash);

    /// @notice Marks a task open and publishes its text. Registry only.
    function publish(uint256 taskId, bytes32 criteriaHash, string calldata text) external;

    /// @notice Marks a task private. Registry only.
    function setPrivate(uint256 taskId) external;

    /// @notice Refuses a task that does not exist.
    function scopeOf(uint256 taskId) external view returns (TaskScope);

    /// @notice As `scopeOf`, of many.
    function scopesOf(uint256[] calldata taskIds) external view returns (TaskScope[] memory);
}
