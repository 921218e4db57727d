// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryExpireTest is Books {
    function test_RevertGiven_DisputedOrEnded() external {
        for (uint256 i = uint256(TaskState.DISPUTED); i <= uint256(TaskState.RESOLVED); ++i) {
            uint256 taskId = _inState(TaskState(i));
            vm.warp(block.timestamp + 400 days);
            vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, TaskState(i)));
            registry.expire(taskId);
        }
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.TaskNotFound.selector, 9999));
        registry.expire(9999);
    }

    function test_RevertGiven_Posted_WhenCutoffHasNotPassed() external {
        uint256 taskId = _post(_terms(), TOTAL);
        uint256 cutoff = _task(taskId).claimDeadline - 1 hours;
        vm.warp(cutoff);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotExpired.selector, taskId, cutoff));
        registry.expire(taskId);
    }

    function test_MovesPostedToExpired() external {
        uint256 taskId = _post(_terms(), TOTAL);
        Task memory expected = _task(taskId);
        _after(_task(taskId).claimDeadline - 1 hours);
        _expire(taskId);
        expected.state = TaskState.EXPIRED;
        _assertTask(taskId, expected);
    }

    function test_RefundsPosted() external {
        uint256 taskId = _post(_terms(), 250e18);
        _after(_task(taskId).claimDeadline - 1 hours);
        Gains memory gains;
        gains.posterTok = 250e18;
        _mark();
        _expire(taskId);

        _assertGains(gains);
        _assertAccount(taskId, 250e18, 0, 250e18);
        _assertSettled(taskId, TaskState.EXPIRED);
        vm.assertEq(deposits.freeOf(POSTER), 100e6);
    }

    function test_MovesNoMoneyOfUnfundedPosted() external {
        uint256 taskId = _posted();
        _after(_task(taskId).claimDeadline - 1 hours);
        _mark();
        _expire(taskId);

        _assertNoGains();
        _assertSettled(taskId, TaskState.EXPIRED);
    }

    function test_EmitsTaskExpiredFromPosted() external {
        uint256 taskId = _posted();
        _after(_task(taskId).claimDeadline - 1 hours);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskExpired(taskId, TaskState.POSTED, TaskState.EXPIRED);
        _expire(taskId);
    }

    function test_LeavesNoTraceOfPosted() external {
        uint256 taskId = _posted();
        _after(_task(taskId).claimDeadline - 1 hours);
        _expire(taskId);
        IReputationRegistry.Reputation memory none;
        _assertReputation(POSTER, none);
    }

    function test_RevertGiven_Claimed_WhenFundingWindowHasNotPassed() external {
        uint256 taskId = _claimed();
        uint256 end = block.timestamp + 24 hours;
        vm.warp(end);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotExpired.selector, taskId, end));
        registry.expire(taskId);
    }

    function test_RevertGiven_FundedClaim_WhenStartWindowHasNotPassed() external {
        uint256 taskId = _funded();
        uint256 end = block.timestamp + 30 hours;
        vm.warp(end);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotExpired.selector, taskId, end));
        registry.expire(taskId);
    }

    function test_OpensClaimedAgain() external {
        uint256 taskId = _posted();
        Task memory expected = _task(taskId);
        _claim(taskId, WORKER);
        _after(_claimEnd(taskId));
        _expire(taskId);
        _assertTask(taskId, expected);
    }

    function test_PenalisesLatePoster() external {
        uint256 taskId = _claimed();
        vm.prank(POSTER);
        registry.fund(taskId, TOTAL - 1);
        _after(_claimEnd(taskId));
        Gains memory gains;
        gains.posterUsd = -2.5e6;
        gains.workerUsd = 2.5e6;
        _mark();
        _expire(taskId);

        _assertGains(gains);
        _assertAccount(taskId, TOTAL - 1, 0, 0);
        _assertReserves(taskId, 5.5e6, 0);
        _assertLive(0);
    }

    function test_MovesNoMoneyOfFundedClaimed() external {
        uint256 taskId = _funded();
        _after(_claimEnd(taskId));
        _mark();
        _expire(taskId);

        _assertNoGains();
        _assertAccount(taskId, TOTAL, 0, 0);
        _assertReserves(taskId, 8e6, 0);
        _assertLive(0);
    }

    function test_EmitsTaskExpiredFromClaimed() external {
        uint256 taskId = _claimed();
        _after(_claimEnd(taskId));
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskExpired(taskId, TaskState.CLAIMED, TaskState.POSTED);
        _expire(taskId);
    }

    function test_RecordsLapseOfPoster() external {
        uint256 taskId = _claimed();
        _after(_claimEnd(taskId));
        _expire(taskId);
        IReputationRegistry.Reputation memory expected;
        _assertReputation(WORKER, expected);
        expected.lapses = 1;
        _assertReputation(POSTER, expected);
    }

    function test_RecordsNothingOfFundedClaimed() external {
        uint256 taskId = _funded();
        _after(_claimEnd(taskId));
        _expire(taskId);
        IReputationRegistry.Reputation memory none;
        _assertReputation(POSTER, none);
        _assertReputation(WORKER, none);
    }

    function test_LeavesReserveAsItIsAtNextClaim() external {
        uint256 taskId = _claimed();
        _after(_claimEnd(taskId));
        _expire(taskId);
        _claim(taskId, STRANGER);
        vm.assertEq(deposits.reserveOf(taskId, POSTER), 5.5e6);
        vm.assertEq(deposits.reserveOf(taskId, STRANGER), 8e6);
        vm.assertEq(registry.liveClaimsOf(STRANGER), 1);
        _assertLive(0);
    }

    function test_ExpiresForGoodAfterCutoff() external {
        uint256 taskId = _funded();
        _after(_task(taskId).claimDeadline);
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        _mark();
        _expire(taskId);
        _expire(taskId);

        _assertGains(gains);
        _assertSettled(taskId, TaskState.EXPIRED);
        _assertLive(0);
    }

    function test_RefundsPrivateAndPenalisesLatePoster() external {
        uint256 taskId = _created(_terms());
        vm.prank(POSTER);
        registry.fund(taskId, 1e18);
        _after(_claimEnd(taskId));
        Task memory expected = _task(taskId);
        Gains memory gains;
        gains.posterTok = 1e18;
        gains.posterUsd = -2.5e6;
        gains.workerUsd = 2.5e6;
        _mark();
        _expire(taskId);

        expected.state = TaskState.EXPIRED;
        _assertTask(taskId, expected);
        _assertGains(gains);
        _assertSettled(taskId, TaskState.EXPIRED);
        vm.assertEq(reputation.reputationOf(POSTER).lapses, 1);
        _assertLive(0);
    }

    function test_RefundsFundedPrivate() external {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        _after(_claimEnd(taskId));
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        _mark();
        _expire(taskId);

        _assertGains(gains);
        _assertSettled(taskId, TaskState.EXPIRED);
        vm.assertEq(reputation.reputationOf(POSTER).lapses, 0);
    }

    function test_EmitsTaskExpiredOfPrivate() external {
        uint256 taskId = _created(_terms());
        _after(_claimEnd(taskId));
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskExpired(taskId, TaskState.CLAIMED, TaskState.EXPIRED);
        _expire(taskId);
    }

    function test_RevertGiven_InReview() external {
        uint256 taskId = _delivered();
        vm.warp(block.timestamp + 400 days);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.AlreadyDelivered.selector, taskId, 0));
        registry.expire(taskId);

        registry.releaseLapsed(taskId, 0);
        _deliver(taskId);
        vm.warp(block.timestamp + 400 days);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.AlreadyDelivered.selector, taskId, 1));
        registry.expire(taskId);
    }

    function test_RevertGiven_Active_WhenDeadlineHasNotPassed() external {
        uint256 taskId = _active();
        uint256 deadline = _task(taskId).deadline;
        vm.warp(deadline);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotExpired.selector, taskId, deadline));
        registry.expire(taskId);
    }

    function test_MovesActiveToExpired() external {
        uint256 taskId = _overdue();
        Task memory expected = _task(taskId);
        _expire(taskId);
        expected.state = TaskState.EXPIRED;
        _assertTask(taskId, expected);
    }

    function test_RefundsAndPenalisesLateWorker() external {
        uint256 taskId = _overdue();
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        gains.posterUsd = 2.5e6;
        gains.workerUsd = -2.5e6;
        _mark();
        _expire(taskId);

        _assertGains(gains);
        _assertAccount(taskId, TOTAL, 0, TOTAL);
        _assertSettled(taskId, TaskState.EXPIRED);
        vm.assertEq(deposits.freeOf(POSTER), 102.5e6);
        vm.assertEq(deposits.freeOf(WORKER), 97.5e6);
        _assertLive(0);
    }

    function test_RefundsRest() external {
        uint256 taskId = _active();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _after(_task(taskId).deadline);
        Gains memory gains;
        gains.posterTok = int256(SECOND);
        gains.posterUsd = 2.5e6;
        gains.workerUsd = -2.5e6;
        _mark();
        _expire(taskId);

        _assertGains(gains);
        _assertAccount(taskId, TOTAL, FIRST, SECOND);
    }

    function test_TakesWhatIsLeftOfReserve() external {
        uint256 taskId = _active();
        vm.prank(address(arbitration));
        deposits.penalise(taskId, WORKER, TREASURY, 7e6);
        _after(_task(taskId).deadline);
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        gains.posterUsd = 1e6;
        gains.workerUsd = -1e6;
        _mark();
        _expire(taskId);

        _assertGains(gains);
        _assertSettled(taskId, TaskState.EXPIRED);
    }

    function test_EmitsTaskExpiredFromActive() external {
        uint256 taskId = _overdue();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskExpired(taskId, TaskState.ACTIVE, TaskState.EXPIRED);
        _expire(taskId);
    }

    function test_RecordsLapseOfWorker() external {
        uint256 taskId = _overdue();
        _expire(taskId);
        IReputationRegistry.Reputation memory expected;
        _assertReputation(POSTER, expected);
        expected.lapses = 1;
        _assertReputation(WORKER, expected);
    }

    function test_RevertWhen_CalledAgain() external {
        uint256 taskId = _overdue();
        _expire(taskId);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, TaskState.EXPIRED));
        registry.expire(taskId);
    }

    function testFuzz_ExpiresHoweverLate(uint32 late) external {
        uint256 taskId = _active();
        vm.warp(_task(taskId).deadline + 1 + uint256(late));
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        gains.posterUsd = 2.5e6;
        gains.workerUsd = -2.5e6;
        _mark();
        _expire(taskId);
        _assertGains(gains);
    }

    function _expire(uint256 taskId) private {
        vm.prank(STRANGER);
        registry.expire(taskId);
    }

    function _overdue() private returns (uint256 taskId) {
        taskId = _active();
        _after(_task(taskId).deadline);
    }
}
