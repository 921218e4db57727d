// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Bookkeeping } from "./Bookkeeping.sol";

contract TaskRegistryLeaveTaskTest is Bookkeeping {
    function test_RevertGiven_TheTaskIsNeitherClaimedNorActive() external {
        bytes memory data = abi.encodeCall(registry.leaveTask, (0));
        _assertRefusedOutside(TaskState.CLAIMED, TaskState.ACTIVE, WORKER, data);
        _assertRefusedOutside(TaskState.CLAIMED, TaskState.ACTIVE, STRANGER, data);
    }

    function test_RevertWhen_TheCallerIsNotTheWorker() external {
        uint256[2] memory taskIds = [_claimed(), _active()];
        address[3] memory callers = [POSTER, STRANGER, OWNER];
        for (uint256 i = 0; i < callers.length; ++i) {
            _expect(ITaskRegistry.NotWorker.selector, taskIds[i % 2], callers[i]);
            vm.prank(callers[i]);
            registry.leaveTask(taskIds[i % 2]);
        }
    }

    function test_RevertGiven_TheWorkerIsAWeiShortOfTheFee() external {
        uint256 taskId = _claimed();
        _setTok(WORKER, 1_000e18 - 1);
        Books memory books = _books();
        _expectTokShort(WORKER, 600e18 - 1, 600e18);
        _leave(taskId);
        _assertBooks(books);
        _assertState(taskId, TaskState.CLAIMED);
    }

    function test_ForgetsTheWorker() external {
        uint256 taskId = _posted();
        Task memory task = _task(taskId);
        vm.warp(block.timestamp + 1 hours);
        _claim(taskId, WORKER);
        _leave(taskId);
        _assertTask(taskId, task);
    }

    function test_EmitsItsEventsInOrder() external {
        uint256 taskId = _claimed();
        _expectLeave(taskId, TaskState.POSTED);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Unreserved(taskId, WORKER, 3e6);
        _expectFee(taskId);
        _leave(taskId);
    }

    function test_TakesFeeAndPenalties() external {
        uint256 taskId = _funded();
        Books memory books = _books();
        _leave(taskId);
        _assertCostOfLeaving(books, 0);
        _assertReserves(taskId, 8e6, 0);
        _assertAccount(taskId, 1_000e18, 0, 0);
    }

    function test_TakesAnActionCreditInsteadOfTok() external {
        uint256 taskId = _claimed();
        _giveCredit(WORKER, STRANGER);
        Books memory books = _books();
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(taskId, WORKER, IPaymentGateway.AccessAction.LEAVE, 0, 1e18);
        _leave(taskId);
        books.worker.credits -= 1e18;
        _penalty(books.worker, books.poster);
        _penalty(books.worker, books.treasury);
        books.worker.reserved -= 3e6;
        books.worker.liveClaims -= 1;
        _assertBooks(books);
    }

    function test_CountsALeave() external {
        _leave(_claimed());
        _leave(_active());
        _assertRecords(0, 2);
    }

    function test_CostsInTheLastSecondOfTheWindow() external {
        uint256 taskId = _claimed();
        vm.warp(_task(taskId).claimedAt + params.fundingWindow);
        Books memory books = _books();
        _leave(taskId);
        _assertCostOfLeaving(books, 0);
        _assertRecords(0, 1);
    }

    function test_EndsAPrivateTask() external {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        Task memory task = _task(taskId);
        Books memory books = _books();
        _expectLeave(taskId, TaskState.CANCELLED);
        _leave(taskId);
        task.state = TaskState.CANCELLED;
        _assertTask(taskId, task);
        books.poster.reserved -= 8e6;
        _assertCostOfLeaving(books, 1_000e18);
        _assertReserves(taskId, 0, 0);
    }

    function test_LetsAnotherWorkerClaim() external {
        uint256 taskId = _claimed();
        _leave(taskId);
        Books memory books = _books();
        _claim(taskId, STRANGER);
        _fee(books, books.stranger);
        books.stranger.reserved += 8e6;
        books.stranger.liveClaims += 1;
        _assertBooks(books);
        _assertReserves(taskId, 8e6, 0);
    }

    function test_Lapsed_IsFreeAndPaysTheWorker() external {
        _assertLapsedLeave(_lapsed(0));
    }

    function test_Lapsed_IsFreeWhenAWeiIsMissing() external {
        _assertLapsedLeave(_lapsed(1_000e18 - 1));
    }

    function test_Lapsed_EmitsItsEventsInOrder() external {
        uint256 taskId = _lapsed(0);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.WorkerLeft(taskId, WORKER, TaskState.POSTED);
        vm.expectEmit(address(reputation));
        emit IReputationRegistry.LapseRecorded(taskId, POSTER);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Penalised(taskId, POSTER, WORKER, 2.5e6);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Unreserved(taskId, WORKER, 8e6);
        vm.recordLogs();
        _leave(taskId);
        vm.assertEq(vm.getRecordedLogs().length, 4);
    }

    function test_Lapsed_CountsALapseOfThePoster() external {
        _leave(_lapsed(0));
        _assertRecords(1, 0);
    }

    function test_Lapsed_NeedsNoTok() external {
        uint256 taskId = _lapsed(0);
        _setTok(WORKER, 0);
        _leave(taskId);
        _assertState(taskId, TaskState.POSTED);
    }

    function test_Lapsed_IsNobodysFaultWhenTheMoneyCame() external {
        uint256 taskId = _lapsed(1_000e18);
        _after(_task(taskId).claimedAt + params.fundingWindow + params.vetWindow);
        Books memory books = _books();
        _leave(taskId);
        books.worker.reserved -= 8e6;
        books.worker.liveClaims -= 1;
        _assertBooks(books);
        _assertReserves(taskId, 8e6, 0);
        _assertAccount(taskId, 1_000e18, 0, 0);
        _assertState(taskId, TaskState.POSTED);
        _assertRecords(0, 0);
    }

    function test_Lapsed_EndsAPrivateTask() external {
        uint256 taskId = _created(_terms());
        vm.prank(POSTER);
        registry.fund(taskId, 300e18);
        _after(_task(taskId).claimedAt + params.fundingWindow);
        Books memory books = _books();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.WorkerLeft(taskId, WORKER, TaskState.CANCELLED);
        _leave(taskId);
        _penalty(books.poster, books.worker);
        books.poster.reserved -= 5.5e6;
        books.worker.reserved -= 8e6;
        books.worker.liveClaims -= 1;
        _returned(books, books.poster, 300e18);
        _assertBooks(books);
        _assertState(taskId, TaskState.CANCELLED);
        _assertAccount(taskId, 300e18, 0, 300e18);
    }

    function test_Lapsed_TheNextClaimLeavesTheReserveAsItIs() external {
        uint256 taskId = _lapsed(0);
        _leave(taskId);
        Books memory books = _books();
        _claim(taskId, STRANGER);
        vm.assertEq(_books().poster.reserved, books.poster.reserved);
        _assertReserves(taskId, 5.5e6, 0);
    }

    function test_Active_RevertGiven_AMilestoneIsInReview() external {
        uint256 taskId = _delivered();
        _expect(ITaskRegistry.AlreadyDelivered.selector, taskId, 0);
        _leave(taskId);
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _deliver(taskId);
        _expect(ITaskRegistry.AlreadyDelivered.selector, taskId, 1);
        _leave(taskId);
        // Not even when the review has lapsed.
        _after(_task(taskId).reviewEnd);
        _expect(ITaskRegistry.AlreadyDelivered.selector, taskId, 1);
        _leave(taskId);
    }

    function test_Active_EndsTheTask() external {
        uint256 taskId = _active();
        Task memory task = _task(taskId);
        _leave(taskId);
        task.state = TaskState.CANCELLED;
        _assertTask(taskId, task);
    }

    function test_Active_EmitsItsEventsInOrder() external {
        uint256 taskId = _active();
        _expectLeave(taskId, TaskState.CANCELLED);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Unreserved(taskId, WORKER, 3e6);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Unreserved(taskId, POSTER, 8e6);
        _expectFee(taskId);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.Refunded(taskId, POSTER, 1_000e18, false);
        _leave(taskId);
    }

    function test_Active_TakesFeeAndPenaltiesAndRefunds() external {
        uint256 taskId = _active();
        Books memory books = _books();
        _leave(taskId);
        books.poster.reserved -= 8e6;
        _assertCostOfLeaving(books, 1_000e18);
        _assertAccount(taskId, 1_000e18, 0, 1_000e18);
        _assertReserves(taskId, 0, 0);
    }

    function test_Active_RefundsTheUnpaidRestOnly() external {
        uint256 taskId = _active();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        Books memory books = _books();
        _leave(taskId);
        books.poster.reserved -= 8e6;
        _assertCostOfLeaving(books, SECOND);
        _assertAccount(taskId, 1_000e18, FIRST, SECOND);
    }

    function test_Active_LeavesAfterARevisionWasAsked() external {
        uint256 taskId = _delivered();
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, keccak256("reason"));
        _leave(taskId);
        _assertState(taskId, TaskState.CANCELLED);
    }

    function test_Active_CostsAfterTheFundingWindowToo() external {
        uint256 taskId = _active();
        _after(_task(taskId).claimedAt + params.fundingWindow);
        Books memory books = _books();
        _leave(taskId);
        books.poster.reserved -= 8e6;
        _assertCostOfLeaving(books, 1_000e18);
        _assertRecords(0, 1);
    }

    function test_Active_LeavesWhileEntriesArePaused() external {
        uint256 taskId = _active();
        vm.prank(GUARDIAN);
        registry.pauseEntries();
        _leave(taskId);
        _assertState(taskId, TaskState.CANCELLED);
    }

    /// @dev Fee, both penalties and what is left of the worker's reserve; `refund` goes to the poster.
    function _assertCostOfLeaving(Books memory books, uint256 refund) private view {
        _fee(books, books.worker);
        _penalty(books.worker, books.poster);
        _penalty(books.worker, books.treasury);
        books.worker.reserved -= 3e6;
        books.worker.liveClaims -= 1;
        _returned(books, books.poster, refund);
        _assertBooks(books);
    }

    function _assertLapsedLeave(uint256 taskId) private {
        Books memory books = _books();
        _leave(taskId);
        _penalty(books.poster, books.worker);
        books.worker.reserved -= 8e6;
        books.worker.liveClaims -= 1;
        _assertBooks(books);
        _assertReserves(taskId, 5.5e6, 0);
        _assertState(taskId, TaskState.POSTED);
        vm.assertEq(_task(taskId).worker, address(0));
    }

    /// @dev The poster's lapses and the worker's leaves, and no other count of either.
    function _assertRecords(uint32 lapses, uint32 leaves) private view {
        IReputationRegistry.Reputation memory poster;
        IReputationRegistry.Reputation memory worker;
        poster.lapses = lapses;
        worker.leaves = leaves;
        vm.assertEq(abi.encode(reputation.reputationOf(POSTER)), abi.encode(poster));
        vm.assertEq(abi.encode(reputation.reputationOf(WORKER)), abi.encode(worker));
    }

    /// @dev CLAIMED, with `funded` in escrow, one second past the funding window.
    function _lapsed(uint256 funded) private returns (uint256 taskId) {
        taskId = _post(_terms(), funded);
        _claim(taskId, WORKER);
        _after(_task(taskId).claimedAt + params.fundingWindow);
    }

    function _expectLeave(uint256 taskId, TaskState next) private {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.WorkerLeft(taskId, WORKER, next);
        vm.expectEmit(address(reputation));
        emit IReputationRegistry.LeaveRecorded(taskId, WORKER);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Penalised(taskId, WORKER, POSTER, 2.5e6);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Penalised(taskId, WORKER, TREASURY, 2.5e6);
    }

    function _expectFee(uint256 taskId) private {
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(taskId, WORKER, IPaymentGateway.AccessAction.LEAVE, 1_000e18, 0);
    }

    function _leave(uint256 taskId) private {
        vm.prank(WORKER);
        registry.leaveTask(taskId);
    }
}
