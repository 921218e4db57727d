// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { MilestoneState, MilestoneView, Settlement, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

/// @dev Three milestones; in most tests the first is paid, so that what came before, the current one and what comes
/// after all show.
contract TaskLensMilestonesTest is Books {
    MilestoneState private constant OPEN = MilestoneState.OPEN;
    MilestoneState private constant DELIVERED = MilestoneState.DELIVERED;
    MilestoneState private constant PAID = MilestoneState.PAID;
    MilestoneState private constant REFUNDED = MilestoneState.REFUNDED;
    MilestoneState private constant SPLIT = MilestoneState.SPLIT;
    uint256 private constant SUM = 600;

    function test_OpenBeforeWork() external {
        uint256 taskId = _post(_three(), SUM);
        _assertStates(taskId, OPEN, OPEN, OPEN);
        _claim(taskId, WORKER);
        _assertStates(taskId, OPEN, OPEN, OPEN);
    }

    function test_OpenInWork() external {
        _assertStates(_activeWith(_three(), SUM), OPEN, OPEN, OPEN);
    }

    function test_FirstDelivered() external {
        uint256 taskId = _activeWith(_three(), SUM);
        _deliver(taskId);
        _assertStates(taskId, DELIVERED, OPEN, OPEN);
    }

    function test_OpenAfterRevisionRequest() external {
        uint256 taskId = _activeWith(_three(), SUM);
        _deliver(taskId);
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, PROOF);
        _assertStates(taskId, OPEN, OPEN, OPEN);
    }

    function test_FirstPaid() external {
        _assertStates(_secondInWork(), PAID, OPEN, OPEN);
    }

    function test_SecondDelivered() external {
        _assertStates(_secondDelivered(), PAID, DELIVERED, OPEN);
    }

    function test_Disputed() external {
        _assertStates(_secondDisputed(), PAID, DELIVERED, OPEN);
    }

    function test_Conceded() external {
        uint256 taskId = _secondDisputed();
        vm.prank(POSTER);
        registry.release(taskId, 1);
        _assertStates(taskId, PAID, PAID, OPEN);
    }

    function test_CompletedMilestoneByMilestone() external {
        uint256 taskId = _secondInWork();
        vm.startPrank(POSTER);
        registry.release(taskId, 1);
        registry.release(taskId, 2);
        vm.stopPrank();
        _assertStates(taskId, PAID, PAID, PAID);
    }

    function test_CompletedAtOnce() external {
        uint256 taskId = _secondDelivered();
        vm.prank(POSTER);
        registry.complete(taskId);
        _assertStates(taskId, PAID, PAID, PAID);
    }

    function test_Cancelled() external {
        uint256 taskId = _post(_three(), SUM);
        vm.prank(POSTER);
        registry.cancel(taskId);
        _assertStates(taskId, REFUNDED, REFUNDED, REFUNDED);
    }

    function test_WorkerLeft() external {
        uint256 taskId = _secondInWork();
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        _assertStates(taskId, PAID, REFUNDED, REFUNDED);
    }

    function test_WorkExpired() external {
        uint256 taskId = _secondInWork();
        _after(_task(taskId).deadline);
        registry.expire(taskId);
        _assertStates(taskId, PAID, REFUNDED, REFUNDED);
    }

    function test_OpenClaimLapsed() external {
        uint256 taskId = _post(_three(), SUM);
        _claim(taskId, WORKER);
        _after(_claimEnd(taskId));
        registry.expire(taskId);
        _assertStates(taskId, OPEN, OPEN, OPEN);

        taskId = _post(_three(), 1);
        _claim(taskId, WORKER);
        _after(_claimEnd(taskId));
        registry.expire(taskId);
        _assertStates(taskId, REFUNDED, REFUNDED, REFUNDED);
    }

    function test_PrivateClaimLapsed() external {
        uint256 taskId = _created(_three());
        _after(_claimEnd(taskId));
        registry.expire(taskId);
        _assertStates(taskId, REFUNDED, REFUNDED, REFUNDED);
    }

    function test_MutualCancelForNothing() external {
        uint256 taskId = _secondDelivered();
        _mutualCancel(taskId, 0);
        _assertStates(taskId, PAID, REFUNDED, REFUNDED);
    }

    function test_MutualCancelForPart() external {
        uint256 least = _secondDelivered();
        _mutualCancel(least, 1);
        _assertStates(least, PAID, SPLIT, SPLIT);
        uint256 most = _secondDelivered();
        _mutualCancel(most, 9999);
        _assertStates(most, PAID, SPLIT, SPLIT);
    }

    function test_MutualCancelForEverything() external {
        uint256 taskId = _secondDelivered();
        _mutualCancel(taskId, 10_000);
        _assertStates(taskId, PAID, PAID, PAID);
    }

    function test_MutualCancelOutOfDispute() external {
        uint256 taskId = _secondDisputed();
        _mutualCancel(taskId, 5000);
        _assertStates(taskId, PAID, SPLIT, SPLIT);
    }

    function test_RulingForPoster() external {
        uint256 taskId = _ruled(0);
        _assertStates(taskId, PAID, REFUNDED, REFUNDED);
    }

    function test_RulingForPart() external {
        _assertStates(_ruled(1), PAID, SPLIT, REFUNDED);
        _assertStates(_ruled(9999), PAID, SPLIT, REFUNDED);
    }

    function test_RulingForWorker() external {
        uint256 taskId = _ruled(10_000);
        _assertStates(taskId, PAID, PAID, REFUNDED);
    }

    function _three() private returns (TaskTerms memory terms) {
        terms = _terms();
        terms.amounts = new uint256[](3);
        terms.durations = new uint64[](3);
        for (uint256 i = 0; i < 3; ++i) {
            terms.amounts[i] = 100 * (i + 1);
            terms.durations[i] = 1 days;
        }
    }

    function _secondInWork() private returns (uint256 taskId) {
        taskId = _activeWith(_three(), SUM);
        vm.prank(POSTER);
        registry.release(taskId, 0);
    }

    function _secondDelivered() private returns (uint256 taskId) {
        taskId = _secondInWork();
        _deliver(taskId);
    }

    function _secondDisputed() private returns (uint256 taskId) {
        taskId = _secondDelivered();
        _dispute(taskId, POSTER);
    }

    function _ruled(uint256 workerBps) private returns (uint256 taskId) {
        taskId = _secondDisputed();
        Settlement memory settlement;
        settlement.workerBps = uint16(workerBps);
        vm.prank(address(arbitration));
        registry.settleDispute(taskId, settlement);
    }

    function _assertStates(uint256 taskId, MilestoneState first, MilestoneState second, MilestoneState third)
        private
        view
    {
        MilestoneView[] memory milestones = _view(taskId).milestones;
        vm.assertEq(milestones.length, 3);
        vm.assertEq(uint256(milestones[0].state), uint256(first), "first milestone");
        vm.assertEq(uint256(milestones[1].state), uint256(second), "second milestone");
        vm.assertEq(uint256(milestones[2].state), uint256(third), "third milestone");
    }
}
