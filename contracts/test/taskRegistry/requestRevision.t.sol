// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryRequestRevisionTest is Books {
    bytes32 private constant REASON = keccak256("page two is missing");

    function test_RevertGiven_TaskIsNotActive() external {
        bytes memory tail = abi.encode(0, REASON);
        _assertOnlyIn(TaskState.ACTIVE, TaskState.ACTIVE, POSTER, ITaskRegistry.requestRevision.selector, tail);
    }

    function test_RevertWhen_CallerIsWorker() external {
        uint256 taskId = _delivered();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotPoster.selector, taskId, WORKER));
        vm.prank(WORKER);
        registry.requestRevision(taskId, 0, REASON);
    }

    function test_RevertWhen_CallerIsStranger() external {
        uint256 taskId = _delivered();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotPoster.selector, taskId, STRANGER));
        vm.prank(STRANGER);
        registry.requestRevision(taskId, 0, REASON);
    }

    function test_RevertWhen_MilestoneIsNotCurrent() external {
        uint256 taskId = _delivered();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotCurrentMilestone.selector, taskId, 1, 0));
        _request(taskId, 1);
    }

    function test_RevertGiven_NothingIsInReview() external {
        uint256 taskId = _active();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotDelivered.selector, taskId, 0));
        _request(taskId, 0);
    }

    function test_RevertWhen_ReviewHasEnded() external {
        uint256 taskId = _delivered();
        uint256 reviewEnd = _task(taskId).reviewEnd;
        _after(reviewEnd);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReviewEnded.selector, taskId, reviewEnd));
        _request(taskId, 0);
    }

    function test_RevertGiven_TermsAllowNoRevision() external {
        uint256 taskId = _deliveredWith(0, 72 hours);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NoRevisionsLeft.selector, taskId, 0));
        _request(taskId, 0);
    }

    function test_RevertGiven_AllRevisionsAreUsed() external {
        uint256 taskId = _delivered();
        _request(taskId, 0);
        _deliver(taskId);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NoRevisionsLeft.selector, taskId, 0));
        _request(taskId, 0);
    }

    function test_RevertWhen_ReasonIsZero() external {
        uint256 taskId = _delivered();
        vm.expectRevert(IAgreements.HashMissing.selector);
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, 0);
    }

    function test_MovesDeadlineWhenLittleTimeIsLeft() external {
        uint256 taskId = _delivered();
        Task memory expected = _task(taskId);
        vm.warp(block.timestamp + 1 hours);
        _request(taskId, 0);

        expected.revisions = 1;
        expected.reviewEnd = 0;
        expected.deadline = uint40(block.timestamp + 72 hours);
        _assertTask(taskId, expected);
    }

    function test_LeavesAtLeastTheMarketsTime() external {
        uint256 taskId = _deliveredWith(1, 24 hours);
        vm.warp(block.timestamp + 1 hours);
        _request(taskId, 0);
        vm.assertEq(_task(taskId).deadline, block.timestamp + 48 hours);
    }

    function test_KeepsDeadlineWhenMoreTimeIsLeft() external {
        TaskTerms memory terms = _terms();
        terms.durations[0] = 9 days;
        uint256 taskId = _activeWith(terms, TOTAL);
        _deliver(taskId);
        Task memory expected = _task(taskId);
        vm.warp(block.timestamp + 1 hours);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.RevisionRequested(taskId, 0, REASON, expected.deadline);
        _request(taskId, 0);

        expected.revisions = 1;
        expected.reviewEnd = 0;
        _assertTask(taskId, expected);
    }

    function test_ForgetsTheReceipt() external {
        uint256 taskId = _receipted();
        _request(taskId, 0);
        vm.assertFalse(_task(taskId).receipted);
        // The next delivery needs its own.
        _deliver(taskId);
        _after(_task(taskId).reviewEnd);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReceiptMissing.selector, taskId, 0));
        registry.releaseLapsed(taskId, 0);
    }

    function test_MovesNothing() external {
        uint256 taskId = _delivered();
        _mark();
        _request(taskId, 0);

        _assertNoGains();
        _assertAccount(taskId, TOTAL, 0, 0);
        _assertReserves(taskId, 8e6, 8e6);
    }

    function test_EmitsRevisionRequestedWithMovedDeadline() external {
        uint256 taskId = _delivered();
        vm.warp(block.timestamp + 1 hours);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.RevisionRequested(taskId, 0, REASON, block.timestamp + 72 hours);
        _request(taskId, 0);
    }

    function test_AcceptsRequestAtEndOfReview() external {
        uint256 taskId = _delivered();
        vm.warp(_task(taskId).reviewEnd);
        _request(taskId, 0);
        vm.assertEq(_task(taskId).deadline, block.timestamp + 72 hours);
    }

    function test_CountsToThree() external {
        uint256 taskId = _deliveredWith(3, 72 hours);
        for (uint256 i = 1; i <= 3; ++i) {
            _request(taskId, 0);
            vm.assertEq(_task(taskId).revisions, i);
            _deliver(taskId);
        }
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NoRevisionsLeft.selector, taskId, 0));
        _request(taskId, 0);
    }

    function test_CountsEachMilestoneAlone() external {
        uint256 taskId = _delivered();
        _request(taskId, 0);
        _deliver(taskId);
        vm.prank(POSTER);
        registry.release(taskId, 0);
        vm.assertEq(_task(taskId).revisions, 0);

        _deliver(taskId);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.RevisionRequested(taskId, 1, REASON, block.timestamp + 72 hours);
        _request(taskId, 1);
        vm.assertEq(_task(taskId).revisions, 1);
    }

    function testFuzz_LeavesEnoughTime(uint64 deliveredAfter, uint64 askedAfter, uint64 window) external {
        TaskTerms memory terms = _terms();
        terms.reviewWindow = params.minReviewWindow + window % (params.maxReviewWindow - params.minReviewWindow + 1);
        uint256 taskId = _activeWith(terms, TOTAL);
        uint256 deadline = _task(taskId).deadline;
        vm.warp(block.timestamp + deliveredAfter % (2 days + 1));
        _deliver(taskId);
        vm.warp(block.timestamp + askedAfter % (terms.reviewWindow + 1));
        _request(taskId, 0);

        uint256 time = terms.reviewWindow < 48 hours ? 48 hours : terms.reviewWindow;
        uint256 atLeast = block.timestamp + time;
        vm.assertEq(_task(taskId).deadline, deadline > atLeast ? deadline : atLeast);
    }

    function _request(uint256 taskId, uint256 milestone) private {
        vm.prank(POSTER);
        registry.requestRevision(taskId, milestone, REASON);
    }

    function _deliveredWith(uint8 maxRevisions, uint64 reviewWindow) private returns (uint256 taskId) {
        TaskTerms memory terms = _terms();
        terms.maxRevisions = maxRevisions;
        terms.reviewWindow = reviewWindow;
        taskId = _activeWith(terms, TOTAL);
        _deliver(taskId);
    }
}
