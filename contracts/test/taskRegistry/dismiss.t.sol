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

contract TaskRegistryDismissTest is Bookkeeping {
    function test_RevertGiven_TheTaskIsNotClaimed() external {
        bytes memory data = abi.encodeCall(registry.dismiss, (0));
        _assertRefusedOutside(TaskState.CLAIMED, TaskState.CLAIMED, POSTER, data);
        _assertRefusedOutside(TaskState.CLAIMED, TaskState.CLAIMED, STRANGER, data);
    }

    function test_RevertWhen_TheCallerIsNotThePoster() external {
        uint256 taskId = _claimed();
        address[3] memory callers = [WORKER, STRANGER, OWNER];
        for (uint256 i = 0; i < callers.length; ++i) {
            _expect(ITaskRegistry.NotPoster.selector, taskId, callers[i]);
            vm.prank(callers[i]);
            registry.dismiss(taskId);
        }
    }

    function test_RevertGiven_TheClaimEnded() external {
        uint256 taskId = _funded();
        uint256 end = _task(taskId).claimedAt + 24 hours;
        _after(end);
        _expect(ITaskRegistry.StartWindowClosed.selector, taskId, end);
        _dismiss(taskId);
        vm.warp(end);
        _dismiss(taskId);
        _assertState(taskId, TaskState.POSTED);
    }

    function test_RevertGiven_ThePosterCannotLockAgain() external {
        uint256 taskId = _claimed();
        _setTok(POSTER, 1_000e18 - 1);
        Books memory books = _books();
        _expectTokShort(POSTER, 1_000e18 - 1, 1_000e18);
        _dismiss(taskId);
        _assertBooks(books);
        _assertState(taskId, TaskState.CLAIMED);
    }

    function test_ForgetsTheWorker() external {
        uint256 taskId = _post(_terms(), 1_000e18);
        Task memory task = _task(taskId);
        vm.warp(block.timestamp + 1 hours);
        _claim(taskId, WORKER);
        _dismiss(taskId);
        _assertTask(taskId, task);
    }

    function test_InTheVetWindow_CostsTheExitDepositAlone() external {
        uint256 taskId = _claimed();
        vm.warp(_task(taskId).claimedAt + 6 hours);
        Books memory books = _books();
        _dismiss(taskId);
        _spent(books);
        _locked(books, books.poster);
        _unlocked(books, books.worker);
        books.worker.reserved -= 8e6;
        _assertBooks(books);
        _assertReserves(taskId, 8e6, 0);
        _assertExits(taskId, 1_000e18, 0);
        _assertDismissals(0);
    }

    function test_PastTheVetWindow_CostsAPenaltyToo() external {
        uint256 taskId = _claimed();
        _vet(taskId);
        Books memory books = _books();
        _dismiss(taskId);
        _spent(books);
        _locked(books, books.poster);
        _unlocked(books, books.worker);
        _penalty(books, books.poster, 2.5e6);
        books.poster.reserved += 2.5e6;
        books.worker.reserved -= 8e6;
        _assertBooks(books);
        _assertReserves(taskId, 8e6, 0);
        _assertExits(taskId, 1_000e18, 0);
        _assertDismissals(1);
    }

    function test_EmitsItsEventsInOrder() external {
        uint256 taskId = _claimed();
        _vet(taskId);
        _expectDismissal(taskId, TaskState.POSTED);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Unreserved(taskId, WORKER, 8e6);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.ExitDepositReturned(taskId, WORKER, 1_000e18, false);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Reserved(taskId, POSTER, 2.5e6);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.ExitDepositLocked(taskId, POSTER, 1_000e18);
        _dismiss(taskId);
    }

    function test_FillsTheReserveUpAsFarAsTheDepositGoes() external {
        uint256[4] memory deposit = [uint256(8e6), 8e6 + 1, 10.5e6 - 1, 10.5e6];
        for (uint256 i = 0; i < 4; ++i) {
            uint256 snapshot = vm.snapshotState();
            uint256 taskId = _claimed();
            _vet(taskId);
            _setDeposit(POSTER, deposit[i]);
            _dismiss(taskId);
            _assertReserves(taskId, deposit[i] - 2.5e6, 0);
            vm.assertEq(deposits.freeOf(POSTER), 0);
            vm.revertToState(snapshot);
        }
    }

    function test_TakesNoCredit() external {
        uint256 taskId = _claimed();
        _giveCredit(POSTER, STRANGER);
        Books memory books = _books();
        _dismiss(taskId);
        vm.assertEq(_books().poster.credits, books.poster.credits);
        vm.assertEq(_books().treasury.tok, books.treasury.tok + 600e18);
    }

    function test_LeavesTheEscrowAlone() external {
        uint256 taskId = _funded();
        _dismiss(taskId);
        _assertAccount(taskId, 1_000e18, 0, 0);
        _claim(taskId, STRANGER);
        _activate(taskId);
        _assertState(taskId, TaskState.ACTIVE);
    }

    function test_GivesTheTaskTheDigestWithoutWorkerAgain() external {
        uint256 taskId = _claimed();
        _dismiss(taskId);
        vm.assertEq(registry.settlementDigestOf(taskId), _digestFor(taskId, address(0)));
    }

    function test_DismissesWhileEntriesArePaused() external {
        uint256 taskId = _claimed();
        vm.prank(GUARDIAN);
        registry.pauseEntries();
        _dismiss(taskId);
        _assertState(taskId, TaskState.POSTED);
    }

    function test_NobodyLivesFromBeingDismissed() external {
        uint256 taskId = _posted();
        address[3] memory workers = [WORKER, STRANGER, ARBITRATOR];
        for (uint256 i = 0; i < workers.length; ++i) {
            uint256 tokBefore = tok.balanceOf(workers[i]);
            _claim(taskId, workers[i]);
            _vet(taskId);
            _dismiss(taskId);
            // Each is out of its entry fee; what the poster pays goes to the treasury and the Union.
            vm.assertEq(tok.balanceOf(workers[i]), tokBefore - 1_000e18);
            vm.assertEq(deposits.balanceOf(workers[i]), 100e6);
        }
        vm.assertEq(deposits.balanceOf(POSTER), 92.5e6);
        vm.assertEq(deposits.balanceOf(TREASURY), 7.5e6);
        vm.assertEq(reputation.reputationOf(POSTER).dismissals, 3);
    }

    function test_Private_EndsTheTask() external {
        uint256 taskId = _created(_terms());
        Task memory task = _task(taskId);
        _dismiss(taskId);
        task.state = TaskState.CANCELLED;
        _assertTask(taskId, task);
        _assertDismissals(0);
    }

    function test_Private_GivesBackTheRestWithoutTokInTheWallet() external {
        uint256 taskId = _created(_terms());
        vm.prank(POSTER);
        registry.fund(taskId, 300e18);
        _setTok(POSTER, 0);
        _vet(taskId);
        Books memory books = _books();
        _expectDismissal(taskId, TaskState.CANCELLED);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.Refunded(taskId, POSTER, 300e18, false);
        _dismiss(taskId);
        _spent(books);
        _unlocked(books, books.worker);
        _penalty(books, books.poster, 2.5e6);
        books.poster.reserved -= 5.5e6;
        books.worker.reserved -= 8e6;
        _returned(books, books.poster, 300e18);
        _assertBooks(books);
        _assertAccount(taskId, 300e18, 0, 300e18);
        _assertReserves(taskId, 0, 0);
        _assertExits(taskId, 0, 0);
        _assertDismissals(1);
    }

    function _assertDismissals(uint32 count) private view {
        IReputationRegistry.Reputation memory expected;
        vm.assertEq(abi.encode(reputation.reputationOf(WORKER)), abi.encode(expected));
        expected.dismissals = count;
        vm.assertEq(abi.encode(reputation.reputationOf(POSTER)), abi.encode(expected));
    }

    function _expectDismissal(uint256 taskId, TaskState next) private {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.WorkerDismissed(taskId, WORKER, next);
        vm.expectEmit(address(reputation));
        emit IReputationRegistry.DismissalRecorded(taskId, POSTER);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Penalised(taskId, POSTER, TREASURY, 2.5e6);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.ExitDepositSpent(taskId, POSTER, 1_000e18, false);
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(taskId, POSTER, IPaymentGateway.AccessAction.DISMISS, 1_000e18, 0);
    }

    function _vet(uint256 taskId) private {
        _after(_task(taskId).claimedAt + 6 hours);
    }

    function _dismiss(uint256 taskId) private {
        vm.prank(POSTER);
        registry.dismiss(taskId);
    }
}
