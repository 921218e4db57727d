// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ITaskScopeRegistry } from "./interfaces/ITaskScopeRegistry.sol";
import { Contracts } from "./types/Market.sol";
import { TaskScope } from "./types/Task.sol";

contract TaskScopeRegistry is ITaskScopeRegistry {
    /// @dev Separate from the scope, whose zero is OPEN: an id nobody wrote must not read as an open task.
    struct Entry {
        bool known;
        TaskScope scope;
    }

    uint256 private constant MAX_TEXT = 8192;

    address private immutable TASK_REGISTRY;

    mapping(uint256 taskId => Entry) private _entries;

    modifier onlyRegistry() {
        if (msg.sender != TASK_REGISTRY) revert Unauthorized(msg.sender);
        _;
    }

    constructor(Contracts memory contracts_) {
        TASK_REGISTRY = contracts_.taskRegistry;
    }

    /// @inheritdoc ITaskScopeRegistry
    function publish(uint256 taskId, bytes32 criteriaHash, string calldata text) external onlyRegistry {
        if (bytes(text).length > MAX_TEXT) revert TextTooLong(bytes(text).length, MAX_TEXT);
        bytes32 textHash = keccak256(bytes(text));
        if (textHash != criteriaHash) revert TextMismatch(criteriaHash, textHash);

        _set(taskId, TaskScope.OPEN);
        emit TaskTextPublished(taskId, criteriaHash, text);
    }

    /// @inheritdoc ITaskScopeRegistry
    function setPrivate(uint256 taskId) external onlyRegistry {
        _set(taskId, TaskScope.PRIVATE);
    }

    /// @inheritdoc ITaskScopeRegistry
    function scopesOf(uint256[] calldata taskIds) external view returns (TaskScope[] memory scopes) {
        scopes = new TaskScope[](taskIds.length);
        for (uint256 i = 0; i < taskIds.length; i++) {
            scopes[i] = scopeOf(taskIds[i]);
        }
    }

    /// @inheritdoc ITaskScopeRegistry
    function scopeOf(uint256 taskId) public view returns (TaskScope) {
        Entry storage entry = _entries[taskId];
        if (!entry.known) revert UnknownTask(taskId);
        return entry.scope;
    }

    function _set(uint256 taskId, TaskScope scope) private {
        _entries[taskId] = Entry({ known: true, scope: scope });
        emit TaskScopeSet(taskId, scope);
    }
}
