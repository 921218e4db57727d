// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Signature, TaskState } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

/// @dev The chain stands still across a limit. Time does not, so the party with the duty has lost its last hour: who may
/// still do what? The default applies, never nothing and never both.
contract HaltTest is Books {
    uint256 private constant HALT = 2 hours;

    function test_WindowsAreThreeHaltsLong() external view {
        vm.assertGe(params.vetWindow, 3 * HALT);
        vm.assertGe(params.fundingWindow, 3 * HALT);
        vm.assertGe(params.minReviewWindow, 3 * HALT);
        vm.assertGe(params.minDuration, 3 * HALT);
        vm.assertGe(params.consentWindow, 3 * HALT);
        vm.assertGe(params.evidenceWindow, 3 * HALT);
        vm.assertGe(params.rulingWindow, 3 * HALT);
        vm.assertGe(params.appealWindow, 3 * HALT);
    }

    function test_ClaimCutoff() external {
        uint256 taskId = _post(_terms(), TOTAL);
        uint256 cutoff = _task(taskId).claimDeadline - 1 hours;
        bytes32 digest = _digestFor(taskId, WORKER);
        _halt(cutoff);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ClaimClosed.selector, taskId, cutoff));
        vm.prank(WORKER);
        registry.claim(taskId, digest);

        uint256 here = vm.snapshotState();
        vm.prank(POSTER);
        registry.cancel(taskId);
        _assertSettled(taskId, TaskState.CANCELLED);
        vm.revertToState(here);
        registry.expire(taskId);
        _assertSettled(taskId, TaskState.EXPIRED);
    }

    function test_VetWindow() external {
        uint256 taskId = _funded();
        _halt(block.timestamp + 6 hours);
        vm.prank(WORKER);
        registry.activate(taskId);
        vm.assertEq(_task(taskId).deadline, block.timestamp + 2 days);
    }

    function test_FundingWindow() external {
        uint256 taskId = _claimed();
        uint256 end = block.timestamp + 24 hours;
        _halt(end);
        bytes memory closed = abi.encodeWithSelector(ITaskRegistry.FundingWindowClosed.selector, taskId, end);
        _expectRefusal(POSTER, abi.encodeCall(ITaskRegistry.fund, (taskId, 1)), closed);

        uint256 here = vm.snapshotState();
        _mark();
        Gains memory gains;
        gains.posterUsd = -2.5e6;
        gains.workerUsd = 2.5e6;
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        _assertGains(gains);
        vm.revertToState(here);
        _mark();
        registry.expire(taskId);
        _assertGains(gains);
        _assertState(taskId, TaskState.POSTED);
    }

    function test_StartWindow() external {
        uint256 taskId = _funded();
        uint256 end = block.timestamp + 30 hours;
        _halt(end);
        bytes memory closed = abi.encodeWithSelector(ITaskRegistry.StartWindowClosed.selector, taskId, end);
        _expectRefusal(POSTER, abi.encodeCall(ITaskRegistry.activate, (taskId)), closed);
        _expectRefusal(WORKER, abi.encodeCall(ITaskRegistry.activate, (taskId)), closed);

        uint256 here = vm.snapshotState();
        _mark();
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        _assertNoGains();
        vm.revertToState(here);
        _mark();
        registry.expire(taskId);
        _assertNoGains();
        _assertState(taskId, TaskState.POSTED);
    }

    function test_DeliveryDeadline() external {
        uint256 taskId = _active();
        uint256 deadline = _task(taskId).deadline;
        _halt(deadline);
        _expectRefusal(
            WORKER,
            abi.encodeCall(ITaskRegistry.markDelivered, (taskId, 0, PROOF)),
            abi.encodeWithSelector(ITaskRegistry.DeadlinePassed.selector, taskId, deadline)
        );

        uint256 here = vm.snapshotState();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        vm.assertEq(_task(taskId).deadline, block.timestamp + 2 days);
        vm.revertToState(here);
        registry.expire(taskId);
        _assertSettled(taskId, TaskState.EXPIRED);
    }

    function test_RevisedDeadline() external {
        uint256 taskId = _delivered();
        vm.warp(_task(taskId).reviewEnd);
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, PROOF);
        vm.assertGe(_task(taskId).deadline - block.timestamp, 3 * HALT);
    }

    function test_ReviewEnd() external {
        uint256 taskId = _delivered();
        uint256 reviewEnd = _task(taskId).reviewEnd;
        _halt(reviewEnd);
        bytes memory ended = abi.encodeWithSelector(ITaskRegistry.ReviewEnded.selector, taskId, reviewEnd);
        _expectRefusal(POSTER, abi.encodeCall(ITaskRegistry.requestRevision, (taskId, 0, PROOF)), ended);
        _expectRefusal(POSTER, abi.encodeCall(ITaskRegistry.openDispute, (taskId, 0, PROOF)), ended);
        _expectRefusal(WORKER, abi.encodeCall(ITaskRegistry.openDispute, (taskId, 0, PROOF)), ended);
        _expectRefusal(
            STRANGER,
            abi.encodeCall(ITaskRegistry.expire, (taskId)),
            abi.encodeWithSelector(ITaskRegistry.AlreadyDelivered.selector, taskId, 0)
        );

        uint256 here = vm.snapshotState();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _assertAccount(taskId, TOTAL, FIRST, 0);
        vm.revertToState(here);
        registry.releaseLapsed(taskId, 0);
        _assertAccount(taskId, TOTAL, FIRST, 0);
    }

    function test_ConsentWindow() external {
        _register(ARBITRATOR, 10_000e18);
        uint256 taskId = _disputed();
        _halt(arbitration.disputeOf(taskId).consentEnd);

        uint256 here = vm.snapshotState();
        vm.prank(POSTER);
        arbitration.propose(taskId, ARBITRATOR);
        vm.prank(WORKER);
        arbitration.propose(taskId, ARBITRATOR);
        _assertPhase(taskId, IArbitration.DisputePhase.EVIDENCE);
        vm.revertToState(here);
        arbitration.seat(taskId);
        vm.assertEq(arbitration.disputeOf(taskId).drawBlock, block.number + 4);
    }

    function test_SeatWindow() external {
        _register(ARBITRATOR, 10_000e18);
        uint256 taskId = _disputed();
        uint256 seatEnd = arbitration.disputeOf(taskId).seatEnd;
        _halt(seatEnd);
        bytes memory closed = abi.encodeWithSelector(IArbitration.SeatWindowClosed.selector, taskId, seatEnd);
        vm.expectRevert(closed);
        vm.prank(POSTER);
        arbitration.propose(taskId, ARBITRATOR);
        vm.expectRevert(closed);
        arbitration.seat(taskId);

        arbitration.resolveTimedOut(taskId);
        _assertSettled(taskId, TaskState.RESOLVED);
        _assertAccount(taskId, TOTAL, 0, TOTAL);
    }

    function test_EvidenceWindow() external {
        uint256 taskId = _seated();
        uint256 end = arbitration.disputeOf(taskId).evidenceEnd;
        _halt(end);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.EvidenceWindowClosed.selector, taskId, end));
        vm.prank(WORKER);
        arbitration.submitEvidence(taskId, EVIDENCE);

        vm.prank(ARBITRATOR);
        arbitration.resolve(taskId, 10_000, PROOF);
        _assertPhase(taskId, IArbitration.DisputePhase.RULED);
    }

    function test_RulingWindow() external {
        uint256 taskId = _seated();
        uint256 end = arbitration.disputeOf(taskId).rulingEnd;
        _halt(end);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.RulingWindowClosed.selector, taskId, end));
        vm.prank(ARBITRATOR);
        arbitration.resolve(taskId, 10_000, PROOF);

        arbitration.resolveTimedOut(taskId);
        _assertPhase(taskId, IArbitration.DisputePhase.OPEN);
        vm.assertEq(arbitration.arbitratorOf(ARBITRATOR).slashed, 1_000e18);
        vm.assertEq(arbitration.disputeOf(taskId).seatEnd, block.timestamp + 72 hours);
    }

    function test_AppealWindow() external {
        uint256 taskId = _seated();
        _after(arbitration.disputeOf(taskId).evidenceEnd);
        vm.prank(ARBITRATOR);
        arbitration.resolve(taskId, 5000, PROOF);
        uint256 end = arbitration.disputeOf(taskId).appealEnd;
        _halt(end);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.AppealWindowClosed.selector, taskId, end));
        vm.prank(WORKER);
        arbitration.escalate(taskId);

        arbitration.finalize(taskId);
        _assertSettled(taskId, TaskState.RESOLVED);
        _assertAccount(taskId, TOTAL, FIRST / 2, SECOND + FIRST / 2);
    }

    function test_ExpiryOfSignatures() external {
        uint256 taskId = _active();
        uint64 expiry = uint64(block.timestamp + 6 hours);
        Signature memory byPoster = _cancelSignature(registry, taskId, 5000, POSTER_KEY, _nonce(), expiry);
        Signature memory byWorker = _cancelSignature(registry, taskId, 5000, WORKER_KEY, _nonce(), expiry);
        _halt(expiry);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.SignatureExpired.selector, POSTER, expiry));
        registry.mutualCancel(taskId, 5000, byPoster, byWorker);

        _mutualCancel(taskId, 5000);
        _assertSettled(taskId, TaskState.CANCELLED);
    }

    function _halt(uint256 limit) private {
        vm.warp(limit - HALT / 2);
        vm.warp(limit + HALT / 2);
    }

    function _assertPhase(uint256 taskId, IArbitration.DisputePhase phase) private view {
        vm.assertEq(uint256(arbitration.disputeOf(taskId).phase), uint256(phase));
    }
}
