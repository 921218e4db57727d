// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Pausable } from "@openzeppelin/contracts/utils/Pausable.sol";
import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Signature, Task, TaskState } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Bookkeeping } from "./Bookkeeping.sol";

contract TaskRegistryClaimTest is Bookkeeping {
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
        Signature memory permit = _permitFor(taskId, WORKER);
        for (uint256 i = 0; i < digests.length; ++i) {
            bytes memory reason =
                abi.encodeWithSelector(ITaskRegistry.DigestMismatch.selector, taskId, expected, digests[i]);
            vm.expectRevert(reason);
            _claimAs(WORKER, taskId, digests[i]);
            vm.expectRevert(reason);
            _claimAs(WORKER, taskId, digests[i], permit);
        }
        _claimAs(WORKER, taskId, expected);
    }

    function test_RevertGiven_TheFreeDepositIsAUnitTooLow() external {
        uint256 first = _posted();
        uint256 second = _posted();
        bytes32 digest = _digestFor(second, WORKER);
        _setDeposit(WORKER, 38e6 - 1);
        _claim(first, WORKER);
        _expectDepositTooLow(WORKER, 25e6 - 1, 25e6);
        _claimAs(WORKER, second, digest);
        _setDeposit(WORKER, 38e6);
        _claimAs(WORKER, second, digest);
        vm.assertEq(deposits.freeOf(WORKER), 12e6);
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
        uint256[3] memory funded = [uint256(0), TOTAL - 1, TOTAL];
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

    /// @dev Of the permit task only with a permit; of the other task with and without.
    function test_EntersAndStoresWorkerAndTime() external {
        uint256[3] memory taskIds = [_posted(), _posted(), _post(_permitTerms(), 0)];
        vm.warp(1_800_000_123);
        for (uint256 i = 0; i < 3; ++i) {
            Task memory expected = _task(taskIds[i]);
            bytes32 digest = _digestFor(taskIds[i], WORKER);
            Signature memory permit = _permitFor(taskIds[i], WORKER);
            vm.assertEq(registry.settlementDigestOf(taskIds[i]), _digestFor(taskIds[i], address(0)));
            _mark();
            _expectClaimEvents(taskIds[i], digest);
            if (i == 0) _claimAs(WORKER, taskIds[i], digest);
            else _claimAs(WORKER, taskIds[i], digest, permit);

            expected.state = TaskState.CLAIMED;
            expected.worker = WORKER;
            expected.claimedAt = 1_800_000_123;
            _assertTask(taskIds[i], expected);
            _assertGains(_entry(false, true));
            _assertReserves(taskIds[i], 13e6, 13e6);
            _assertExits(taskIds[i], 1_000e18, 1_000e18);
            vm.assertEq(registry.settlementDigestOf(taskIds[i]), digest);
            vm.assertEq(registry.isNonceUsed(POSTER, permit.nonce), i != 0);
        }
    }

    function test_TakesAnActionCreditInsteadOfTok() external {
        _giveCredit(WORKER, STRANGER);
        uint256 taskId = _posted();
        Gains memory gains;
        gains.workerTok = -EXIT;
        _mark();
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(taskId, WORKER, IPaymentGateway.AccessAction.CLAIM, 0, 1e18);
        _claim(taskId, WORKER);
        _assertGains(gains);
        vm.assertEq(staking.creditsOf(WORKER), 0);
        _assertReserves(taskId, 13e6, 13e6);
    }

    function test_TheSameOrAnotherWorkerClaimsAgain() external {
        uint256 taskId = _claimed();
        _leaveAs(WORKER, taskId);
        _claim(taskId, WORKER);
        _assertReserves(taskId, 13e6, 13e6);
        _leaveAs(WORKER, taskId);
        _claim(taskId, STRANGER);
        vm.assertEq(_task(taskId).worker, STRANGER);
        vm.assertEq(escrow.exitDepositOf(taskId, STRANGER), 1_000e18);
        _assertExits(taskId, 1_000e18, 0);
    }

    /// @dev A poster chooses without a signature: one worker, for one claim, where the terms ask for a permit.
    function test_Allowed_ClaimsOnceWithoutAPermit() external {
        uint256 taskId = _post(_permitTerms(), 0);
        (bytes32 ofWorker, bytes32 ofStranger) = (_digestFor(taskId, WORKER), _digestFor(taskId, STRANGER));
        _allow(taskId, STRANGER);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.WorkerAllowed(taskId, WORKER);
        _allow(taskId, WORKER);
        vm.assertEq(registry.allowedWorkerOf(taskId), WORKER);
        _expectPermitRequired(taskId);
        _claimAs(STRANGER, taskId, ofStranger);
        _claimAs(WORKER, taskId, ofWorker);
        vm.assertEq(registry.allowedWorkerOf(taskId), address(0));
        _leaveAs(WORKER, taskId);
        _expectPermitRequired(taskId);
        _claimAs(WORKER, taskId, ofWorker);
        // A claim by permit ends it too.
        _allow(taskId, WORKER);
        _claimAs(STRANGER, taskId, ofStranger, _permitFor(taskId, STRANGER));
        _leaveAs(STRANGER, taskId);
        _expectPermitRequired(taskId);
        _claimAs(WORKER, taskId, ofWorker);
    }

    function test_Allowed_RevertWhen_AnyoneMayClaim() external {
        uint256 taskId = _posted();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.PermitNotNeeded.selector, taskId));
        _allow(taskId, WORKER);
    }

    /// @dev The cells have the same without a permit.
    function test_Permit_RevertWhen_TheTaskCannotBeClaimed() external {
        uint256 taskId = _post(_permitTerms(), 0);
        bytes32 digest = _digestFor(taskId, WORKER);
        Signature memory permit = _permit(registry, taskId, WORKER, POSTER_KEY, _nonce(), type(uint64).max);
        vm.prank(GUARDIAN);
        registry.pauseEntries();
        vm.expectRevert(Pausable.EnforcedPause.selector);
        _claimAs(WORKER, taskId, digest, permit);
        vm.prank(GUARDIAN);
        registry.unpauseEntries();
        uint256 cutoff = 1_800_000_000 + 7 days - 1 hours;
        _after(cutoff);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ClaimClosed.selector, taskId, cutoff));
        _claimAs(WORKER, taskId, digest, permit);
        vm.warp(cutoff);
        _claimAs(WORKER, taskId, digest, permit);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, TaskState.CLAIMED));
        _claimAs(WORKER, taskId, digest, permit);
    }

    function test_Permit_RevertWhen_ItIsForAnotherWorkerOrMissing() external {
        uint256 taskId = _posted();
        Signature[2] memory permits = [_permitFor(taskId, STRANGER), _permitFor(taskId, WORKER)];
        permits[1].data = "";
        bytes32 digest = _digestFor(taskId, WORKER);
        for (uint256 i = 0; i < 2; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, POSTER));
            _claimAs(WORKER, taskId, digest, permits[i]);
        }
    }

    function _allow(uint256 taskId, address worker) private {
        vm.prank(POSTER);
        registry.allowWorker(taskId, worker);
    }

    function _expectPermitRequired(uint256 taskId) private {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ClaimPermitRequired.selector, taskId));
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

    function _expectClaimEvents(uint256 taskId, bytes32 digest) private {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskClaimed(taskId, WORKER, digest);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Reserved(taskId, WORKER, 13e6);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.ExitDepositLocked(taskId, WORKER, 1_000e18);
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(taskId, WORKER, IPaymentGateway.AccessAction.CLAIM, 1_000e18, 0);
    }
}
