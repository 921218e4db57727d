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

    function test_WhileTheTaskIsUnderWay() external {
        uint256 taskId = _post(_three(), SUM);
        _assertStates(taskId, OPEN, OPEN, OPEN);
        _claim(taskId, WORKER);
        _assertStates(taskId, OPEN, OPEN, OPEN);
        _activate(taskId);
        _assertStates(taskId, OPEN, OPEN, OPEN);
        _deliver(taskId);
        _assertStates(taskId, DELIVERED, OPEN, OPEN);
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, PROOF);
        _assertStates(taskId, OPEN, OPEN, OPEN);
        _release(taskId, 0);
        _assertStates(taskId, PAID, OPEN, OPEN);
        _deliver(taskId);
        _assertStates(taskId, PAID, DELIVERED, OPEN);
        _dispute(taskId, POSTER);
        _assertStates(taskId, PAID, DELIVERED, OPEN);
        _release(taskId, 1);
        _assertStates(taskId, PAID, PAID, OPEN);
        _release(taskId, 2);
        _assertStates(taskId, PAID, PAID, PAID);
    }

    function test_EndedWithoutADispute() external {
        uint256 taskId = _secondDelivered();
        vm.prank(POSTER);
        registry.complete(taskId);
        _assertStates(taskId, PAID, PAID, PAID);
        taskId = _post(_three(), SUM);
        vm.prank(POSTER);
        registry.cancel(taskId);
        _assertStates(taskId, REFUNDED, REFUNDED, REFUNDED);
        taskId = _secondInWork();
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        _assertStates(taskId, PAID, REFUNDED, REFUNDED);
        taskId = _secondInWork();
        _after(_task(taskId).deadline);
        registry.expire(taskId);
        _assertStates(taskId, PAID, REFUNDED, REFUNDED);
        taskId = _secondInWork();
        vm.prank(POSTER);
        registry.dismiss(taskId);
        _deliver(taskId);
        _release(taskId, 1);
        _assertStates(taskId, PAID, PAID, REFUNDED);
    }

    /// @dev Funded it opens again; unfunded and private it ends.
    function test_ClaimLapsed() external {
        uint256[3] memory taskIds = [_post(_three(), SUM), _post(_three(), 1), _created(_three())];
        _claim(taskIds[0], WORKER);
        _claim(taskIds[1], WORKER);
        _after(_claimEnd(taskIds[0]));
        for (uint256 i = 0; i < 3; ++i) {
            registry.expire(taskIds[i]);
            MilestoneState state = i == 0 ? OPEN : REFUNDED;
            _assertStates(taskIds[i], state, state, state);
        }
    }

    function test_MutualCancel() external {
        uint16[4] memory shares = [0, 1, 9999, 10_000];
        MilestoneState[4] memory states = [REFUNDED, SPLIT, SPLIT, PAID];
        for (uint256 i = 0; i < 2 * shares.length; ++i) {
            uint256 taskId = i % 2 == 0 ? _secondDelivered() : _secondDisputed();
            _mutualCancel(taskId, shares[i / 2]);
            _assertStates(taskId, PAID, states[i / 2], states[i / 2]);
        }
    }

    function test_Ruling() external {
        uint16[4] memory shares = [0, 1, 9999, 10_000];
        MilestoneState[4] memory states = [REFUNDED, SPLIT, SPLIT, PAID];
        for (uint256 i = 0; i < shares.length; ++i) {
            uint256 taskId = _secondDisputed();
            Settlement memory settlement;
            settlement.workerBps = shares[i];
            vm.prank(address(arbitration));
            registry.settleDispute(taskId, settlement);
            _assertStates(taskId, PAID, states[i], REFUNDED);
        }
    }

    function _three() private returns (TaskTerms memory terms) {
        terms = _terms();
        // Not the number of a milestone.
        terms.maxRevisions = 3;
        terms.amounts = new uint256[](3);
        terms.durations = new uint64[](3);
        for (uint256 i = 0; i < 3; ++i) {
            terms.amounts[i] = 100 * (i + 1);
            terms.durations[i] = 1 days;
        }
    }

    function _secondInWork() private returns (uint256 taskId) {
        taskId = _activeWith(_three(), SUM);
        _release(taskId, 0);
    }

    function _release(uint256 taskId, uint256 milestone) private {
        vm.prank(POSTER);
        registry.release(taskId, milestone);
    }

    function _secondDelivered() private returns (uint256 taskId) {
        taskId = _secondInWork();
        _deliver(taskId);
    }

    function _secondDisputed() private returns (uint256 taskId) {
        taskId = _secondDelivered();
        _dispute(taskId, POSTER);
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
