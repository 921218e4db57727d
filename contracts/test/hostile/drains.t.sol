// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Settlement, Signature, TaskState } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

/// @dev Two escrows in the field were emptied: one refunded a job that had never been funded, the other refunded an
/// expired job as often as it was asked to. Here the vault is full of other tasks' money while each is tried.
contract DrainsTest is Books {
    uint256 private constant OTHERS = 4 * TOTAL;

    function setUp() public override {
        super.setUp();
        for (uint256 i = 0; i < 4; ++i) {
            _post(_terms(), TOTAL);
        }
    }

    function test_NeverFunded_Cancel() external {
        uint256 taskId = _posted();
        _mark();
        vm.prank(POSTER);
        registry.cancel(taskId);
        _assertOnlyExits(taskId, TaskState.CANCELLED, EXIT, 0);
    }

    function test_NeverFunded_ExpirePosted() external {
        uint256 taskId = _posted();
        _after(_task(taskId).claimDeadline);
        _mark();
        registry.expire(taskId);
        _assertOnlyExits(taskId, TaskState.EXPIRED, EXIT, 0);
    }

    function test_NeverFunded_ExpireClaim() external {
        uint256[2] memory taskIds = [_created(_terms()), _claimed()];
        for (uint256 i = 0; i < 2; ++i) {
            uint256 snapshot = vm.snapshotState();
            _after(_claimEnd(taskIds[i]));
            registry.expire(taskIds[1 - i]);
            _mark();
            registry.expire(taskIds[i]);
            _assertOnlyExits(taskIds[i], TaskState.EXPIRED, 0, EXIT);
            vm.revertToState(snapshot);
        }
    }

    function test_NeverFunded_Leave() external {
        uint256 taskId = _created(_terms());
        _mark();
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        _assertOnlyExits(taskId, TaskState.CANCELLED, EXIT, 0);
    }

    function test_NeverFunded_Dismiss() external {
        uint256 taskId = _created(_terms());
        _mark();
        vm.prank(POSTER);
        registry.dismiss(taskId);
        _assertOnlyExits(taskId, TaskState.CANCELLED, 0, EXIT);
    }

    function test_NeverFunded_MutualCancel() external {
        uint16[2] memory shares = [0, 10_000];
        for (uint256 i = 0; i < 2; ++i) {
            uint256 taskId = _created(_terms());
            _mark();
            _mutualCancel(taskId, shares[i]);
            _assertOnlyExits(taskId, TaskState.CANCELLED, EXIT, EXIT);
        }
    }

    /// @dev Ways: 0 cancel, 1 expire posted, 2 dismiss, 3 expire claim, 4 mutual cancel, 5 leave.
    function testFuzz_PartlyFunded(uint256 part, uint256 way) external {
        part = part % TOTAL + 1;
        way = way % 6;
        uint256 taskId = way < 2 ? _posted() : _created(_terms());
        vm.prank(POSTER);
        registry.fund(taskId, part);
        uint256 poster = tok.balanceOf(POSTER);
        if (way == 1) _after(_task(taskId).claimDeadline);
        if (way == 3) _after(_claimEnd(taskId));
        if (way == 4) _mutualCancel(taskId, 0);
        else if (way == 1 || way == 3) registry.expire(taskId);
        else _endBy(taskId, way);
        uint256 exit = way == 2 || way == 3 ? 0 : uint256(EXIT);
        vm.assertEq(tok.balanceOf(POSTER), poster + part + exit);
        vm.assertEq(escrow.heldOf(taskId), 0);
        _assertOthersWhole();
    }

    function test_Again_AfterCancel() external {
        uint256 taskId = _post(_terms(), TOTAL);
        vm.prank(POSTER);
        registry.cancel(taskId);
        _assertNothingMore(taskId);
    }

    function test_Again_AfterExpirePosted() external {
        uint256 taskId = _post(_terms(), TOTAL);
        _after(_task(taskId).claimDeadline);
        registry.expire(taskId);
        _assertNothingMore(taskId);
    }

    function test_Again_AfterExpirePrivateClaim() external {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        _after(_claimEnd(taskId));
        registry.expire(taskId);
        _assertNothingMore(taskId);
    }

    function test_Again_AfterExpireWork() external {
        uint256 taskId = _active();
        _after(_task(taskId).deadline);
        registry.expire(taskId);
        _assertNothingMore(taskId);
    }

    function test_Again_AfterComplete() external {
        uint256 taskId = _active();
        vm.prank(POSTER);
        registry.complete(taskId);
        _assertNothingMore(taskId);
    }

    function test_Again_AfterLastRelease() external {
        uint256 taskId = _active();
        vm.startPrank(POSTER);
        registry.release(taskId, 0);
        registry.release(taskId, 1);
        vm.stopPrank();
        _assertNothingMore(taskId);
    }

    function test_Again_AfterLastLapsedRelease() external {
        uint256 taskId = _active();
        for (uint256 i = 0; i < 2; ++i) {
            _deliver(taskId);
            _after(_task(taskId).reviewEnd);
            registry.releaseLapsed(taskId, i);
        }
        _assertNothingMore(taskId);
    }

    function test_Again_AfterLeave() external {
        uint256 taskId = _active();
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        _assertNothingMore(taskId);
    }

    function test_Again_AfterDismiss() external {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        vm.prank(POSTER);
        registry.dismiss(taskId);
        _assertNothingMore(taskId);
    }

    function test_Again_AfterMutualCancel() external {
        uint256 taskId = _delivered();
        _mutualCancel(taskId, 5000);
        _assertNothingMore(taskId);
    }

    function test_Again_AfterExpireUnreceipted() external {
        uint256 taskId = _unreceipted();
        _after(_graceEnd(taskId));
        registry.expire(taskId);
        _assertNothingMore(taskId);
    }

    function test_Again_AfterRuling() external {
        uint256 taskId = _seated();
        _rule(taskId, true);
        _after(arbitration.disputeOf(taskId).appealEnd);
        arbitration.finalize(taskId);
        _assertNothingMore(taskId);
    }

    function _endBy(uint256 taskId, uint256 way) private {
        vm.prank(way == 5 ? WORKER : POSTER);
        if (way == 0) registry.cancel(taskId);
        else if (way == 2) registry.dismiss(taskId);
        else registry.leaveTask(taskId);
    }

    /// @dev Of TOK, only what each had locked itself came back.
    function _assertOnlyExits(uint256 taskId, TaskState state, int256 toPoster, int256 toWorker) private view {
        _assertSettled(taskId, state);
        _assertAccount(taskId, 0, 0, 0);
        _assertTok(POSTER, toPoster, "TOK of the poster");
        _assertTok(WORKER, toWorker, "TOK of the worker");
        _assertOthersWhole();
    }

    function _assertOthersWhole() private view {
        vm.assertEq(escrow.totalHeld(), OTHERS, "held for the others");
        vm.assertEq(tok.balanceOf(address(escrow)), OTHERS + 4 * uint256(EXIT), "backing of the others");
    }

    /// @dev Everything that could pay is called by everyone it could be called by, now and a year later.
    function _assertNothingMore(uint256 taskId) private {
        _assertOthersWhole();
        bytes memory settled = abi.encode(_task(taskId), escrow.accountOf(taskId));
        _mark();
        for (uint256 round = 0; round < 2; ++round) {
            bytes[] memory calls = _payingCalls(taskId);
            bytes memory reason = abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, _state(taskId));
            for (uint256 i = 0; i < calls.length; ++i) {
                _expectRefusal(POSTER, calls[i], reason);
                _expectRefusal(WORKER, calls[i], reason);
                _expectRefusal(STRANGER, calls[i], reason);
                _expectRefusal(address(arbitration), calls[i], reason);
            }
            _expectNoCase(abi.encodeCall(IArbitration.finalize, (taskId)));
            _expectNoCase(abi.encodeCall(IArbitration.resolveTimedOut, (taskId)));
            vm.expectRevert(abi.encodeWithSelector(IEscrowVault.NothingToWithdraw.selector, POSTER));
            vm.prank(POSTER);
            escrow.withdraw(POSTER);
            vm.warp(block.timestamp + 365 days);
        }
        _assertNoGains();
        _assertOthersWhole();
        vm.assertEq(abi.encode(_task(taskId), escrow.accountOf(taskId)), settled);
    }

    function _payingCalls(uint256 taskId) private returns (bytes[] memory calls) {
        uint64 expiry = uint64(block.timestamp + 1 hours);
        Signature memory byPoster = _cancelSignature(registry, taskId, 5000, POSTER_KEY, _nonce(), expiry);
        Signature memory byWorker = _cancelSignature(registry, taskId, 5000, WORKER_KEY, _nonce(), expiry);
        Settlement memory settlement;
        settlement.workerBps = 10_000;
        settlement.courtShare = 1;
        settlement.court = STRANGER;
        calls = new bytes[](11);
        calls[0] = abi.encodeCall(ITaskRegistry.cancel, (taskId));
        calls[1] = abi.encodeCall(ITaskRegistry.expire, (taskId));
        calls[2] = abi.encodeCall(ITaskRegistry.release, (taskId, 0));
        calls[3] = abi.encodeCall(ITaskRegistry.release, (taskId, 1));
        calls[4] = abi.encodeCall(ITaskRegistry.releaseLapsed, (taskId, 0));
        calls[5] = abi.encodeCall(ITaskRegistry.releaseLapsed, (taskId, 1));
        calls[6] = abi.encodeCall(ITaskRegistry.complete, (taskId));
        calls[7] = abi.encodeCall(ITaskRegistry.dismiss, (taskId));
        calls[8] = abi.encodeCall(ITaskRegistry.leaveTask, (taskId));
        calls[9] = abi.encodeCall(ITaskRegistry.settleDispute, (taskId, settlement));
        calls[10] = abi.encodeCall(ITaskRegistry.mutualCancel, (taskId, 5000, byPoster, byWorker));
    }

    function _expectNoCase(bytes memory call) private {
        (bool success, bytes memory result) = address(arbitration).call(call);
        vm.assertFalse(success);
        vm.assertEq(bytes32(bytes4(result)), bytes32(IArbitration.WrongPhase.selector));
    }
}
