// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Receipt, Signature, TaskState } from "../../src/types/Task.sol";
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
        vm.assertGe(params.courtWindow, 3 * HALT);
        vm.assertGe(params.minRevisionTime, 3 * HALT);
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
        uint256[2] memory taskIds = [_claimed(), _post(_terms(), TOTAL)];
        _claim(taskIds[1], WORKER);
        uint256 end = block.timestamp + 24 hours;
        _halt(end);
        for (uint256 i = 0; i < 2; ++i) {
            uint256 taskId = taskIds[i];
            bytes memory closed = abi.encodeWithSelector(ITaskRegistry.StartWindowClosed.selector, taskId, end);
            _expectRefusal(POSTER, abi.encodeCall(ITaskRegistry.dismiss, (taskId)), closed);
            _expectRefusal(WORKER, abi.encodeCall(ITaskRegistry.leaveTask, (taskId)), closed);
            if (i == 1) _expectRefusal(WORKER, abi.encodeCall(ITaskRegistry.activate, (taskId)), closed);
            closed = abi.encodeWithSelector(ITaskRegistry.FundingWindowClosed.selector, taskId, end);
            _expectRefusal(POSTER, abi.encodeCall(ITaskRegistry.fund, (taskId, 1)), closed);
            registry.expire(taskId);
        }
        _assertSettled(taskIds[0], TaskState.EXPIRED);
        _assertState(taskIds[1], TaskState.POSTED);
    }

    /// @dev A halt across the vet window costs a poster that wanted to dismiss USD 2.50, not its choice.
    function test_VetWindowOfDismissal() external {
        uint256 taskId = _claimed();
        _halt(block.timestamp + 6 hours);
        vm.prank(POSTER);
        registry.dismiss(taskId);
        vm.assertEq(deposits.balanceOf(POSTER), 97.5e6);
    }

    function test_DeliveryDeadline() external {
        uint256 taskId = _active();
        uint256 deadline = _task(taskId).deadline;
        _halt(deadline);
        _expectRefusal(
            WORKER,
            abi.encodeCall(ITaskRegistry.markDelivered, (taskId, 0, PROOF, _noReceipt())),
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
        _expectRefusal(POSTER, abi.encodeCall(ITaskRegistry.openDispute, (taskId, 0, PROOF, 0)), ended);
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

    function test_ReviewEndWithoutReceipt() external {
        uint256 taskId = _unreceipted();
        _halt(_task(taskId).reviewEnd);
        uint256 here = vm.snapshotState();
        _dispute(taskId, WORKER);
        vm.revertToState(here);
        registry.attachReceipt(taskId, 0, _receiptNow(taskId, PROOF));
        vm.revertToState(here);
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        _assertSettled(taskId, TaskState.CANCELLED);
    }

    function test_Grace() external {
        uint256 taskId = _unreceipted();
        uint256 end = _graceEnd(taskId);
        _halt(end);
        bytes memory ended = abi.encodeWithSelector(ITaskRegistry.GraceEnded.selector, taskId, end);
        Receipt memory receipt = _receiptNow(taskId, PROOF);
        _expectRefusal(WORKER, abi.encodeCall(ITaskRegistry.openDispute, (taskId, 0, PROOF, 1)), ended);
        _expectRefusal(STRANGER, abi.encodeCall(ITaskRegistry.attachReceipt, (taskId, 0, receipt)), ended);
        _expectRefusal(WORKER, abi.encodeCall(ITaskRegistry.markDelivered, (taskId, 0, PROOF, receipt)), ended);
        registry.expire(taskId);
        _assertSettled(taskId, TaskState.EXPIRED);
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
        _accept(taskId);
        _assertPhase(taskId, IArbitration.DisputePhase.EVIDENCE);
        vm.revertToState(here);
        arbitration.seat(taskId);
        vm.assertEq(arbitration.disputeOf(taskId).drawBlock, block.number + 4);
    }

    function test_EvidenceWindowOfEmptyBench() external {
        _register(ARBITRATOR, 10_000e18);
        uint256 taskId = _disputed();
        uint256 end = arbitration.disputeOf(taskId).evidenceEnd;
        _halt(end);
        bytes memory closed = abi.encodeWithSelector(IArbitration.EvidenceWindowClosed.selector, taskId, end);
        vm.expectRevert(closed);
        vm.prank(POSTER);
        arbitration.propose(taskId, ARBITRATOR);
        vm.expectRevert(closed);
        arbitration.seat(taskId);

        arbitration.resolveTimedOut(taskId);
        _assertPhase(taskId, IArbitration.DisputePhase.COURT);
    }

    function test_EvidenceWindow() external {
        uint256 taskId = _seated();
        uint256 end = arbitration.disputeOf(taskId).evidenceEnd;
        _halt(end);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.EvidenceWindowClosed.selector, taskId, end));
        vm.prank(WORKER);
        arbitration.submitEvidence(taskId, EVIDENCE, 10_000);

        vm.prank(ARBITRATOR);
        arbitration.resolve(taskId, true, PROOF);
        _assertPhase(taskId, IArbitration.DisputePhase.RULED);
    }

    function test_RulingWindow() external {
        uint256 taskId = _seated();
        uint256 end = arbitration.disputeOf(taskId).rulingEnd;
        _halt(end);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.RulingWindowClosed.selector, taskId, end));
        vm.prank(ARBITRATOR);
        arbitration.resolve(taskId, true, PROOF);

        arbitration.resolveTimedOut(taskId);
        _assertPhase(taskId, IArbitration.DisputePhase.COURT);
        vm.assertEq(arbitration.arbitratorOf(ARBITRATOR).slashed, 2_000e18);
        vm.assertEq(arbitration.disputeOf(taskId).courtEnd, block.timestamp + 168 hours);
    }

    function test_AppealWindow() external {
        uint256 taskId = _seated();
        _rule(taskId, false);
        uint256 end = arbitration.disputeOf(taskId).appealEnd;
        _halt(end);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.AppealWindowClosed.selector, taskId, end));
        vm.prank(WORKER);
        arbitration.escalate(taskId);

        arbitration.finalize(taskId);
        _assertSettled(taskId, TaskState.RESOLVED);
        _assertAccount(taskId, TOTAL, 6e18, TOTAL - 6e18);
    }

    function test_CourtWindow() external {
        uint256 taskId = _disputed();
        _after(arbitration.disputeOf(taskId).evidenceEnd);
        arbitration.resolveTimedOut(taskId);
        uint256 end = arbitration.disputeOf(taskId).courtEnd;
        _halt(end);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.CourtWindowClosed.selector, taskId, end));
        vm.prank(COURT);
        arbitration.decide(taskId, false, false, PROOF);

        arbitration.resolveTimedOut(taskId);
        _assertSettled(taskId, TaskState.RESOLVED);
        _assertAccount(taskId, TOTAL, FIRST, SECOND);
    }

    function test_ExpiryOfSignatures() external {
        uint256 taskId = _active();
        uint64 expiry = uint64(block.timestamp + 6 hours);
        Signature memory byPoster = _cancelSignature(registry, taskId, 5000, POSTER_KEY, _nonce(), expiry);
        Signature memory byWorker = _cancelSignature(registry, taskId, 5000, WORKER_KEY, _nonce(), expiry);
        _halt(expiry);
        vm.expectRevert(abi.encodeWithSelector(IAgreements.SignatureExpired.selector, POSTER, expiry));
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
