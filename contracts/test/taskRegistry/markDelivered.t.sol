// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Receipt, Task, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryMarkDeliveredTest is Books {
    /// @dev The first milestone, again after a revision, the second one, and one that silence does not pay for yet.
    function test_StartsReviewAndMovesNothing() external {
        uint256 taskId = _active();
        vm.warp(block.timestamp + 5 hours);
        _assertDelivers(taskId);
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, PROOF);
        vm.warp(block.timestamp + 10 hours);
        _assertDelivers(taskId);
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _assertDelivers(taskId);
        _assertDelivers(_activeWith(_storeTerms(), TOTAL));
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

    /// @dev Of nothing, by another, for another delivery, or a second short of the longest dispute.
    function test_Receipt_RevertWhen_ItProvesTooLittle() external {
        uint256 taskId = _activeWith(_storeTerms(), TOTAL);
        Receipt memory receipt = _receiptNow(taskId, PROOF);
        uint64 until = receipt.until;
        receipt.size = 0;
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReceiptEmpty.selector, taskId, 0));
        _deliver(taskId, 0, PROOF, receipt);
        receipt = _receipt(registry, taskId, PROOF, until - 1, STORE_KEY);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReceiptTooShort.selector, taskId, until - 1, until));
        _deliver(taskId, 0, PROOF, receipt);
        receipt = _receipt(registry, taskId, PROOF, until, STRANGER_KEY);
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, STORE));
        _deliver(taskId, 0, PROOF, receipt);
        receipt = _receiptNow(taskId, PROOF);
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, STORE));
        _deliver(taskId, 0, EVIDENCE, receipt);
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

    function _assertDelivers(uint256 taskId) private {
        Task memory expected = _task(taskId);
        uint256 reviewEnd = block.timestamp + 72 hours;
        _mark();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneDelivered(taskId, expected.current, PROOF, reviewEnd);
        _deliver(taskId);
        expected.reviewEnd = uint40(reviewEnd);
        _assertTask(taskId, expected);
        _assertNoGains();
        _assertReserves(taskId, 13e6, 13e6);
    }
}
