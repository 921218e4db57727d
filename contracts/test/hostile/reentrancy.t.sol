// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Signature, TaskScope, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Reentrancy } from "./Reentrancy.sol";

/// @dev Each test runs all inner calls at each transfer of one operation.
contract ReentrancyTest is Reentrancy {
    function test_Create() external {
        TaskTerms memory terms = _terms();
        terms.scope = TaskScope.PRIVATE;
        uint64 expiry = uint64(block.timestamp + 1 hours);
        Signature memory byPoster = _acceptance(registry, terms, WORKER, POSTER_KEY, _nonce(), expiry);
        Signature memory byWorker = _acceptance(registry, terms, WORKER, WORKER_KEY, _nonce(), expiry);
        bytes memory call = abi.encodeCall(ITaskRegistry.create, (terms, WORKER, byPoster, byWorker));
        _assertSoundAfter(2, STRANGER, address(registry), call, 6);
    }

    function test_FundPosted() external {
        uint256 taskId = _posted();
        _assertSoundAfter(taskId, POSTER, abi.encodeCall(ITaskRegistry.fund, (taskId, TOTAL)), 1);
    }

    function test_FundClaimed() external {
        uint256 taskId = _claimed();
        _assertSoundAfter(taskId, POSTER, abi.encodeCall(ITaskRegistry.fund, (taskId, TOTAL)), 1);
    }

    function test_Claim() external {
        uint256 taskId = _post(_terms(), TOTAL);
        bytes32 digest = _digestFor(taskId, WORKER);
        _assertSoundAfter(taskId, WORKER, abi.encodeCall(ITaskRegistry.claim, (taskId, digest)), 3);
    }

    function test_Release() external {
        uint256 taskId = _delivered();
        _assertSoundAfter(taskId, POSTER, abi.encodeCall(ITaskRegistry.release, (taskId, 0)), 1);
    }

    function test_ReleaseLast() external {
        uint256 taskId = _secondDelivered();
        _assertSoundAfter(taskId, POSTER, abi.encodeCall(ITaskRegistry.release, (taskId, 1)), 3);
    }

    function test_Concede() external {
        uint256 taskId = _seated();
        _assertSoundAfter(taskId, POSTER, abi.encodeCall(ITaskRegistry.release, (taskId, 0)), 3);
    }

    function test_Complete() external {
        uint256 taskId = _delivered();
        _assertSoundAfter(taskId, POSTER, abi.encodeCall(ITaskRegistry.complete, (taskId)), 3);
    }

    function test_ReleaseLapsed() external {
        uint256 taskId = _delivered();
        _after(_task(taskId).reviewEnd);
        _assertSoundAfter(taskId, STRANGER, abi.encodeCall(ITaskRegistry.releaseLapsed, (taskId, 0)), 1);
    }

    function test_ReleaseLastLapsed() external {
        uint256 taskId = _secondDelivered();
        _after(_task(taskId).reviewEnd);
        _assertSoundAfter(taskId, STRANGER, abi.encodeCall(ITaskRegistry.releaseLapsed, (taskId, 1)), 3);
    }

    function test_Cancel() external {
        uint256 taskId = _post(_terms(), TOTAL);
        _assertSoundAfter(taskId, POSTER, abi.encodeCall(ITaskRegistry.cancel, (taskId)), 2);
    }

    function test_ExpirePosted() external {
        uint256 taskId = _post(_terms(), TOTAL);
        _after(_task(taskId).claimDeadline);
        _assertSoundAfter(taskId, STRANGER, abi.encodeCall(ITaskRegistry.expire, (taskId)), 2);
    }

    function test_ExpirePrivateClaim() external {
        uint256 taskId = _created(_terms());
        vm.prank(POSTER);
        registry.fund(taskId, FIRST);
        _after(_claimEnd(taskId));
        _assertSoundAfter(taskId, STRANGER, abi.encodeCall(ITaskRegistry.expire, (taskId)), 4);
    }

    function test_ExpireWork() external {
        uint256 taskId = _active();
        _after(_task(taskId).deadline);
        _assertSoundAfter(taskId, STRANGER, abi.encodeCall(ITaskRegistry.expire, (taskId)), 4);
    }

    function test_MutualCancel() external {
        uint256 taskId = _delivered();
        _assertSoundAfter(taskId, STRANGER, _cancelCall(taskId), 4);
    }

    function test_MutualCancelOfDispute() external {
        uint256 taskId = _seated();
        _assertSoundAfter(taskId, STRANGER, _cancelCall(taskId), 6);
    }

    function test_ExpireUnreceipted() external {
        uint256 taskId = _unreceipted();
        _after(_graceEnd(taskId));
        _assertSoundAfter(taskId, STRANGER, abi.encodeCall(ITaskRegistry.expire, (taskId)), 4);
    }

    function test_ConcedeLast() external {
        uint256 taskId = _secondDelivered();
        _dispute(taskId, POSTER);
        _assertSoundAfter(taskId, POSTER, abi.encodeCall(ITaskRegistry.release, (taskId, 1)), 5);
    }

    function test_OpenDispute() external {
        uint256 taskId = _delivered();
        _assertSoundAfter(taskId, POSTER, abi.encodeCall(ITaskRegistry.openDispute, (taskId, 0, PROOF, 0)), 1);
    }

    function test_Settle() external {
        uint256 taskId = _seated();
        vm.prank(POSTER);
        arbitration.submitEvidence(taskId, EVIDENCE, 5000);
        bytes memory call = abi.encodeCall(IArbitration.submitEvidence, (taskId, EVIDENCE, 5000));
        _assertSoundAfter(taskId, WORKER, address(arbitration), call, 6);
    }

    function test_FinalizeForPoster() external {
        uint256 taskId = _seated();
        _rule(taskId, false);
        _after(arbitration.disputeOf(taskId).appealEnd);
        bytes memory call = abi.encodeCall(IArbitration.finalize, (taskId));
        _assertSoundAfter(taskId, STRANGER, address(arbitration), call, 5);
    }

    function test_FinalizeForWorker() external {
        uint256 taskId = _seated();
        _rule(taskId, true);
        _after(arbitration.disputeOf(taskId).appealEnd);
        bytes memory call = abi.encodeCall(IArbitration.finalize, (taskId));
        _assertSoundAfter(taskId, STRANGER, address(arbitration), call, 6);
    }

    function test_Overturn() external {
        uint256 taskId = _seated();
        _rule(taskId, false);
        vm.prank(WORKER);
        arbitration.escalate(taskId);
        bytes memory call = abi.encodeCall(IArbitration.decide, (taskId, 1, true, PROOF));
        _assertSoundAfter(taskId, COURT, address(arbitration), call, 7);
    }
}
