// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { IEntryPause } from "../../src/interfaces/IEntryPause.sol";
import { TaskState } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { ClosedEntries } from "./ClosedEntries.sol";

contract TaskRegistrySunsetTest is ClosedEntries {
    uint256 private constant NOTICE = 30 days;

    function test_RevertWhen_TheCallerIsNotTheOwner() external {
        address[3] memory callers = [GUARDIAN, POSTER, address(this)];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, callers[i]));
            vm.prank(callers[i]);
            registry.sunset(block.timestamp + NOTICE);
        }
        vm.assertEq(registry.sunsetAt(), 0);
    }

    function test_RevertWhen_TheNoticeIsTooShort() external {
        uint256[3] memory moments = [0, block.timestamp, block.timestamp + NOTICE - 1];
        for (uint256 i = 0; i < moments.length; ++i) {
            _expectInvalid(moments[i]);
        }
        vm.assertEq(registry.sunsetAt(), 0);
    }

    /// @dev Later only, with notice, and not once it is reached.
    function test_CanBeMovedLaterUntilItIsReached() external {
        uint256 endsAt = block.timestamp + 2 * NOTICE;
        _sunset(endsAt);
        _expectInvalid(endsAt - 1);
        _sunset(endsAt);
        _sunset(endsAt + 1);
        vm.warp(endsAt);
        _expectInvalid(endsAt + NOTICE - 1);
        _sunset(endsAt + NOTICE);
        vm.warp(endsAt + NOTICE);
        _expectInvalid(endsAt + 2 * NOTICE);
        vm.assertEq(registry.sunsetAt(), endsAt + NOTICE);
    }

    function test_StoresTheEnd() external {
        uint256 endsAt = block.timestamp + NOTICE;
        vm.expectEmit(address(registry));
        emit IEntryPause.SunsetScheduled(endsAt);
        _sunset(endsAt);
        vm.assertEq(registry.sunsetAt(), endsAt);
    }

    function test_BeforeTheEnd_EntriesAreOpen() external {
        uint256 endsAt = block.timestamp + NOTICE;
        _sunset(endsAt);
        vm.warp(endsAt - 1);
        _assertState(_active(), TaskState.ACTIVE);
    }

    function test_AtTheEnd_RefusesEveryEntry() external {
        uint256 endsAt = block.timestamp + NOTICE;
        _sunset(endsAt);
        vm.warp(endsAt - 1);
        uint256 posted = _posted();
        vm.warp(endsAt);
        _expectEnded(posted, endsAt);
        vm.warp(endsAt + 365 days);
        _expectEnded(posted, endsAt);
    }

    function test_AtTheEnd_ThePauseMakesNoDifference() external {
        uint256 endsAt = block.timestamp + NOTICE;
        _sunset(endsAt);
        vm.warp(endsAt - 1);
        uint256 posted = _posted();
        vm.prank(GUARDIAN);
        registry.pauseEntries();
        vm.warp(endsAt);
        _expectEnded(posted, endsAt);
        vm.prank(GUARDIAN);
        registry.unpauseEntries();
        _expectEnded(posted, endsAt);
    }

    function test_AtTheEnd_LetsEveryDutyAndExitThrough() external {
        _sunset(block.timestamp + NOTICE);
        vm.warp(block.timestamp + NOTICE - 1);
        _assertEveryDutyAndExitGoesThrough(_end);
    }

    function _end() private {
        vm.warp(registry.sunsetAt());
    }

    function _sunset(uint256 endsAt) private {
        vm.prank(OWNER);
        registry.sunset(endsAt);
    }

    function _expectInvalid(uint256 endsAt) private {
        vm.expectRevert(abi.encodeWithSelector(IEntryPause.InvalidSunset.selector, endsAt));
        _sunset(endsAt);
    }

    function _expectEnded(uint256 posted, uint256 endsAt) private {
        _expectEveryEntryRefused(posted, abi.encodeWithSelector(IEntryPause.EntriesEnded.selector, endsAt));
    }
}
