// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { IEntryPause } from "../../src/interfaces/IEntryPause.sol";
import { Signature, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Base } from "../Base.sol";
import { vm } from "../Vm.sol";

contract TaskRegistrySunsetTest is Base {
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

    function test_RevertGiven_AnEndIsSet() external {
        uint256 endsAt = block.timestamp + 2 * NOTICE;
        _sunset(endsAt);
        _expectInvalid(endsAt - 1);
        _expectInvalid(endsAt + 1);
        vm.warp(endsAt);
        _expectInvalid(endsAt + NOTICE);
        vm.assertEq(registry.sunsetAt(), endsAt);
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
        uint256 endsAt = block.timestamp + NOTICE;
        _sunset(endsAt);
        vm.warp(endsAt - 1);
        uint256 toCancel = _posted();
        uint256 toDismiss = _claimed();
        uint256 toLeave = _claimed();
        uint256 toWork = _claimed();
        uint256 toAgree = _active();
        uint256 toComplete = _active();
        uint256 toSettle = _delivered();
        vm.warp(endsAt);

        _fund(toWork);
        _activate(toWork);
        _deliver(toWork);
        vm.startPrank(POSTER);
        registry.requestRevision(toWork, 0, PROOF);
        registry.release(toWork, 0);
        registry.cancel(toCancel);
        registry.dismiss(toDismiss);
        registry.cancel(toDismiss);
        registry.complete(toComplete);
        vm.stopPrank();
        vm.prank(WORKER);
        registry.leaveTask(toLeave);
        _mutualCancel(toAgree, 5_000);
        _dispute(toSettle, POSTER);
        _mutualCancel(toSettle, 5_000);
        _deliver(toWork);
        _after(_task(toWork).reviewEnd);
        registry.releaseLapsed(toWork, 1);

        _assertState(toCancel, TaskState.CANCELLED);
        _assertState(toDismiss, TaskState.CANCELLED);
        _assertState(toLeave, TaskState.POSTED);
        _assertState(toWork, TaskState.COMPLETED);
        _assertState(toAgree, TaskState.CANCELLED);
        _assertState(toComplete, TaskState.COMPLETED);
        _assertState(toSettle, TaskState.RESOLVED);
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
        for (uint256 i = 0; i < entries.length; ++i) {
            vm.prank(callers[i]);
            (bool success, bytes memory answer) = address(registry).call(entries[i]);
            vm.assertFalse(success);
            vm.assertEq(answer, abi.encodeWithSelector(IEntryPause.EntriesEnded.selector, endsAt));
        }
    }
}
