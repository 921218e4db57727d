// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Bookkeeping } from "./Bookkeeping.sol";

contract TaskRegistryDismissTest is Bookkeeping {
    function test_RevertGiven_ThePosterCannotLockAgain() external {
        uint256 taskId = _claimed();
        _setTok(POSTER, 1_000e18 - 1);
        _mark();
        _expectTokShort(POSTER, 1_000e18 - 1, 1_000e18);
        _dismiss(taskId);
        _assertNoGains();
        _assertState(taskId, TaskState.CLAIMED);
    }

    /// @dev To the last second of the vet window.
    function test_InTheVetWindow_CostsTheExitDepositAlone() external {
        uint256 taskId = _post(_terms(), TOTAL);
        Task memory expected = _task(taskId);
        vm.warp(block.timestamp + 1 hours);
        _claim(taskId, WORKER);
        vm.warp(block.timestamp + 6 hours);
        Gains memory gains = _exitSpent();
        gains.posterTok = -EXIT;
        gains.workerTok = EXIT;
        _assertDismisses(taskId, expected, gains, 0);
        _assertAccount(taskId, TOTAL, 0, 0);
        _claim(taskId, STRANGER);
        _activate(taskId);
        _assertState(taskId, TaskState.ACTIVE);
    }

    function test_PastTheVetWindow_LeavesAMark() external {
        uint256 taskId = _posted();
        Task memory expected = _task(taskId);
        _claim(taskId, WORKER);
        _vet(taskId);
        Gains memory gains = _exitSpent();
        gains.posterTok = -EXIT;
        gains.workerTok = EXIT;
        _expectDismissal(taskId, TaskState.POSTED);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Unreserved(taskId, WORKER, 13e6);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.ExitDepositReturned(taskId, WORKER, 1_000e18, false);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.ExitDepositLocked(taskId, POSTER, 1_000e18);
        _assertDismisses(taskId, expected, gains, 1);
    }

    function test_TakesNoCredit() external {
        uint256 taskId = _claimed();
        _giveCredit(POSTER, STRANGER);
        uint256 treasury = tok.balanceOf(TREASURY);
        _dismiss(taskId);
        vm.assertEq(staking.creditsOf(POSTER), 1e18);
        vm.assertEq(tok.balanceOf(TREASURY), treasury + 600e18);
    }

    /// @dev A poster without TOK can do it: nothing is locked again.
    function test_Private_EndsTheTaskAndGivesBackTheRest() external {
        uint256 taskId = _created(_terms());
        vm.prank(POSTER);
        registry.fund(taskId, 300e18);
        _setTok(POSTER, 0);
        _vet(taskId);
        Task memory expected = _task(taskId);
        expected.state = TaskState.CANCELLED;
        Gains memory gains = _exitSpent();
        gains.posterTok = 300e18;
        gains.workerTok = EXIT;
        _expectDismissal(taskId, TaskState.CANCELLED);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.Refunded(taskId, POSTER, 300e18, false);
        _assertDismisses(taskId, expected, gains, 1);
        _assertAccount(taskId, 300e18, 0, 300e18);
        _assertSettled(taskId, TaskState.CANCELLED);
    }

    /// @dev The longer of the review window and 48 h, after a revision 7 days, and never more than was left.
    function test_Notice_CutsTheTimeAndLeavesAMark() external {
        uint64[5] memory windows = [uint64(72 hours), 24 hours, 72 hours, 24 hours, 72 hours];
        uint64[5] memory durations = [uint64(20 days), 20 days, 1 days, 20 days, 2 days];
        uint256[5] memory left = [uint256(72 hours), 48 hours, 1 days, 7 days, 72 hours];
        for (uint256 i = 0; i < 5; ++i) {
            uint256 taskId = _activeFor(windows[i], durations[i]);
            if (i > 2) {
                _deliver(taskId);
                vm.prank(POSTER);
                registry.requestRevision(taskId, 0, PROOF);
            }
            Task memory expected = _task(taskId);
            expected.underNotice = true;
            expected.deadline = uint40(block.timestamp + left[i]);
            _mark();
            vm.expectEmit(address(registry));
            emit ITaskRegistry.NoticeGiven(taskId, WORKER, expected.deadline);
            vm.expectEmit(address(reputation));
            emit IReputationRegistry.DismissalRecorded(taskId, POSTER);
            vm.expectEmit(address(gateway));
            emit IPaymentGateway.AccessFeePaid(taskId, POSTER, IPaymentGateway.AccessAction.DISMISS, 1_000e18, 0);
            _dismiss(taskId);
            _assertTask(taskId, expected);
            _assertGains(_exitSpent());
            _assertReserves(taskId, 13e6, 13e6);
            _assertExits(taskId, 0, 1_000e18);
            vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.UnderNotice.selector, taskId));
            _dismiss(taskId);
            vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.UnderNotice.selector, taskId));
            vm.prank(WORKER);
            registry.leaveTask(taskId);
        }
    }

    /// @dev In time, and before a delivery.
    function test_Notice_RevertGiven_ADeliveryOrAMissedDeadline() external {
        uint256 taskId = _delivered();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.AlreadyDelivered.selector, taskId, 0));
        _dismiss(taskId);
        taskId = _active();
        uint256 deadline = _task(taskId).deadline;
        _after(deadline);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.DeadlinePassed.selector, taskId, deadline));
        _dismiss(taskId);
    }

    /// @dev The worker at once, anyone else after the deadline; no mark, and all deposits go back.
    function test_Notice_ExpiresForNothingGiven_NothingIsDelivered() external {
        uint256 taskId = _active();
        _dismiss(taskId);
        uint256 deadline = _task(taskId).deadline;
        Gains memory gains;
        (gains.posterTok, gains.workerTok) = (int256(TOTAL), EXIT);
        for (uint256 i = 0; i < 2; ++i) {
            uint256 snapshot = vm.snapshotState();
            if (i == 1) {
                vm.warp(deadline);
                vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotExpired.selector, taskId, deadline));
                registry.expire(taskId);
                _after(deadline);
            }
            _mark();
            vm.prank(i == 0 ? WORKER : STRANGER);
            registry.expire(taskId);
            _assertGains(gains);
            _assertSettled(taskId, TaskState.EXPIRED);
            vm.assertEq(reputation.reputationOf(WORKER).lapses + reputation.reputationOf(WORKER).leaves, 0);
            vm.revertToState(snapshot);
        }
    }

    /// @dev Without the receipt that the terms ask for, a delivery under notice is a missed duty.
    function test_Notice_CostsAWorkerThatDeliversWithoutAReceipt() external {
        uint256 taskId = _activeWith(_storeTerms(), TOTAL);
        _dismiss(taskId);
        _deliver(taskId);
        vm.assertEq(_task(taskId).reviewEnd, block.timestamp + 72 hours);
        _after(_graceEnd(taskId));
        Gains memory gains = _exitForfeited();
        (gains.posterTok, gains.workerUsd, gains.treasuryUsd) = (int256(TOTAL), -2.5e6, 2.5e6);
        _mark();
        registry.expire(taskId);
        _assertGains(gains);
        vm.assertEq(reputation.reputationOf(WORKER).lapses, 1);
    }

    /// @dev The review lasts the notice time, no revision is asked for, and what is paid is the last milestone.
    function test_Notice_EndsTheTaskWithTheCurrentMilestone() external {
        uint256 taskId = _activeFor(24 hours, 2 days);
        _dismiss(taskId);
        _deliver(taskId);
        vm.assertEq(_task(taskId).reviewEnd, block.timestamp + 48 hours);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.UnderNotice.selector, taskId));
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, PROOF);
        _after(_task(taskId).reviewEnd);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneReleased(taskId, 0, FIRST, true, 0);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskCompleted(taskId, FIRST);
        registry.releaseLapsed(taskId, 0);
        _assertAccount(taskId, TOTAL, FIRST, SECOND);
        _assertSettled(taskId, TaskState.COMPLETED);
        vm.assertEq(_task(taskId).current, 1);
    }

    function _activeFor(uint64 reviewWindow, uint64 duration) private returns (uint256) {
        TaskTerms memory terms = _terms();
        terms.reviewWindow = reviewWindow;
        terms.durations[0] = duration;
        return _activeWith(terms, TOTAL);
    }

    function _assertDismisses(uint256 taskId, Task memory expected, Gains memory gains, uint32 dismissals) private {
        _mark();
        _dismiss(taskId);
        _assertTask(taskId, expected);
        _assertGains(gains);
        bool open = expected.state == TaskState.POSTED;
        _assertReserves(taskId, open ? 13e6 : 0, 0);
        _assertExits(taskId, open ? 1_000e18 : 0, 0);
        IReputationRegistry.Reputation memory reputations;
        _assertReputation(WORKER, reputations);
        reputations.dismissals = dismissals;
        _assertReputation(POSTER, reputations);
    }

    function _expectDismissal(uint256 taskId, TaskState next) private {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.WorkerDismissed(taskId, WORKER, next);
        vm.expectEmit(address(reputation));
        emit IReputationRegistry.DismissalRecorded(taskId, POSTER);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.ExitDepositSpent(taskId, POSTER, 1_000e18, false);
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(taskId, POSTER, IPaymentGateway.AccessAction.DISMISS, 1_000e18, 0);
    }

    function _dismiss(uint256 taskId) private {
        vm.prank(POSTER);
        registry.dismiss(taskId);
    }
}
