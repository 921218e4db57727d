// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Receipt, Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryMarkDeliveredTest is Books {
    function test_RevertGiven_TaskIsNotActive() external {
        bytes memory tail = abi.encode(0, PROOF, 128, 0, 0, 96, 0);
        _assertOnlyIn(TaskState.ACTIVE, TaskState.ACTIVE, WORKER, ITaskRegistry.markDelivered.selector, tail);
    }

    function test_RevertWhen_CallerIsPoster() external {
        uint256 taskId = _active();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotWorker.selector, taskId, POSTER));
        vm.prank(POSTER);
        registry.markDelivered(taskId, 0, PROOF, _noReceipt());
    }

    function test_RevertWhen_CallerIsStranger() external {
        uint256 taskId = _active();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotWorker.selector, taskId, STRANGER));
        vm.prank(STRANGER);
        registry.markDelivered(taskId, 0, PROOF, _noReceipt());
    }

    function test_RevertWhen_MilestoneIsNotCurrent() external {
        uint256 taskId = _active();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotCurrentMilestone.selector, taskId, 1, 0));
        vm.prank(WORKER);
        registry.markDelivered(taskId, 1, PROOF, _noReceipt());

        vm.prank(POSTER);
        registry.release(taskId, 0);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotCurrentMilestone.selector, taskId, 0, 1));
        vm.prank(WORKER);
        registry.markDelivered(taskId, 0, PROOF, _noReceipt());
    }

    function test_RevertGiven_MilestoneIsInReview() external {
        uint256 taskId = _delivered();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.AlreadyDelivered.selector, taskId, 0));
        vm.prank(WORKER);
        registry.markDelivered(taskId, 0, PROOF, _noReceipt());
    }

    function test_RevertWhen_DeadlineHasPassed() external {
        uint256 taskId = _active();
        uint256 deadline = _task(taskId).deadline;
        _after(deadline);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.DeadlinePassed.selector, taskId, deadline));
        vm.prank(WORKER);
        registry.markDelivered(taskId, 0, PROOF, _noReceipt());
    }

    function test_RevertWhen_ProofIsZero() external {
        uint256 taskId = _active();
        vm.expectRevert(IAgreements.HashMissing.selector);
        vm.prank(WORKER);
        registry.markDelivered(taskId, 0, 0, _noReceipt());
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

    function test_Receipt_RevertGiven_TermsNameNoStore() external {
        uint256 taskId = _active();
        Receipt memory receipt = _receiptNow(taskId, PROOF);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReceiptNotNeeded.selector, taskId, 0));
        _deliver(taskId, 0, PROOF, receipt);
    }

    function test_Receipt_RevertWhen_ItEndsBeforeReview() external {
        uint256 taskId = _activeWith(_storeTerms(), TOTAL);
        uint256 reviewEnd = block.timestamp + 72 hours;
        Receipt memory short = _receipt(registry, taskId, PROOF, uint64(reviewEnd - 1), STORE_KEY);
        vm.expectRevert(
            abi.encodeWithSelector(ITaskRegistry.ReceiptTooShort.selector, taskId, reviewEnd - 1, reviewEnd)
        );
        _deliver(taskId, 0, PROOF, short);
    }

    function test_Receipt_RevertWhen_StoreDidNotSign() external {
        uint256 taskId = _activeWith(_storeTerms(), TOTAL);
        Receipt memory forged = _receipt(registry, taskId, PROOF, uint64(block.timestamp + 72 hours), WORKER_KEY);
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, STORE));
        _deliver(taskId, 0, PROOF, forged);
    }

    function test_Receipt_MakesSilencePay() external {
        uint256 taskId = _activeWith(_storeTerms(), TOTAL);
        Receipt memory receipt = _receiptNow(taskId, PROOF);
        Task memory expected = _task(taskId);
        uint256 reviewEnd = block.timestamp + 72 hours;
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneDelivered(taskId, 0, PROOF, reviewEnd);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DeliveryReceipted(taskId, 0, STORE, receipt.size, receipt.until, reviewEnd);
        _deliver(taskId, 0, PROOF, receipt);

        expected.reviewEnd = uint40(reviewEnd);
        expected.receipted = true;
        _assertTask(taskId, expected);
    }

    function test_Receipt_OtherwiseSilenceDoesNotPay() external {
        uint256 taskId = _activeWith(_storeTerms(), TOTAL);
        Task memory expected = _task(taskId);
        _deliver(taskId);
        expected.reviewEnd = uint40(block.timestamp + 72 hours);
        _assertTask(taskId, expected);
    }

    function test_Again_RevertGiven_SilencePays() external {
        uint256 taskId = _receipted();
        Receipt memory receipt = _receiptNow(taskId, PROOF);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.AlreadyDelivered.selector, taskId, 0));
        _deliver(taskId, 0, PROOF, receipt);
    }

    function test_Again_RevertWhen_ItBringsNoReceipt() external {
        uint256 taskId = _unreceipted();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.AlreadyDelivered.selector, taskId, 0));
        _deliver(taskId, 0, PROOF, _noReceipt());
    }

    function test_Again_RevertWhen_GraceHasEnded() external {
        uint256 taskId = _unreceipted();
        uint256 end = _graceEnd(taskId);
        _after(end);
        Receipt memory receipt = _receiptNow(taskId, PROOF);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.GraceEnded.selector, taskId, end));
        _deliver(taskId, 0, PROOF, receipt);
    }

    /// @dev Other bytes than before, past the deadline of the milestone, in the last second of the grace.
    function test_Again_CuresDeliveryWithoutReceipt() external {
        uint256 taskId = _unreceipted();
        Task memory expected = _task(taskId);
        vm.warp(_graceEnd(taskId));
        vm.assertGt(block.timestamp, expected.deadline);
        bytes32 proof = keccak256("better proof");
        Receipt memory receipt = _receiptNow(taskId, proof);
        vm.expectRevert(IAgreements.HashMissing.selector);
        _deliver(taskId, 0, 0, receipt);
        _deliver(taskId, 0, proof, receipt);

        expected.reviewEnd = uint40(block.timestamp + 72 hours);
        expected.receipted = true;
        _assertTask(taskId, expected);
        vm.warp(expected.reviewEnd);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReviewNotEnded.selector, taskId, expected.reviewEnd));
        registry.releaseLapsed(taskId, 0);
        _after(expected.reviewEnd);
        registry.releaseLapsed(taskId, 0);
        _assertAccount(taskId, TOTAL, FIRST, 0);
    }
}
