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
    /// @param taskId The task.
    /// @param criteriaHash The keccak256 of the text, as the terms have it.
    /// @param text The text, at most 8192 bytes.
    function publish(uint256 taskId, bytes32 criteriaHash, string calldata text) external;

    /// @notice Marks a task private. Registry only.
    /// @param taskId The task.
    function setPrivate(uint256 taskId) external;

    /// @notice Whether a task is open or private. Refuses a task that does not exist.
    /// @param taskId The task.
    /// @return OPEN or PRIVATE.
    function scopeOf(uint256 taskId) external view returns (TaskScope);

    /// @notice As `scopeOf`, of many.
    /// @param taskIds The tasks, in any order; an id may repeat.
    /// @return The scopes in the order asked for.
    function scopesOf(uint256[] calldata taskIds) external view returns (TaskScope[] memory);
}
