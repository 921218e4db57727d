// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
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

    function test_RevertGiven_ThePosterIsAWeiShortOfTheFee() external {
        uint256 taskId = _claimed();
        _setTok(POSTER, 1_000e18 - 1);
        Books memory books = _books();
        _expectTokShort(POSTER, 600e18 - 1, 600e18);
        _dismiss(taskId);
        _assertBooks(books);
        _assertState(taskId, TaskState.CLAIMED);
    }

    function test_ForgetsTheWorker() external {
        uint256 taskId = _posted();
        Task memory task = _task(taskId);
        vm.warp(block.timestamp + 1 hours);
        _claim(taskId, WORKER);
        _dismiss(taskId);
        _assertTask(taskId, task);
    }

    function test_EmitsItsEventsInOrder() external {
        uint256 taskId = _claimed();
        _expectDismissal(taskId, TaskState.POSTED);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Unreserved(taskId, WORKER, 8e6);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Reserved(taskId, POSTER, 5e6);
        _expectFee(taskId);
        _dismiss(taskId);
    }

    function test_TakesFeeAndPenalties() external {
        uint256 taskId = _claimed();
        Books memory books = _books();
        _dismiss(taskId);
        _fee(books, books.poster);
        _penalty(books.poster, books.worker);
        _penalty(books.poster, books.treasury);
        books.poster.reserved += 5e6;
        books.worker.reserved -= 8e6;
        books.worker.liveClaims -= 1;
        _assertBooks(books);
        _assertReserves(taskId, 8e6, 0);
    }

    function test_FillsTheReserveUpAsFarAsTheDepositGoes() external {
        uint256[4] memory deposit = [uint256(8e6), 8e6 + 1, 13e6 - 1, 13e6];
        uint256[4] memory left = [uint256(3e6), 3e6 + 1, 8e6 - 1, 8e6];
        for (uint256 i = 0; i < 4; ++i) {
            uint256 snapshot = vm.snapshotState();
            uint256 taskId = _claimed();
            _setDeposit(POSTER, deposit[i]);
            _dismiss(taskId);
            _assertReserves(taskId, left[i], 0);
            vm.assertEq(deposits.freeOf(POSTER), 0);
            vm.revertToState(snapshot);
        }
    }

    function test_LeavesTheEscrowAlone() external {
        uint256 taskId = _funded();
        Books memory books = _books();
        _dismiss(taskId);
        vm.assertEq(_books().escrowTok, books.escrowTok);
        _assertAccount(taskId, 1_000e18, 0, 0);
        _claim(taskId, STRANGER);
        _activate(taskId);
        _assertState(taskId, TaskState.ACTIVE);
    }

    function test_TakesAnActionCreditInsteadOfTok() external {
        uint256 taskId = _claimed();
        _giveCredit(POSTER, STRANGER);
        Books memory books = _books();
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(taskId, POSTER, IPaymentGateway.AccessAction.DISMISS, 0, 1e18);
        _dismiss(taskId);
        books.poster.credits -= 1e18;
        _penalty(books.poster, books.worker);
        _penalty(books.poster, books.treasury);
        books.poster.reserved += 5e6;
        books.worker.reserved -= 8e6;
        books.worker.liveClaims -= 1;
        _assertBooks(books);
    }

    function test_CountsADismissal() external {
        uint256 taskId = _claimed();
        IReputationRegistry.Reputation memory poster = reputation.reputationOf(POSTER);
        IReputationRegistry.Reputation memory worker = reputation.reputationOf(WORKER);
        _dismiss(taskId);
        poster.dismissals += 1;
        vm.assertEq(abi.encode(reputation.reputationOf(POSTER)), abi.encode(poster));
        vm.assertEq(abi.encode(reputation.reputationOf(WORKER)), abi.encode(worker));
    }

    function test_GivesTheTaskTheDigestWithoutWorkerAgain() external {
        uint256 taskId = _claimed();
        _dismiss(taskId);
        vm.assertEq(registry.settlementDigestOf(taskId), _digestFor(taskId, address(0)));
    }

    function test_DismissesAfterTheFundingWindow() external {
        uint256 taskId = _claimed();
        _after(_task(taskId).claimedAt + params.fundingWindow);
        _dismiss(taskId);
        _assertState(taskId, TaskState.POSTED);
        _assertReserves(taskId, 8e6, 0);
    }

    function test_DismissesWhileEntriesArePaused() external {
        uint256 taskId = _claimed();
        vm.prank(GUARDIAN);
        registry.pauseEntries();
        _dismiss(taskId);
        _assertState(taskId, TaskState.POSTED);
    }

    function test_EachDismissedWorkerGetsItsPenalty() external {
        uint256 taskId = _posted();
        address[3] memory workers = [WORKER, STRANGER, ARBITRATOR];
        for (uint256 i = 0; i < workers.length; ++i) {
            _claim(taskId, workers[i]);
            vm.assertEq(deposits.reserveOf(taskId, POSTER), 8e6);
            _dismiss(taskId);
            vm.assertEq(deposits.balanceOf(workers[i]), 102.5e6);
            vm.assertEq(deposits.reservedOf(workers[i]), 0);
        }
        vm.assertEq(deposits.balanceOf(POSTER), 85e6);
        vm.assertEq(deposits.balanceOf(TREASURY), 7.5e6);
        vm.assertEq(reputation.reputationOf(POSTER).dismissals, 3);
    }

    function test_EndsAPrivateTask() external {
        uint256 taskId = _created(_terms());
        Task memory task = _task(taskId);
        _dismiss(taskId);
        task.state = TaskState.CANCELLED;
        _assertTask(taskId, task);
    }

    function test_GivesBackEverythingOfAPrivateTask() external {
        uint256 taskId = _created(_terms());
        vm.prank(POSTER);
        registry.fund(taskId, 300e18);
        Books memory books = _books();
        _dismiss(taskId);
        _fee(books, books.poster);
        _penalty(books.poster, books.worker);
        _penalty(books.poster, books.treasury);
        books.poster.reserved -= 3e6;
        books.worker.reserved -= 8e6;
        books.worker.liveClaims -= 1;
        _returned(books, books.poster, 300e18);
        _assertBooks(books);
        _assertAccount(taskId, 300e18, 0, 300e18);
        _assertReserves(taskId, 0, 0);
    }

    function test_EmitsTheEndOfAPrivateTask() external {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        _expectDismissal(taskId, TaskState.CANCELLED);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Unreserved(taskId, WORKER, 8e6);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Unreserved(taskId, POSTER, 3e6);
        _expectFee(taskId);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.Refunded(taskId, POSTER, 1_000e18, false);
        _dismiss(taskId);
    }

    function test_RevertGiven_OnlyTheRefundCouldPayTheFee() external {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        _setTok(POSTER, 0);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, POSTER, 0, 400e18));
        _dismiss(taskId);
    }

    function _expectDismissal(uint256 taskId, TaskState next) private {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.WorkerDismissed(taskId, WORKER, next);
        vm.expectEmit(address(reputation));
        emit IReputationRegistry.DismissalRecorded(taskId, POSTER);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Penalised(taskId, POSTER, WORKER, 2.5e6);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Penalised(taskId, POSTER, TREASURY, 2.5e6);
    }

    function _expectFee(uint256 taskId) private {
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(taskId, POSTER, IPaymentGateway.AccessAction.DISMISS, 1_000e18, 0);
    }

    function _dismiss(uint256 taskId) private {
        vm.prank(POSTER);
        registry.dismiss(taskId);
    }
}
