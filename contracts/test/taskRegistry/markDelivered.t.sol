// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryMarkDeliveredTest is Books {
    function test_RevertGiven_TaskIsNotActive() external {
        bytes memory tail = abi.encode(0, PROOF);
        _assertOnlyIn(TaskState.ACTIVE, TaskState.ACTIVE, WORKER, ITaskRegistry.markDelivered.selector, tail);
    }

    function test_RevertWhen_CallerIsPoster() external {
        uint256 taskId = _active();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotWorker.selector, taskId, POSTER));
        vm.prank(POSTER);
        registry.markDelivered(taskId, 0, PROOF);
    }

    function test_RevertWhen_CallerIsStranger() external {
        uint256 taskId = _active();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotWorker.selector, taskId, STRANGER));
        vm.prank(STRANGER);
        registry.markDelivered(taskId, 0, PROOF);
    }

    function test_RevertWhen_MilestoneIsNotCurrent() external {
        uint256 taskId = _active();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotCurrentMilestone.selector, taskId, 1, 0));
        vm.prank(WORKER);
        registry.markDelivered(taskId, 1, PROOF);

        vm.prank(POSTER);
        registry.release(taskId, 0);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotCurrentMilestone.selector, taskId, 0, 1));
        vm.prank(WORKER);
        registry.markDelivered(taskId, 0, PROOF);
    }

    function test_RevertGiven_MilestoneIsInReview() external {
        uint256 taskId = _delivered();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.AlreadyDelivered.selector, taskId, 0));
        vm.prank(WORKER);
        registry.markDelivered(taskId, 0, PROOF);
    }

    function test_RevertWhen_DeadlineHasPassed() external {
        uint256 taskId = _active();
        uint256 deadline = _task(taskId).deadline;
        _after(deadline);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.DeadlinePassed.selector, taskId, deadline));
        vm.prank(WORKER);
        registry.markDelivered(taskId, 0, PROOF);
    }

    function test_RevertWhen_ProofIsZero() external {
        uint256 taskId = _active();
        vm.expectRevert(ITaskRegistry.HashMissing.selector);
        vm.prank(WORKER);
        registry.markDelivered(taskId, 0, 0);
    }

    function test_StartsReview() external {
        uint256 taskId = _active();
        Task memory expected = _task(taskId);
        vm.warp(block.timestamp + 5 hours);
        _deliver(taskId);

        expected.reviewEnd = uint40(block.timestamp + 72 hours);
        _assertTask(taskId, expected);
    }

    function test_MovesNothing() external {
        uint256 taskId = _active();
        _mark();
        _deliver(taskId);

        _assertNoGains();
        _assertAccount(taskId, TOTAL, 0, 0);
        _assertReserves(taskId, 8e6, 8e6);
        _assertLive(1);
    }

    function test_EmitsMilestoneDelivered() external {
        uint256 taskId = _active();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneDelivered(taskId, 0, PROOF, block.timestamp + 72 hours);
        _deliver(taskId);
    }

    function test_AcceptsDeliveryAtDeadline() external {
        uint256 taskId = _active();
        vm.warp(_task(taskId).deadline);
        _deliver(taskId);
        vm.assertEq(_task(taskId).reviewEnd, block.timestamp + 72 hours);
    }

    function test_StartsNewReviewAfterRevision() external {
        uint256 taskId = _delivered();
        vm.warp(block.timestamp + 30 hours);
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, PROOF);
        Task memory expected = _task(taskId);
        vm.warp(block.timestamp + 10 hours);
        _deliver(taskId);

        expected.reviewEnd = uint40(block.timestamp + 72 hours);
        _assertTask(taskId, expected);
        vm.assertEq(expected.revisions, 1);
    }

    function test_DeliversLaterMilestone() external {
        uint256 taskId = _delivered();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneDelivered(taskId, 1, PROOF, block.timestamp + 72 hours);
        _deliver(taskId);
        vm.assertEq(_task(taskId).reviewEnd, block.timestamp + 72 hours);
    }

    function testFuzz_ReviewsForWindowOfTerms(uint64 reviewWindow, uint64 delay) external {
        TaskTerms memory terms = _terms();
        terms.reviewWindow =
            params.minReviewWindow + reviewWindow % (params.maxReviewWindow - params.minReviewWindow + 1);
        uint256 taskId = _activeWith(terms, TOTAL);
        vm.warp(block.timestamp + delay % (2 days + 1));
        _deliver(taskId);
        vm.assertEq(_task(taskId).reviewEnd, block.timestamp + terms.reviewWindow);
    }
}
