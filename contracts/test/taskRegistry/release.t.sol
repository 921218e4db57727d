// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryReleaseTest is Books {
    function test_RevertGiven_TaskIsNeitherActiveNorDisputed() external {
        bytes4 selector = ITaskRegistry.release.selector;
        _assertOnlyIn(TaskState.ACTIVE, TaskState.DISPUTED, POSTER, selector, abi.encode(0));
    }

    function test_RevertWhen_CallerIsWorker() external {
        uint256 taskId = _delivered();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotPoster.selector, taskId, WORKER));
        vm.prank(WORKER);
        registry.release(taskId, 0);
    }

    function test_RevertWhen_CallerIsStranger() external {
        uint256 taskId = _delivered();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotPoster.selector, taskId, STRANGER));
        vm.prank(STRANGER);
        registry.release(taskId, 0);
    }

    function test_RevertWhen_MilestoneIsLater() external {
        uint256 taskId = _delivered();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotCurrentMilestone.selector, taskId, 1, 0));
        _release(taskId, 1);
    }

    function test_RevertWhen_MilestoneIsPaid() external {
        uint256 taskId = _delivered();
        _release(taskId, 0);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotCurrentMilestone.selector, taskId, 0, 1));
        _release(taskId, 0);
    }

    function test_StartsNextMilestone() external {
        uint256 taskId = _delivered();
        Task memory expected = _task(taskId);
        vm.warp(block.timestamp + 7 hours);
        _release(taskId, 0);

        expected.current = 1;
        expected.deadline = uint40(block.timestamp + 2 days);
        expected.reviewEnd = 0;
        _assertTask(taskId, expected);
    }

    function test_PaysMilestone() external {
        uint256 taskId = _delivered();
        Gains memory gains;
        gains.workerTok = int256(FIRST);
        _mark();
        _release(taskId, 0);

        _assertGains(gains);
        _assertAccount(taskId, TOTAL, FIRST, 0);
        _assertReserves(taskId, 8e6, 8e6);
    }

    function test_EmitsMilestoneReleased() external {
        uint256 taskId = _delivered();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneReleased(taskId, 0, FIRST, false, block.timestamp + 2 days);
        _release(taskId, 0);
    }

    function test_RecordsNothingInVetWindow() external {
        uint256 taskId = _lastDelivered();
        vm.warp(_task(taskId).claimedAt + 6 hours);
        _release(taskId, 1);
        IReputationRegistry.Reputation memory none;
        _assertReputation(POSTER, none);
        _assertReputation(WORKER, none);
    }

    function test_RecordsPayment() external {
        uint256 taskId = _delivered();
        _vet(taskId);
        _release(taskId, 0);
        IReputationRegistry.Reputation memory expected;
        expected.distinctCounterparties = 1;
        expected.paid = uint128(FIRST);
        _assertReputation(POSTER, expected);
        expected.paid = 0;
        expected.earned = uint128(FIRST);
        _assertReputation(WORKER, expected);
    }

    function test_CompletesTask() external {
        uint256 taskId = _lastDelivered();
        Task memory expected = _task(taskId);
        _release(taskId, 1);

        expected.state = TaskState.COMPLETED;
        expected.current = 2;
        expected.deadline = 0;
        expected.reviewEnd = 0;
        _assertTask(taskId, expected);
    }

    function test_PaysLastMilestoneAndReturnsDeposits() external {
        uint256 taskId = _lastDelivered();
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(SECOND);
        _mark();
        _release(taskId, 1);

        _assertGains(gains);
        _assertAccount(taskId, TOTAL, TOTAL, 0);
        _assertSettled(taskId, TaskState.COMPLETED);
        vm.assertEq(deposits.freeOf(POSTER), 100e6);
        vm.assertEq(deposits.freeOf(WORKER), 100e6);
    }

    function test_EmitsTaskCompleted() external {
        uint256 taskId = _lastDelivered();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneReleased(taskId, 1, SECOND, false, 0);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskCompleted(taskId, 0);
        _release(taskId, 1);
    }

    function test_RecordsCompletion() external {
        uint256 taskId = _lastDelivered();
        _vet(taskId);
        _release(taskId, 1);
        IReputationRegistry.Reputation memory expected;
        expected.distinctCounterparties = 1;
        expected.completedAsPoster = 1;
        expected.paid = uint128(SECOND);
        _assertReputation(POSTER, expected);
        delete expected;
        expected.distinctCounterparties = 1;
        expected.completedAsWorker = 1;
        expected.earned = uint128(SECOND);
        _assertReputation(WORKER, expected);
    }

    function test_CompletesTaskOfOneMilestone() external {
        TaskTerms memory terms = _terms();
        terms.amounts = new uint256[](1);
        terms.amounts[0] = 7;
        terms.durations = new uint64[](1);
        terms.durations[0] = 1 days;
        uint256 taskId = _activeWith(terms, 7);
        Gains memory gains = _exitsReturned();
        gains.workerTok += 7;
        _mark();
        _release(taskId, 0);

        _assertGains(gains);
        _assertSettled(taskId, TaskState.COMPLETED);
    }

    function test_PaysWithoutDelivery() external {
        uint256 taskId = _active();
        _release(taskId, 0);
        _assertAccount(taskId, TOTAL, FIRST, 0);
        vm.assertEq(_task(taskId).current, 1);
    }

    function test_PaysAfterDeliveryDeadline() external {
        uint256 taskId = _active();
        _after(_task(taskId).deadline);
        _release(taskId, 0);
        _assertAccount(taskId, TOTAL, FIRST, 0);
        _assertState(taskId, TaskState.ACTIVE);
    }

    function test_PaysAfterReviewEnded() external {
        uint256 taskId = _delivered();
        _after(_task(taskId).reviewEnd);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneReleased(taskId, 0, FIRST, false, block.timestamp + 2 days);
        _release(taskId, 0);
    }

    function test_PaysWithoutReceipt() external {
        uint256 taskId = _unreceipted();
        _after(_graceEnd(taskId));
        _release(taskId, 0);
        _assertAccount(taskId, TOTAL, FIRST, 0);
    }

    function test_ResetsRevisions() external {
        uint256 taskId = _delivered();
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, PROOF);
        vm.assertEq(_task(taskId).revisions, 1);
        _release(taskId, 0);
        vm.assertEq(_task(taskId).revisions, 0);
    }

    function testFuzz_PaysEachMilestone(uint96[5] calldata amounts, uint8 count) external {
        TaskTerms memory terms = _terms();
        count = count % 5 + 1;
        terms.amounts = new uint256[](count);
        terms.durations = new uint64[](count);
        uint256 total = 0;
        for (uint256 i = 0; i < count; ++i) {
            terms.amounts[i] = uint256(amounts[i]) % 100_000e18 + 1;
            terms.durations[i] = uint64(1 days + i);
            total += terms.amounts[i];
        }
        uint256 taskId = _activeWith(terms, total);
        uint256 paid = 0;
        uint256 before = tok.balanceOf(WORKER);
        for (uint256 i = 0; i < count; ++i) {
            _release(taskId, i);
            paid += terms.amounts[i];
            vm.assertEq(tok.balanceOf(WORKER), before + paid + (i + 1 == count ? uint256(EXIT) : 0));
            vm.assertEq(escrow.heldOf(taskId), total - paid);
            vm.assertEq(_task(taskId).deadline, i + 1 == count ? 0 : block.timestamp + terms.durations[i + 1]);
        }
        _assertSettled(taskId, TaskState.COMPLETED);
    }

    function test_RevertGiven_Disputed_WhenCallerIsWorker() external {
        uint256 taskId = _disputed();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotPoster.selector, taskId, WORKER));
        vm.prank(WORKER);
        registry.release(taskId, 0);
    }

    function test_RevertGiven_Disputed_WhenMilestoneIsAnother() external {
        uint256 taskId = _disputed();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotCurrentMilestone.selector, taskId, 1, 0));
        _release(taskId, 1);
    }

    function test_Concedes() external {
        uint256 taskId = _disputed();
        Task memory expected = _task(taskId);
        // The stake goes back, less 1 % of the milestone for the worker.
        Gains memory gains;
        gains.workerTok = int256(FIRST) + 6e18;
        gains.posterTok = 54e18;
        _mark();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeConceded(taskId, 0);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(taskId, 10_000, IArbitration.Ending.CONCEDED);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneReleased(taskId, 0, FIRST, false, block.timestamp + 2 days);
        _release(taskId, 0);

        expected.state = TaskState.ACTIVE;
        expected.current = 1;
        expected.deadline = uint40(block.timestamp + 2 days);
        expected.reviewEnd = 0;
        _assertTask(taskId, expected);
        _assertGains(gains);
        _assertReserves(taskId, 8e6, 8e6);
        _assertExits(taskId, uint256(EXIT), uint256(EXIT));
    }

    function test_ConcedesBeforeJudge() external {
        uint256 taskId = _seated();
        Gains memory gains;
        gains.workerTok = int256(FIRST) + 6e18;
        gains.posterTok = 54e18;
        gains.posterUsd = -5e6;
        gains.arbitratorUsd = 5e6;
        _mark();
        _release(taskId, 0);

        _assertGains(gains);
        _assertReserves(taskId, 3e6, 8e6);
        _assertState(taskId, TaskState.ACTIVE);
        vm.assertEq(arbitration.arbitratorOf(ARBITRATOR).openCases, 0);
        vm.assertEq(uint256(arbitration.phaseOf(taskId)), uint256(IArbitration.DisputePhase.CLOSED));
    }

    function test_ConcedesLastMilestone() external {
        uint256 taskId = _lastDelivered();
        _vet(taskId);
        _dispute(taskId, POSTER);
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(SECOND) + 4e18;
        gains.posterTok += 36e18;
        _mark();
        _release(taskId, 1);

        _assertGains(gains);
        _assertSettled(taskId, TaskState.COMPLETED);
        vm.assertEq(reputation.reputationOf(WORKER).completedAsWorker, 1);
    }

    function test_ConcedesToWorkerThatOpened() external {
        uint256 taskId = _unreceipted();
        _after(_task(taskId).reviewEnd);
        _dispute(taskId, WORKER);
        Gains memory gains;
        gains.workerTok = int256(FIRST);
        _mark();
        _release(taskId, 0);
        _assertGains(gains);
        _assertState(taskId, TaskState.ACTIVE);
    }

    function test_RecordsDisputeForWorker() external {
        uint256 taskId = _disputed();
        _release(taskId, 0);
        IReputationRegistry.Reputation memory expected;
        expected.disputesLost = 1;
        _assertReputation(POSTER, expected);
        delete expected;
        expected.disputesWon = 1;
        _assertReputation(WORKER, expected);
    }

    /// @dev Else a loser would get away with less than it owes.
    function test_RevertGiven_JudgeHasRuled() external {
        uint256 taskId = _seated();
        _rule(taskId, true);
        _expectWrongPhase(taskId, IArbitration.DisputePhase.RULED);
        vm.prank(POSTER);
        arbitration.escalate(taskId);
        _expectWrongPhase(taskId, IArbitration.DisputePhase.COURT);
        _assertState(taskId, TaskState.DISPUTED);
    }

    function test_ConcedesBeforeCourtThatNobodyRuledFor() external {
        uint256 taskId = _disputed();
        _after(arbitration.disputeOf(taskId).evidenceEnd);
        arbitration.resolveTimedOut(taskId);
        _release(taskId, 0);
        _assertAccount(taskId, TOTAL, FIRST, 0);
    }

    function test_LeavesRoomForAnotherCase() external {
        uint256 taskId = _disputed();
        _release(taskId, 0);
        _deliver(taskId);
        _dispute(taskId, POSTER);
        vm.assertEq(arbitration.disputeOf(taskId).number, 2);
        _assertState(taskId, TaskState.DISPUTED);
    }

    function _expectWrongPhase(uint256 taskId, IArbitration.DisputePhase phase) private {
        vm.expectRevert(abi.encodeWithSelector(IArbitration.WrongPhase.selector, taskId, phase));
        _release(taskId, 0);
    }

    function _release(uint256 taskId, uint256 milestone) private {
        vm.prank(POSTER);
        registry.release(taskId, milestone);
    }

    function _lastDelivered() private returns (uint256 taskId) {
        taskId = _delivered();
        _release(taskId, 0);
        _deliver(taskId);
    }
}
