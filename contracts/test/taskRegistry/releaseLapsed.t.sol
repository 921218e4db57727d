// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryReleaseLapsedTest is Books {
    function test_RevertGiven_TaskIsNotActive() external {
        bytes4 selector = ITaskRegistry.releaseLapsed.selector;
        _assertOnlyIn(TaskState.ACTIVE, TaskState.ACTIVE, STRANGER, selector, abi.encode(0));
    }

    function test_RevertWhen_MilestoneIsNotCurrent() external {
        uint256 taskId = _lapsed();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotCurrentMilestone.selector, taskId, 1, 0));
        registry.releaseLapsed(taskId, 1);
    }

    function test_RevertGiven_NothingIsInReview() external {
        uint256 taskId = _active();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotDelivered.selector, taskId, 0));
        registry.releaseLapsed(taskId, 0);
    }

    function test_RevertWhen_ReviewHasNotEnded() external {
        uint256 taskId = _delivered();
        uint256 reviewEnd = _task(taskId).reviewEnd;
        vm.warp(reviewEnd);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReviewNotEnded.selector, taskId, reviewEnd));
        registry.releaseLapsed(taskId, 0);
    }

    function test_RevertGiven_NoReceipt() external {
        uint256 taskId = _unreceipted();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReceiptMissing.selector, taskId, 0));
        registry.releaseLapsed(taskId, 0);
        vm.warp(block.timestamp + 400 days);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReceiptMissing.selector, taskId, 0));
        registry.releaseLapsed(taskId, 0);
    }

    function test_PaysDeliveryWithReceipt() external {
        uint256 taskId = _receipted();
        _after(_task(taskId).reviewEnd);
        Gains memory gains;
        gains.workerTok = int256(FIRST);
        _mark();
        _lapse(taskId, 0);

        _assertGains(gains);
        vm.assertFalse(_task(taskId).receipted);
    }

    function test_StartsNextMilestone() external {
        uint256 taskId = _lapsed();
        Task memory expected = _task(taskId);
        _lapse(taskId, 0);

        expected.current = 1;
        expected.deadline = uint40(block.timestamp + 2 days);
        expected.reviewEnd = 0;
        _assertTask(taskId, expected);
    }

    function test_PaysWorker() external {
        uint256 taskId = _lapsed();
        Gains memory gains;
        gains.workerTok = int256(FIRST);
        _mark();
        _lapse(taskId, 0);

        _assertGains(gains);
        _assertAccount(taskId, TOTAL, FIRST, 0);
        _assertReserves(taskId, 8e6, 8e6);
    }

    function test_EmitsMilestoneReleased() external {
        uint256 taskId = _lapsed();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneReleased(taskId, 0, FIRST, true, block.timestamp + 2 days);
        _lapse(taskId, 0);
    }

    function test_CompletesTask() external {
        uint256 taskId = _lastLapsed();
        Task memory expected = _task(taskId);
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(SECOND);
        _mark();
        _lapse(taskId, 1);

        expected.state = TaskState.COMPLETED;
        expected.current = 2;
        expected.deadline = 0;
        expected.reviewEnd = 0;
        _assertTask(taskId, expected);
        _assertGains(gains);
        _assertSettled(taskId, TaskState.COMPLETED);
    }

    function test_EmitsTaskCompleted() external {
        uint256 taskId = _lastLapsed();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneReleased(taskId, 1, SECOND, true, 0);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskCompleted(taskId, 0);
        _lapse(taskId, 1);
    }

    function test_RecordsCompletion() external {
        uint256 taskId = _lastLapsed();
        _lapse(taskId, 1);
        vm.assertEq(reputation.reputationOf(POSTER).completedAsPoster, 1);
        vm.assertEq(reputation.reputationOf(WORKER).completedAsWorker, 1);
        vm.assertEq(reputation.reputationOf(POSTER).paid, TOTAL);
        vm.assertEq(reputation.reputationOf(WORKER).earned, TOTAL);
        vm.assertEq(reputation.reputationOf(POSTER).lapses, 0);
    }

    function test_ResetsRevisions() external {
        uint256 taskId = _delivered();
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, PROOF);
        _deliver(taskId);
        _after(_task(taskId).reviewEnd);
        _lapse(taskId, 0);
        vm.assertEq(_task(taskId).revisions, 0);
    }

    function test_PaysWhoeverCalls() external {
        uint256 taskId = _lapsed();
        vm.prank(WORKER);
        registry.releaseLapsed(taskId, 0);
        _deliver(taskId);
        _after(_task(taskId).reviewEnd);
        vm.prank(POSTER);
        registry.releaseLapsed(taskId, 1);
        _assertAccount(taskId, TOTAL, TOTAL, 0);
    }

    function test_RevertWhen_CalledAgain() external {
        uint256 taskId = _lapsed();
        _lapse(taskId, 0);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotCurrentMilestone.selector, taskId, 0, 1));
        registry.releaseLapsed(taskId, 0);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotDelivered.selector, taskId, 1));
        registry.releaseLapsed(taskId, 1);
    }

    function testFuzz_GivesWholeNextDuration(uint32 late, uint64 next) external {
        TaskTerms memory terms = _terms();
        terms.durations[1] = params.minDuration + next % (params.maxDuration - params.minDuration + 1);
        uint256 taskId = _activeWith(terms, TOTAL);
        _deliver(taskId);
        vm.warp(_task(taskId).reviewEnd + 1 + uint256(late));
        _lapse(taskId, 0);
        vm.assertEq(_task(taskId).deadline, block.timestamp + terms.durations[1]);
        _assertAccount(taskId, TOTAL, FIRST, 0);
    }

    function _lapse(uint256 taskId, uint256 milestone) private {
        vm.prank(STRANGER);
        registry.releaseLapsed(taskId, milestone);
    }

    function _lapsed() private returns (uint256 taskId) {
        taskId = _delivered();
        _after(_task(taskId).reviewEnd);
    }

    function _lastLapsed() private returns (uint256 taskId) {
        taskId = _lapsed();
        _lapse(taskId, 0);
        _deliver(taskId);
        _after(_task(taskId).reviewEnd);
    }
}
