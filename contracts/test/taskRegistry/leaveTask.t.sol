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

    function test_RevertGiven_TheClaimEnded() external {
        uint256 taskId = _claimed();
        uint256 end = _task(taskId).claimedAt + 24 hours;
        _after(end);
        _expect(ITaskRegistry.StartWindowClosed.selector, taskId, end);
        _leave(taskId);
    }

    function test_ForgetsTheWorker() external {
        uint256 taskId = _post(_terms(), 1_000e18);
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
        emit IDepositVault.Unreserved(taskId, WORKER, 5.5e6);
        _leave(taskId);
    }

    function test_CostsTheSameUntilTheLastSecond() external {
        uint256[2] memory delays = [uint256(0), 24 hours];
        for (uint256 i = 0; i < 2; ++i) {
            uint256 taskId = _funded();
            vm.warp(block.timestamp + delays[i]);
            Books memory books = _books();
            _leave(taskId);
            _assertCostOfLeaving(books, 0);
            _assertReserves(taskId, 8e6, 0);
            _assertExits(taskId, 1_000e18, 0);
            _assertAccount(taskId, 1_000e18, 0, 0);
        }
    }

    function test_NeedsNoTokAndTakesNoCredit() external {
        uint256 taskId = _claimed();
        _giveCredit(WORKER, STRANGER);
        _setTok(WORKER, 0);
        Books memory books = _books();
        _leave(taskId);
        _assertCostOfLeaving(books, 0);
    }

    function test_CountsALeave() external {
        _leave(_claimed());
        _leave(_active());
        IReputationRegistry.Reputation memory expected;
        vm.assertEq(abi.encode(reputation.reputationOf(POSTER)), abi.encode(expected));
        expected.leaves = 2;
        vm.assertEq(abi.encode(reputation.reputationOf(WORKER)), abi.encode(expected));
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
        _unlocked(books, books.poster);
        books.poster.reserved -= 8e6;
        _assertCostOfLeaving(books, 1_000e18);
        _assertReserves(taskId, 0, 0);
    }

    function test_LetsAnotherWorkerClaim() external {
        uint256 taskId = _claimed();
        _leave(taskId);
        Books memory books = _books();
        _claim(taskId, STRANGER);
        _entered(books, books.stranger);
        _assertBooks(books);
        _assertReserves(taskId, 8e6, 0);
    }

    function test_Active_RevertGiven_SilenceWouldPay() external {
        uint256 taskId = _delivered();
        _expect(ITaskRegistry.AlreadyDelivered.selector, taskId, 0);
        _leave(taskId);
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _deliver(taskId);
        // Not even when the review has lapsed.
        _after(_task(taskId).reviewEnd);
        _expect(ITaskRegistry.AlreadyDelivered.selector, taskId, 1);
        _leave(taskId);

        taskId = _deliveredTo(STRANGER);
        uint64 until = uint64(block.timestamp + 72 hours);
        registry.attachReceipt(taskId, 0, _receipt(registry, taskId, PROOF, until, STRANGER_KEY));
        _expect(ITaskRegistry.AlreadyDelivered.selector, taskId, 0);
        _leave(taskId);
    }

    function test_Active_LeavesADeliveryWithoutReceipt() external {
        uint256[3] memory moments = [uint256(0), 72 hours, 144 hours];
        for (uint256 i = 0; i < moments.length; ++i) {
            uint256 taskId = _deliveredTo(STRANGER);
            vm.warp(block.timestamp + moments[i]);
            Books memory books = _books();
            _leave(taskId);
            _unlocked(books, books.poster);
            books.poster.reserved -= 8e6;
            _assertCostOfLeaving(books, 1_000e18);
            _assertState(taskId, TaskState.CANCELLED);
        }
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
        emit IDepositVault.Unreserved(taskId, POSTER, 8e6);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.ExitDepositReturned(taskId, POSTER, 1_000e18, false);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Unreserved(taskId, WORKER, 5.5e6);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.Refunded(taskId, POSTER, 1_000e18, false);
        _leave(taskId);
    }

    function test_Active_RefundsTheUnpaidRestOnly() external {
        uint256 taskId = _active();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        Books memory books = _books();
        _leave(taskId);
        _unlocked(books, books.poster);
        books.poster.reserved -= 8e6;
        _assertCostOfLeaving(books, SECOND);
        _assertAccount(taskId, 1_000e18, FIRST, SECOND);
        _assertReserves(taskId, 0, 0);
        _assertExits(taskId, 0, 0);
    }

    function test_Active_LeavesAfterARevisionWasAsked() external {
        uint256 taskId = _delivered();
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, keccak256("reason"));
        _leave(taskId);
        _assertState(taskId, TaskState.CANCELLED);
    }

    function test_Active_LeavesWhileEntriesArePaused() external {
        uint256 taskId = _active();
        vm.prank(GUARDIAN);
        registry.pauseEntries();
        _leave(taskId);
        _assertState(taskId, TaskState.CANCELLED);
    }

    /// @dev In review without the receipt that this store should give.
    function _deliveredTo(address store) private returns (uint256 taskId) {
        TaskTerms memory terms = _terms();
        terms.store = store;
        taskId = _post(terms, 1_000e18);
        _claim(taskId, WORKER);
        _activate(taskId);
        _deliver(taskId);
    }

    /// @dev Exit deposit and USD 2.50 are gone, the rest of the reserve is free; `refund` goes to the poster.
    function _assertCostOfLeaving(Books memory books, uint256 refund) private view {
        _spent(books);
        _penalty(books, books.worker, 2.5e6);
        books.worker.reserved -= 5.5e6;
        _returned(books, books.poster, refund);
        _assertBooks(books);
    }

    function _expectLeave(uint256 taskId, TaskState next) private {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.WorkerLeft(taskId, WORKER, next);
        vm.expectEmit(address(reputation));
        emit IReputationRegistry.LeaveRecorded(taskId, WORKER);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Penalised(taskId, WORKER, TREASURY, 2.5e6);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.ExitDepositSpent(taskId, WORKER, 1_000e18, false);
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(taskId, WORKER, IPaymentGateway.AccessAction.LEAVE, 1_000e18, 0);
    }

    function _leave(uint256 taskId) private {
        vm.prank(WORKER);
        registry.leaveTask(taskId);
    }
}
