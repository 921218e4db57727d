// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Signature, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

/// @dev What must be refused, and what must go on, once entries are paused or have ended.
abstract contract ClosedEntries is Books {
    function _expectEveryEntryRefused(uint256 posted, bytes memory reason) internal {
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
            _expectRefusal(callers[i], entries[i], reason);
        }
    }

    function _assertEveryDutyAndExitGoesThrough(function() internal closeEntries) internal {
        vm.prank(POSTER);
        deposits.topUp(100e6);
        vm.prank(WORKER);
        deposits.topUp(100e6);
        uint256 toCancel = _posted();
        uint256 toDismiss = _claimed();
        uint256 toLeave = _claimed();
        uint256 toWork = _claimed();
        uint256 toExpire = _claimed();
        uint256 toAgree = _active();
        uint256 toComplete = _active();
        uint256 toSettle = _delivered();
        uint256 toCure = _unreceipted();
        closeEntries();

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
        _deliver(toCure, 0, PROOF, _receiptNow(toCure, PROOF));
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
}
