// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Pausable } from "@openzeppelin/contracts/utils/Pausable.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { ClaimPolicy, Signature, Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Bookkeeping } from "./Bookkeeping.sol";

contract TaskRegistryClaimTest is Bookkeeping {
    function test_RevertGiven_TheTaskIsNotPosted() external {
        bytes memory data = abi.encodeCall(registry.claim, (0, bytes32(0)));
        _assertRefusedOutside(TaskState.POSTED, TaskState.POSTED, STRANGER, data);
        _assertRefusedOutside(TaskState.POSTED, TaskState.POSTED, POSTER, data);
    }

    function test_RevertWhen_TheCallerIsThePoster() external {
        uint256 taskId = _posted();
        bytes32 digest = _digestFor(taskId, POSTER);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.PosterCannotClaim.selector, taskId));
        _claimAs(POSTER, taskId, digest);
    }

    function test_RevertGiven_EntriesArePaused() external {
        uint256 taskId = _posted();
        bytes32 digest = _digestFor(taskId, WORKER);
        vm.prank(GUARDIAN);
        registry.pauseEntries();
        vm.expectRevert(Pausable.EnforcedPause.selector);
        _claimAs(WORKER, taskId, digest);
    }

    function test_RevertWhen_TheDigestDiffers() external {
        uint256 taskId = _posted();
        uint256 other = _posted();
        bytes32 expected = _digestFor(taskId, WORKER);
        bytes32[6] memory digests = [
            bytes32(0),
            _digestFor(taskId, STRANGER),
            _digestFor(taskId, address(0)),
            _digestFor(other, WORKER),
            _task(taskId).termsHash,
            bytes32(uint256(expected) ^ 1)
        ];
        for (uint256 i = 0; i < digests.length; ++i) {
            _expectMismatch(taskId, expected, digests[i]);
            _claimAs(WORKER, taskId, digests[i]);
        }
        _claimAs(WORKER, taskId, expected);
    }

    function test_ClaimsInTheLastSecond() external {
        uint256 taskId = _posted();
        vm.warp(1_800_000_000 + 7 days - 1 hours);
        _claim(taskId, WORKER);
        vm.assertEq(_task(taskId).claimedAt, 1_800_000_000 + 7 days - 1 hours);
    }

    function test_RevertGiven_ClaimsClosed() external {
        uint256 taskId = _posted();
        bytes32 digest = _digestFor(taskId, WORKER);
        _after(1_800_000_000 + 7 days - 1 hours);
        _expect(ITaskRegistry.ClaimClosed.selector, taskId, 1_800_000_000 + 7 days - 1 hours);
        _claimAs(WORKER, taskId, digest);
    }

    function test_RevertGiven_TheTermsAskForAPermit() external {
        uint256 taskId = _post(_permitTerms(), 0);
        bytes32 digest = _digestFor(taskId, WORKER);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ClaimPermitRequired.selector, taskId));
        _claimAs(WORKER, taskId, digest);
    }

    function test_RevertGiven_TheDepositIsAUnitTooLow() external {
        uint256 taskId = _posted();
        bytes32 digest = _digestFor(taskId, WORKER);
        _setDeposit(WORKER, 25e6 - 1);
        _expectDepositTooLow(WORKER, 25e6 - 1, 25e6);
        _claimAs(WORKER, taskId, digest);
    }

    function test_ClaimsWithTheLowestDeposit() external {
        _setDeposit(WORKER, 25e6);
        _assertState(_claimed(), TaskState.CLAIMED);
    }

    function test_RevertGiven_TheWorkersFreeDepositIsAUnitShort() external {
        _setDeposit(WORKER, 32e6 - 1);
        for (uint256 i = 0; i < 3; ++i) {
            TaskTerms memory terms = _terms();
            terms.poster = WORKER;
            _post(terms, 0);
        }
        uint256 taskId = _posted();
        bytes32 digest = _digestFor(taskId, WORKER);
        _expectInsufficientDeposit(WORKER, 8e6 - 1, 8e6);
        _claimAs(WORKER, taskId, digest);
        _setDeposit(WORKER, 32e6);
        _claimAs(WORKER, taskId, digest);
    }

    function test_RevertGiven_TheWorkerIsAWeiShortOfTheFee() external {
        uint256 taskId = _posted();
        bytes32 digest = _digestFor(taskId, WORKER);
        _setTok(WORKER, 1_000e18 - 1);
        _expectTokShort(WORKER, 600e18 - 1, 600e18);
        _claimAs(WORKER, taskId, digest);
        _assertState(taskId, TaskState.POSTED);
    }

    function test_StoresWorkerAndTime() external {
        uint256 taskId = _posted();
        Task memory task = _task(taskId);
        vm.warp(1_800_000_123);
        _claim(taskId, WORKER);
        task.state = TaskState.CLAIMED;
        task.worker = WORKER;
        task.claimedAt = 1_800_000_123;
        _assertTask(taskId, task);
    }

    function test_EmitsItsEventsInOrder() external {
        uint256 taskId = _posted();
        bytes32 digest = _digestFor(taskId, WORKER);
        _expectClaimEvents(taskId, digest);
        _claimAs(WORKER, taskId, digest);
    }

    function test_TakesTheFeeAndTheReserve() external {
        uint256 taskId = _posted();
        Books memory books = _books();
        _claim(taskId, WORKER);
        _fee(books, books.worker);
        books.worker.reserved += 8e6;
        books.worker.liveClaims += 1;
        _assertBooks(books);
        _assertReserves(taskId, 8e6, 8e6);
    }

    function test_TakesAnActionCreditInsteadOfTok() external {
        _giveCredit(WORKER, STRANGER);
        uint256 taskId = _posted();
        Books memory books = _books();
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(taskId, WORKER, IPaymentGateway.AccessAction.CLAIM, 0, 1e18);
        _claim(taskId, WORKER);
        books.worker.credits -= 1e18;
        books.worker.reserved += 8e6;
        books.worker.liveClaims += 1;
        _assertBooks(books);
    }

    function test_GivesTheTaskTheDigestWithItsWorker() external {
        uint256 taskId = _posted();
        vm.assertEq(registry.settlementDigestOf(taskId), _digestFor(taskId, address(0)));
        _claim(taskId, WORKER);
        vm.assertEq(registry.settlementDigestOf(taskId), _digestFor(taskId, WORKER));
    }

    function test_AnotherWorkerClaimsAndThePostersReserveStaysAsItIs() external {
        uint256 taskId = _missed();
        _assertReserves(taskId, 5.5e6, 0);
        bytes32 digest = _digestFor(taskId, STRANGER);
        Books memory books = _books();
        _claimAs(STRANGER, taskId, digest);
        _fee(books, books.stranger);
        books.stranger.reserved += 8e6;
        books.stranger.liveClaims += 1;
        _assertBooks(books);
        vm.assertEq(_task(taskId).worker, STRANGER);
    }

    function test_RevertGiven_LessThanBothPenaltiesIsLeftOfThePostersReserve() external {
        uint256 taskId = _missed();
        _claim(taskId, WORKER);
        _miss(taskId);
        _assertReserves(taskId, 3e6, 0);
        bytes32 digest = _digestFor(taskId, STRANGER);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, POSTER, 3e6, 5e6));
        _claimAs(STRANGER, taskId, digest);
        vm.prank(POSTER);
        registry.fund(taskId, 1);
        _claimAs(STRANGER, taskId, digest);
        _assertReserves(taskId, 8e6, 0);
    }

    function test_ClaimsWithJustBothPenaltiesLeftOfThePostersReserve() external {
        uint256[2] memory deposit = [uint256(10e6 - 1), 10e6];
        for (uint256 i = 0; i < 2; ++i) {
            uint256 snapshot = vm.snapshotState();
            uint256 taskId = _claimed();
            _setDeposit(POSTER, deposit[i]);
            vm.prank(POSTER);
            registry.dismiss(taskId);
            bytes32 digest = _digestFor(taskId, STRANGER);
            if (i == 0) {
                vm.expectRevert(
                    abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, POSTER, 5e6 - 1, 5e6)
                );
            }
            _claimAs(STRANGER, taskId, digest);
            vm.revertToState(snapshot);
        }
    }

    function test_MakesThePostersReserveWholeGivenTheMoneyIsThere() external {
        uint256 taskId = _reopenedWithMoney();
        _assertReserves(taskId, 3e6, 0);
        _setDeposit(POSTER, 50e6);
        bytes32 digest = _digestFor(taskId, STRANGER);
        Books memory books = _books();
        vm.expectEmit(address(deposits));
        emit IDepositVault.Reserved(taskId, STRANGER, 8e6);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Reserved(taskId, POSTER, 5e6);
        _claimAs(STRANGER, taskId, digest);
        _fee(books, books.stranger);
        books.stranger.reserved += 8e6;
        books.stranger.liveClaims += 1;
        books.poster.reserved += 5e6;
        _assertBooks(books);
    }

    function test_TheSameWorkerClaimsAgain() external {
        uint256 taskId = _missed();
        _claim(taskId, WORKER);
        _assertReserves(taskId, 5.5e6, 8e6);
        vm.assertEq(registry.liveClaimsOf(WORKER), 1);
    }

    function test_RevertGiven_ThePosterCannotMakeTheReserveWhole() external {
        uint256 taskId = _reopenedWithMoney();
        bytes32 digest = _digestFor(taskId, STRANGER);
        _setDeposit(POSTER, 8e6 - 1);
        _expectInsufficientDeposit(POSTER, 5e6 - 1, 5e6);
        _claimAs(STRANGER, taskId, digest);
    }

    function test_ClaimsWithThePostersLastDollars() external {
        uint256 taskId = _reopenedWithMoney();
        _setDeposit(POSTER, 8e6);
        _claim(taskId, STRANGER);
        vm.assertEq(deposits.freeOf(POSTER), 0);
    }

    function test_Permit_RevertGiven_TheTaskIsNotPosted() external {
        Signature memory none;
        bytes memory data = abi.encodeCall(registry.claimWithPermit, (0, bytes32(0), none));
        _assertRefusedOutside(TaskState.POSTED, TaskState.POSTED, STRANGER, data);
    }

    function test_Permit_RevertWhen_TheCallerIsThePoster() external {
        uint256 taskId = _post(_permitTerms(), 0);
        (bytes32 digest, Signature memory permit) = (_digestFor(taskId, POSTER), _permitFor(taskId, POSTER));
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.PosterCannotClaim.selector, taskId));
        _claimAs(POSTER, taskId, digest, permit);
    }

    function test_Permit_RevertGiven_EntriesArePaused() external {
        uint256 taskId = _post(_permitTerms(), 0);
        (bytes32 digest, Signature memory permit) = (_digestFor(taskId, WORKER), _permitFor(taskId, WORKER));
        vm.prank(GUARDIAN);
        registry.pauseEntries();
        vm.expectRevert(Pausable.EnforcedPause.selector);
        _claimAs(WORKER, taskId, digest, permit);
    }

    function test_Permit_RevertWhen_TheDigestDiffers() external {
        uint256 taskId = _post(_permitTerms(), 0);
        bytes32 digest = _digestFor(taskId, STRANGER);
        Signature memory permit = _permitFor(taskId, WORKER);
        _expectMismatch(taskId, _digestFor(taskId, WORKER), digest);
        _claimAs(WORKER, taskId, digest, permit);
    }

    function test_Permit_RevertGiven_ClaimsClosed() external {
        uint256 taskId = _post(_permitTerms(), 0);
        bytes32 digest = _digestFor(taskId, WORKER);
        _after(1_800_000_000 + 7 days - 1 hours);
        Signature memory permit = _permitFor(taskId, WORKER);
        _expect(ITaskRegistry.ClaimClosed.selector, taskId, 1_800_000_000 + 7 days - 1 hours);
        _claimAs(WORKER, taskId, digest, permit);
    }

    function test_Permit_RevertWhen_ItIsForAnotherWorker() external {
        uint256 taskId = _post(_permitTerms(), 0);
        bytes32 digest = _digestFor(taskId, STRANGER);
        Signature memory permit = _permitFor(taskId, WORKER);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.InvalidSignature.selector, POSTER));
        _claimAs(STRANGER, taskId, digest, permit);
    }

    function test_Permit_Claims() external {
        _assertClaimsWithPermit(_post(_permitTerms(), 0), ClaimPolicy.PERMIT);
    }

    function test_Permit_ClaimsWhatAnyoneMayClaim() external {
        uint256 taskId = _posted();
        bytes32 digest = _digestFor(taskId, WORKER);
        Signature memory none = Signature({ nonce: 9, expiry: uint64(block.timestamp), data: "" });
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.InvalidSignature.selector, POSTER));
        _claimAs(WORKER, taskId, digest, none);
        _assertClaimsWithPermit(taskId, ClaimPolicy.ANYONE);
    }

    function _assertClaimsWithPermit(uint256 taskId, ClaimPolicy policy) private {
        bytes32 digest = _digestFor(taskId, WORKER);
        Signature memory permit = _permitFor(taskId, WORKER);
        Task memory task = _task(taskId);
        vm.assertEq(uint256(task.claimPolicy), uint256(policy));
        Books memory books = _books();
        _expectClaimEvents(taskId, digest);
        _claimAs(WORKER, taskId, digest, permit);

        task.state = TaskState.CLAIMED;
        task.worker = WORKER;
        task.claimedAt = uint40(block.timestamp);
        _assertTask(taskId, task);
        _fee(books, books.worker);
        books.worker.reserved += 8e6;
        books.worker.liveClaims += 1;
        _assertBooks(books);
        vm.assertTrue(registry.isNonceUsed(POSTER, permit.nonce));
    }

    /// @dev POSTED again after a missed funding window: USD 5.50 of the poster's reserve are left.
    function _missed() private returns (uint256 taskId) {
        taskId = _claimed();
        _miss(taskId);
    }

    function _miss(uint256 taskId) private {
        _after(_task(taskId).claimedAt + params.fundingWindow);
        registry.expire(taskId);
    }

    /// @dev POSTED again, fully funded, after the poster spent the last of its deposit on a dismissal: USD 3 are left.
    function _reopenedWithMoney() private returns (uint256 taskId) {
        taskId = _funded();
        _setDeposit(POSTER, 8e6);
        vm.prank(POSTER);
        registry.dismiss(taskId);
    }

    function _permitFor(uint256 taskId, address worker) private returns (Signature memory) {
        return _permit(registry, taskId, worker, POSTER_KEY, _nonce(), uint64(block.timestamp));
    }

    function _claimAs(address caller, uint256 taskId, bytes32 digest) private {
        vm.prank(caller);
        registry.claim(taskId, digest);
    }

    function _claimAs(address caller, uint256 taskId, bytes32 digest, Signature memory permit) private {
        vm.prank(caller);
        registry.claimWithPermit(taskId, digest, permit);
    }

    function _expectMismatch(uint256 taskId, bytes32 expected, bytes32 given) private {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.DigestMismatch.selector, taskId, expected, given));
    }

    function _expectClaimEvents(uint256 taskId, bytes32 digest) private {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskClaimed(taskId, WORKER, digest);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Reserved(taskId, WORKER, 8e6);
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(taskId, WORKER, IPaymentGateway.AccessAction.CLAIM, 1_000e18, 0);
    }
}
