// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { Pausable } from "@openzeppelin/contracts/utils/Pausable.sol";
import { TaskRegistry } from "../../src/TaskRegistry.sol";
import { IEntryPause } from "../../src/interfaces/IEntryPause.sol";
import { Signature, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Bookkeeping } from "./Bookkeeping.sol";

contract TaskRegistryEntryPauseTest is Bookkeeping {
    function test_Pause_RevertWhen_TheCallerIsNeitherGuardianNorOwner() external {
        address[4] memory callers = [POSTER, STRANGER, TREASURY, address(this)];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IEntryPause.NotGuardian.selector, callers[i]));
            _pauseAs(callers[i]);
        }
        vm.assertFalse(registry.paused());
    }

    function test_Pause_ByGuardianOrOwner() external {
        address[2] memory callers = [GUARDIAN, OWNER];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.expectEmit(address(registry));
            emit Pausable.Paused(callers[i]);
            _pauseAs(callers[i]);
            vm.assertTrue(registry.paused());
            _unpauseAs(callers[i]);
        }
    }

    function test_Pause_RevertGiven_EntriesArePaused() external {
        _pauseAs(GUARDIAN);
        vm.expectRevert(Pausable.EnforcedPause.selector);
        _pauseAs(GUARDIAN);
    }

    function test_Unpause_RevertWhen_TheCallerIsNeitherGuardianNorOwner() external {
        _pauseAs(GUARDIAN);
        vm.expectRevert(abi.encodeWithSelector(IEntryPause.NotGuardian.selector, STRANGER));
        _unpauseAs(STRANGER);
        vm.assertTrue(registry.paused());
    }

    function test_Unpause_ByGuardianOrOwner() external {
        address[2] memory callers = [GUARDIAN, OWNER];
        for (uint256 i = 0; i < callers.length; ++i) {
            _pauseAs(GUARDIAN);
            vm.expectEmit(address(registry));
            emit Pausable.Unpaused(callers[i]);
            _unpauseAs(callers[i]);
            vm.assertFalse(registry.paused());
            _posted();
        }
    }

    function test_Unpause_RevertGiven_EntriesAreNotPaused() external {
        vm.expectRevert(Pausable.ExpectedPause.selector);
        _unpauseAs(OWNER);
    }

    function test_SetGuardian_RevertWhen_TheCallerIsNotTheOwner() external {
        address[2] memory callers = [GUARDIAN, STRANGER];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, callers[i]));
            vm.prank(callers[i]);
            registry.setGuardian(STRANGER);
        }
        vm.assertEq(registry.guardian(), GUARDIAN);
    }

    function test_SetGuardian_ReplacesTheGuardian() external {
        vm.expectEmit(address(registry));
        emit IEntryPause.GuardianSet(STRANGER);
        vm.prank(OWNER);
        registry.setGuardian(STRANGER);
        vm.assertEq(registry.guardian(), STRANGER);
        vm.expectRevert(abi.encodeWithSelector(IEntryPause.NotGuardian.selector, GUARDIAN));
        _pauseAs(GUARDIAN);
        _pauseAs(STRANGER);
    }

    function test_SetGuardian_ToNobody() external {
        vm.prank(OWNER);
        registry.setGuardian(address(0));
        vm.assertEq(registry.guardian(), address(0));
        vm.expectRevert(abi.encodeWithSelector(IEntryPause.NotGuardian.selector, GUARDIAN));
        _pauseAs(GUARDIAN);
        _pauseAs(OWNER);
    }

    function test_Ownership_MovesInTwoSteps() external {
        vm.prank(OWNER);
        registry.transferOwnership(STRANGER);
        vm.assertEq(registry.owner(), OWNER);
        vm.assertEq(registry.pendingOwner(), STRANGER);
        vm.expectRevert(abi.encodeWithSelector(IEntryPause.NotGuardian.selector, STRANGER));
        _pauseAs(STRANGER);
        vm.prank(STRANGER);
        registry.acceptOwnership();
        vm.assertEq(registry.owner(), STRANGER);
        vm.expectRevert(abi.encodeWithSelector(IEntryPause.NotGuardian.selector, OWNER));
        _pauseAs(OWNER);
        _pauseAs(STRANGER);
    }

    function test_Ownership_GivenUp() external {
        vm.prank(OWNER);
        registry.renounceOwnership();
        vm.expectRevert(abi.encodeWithSelector(IEntryPause.NotGuardian.selector, OWNER));
        _pauseAs(OWNER);
        _pauseAs(GUARDIAN);
        _unpauseAs(GUARDIAN);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, OWNER));
        vm.prank(OWNER);
        registry.setGuardian(OWNER);
    }

    function test_StartsUnpaused() external {
        vm.expectEmit();
        emit Ownable.OwnershipTransferred(address(0), POSTER);
        vm.expectEmit();
        emit IEntryPause.GuardianSet(WORKER);
        TaskRegistry fresh = new TaskRegistry(contracts_, params, POSTER, WORKER);
        vm.assertFalse(fresh.paused());
        vm.assertEq(fresh.owner(), POSTER);
        vm.assertEq(fresh.guardian(), WORKER);
    }

    function test_Paused_RefusesEveryEntry() external {
        uint256 posted = _posted();
        bytes32 digest = _digestFor(posted, WORKER);
        TaskTerms memory terms = _terms();
        Signature memory none;
        bytes[5] memory entries = [
            abi.encodeCall(registry.post, (terms, TEXT, 0)),
            abi.encodeCall(registry.create, (terms, WORKER, none, none)),
            abi.encodeCall(registry.claim, (posted, digest)),
            abi.encodeCall(registry.claimWithPermit, (posted, digest, none)),
            abi.encodeCall(registry.fund, (posted, 1))
        ];
        address[5] memory callers = [POSTER, POSTER, WORKER, WORKER, POSTER];
        _pauseAs(GUARDIAN);
        for (uint256 i = 0; i < entries.length; ++i) {
            vm.prank(callers[i]);
            (bool success, bytes memory answer) = address(registry).call(entries[i]);
            vm.assertFalse(success);
            vm.assertEq(answer, abi.encodeWithSelector(Pausable.EnforcedPause.selector));
        }
    }

    function test_Paused_LetsEveryDutyAndExitThrough() external {
        uint256 toCancel = _posted();
        uint256 toDismiss = _claimed();
        uint256 toLeave = _claimed();
        uint256 toWork = _claimed();
        uint256 toExpire = _claimed();
        uint256 toAgree = _active();
        uint256 toComplete = _active();
        uint256 toSettle = _delivered();
        uint256 toCure = _deliveredToStore();
        _pauseAs(GUARDIAN);

        _fund(toWork);
        _activate(toWork);
        _deliver(toWork);
        vm.startPrank(POSTER);
        registry.requestRevision(toWork, 0, PROOF);
        registry.release(toWork, 0);
        registry.cancel(toCancel);
        registry.dismiss(toDismiss);
        registry.complete(toComplete);
        vm.stopPrank();
        vm.prank(WORKER);
        registry.leaveTask(toLeave);
        _mutualCancel(toAgree, 5_000);
        _dispute(toSettle, POSTER);
        _mutualCancel(toSettle, 5_000);
        uint64 until = uint64(block.timestamp + 72 hours);
        registry.attachReceipt(toCure, 0, _receipt(registry, toCure, PROOF, until, STRANGER_KEY));
        _deliver(toWork);
        _after(_task(toWork).reviewEnd);
        registry.releaseLapsed(toWork, 1);
        registry.releaseLapsed(toCure, 0);
        registry.expire(toExpire);
        vm.prank(WORKER);
        registry.invalidateNonce(9_999);

        _assertState(toCancel, TaskState.CANCELLED);
        _assertState(toDismiss, TaskState.POSTED);
        _assertState(toLeave, TaskState.POSTED);
        _assertState(toWork, TaskState.COMPLETED);
        _assertState(toExpire, TaskState.EXPIRED);
        _assertState(toAgree, TaskState.CANCELLED);
        _assertState(toComplete, TaskState.COMPLETED);
        _assertState(toSettle, TaskState.RESOLVED);
    }

    function _deliveredToStore() private returns (uint256 taskId) {
        TaskTerms memory terms = _terms();
        terms.store = STRANGER;
        taskId = _post(terms, 1_000e18);
        _claim(taskId, WORKER);
        _activate(taskId);
        _deliver(taskId);
    }

    function _pauseAs(address caller) private {
        vm.prank(caller);
        registry.pauseEntries();
    }

    function _unpauseAs(address caller) private {
        vm.prank(caller);
        registry.unpauseEntries();
    }
}
