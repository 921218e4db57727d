// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryRequestRevisionTest is Books {
    bytes32 private constant REASON = keccak256("page two is missing");

    /// @dev The review window of the terms, at least the market's time, and more if more was left.
    function test_LeavesEnoughTimeAndMovesNothing() external {
        uint64[3] memory windows = [uint64(72 hours), 24 hours, 72 hours];
        uint64[3] memory durations = [uint64(2 days), 2 days, 9 days];
        uint256[3] memory times = [uint256(72 hours), 48 hours, 9 days - 1 hours];
        for (uint256 i = 0; i < 3; ++i) {
            uint256 taskId = _deliveredWith(1, windows[i], durations[i]);
            vm.warp(block.timestamp + 1 hours);
            Task memory expected = _task(taskId);
            expected.revisions = 1;
            expected.reviewEnd = 0;
            expected.deadline = uint40(block.timestamp + times[i]);
            _mark();
            vm.expectEmit(address(registry));
            emit ITaskRegistry.RevisionRequested(taskId, 0, REASON, expected.deadline);
            _request(taskId, 0);

            _assertTask(taskId, expected);
            _assertNoGains();
            _assertReserves(taskId, 13e6, 13e6);
        }
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

    /// @dev And from none again in the next milestone.
    function test_CountsToThreeInEachMilestone() external {
        uint256 taskId = _deliveredWith(3, 72 hours, 2 days);
        for (uint256 milestone = 0; milestone < 2; ++milestone) {
            for (uint256 i = 1; i <= 3; ++i) {
                vm.expectEmit(address(registry));
                emit ITaskRegistry.RevisionRequested(taskId, milestone, REASON, uint40(block.timestamp + 72 hours));
                _request(taskId, milestone);
                vm.assertEq(_task(taskId).revisions, i);
                _deliver(taskId);
            }
            vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NoRevisionsLeft.selector, taskId, milestone));
            _request(taskId, milestone);
            vm.prank(POSTER);
            registry.release(taskId, milestone);
            vm.assertEq(_task(taskId).revisions, 0);
            if (milestone == 0) _deliver(taskId);
        }
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

    function _deliveredWith(uint8 maxRevisions, uint64 reviewWindow, uint64 duration) private returns (uint256 taskId) {
        TaskTerms memory terms = _terms();
        terms.maxRevisions = maxRevisions;
        terms.reviewWindow = reviewWindow;
        terms.durations[0] = duration;
        taskId = _activeWith(terms, TOTAL);
        _deliver(taskId);
    }
}
