// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Pausable } from "@openzeppelin/contracts/utils/Pausable.sol";
import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
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

    function test_RevertWhen_TheCallerIsTheFinalCourt() external {
        _enrich(COURT);
        uint256 taskId = _posted();
        bytes32 digest = _digestFor(taskId, COURT);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.CourtCannotEnter.selector, COURT));
        _claimAs(COURT, taskId, digest);
    }

    function test_RevertGiven_TheFreeDepositIsAUnitTooLow() external {
        uint256 first = _posted();
        uint256 second = _posted();
        bytes32 digest = _digestFor(second, WORKER);
        _setDeposit(WORKER, 33e6 - 1);
        _claim(first, WORKER);
        _expectDepositTooLow(WORKER, 25e6 - 1, 25e6);
        _claimAs(WORKER, second, digest);
        _setDeposit(WORKER, 33e6);
        _claimAs(WORKER, second, digest);
        vm.assertEq(deposits.freeOf(WORKER), 17e6);
    }

    function test_RevertGiven_TheWorkerIsAWeiShortOfFeeAndExitDeposit() external {
        uint256 taskId = _posted();
        bytes32 digest = _digestFor(taskId, WORKER);
        _setTok(WORKER, 2_000e18 - 1);
        _expectTokShort(WORKER, 600e18 - 1, 600e18);
        _claimAs(WORKER, taskId, digest);
        _assertState(taskId, TaskState.POSTED);
    }

    function test_NotesWhetherAllMoneyIsThere() external {
        uint256[3] memory funded = [uint256(0), 1_000e18 - 1, 1_000e18];
        for (uint256 i = 0; i < funded.length; ++i) {
            uint256 taskId = _post(_terms(), funded[i]);
            vm.assertFalse(_task(taskId).fundedAtClaim);
            _claim(taskId, WORKER);
            vm.assertEq(_task(taskId).fundedAtClaim, i == 2);
            if (i == 2) continue;
            // Money that comes later changes nothing.
            _fund(taskId);
            vm.assertFalse(_task(taskId).fundedAtClaim);
        }
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

    function test_TakesFeeExitDepositAndReserve() external {
        uint256 taskId = _posted();
        Books memory books = _books();
        _claim(taskId, WORKER);
        _entered(books, books.worker);
        _assertBooks(books);
        _assertReserves(taskId, 8e6, 8e6);
        _assertExits(taskId, 1_000e18, 1_000e18);
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
        _locked(books, books.worker);
        _assertBooks(books);
    }

    function test_GivesTheTaskTheDigestWithItsWorker() external {
        uint256 taskId = _posted();
        vm.assertEq(registry.settlementDigestOf(taskId), _digestFor(taskId, address(0)));
        _claim(taskId, WORKER);
        vm.assertEq(registry.settlementDigestOf(taskId), _digestFor(taskId, WORKER));
    }

    function test_TheSameOrAnotherWorkerClaimsAgain() external {
        uint256 taskId = _claimed();
        _leaveAs(WORKER, taskId);
        _claim(taskId, WORKER);
        _assertReserves(taskId, 8e6, 8e6);
        _leaveAs(WORKER, taskId);
        _claim(taskId, STRANGER);
        vm.assertEq(_task(taskId).worker, STRANGER);
        vm.assertEq(escrow.exitDepositOf(taskId, STRANGER), 1_000e18);
        _assertExits(taskId, 1_000e18, 0);
    }

    function test_MakesThePostersReserveWhole() external {
        uint256 taskId = _reopened();
        _setDeposit(POSTER, 50e6);
        bytes32 digest = _digestFor(taskId, STRANGER);
        Books memory books = _books();
        vm.expectEmit(address(deposits));
        emit IDepositVault.Reserved(taskId, POSTER, 2.5e6);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Reserved(taskId, STRANGER, 8e6);
        _claimAs(STRANGER, taskId, digest);
        _entered(books, books.stranger);
        books.poster.reserved += 2.5e6;
        _assertBooks(books);
    }

    function test_RevertGiven_ThePosterCannotMakeTheReserveWhole() external {
        uint256 taskId = _reopened();
        bytes32 digest = _digestFor(taskId, STRANGER);
        _setDeposit(POSTER, 8e6 - 1);
        _expectInsufficientDeposit(POSTER, 2.5e6 - 1, 2.5e6);
        _claimAs(STRANGER, taskId, digest);
        _setDeposit(POSTER, 8e6);
        _claimAs(STRANGER, taskId, digest);
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
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, POSTER));
        _claimAs(STRANGER, taskId, digest, permit);
    }

    function test_Permit_RevertWhen_ItNamesOtherTerms() external {
        uint256 taskId = _post(_permitTerms(), 0);
        uint256 nonce = _nonce();
        uint64 expiry = uint64(block.timestamp);
        bytes32 typeHash = keccak256(
            "ClaimPermit(uint256 taskId,bytes32 settlementDigest,address worker,uint256 nonce,uint64 expiry)"
        );
        bytes32 other = _digestFor(_post(_permitTerms(), 0), WORKER);
        bytes32 message = keccak256(abi.encode(typeHash, taskId, other, WORKER, nonce, expiry));
        Signature memory permit = _signed(address(registry), POSTER_KEY, message, nonce, expiry);
        bytes32 digest = _digestFor(taskId, WORKER);
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, POSTER));
        _claimAs(WORKER, taskId, digest, permit);
    }

    function test_Permit_Claims() external {
        _assertClaimsWithPermit(_post(_permitTerms(), 0), ClaimPolicy.PERMIT);
    }

    function test_Permit_ClaimsWhatAnyoneMayClaim() external {
        uint256 taskId = _posted();
        bytes32 digest = _digestFor(taskId, WORKER);
        Signature memory none = Signature({ nonce: 9, expiry: uint64(block.timestamp), data: "" });
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, POSTER));
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
        _entered(books, books.worker);
        _assertBooks(books);
        vm.assertTrue(registry.isNonceUsed(POSTER, permit.nonce));
    }

    /// @dev POSTED again by a late dismissal that took the last of the poster's deposit: USD 5.50 of its reserve are left.
    function _reopened() private returns (uint256 taskId) {
        taskId = _claimed();
        _setDeposit(POSTER, 8e6);
        _after(_task(taskId).claimedAt + params.vetWindow);
        vm.prank(POSTER);
        registry.dismiss(taskId);
        _assertReserves(taskId, 5.5e6, 0);
    }

    function _leaveAs(address worker, uint256 taskId) private {
        vm.prank(worker);
        registry.leaveTask(taskId);
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
        vm.expectEmit(address(escrow));
        emit IEscrowVault.ExitDepositLocked(taskId, WORKER, 1_000e18);
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(taskId, WORKER, IPaymentGateway.AccessAction.CLAIM, 1_000e18, 0);
    }
}
