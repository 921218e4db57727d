// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ITaskScopeRegistry } from "../../src/interfaces/ITaskScopeRegistry.sol";
import { TaskScopeRegistry } from "../../src/TaskScopeRegistry.sol";
import { Contracts } from "../../src/types/Market.sol";
import { TaskScope } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";

/// @dev The test contract is the task registry.
contract TaskScopeRegistryTest {
    uint256 private constant TASK = 7;
    string private constant TEXT = unicode"Translate ten pages — by Friday.";

    TaskScopeRegistry private registry;

    function setUp() external {
        Contracts memory contracts_;
        contracts_.taskRegistry = address(this);
        registry = new TaskScopeRegistry(contracts_);
    }

    function testFuzz_RevertWhen_CallerIsAnyoneElse(address caller) external {
        vm.assume(caller != address(this));
        vm.startPrank(caller);
        vm.expectRevert(abi.encodeWithSelector(ITaskScopeRegistry.Unauthorized.selector, caller));
        registry.publish(TASK, keccak256(bytes(TEXT)), TEXT);
        vm.expectRevert(abi.encodeWithSelector(ITaskScopeRegistry.Unauthorized.selector, caller));
        registry.setPrivate(TASK);
    }

    /// @dev Nothing, the usual, and the longest text.
    function test_Publish_MarksOpenAndEmits() external {
        string[3] memory texts = ["", TEXT, _textOf(8192)];
        for (uint256 i = 0; i < texts.length; i++) {
            vm.expectEmit(address(registry));
            emit ITaskScopeRegistry.TaskScopeSet(i, TaskScope.OPEN);
            vm.expectEmit(address(registry));
            emit ITaskScopeRegistry.TaskTextPublished(i, keccak256(bytes(texts[i])), texts[i]);
            registry.publish(i, keccak256(bytes(texts[i])), texts[i]);
            _assertScope(i, TaskScope.OPEN);
        }
    }

    function test_Publish_RevertWhen_TextIsTooLong() external {
        string memory text = _textOf(8193);
        vm.expectRevert(abi.encodeWithSelector(ITaskScopeRegistry.TextTooLong.selector, 8193, 8192));
        registry.publish(TASK, keccak256(bytes(text)), text);
    }

    function testFuzz_Publish_RevertWhen_HashDiffers(bytes32 criteriaHash) external {
        bytes32 textHash = keccak256(bytes(TEXT));
        vm.assume(criteriaHash != textHash);
        vm.expectRevert(abi.encodeWithSelector(ITaskScopeRegistry.TextMismatch.selector, criteriaHash, textHash));
        registry.publish(TASK, criteriaHash, TEXT);
        _expectUnknown(TASK);
        registry.scopeOf(TASK);
    }

    function testFuzz_Publish_HashIsCriteriaHash(uint256 taskId, string calldata text) external {
        vm.assume(bytes(text).length <= 8192);
        vm.expectEmit(address(registry));
        emit ITaskScopeRegistry.TaskTextPublished(taskId, keccak256(bytes(text)), text);
        registry.publish(taskId, keccak256(bytes(text)), text);
        _assertScope(taskId, TaskScope.OPEN);
    }

    function test_SetPrivate_MarksPrivateAndPublishesNoText() external {
        vm.expectEmit(address(registry));
        emit ITaskScopeRegistry.TaskScopeSet(TASK, TaskScope.PRIVATE);
        vm.recordLogs();
        registry.setPrivate(TASK);
        vm.assertEq(vm.getRecordedLogs().length, 1);
        _assertScope(TASK, TaskScope.PRIVATE);
    }

    function test_ScopesOf_RevertGiven_OneUnknown() external {
        registry.setPrivate(TASK);
        uint256[] memory taskIds = new uint256[](2);
        (taskIds[0], taskIds[1]) = (TASK, 999);
        _expectUnknown(999);
        registry.scopesOf(taskIds);
    }

    function test_ScopesOf_AnswersInTheOrderAsked() external {
        registry.publish(1, keccak256(bytes(TEXT)), TEXT);
        registry.setPrivate(2);
        registry.publish(3, keccak256(bytes(TEXT)), TEXT);

        uint256[] memory taskIds = new uint256[](4);
        (taskIds[0], taskIds[1], taskIds[2], taskIds[3]) = (2, 3, 1, 2);
        TaskScope[] memory scopes = registry.scopesOf(taskIds);

        vm.assertEq(scopes.length, 4);
        vm.assertTrue(scopes[0] == TaskScope.PRIVATE);
        vm.assertTrue(scopes[1] == TaskScope.OPEN);
        vm.assertTrue(scopes[2] == TaskScope.OPEN);
        vm.assertTrue(scopes[3] == TaskScope.PRIVATE);
    }

    function testFuzz_ScopeOf_KeepsTasksApart(uint256 open, uint256 closed) external {
        vm.assume(open != closed);
        registry.publish(open, keccak256(bytes(TEXT)), TEXT);
        registry.setPrivate(closed);
        _assertScope(open, TaskScope.OPEN);
        _assertScope(closed, TaskScope.PRIVATE);
    }

    function _assertScope(uint256 taskId, TaskScope scope) private view {
        vm.assertTrue(registry.scopeOf(taskId) == scope);
    }

    function _expectUnknown(uint256 taskId) private {
        vm.expectRevert(abi.encodeWithSelector(ITaskScopeRegistry.UnknownTask.selector, taskId));
    }

    function _textOf(uint256 length) private pure returns (string memory) {
        bytes memory text = new bytes(length);
        for (uint256 i = 0; i < length; i++) {
            text[i] = "x";
        }
        return string(text);
    }
}
