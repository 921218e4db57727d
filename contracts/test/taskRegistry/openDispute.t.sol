// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryOpenDisputeTest is Books {
    function test_RevertGiven_TaskIsNotActive() external {
        bytes memory tail = abi.encode(0, EVIDENCE);
        _assertOnlyIn(TaskState.ACTIVE, TaskState.ACTIVE, POSTER, ITaskRegistry.openDispute.selector, tail);
    }

    function test_RevertWhen_CallerIsStranger() external {
        uint256 taskId = _delivered();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotParty.selector, taskId, STRANGER));
        vm.prank(STRANGER);
        registry.openDispute(taskId, 0, EVIDENCE);
    }

    function test_RevertWhen_MilestoneIsNotCurrent() external {
        uint256 taskId = _delivered();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotCurrentMilestone.selector, taskId, 1, 0));
        vm.prank(POSTER);
        registry.openDispute(taskId, 1, EVIDENCE);
    }

    function test_RevertGiven_NothingIsInReview() external {
        uint256 taskId = _active();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotDelivered.selector, taskId, 0));
        vm.prank(POSTER);
        registry.openDispute(taskId, 0, EVIDENCE);
    }

    function test_RevertWhen_ReviewHasEnded() external {
        uint256 taskId = _delivered();
        uint256 reviewEnd = _task(taskId).reviewEnd;
        _after(reviewEnd);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReviewEnded.selector, taskId, reviewEnd));
        vm.prank(WORKER);
        registry.openDispute(taskId, 0, EVIDENCE);
    }

    function test_RevertWhen_EvidenceIsZero() external {
        uint256 taskId = _delivered();
        vm.expectRevert(ITaskRegistry.HashMissing.selector);
        vm.prank(POSTER);
        registry.openDispute(taskId, 0, 0);
    }

    function test_MovesToDisputed() external {
        uint256 taskId = _delivered();
        Task memory expected = _task(taskId);
        _dispute(taskId, POSTER);
        expected.state = TaskState.DISPUTED;
        _assertTask(taskId, expected);
    }

    function test_EmitsDisputeOpenedByPoster() external {
        uint256 taskId = _delivered();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeOpened(taskId, 0, POSTER, EVIDENCE);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseOpened(
            taskId, 1, POSTER, EVIDENCE, block.timestamp + 48 hours, block.timestamp + 120 hours
        );
        _dispute(taskId, POSTER);
    }

    function test_EmitsDisputeOpenedByWorker() external {
        uint256 taskId = _delivered();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeOpened(taskId, 0, WORKER, EVIDENCE);
        _dispute(taskId, WORKER);
    }

    function test_OpensCaseForPoster() external {
        uint256 taskId = _delivered();
        _dispute(taskId, POSTER);
        _assertCase(taskId, true, false);
    }

    function test_OpensCaseForWorker() external {
        uint256 taskId = _delivered();
        _dispute(taskId, WORKER);
        _assertCase(taskId, false, true);
    }

    function test_SeatsNamedArbitrator() external {
        uint256 taskId = _seated();
        vm.assertEq(uint256(arbitration.disputeOf(taskId).phase), uint256(IArbitration.DisputePhase.EVIDENCE));
        vm.assertEq(arbitration.benchOf(taskId).length, 1);
        vm.assertEq(arbitration.benchOf(taskId)[0].arbitrator, ARBITRATOR);
    }

    function test_LeavesSeatOpenForIneligibleArbitrator() external {
        TaskTerms memory terms = _terms();
        terms.arbitrator = ARBITRATOR;
        uint256 taskId = _activeWith(terms, TOTAL);
        _deliver(taskId);
        _dispute(taskId, POSTER);
        _assertCase(taskId, true, false);
    }

    function test_MovesNothing() external {
        uint256 taskId = _delivered();
        _mark();
        _dispute(taskId, POSTER);

        _assertNoGains();
        _assertAccount(taskId, TOTAL, 0, 0);
        _assertReserves(taskId, 8e6, 8e6);
        _assertLive(1);
    }

    function test_MakesReservesWhole() external {
        uint256 taskId = _concededOnce();
        _assertReserves(taskId, 3e6, 8e6);
        _dispute(taskId, WORKER);
        _assertReserves(taskId, 8e6, 8e6);
    }

    function test_OpensWithEmptyDeposit() external {
        uint256 taskId = _concededOnce();
        uint256 free = deposits.freeOf(POSTER);
        vm.prank(POSTER);
        deposits.withdraw(free, POSTER);
        _dispute(taskId, WORKER);
        _assertReserves(taskId, 3e6, 8e6);
        _assertState(taskId, TaskState.DISPUTED);
    }

    function test_AcceptsDisputeAtEndOfReview() external {
        uint256 taskId = _delivered();
        vm.warp(_task(taskId).reviewEnd);
        _dispute(taskId, POSTER);
        _assertState(taskId, TaskState.DISPUTED);
    }

    function test_DisputesLaterMilestone() external {
        uint256 taskId = _active();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _deliver(taskId);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeOpened(taskId, 1, WORKER, EVIDENCE);
        _dispute(taskId, WORKER);
    }

    function _assertCase(uint256 taskId, bool posterSpoke, bool workerSpoke) private view {
        IArbitration.Dispute memory expected;
        expected.poster = POSTER;
        expected.worker = WORKER;
        expected.phase = IArbitration.DisputePhase.OPEN;
        expected.number = 1;
        expected.posterSpoke = posterSpoke;
        expected.workerSpoke = workerSpoke;
        expected.consentEnd = uint40(block.timestamp + 48 hours);
        expected.seatEnd = uint40(block.timestamp + 120 hours);
        vm.assertEq(abi.encode(arbitration.disputeOf(taskId)), abi.encode(expected));
        vm.assertEq(arbitration.benchOf(taskId).length, 0);
    }

    /// @dev The poster gave in once, at the cost of the dispute fee, and the second milestone is in review.
    function _concededOnce() private returns (uint256 taskId) {
        taskId = _seated();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _deliver(taskId);
    }
}
