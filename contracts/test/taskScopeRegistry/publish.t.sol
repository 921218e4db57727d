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

    address private stranger = address(0x57A6);
    TaskScopeRegistry private registry;

    function setUp() external {
        Contracts memory contracts_;
        contracts_.taskRegistry = address(this);
        registry = new TaskScopeRegistry(contracts_);
    }

    function test_Publish_RevertWhen_CallerIsNotRegistry() external {
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ITaskScopeRegistry.Unauthorized.selector, stranger));
        registry.publish(TASK, keccak256(bytes(TEXT)), TEXT);
    }

    function testFuzz_Publish_RevertWhen_CallerIsAnyoneElse(address caller) external {
        vm.assume(caller != address(this));
        vm.prank(caller);
        vm.expectRevert(abi.encodeWithSelector(ITaskScopeRegistry.Unauthorized.selector, caller));
        registry.publish(TASK, keccak256(bytes(TEXT)), TEXT);
    }

    function test_Publish_MarksOpen() external {
        registry.publish(TASK, keccak256(bytes(TEXT)), TEXT);
        _assertScope(TASK, TaskScope.OPEN);
    }

    function test_Publish_Emits() external {
        vm.expectEmit(address(registry));
        emit ITaskScopeRegistry.TaskScopeSet(TASK, TaskScope.OPEN);
        vm.expectEmit(address(registry));
        emit ITaskScopeRegistry.TaskTextPublished(TASK, keccak256(bytes(TEXT)), TEXT);
        registry.publish(TASK, keccak256(bytes(TEXT)), TEXT);
    }

    function test_Publish_TakesEmptyText() external {
        registry.publish(TASK, keccak256(""), "");
        _assertScope(TASK, TaskScope.OPEN);
    }

    function test_Publish_TakesLongestText() external {
        string memory text = _textOf(8192);
        vm.expectEmit(address(registry));
        emit ITaskScopeRegistry.TaskTextPublished(TASK, keccak256(bytes(text)), text);
        registry.publish(TASK, keccak256(bytes(text)), text);
    }

    function test_Publish_RevertWhen_TextIsTooLong() external {
        string memory text = _textOf(8193);
        vm.expectRevert(abi.encodeWithSelector(ITaskScopeRegistry.TextTooLong.selector, 8193, 8192));
        registry.publish(TASK, keccak256(bytes(text)), text);
    }

    function test_Publish_RevertWhen_TextIsTooLongAndWrong() external {
        vm.expectRevert(abi.encodeWithSelector(ITaskScopeRegistry.TextTooLong.selector, 10_000, 8192));
        registry.publish(TASK, bytes32(uint256(1)), _textOf(10_000));
    }

    function test_Publish_RevertWhen_HashDiffers() external {
        bytes32 textHash = keccak256(bytes(TEXT));
        bytes32[2] memory neighbours = [bytes32(uint256(textHash) - 1), bytes32(uint256(textHash) + 1)];
        for (uint256 i = 0; i < neighbours.length; i++) {
            vm.expectRevert(abi.encodeWithSelector(ITaskScopeRegistry.TextMismatch.selector, neighbours[i], textHash));
            registry.publish(TASK, neighbours[i], TEXT);
        }
    }

    function testFuzz_Publish_RevertWhen_HashDiffers(bytes32 criteriaHash) external {
        bytes32 textHash = keccak256(bytes(TEXT));
        vm.assume(criteriaHash != textHash);
        vm.expectRevert(abi.encodeWithSelector(ITaskScopeRegistry.TextMismatch.selector, criteriaHash, textHash));
        registry.publish(TASK, criteriaHash, TEXT);
    }

    function test_Publish_LeavesTaskUnknownWhenItReverts() external {
        vm.expectRevert(
            abi.encodeWithSelector(ITaskScopeRegistry.TextMismatch.selector, bytes32(0), keccak256(bytes(TEXT)))
        );
        registry.publish(TASK, bytes32(0), TEXT);
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

    function test_SetPrivate_RevertWhen_CallerIsNotRegistry() external {
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ITaskScopeRegistry.Unauthorized.selector, stranger));
        registry.setPrivate(TASK);
    }

    function test_SetPrivate_MarksPrivate() external {
        registry.setPrivate(TASK);
        _assertScope(TASK, TaskScope.PRIVATE);
    }

    function test_SetPrivate_Emits() external {
        vm.expectEmit(address(registry));
        emit ITaskScopeRegistry.TaskScopeSet(TASK, TaskScope.PRIVATE);
        registry.setPrivate(TASK);
    }

    function test_SetPrivate_PublishesNoText() external {
        vm.recordLogs();
        registry.setPrivate(TASK);
        vm.assertEq(vm.getRecordedLogs().length, 1);
    }

    function test_ScopeOf_RevertGiven_UnknownTask() external {
        registry.setPrivate(TASK);
        _expectUnknown(TASK + 1);
        registry.scopeOf(TASK + 1);
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

    function test_ScopesOf_AnswersNothingWithNothing() external view {
        vm.assertEq(registry.scopesOf(new uint256[](0)).length, 0);
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
