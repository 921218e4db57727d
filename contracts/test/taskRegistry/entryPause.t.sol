// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { Pausable } from "@openzeppelin/contracts/utils/Pausable.sol";
import { TaskRegistry } from "../../src/TaskRegistry.sol";
import { IEntryPause } from "../../src/interfaces/IEntryPause.sol";
import { vm } from "../Vm.sol";
import { ClosedEntries } from "./ClosedEntries.sol";

contract TaskRegistryEntryPauseTest is ClosedEntries {
    function test_RevertWhen_TheCallerIsNeitherGuardianNorOwner() external {
        address[4] memory callers = [POSTER, STRANGER, TREASURY, address(this)];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IEntryPause.NotGuardian.selector, callers[i]));
            _pauseAs(callers[i]);
            vm.assertFalse(registry.paused());
            _pauseAs(GUARDIAN);
            vm.expectRevert(abi.encodeWithSelector(IEntryPause.NotGuardian.selector, callers[i]));
            _unpauseAs(callers[i]);
            vm.assertTrue(registry.paused());
            _unpauseAs(GUARDIAN);
        }
    }

    function test_ByGuardianOrOwner() external {
        address[2] memory callers = [GUARDIAN, OWNER];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.expectRevert(Pausable.ExpectedPause.selector);
            _unpauseAs(callers[i]);
            vm.expectEmit(address(registry));
            emit Pausable.Paused(callers[i]);
            _pauseAs(callers[i]);
            vm.assertTrue(registry.paused());
            vm.expectRevert(Pausable.EnforcedPause.selector);
            _pauseAs(callers[i]);
            vm.expectEmit(address(registry));
            emit Pausable.Unpaused(callers[i]);
            _unpauseAs(callers[i]);
            vm.assertFalse(registry.paused());
            _posted();
        }
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
        _pauseAs(GUARDIAN);
        _expectEveryEntryRefused(posted, abi.encodeWithSelector(Pausable.EnforcedPause.selector));
    }

    function test_Paused_LetsEveryDutyAndExitThrough() external {
        _assertEveryDutyAndExitGoesThrough(_pause);
    }

    function _pause() private {
        _pauseAs(GUARDIAN);
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
