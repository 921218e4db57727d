// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Signature, TaskState } from "../../src/types/Task.sol";
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
        _assertNoTokMoved(taskId, TaskState.CANCELLED);
    }

    function test_NeverFunded_ExpirePosted() external {
        uint256 taskId = _posted();
        _after(_task(taskId).claimDeadline);
        _mark();
        registry.expire(taskId);
        _assertNoTokMoved(taskId, TaskState.EXPIRED);
    }

    function test_NeverFunded_ExpirePrivateClaim() external {
        uint256 taskId = _created(_terms());
        _after(_claimEnd(taskId));
        _mark();
        registry.expire(taskId);
        _assertNoTokMoved(taskId, TaskState.EXPIRED);
    }

    function test_NeverFunded_Leave() external {
        uint256 early = _created(_terms());
        uint256 late = _created(_terms());
        uint256 poster = tok.balanceOf(POSTER);
        uint256 worker = tok.balanceOf(WORKER);
        vm.prank(WORKER);
        registry.leaveTask(early);
        vm.assertEq(tok.balanceOf(WORKER), worker - 1_000e18, "the worker paid its fee");
        _after(_claimEnd(late));
        vm.prank(WORKER);
        registry.leaveTask(late);
        vm.assertEq(tok.balanceOf(WORKER), worker - 1_000e18);
        vm.assertEq(tok.balanceOf(POSTER), poster);
        _assertSettled(early, TaskState.CANCELLED);
        _assertSettled(late, TaskState.CANCELLED);
        _assertOthersWhole();
    }

    function test_NeverFunded_Dismiss() external {
        uint256 taskId = _created(_terms());
        uint256 poster = tok.balanceOf(POSTER);
        vm.prank(POSTER);
        registry.dismiss(taskId);
        vm.assertEq(tok.balanceOf(POSTER), poster - 1_000e18, "the poster paid its fee");
        _assertSettled(taskId, TaskState.CANCELLED);
        _assertOthersWhole();
    }

    function test_NeverFunded_MutualCancel() external {
        uint256 forPoster = _created(_terms());
        uint256 forWorker = _created(_terms());
        _mark();
        _mutualCancel(forPoster, 0);
        _mutualCancel(forWorker, 10_000);
        _assertNoTokMoved(forPoster, TaskState.CANCELLED);
        _assertNoTokMoved(forWorker, TaskState.CANCELLED);
    }

    function testFuzz_PartlyFunded(uint256 part, uint256 way) external {
        part = part % TOTAL + 1;
        way = way % 6;
        uint256 taskId = way < 2 ? _posted() : _created(_terms());
        vm.prank(POSTER);
        registry.fund(taskId, part);
        uint256 poster = tok.balanceOf(POSTER);
        if (way == 1) _after(_task(taskId).claimDeadline);
        if (way == 3 || way == 5) _after(_claimEnd(taskId));
        if (way == 4) _mutualCancel(taskId, 0);
        else if (way % 2 == 1 && way != 5) registry.expire(taskId);
        else _endBy(taskId, way);
        vm.assertEq(tok.balanceOf(POSTER), poster + part - (way == 2 ? 1_000e18 : 0));
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

    function test_Again_AfterRuling() external {
        uint256 taskId = _disputed();
        _after(arbitration.disputeOf(taskId).seatEnd);
        arbitration.resolveTimedOut(taskId);
        _assertNothingMore(taskId);
    }

    /// @dev 0 cancel, 2 dismiss, 5 a late leave.
    function _endBy(uint256 taskId, uint256 way) private {
        vm.prank(way == 5 ? WORKER : POSTER);
        if (way == 0) registry.cancel(taskId);
        else if (way == 2) registry.dismiss(taskId);
        else registry.leaveTask(taskId);
    }

    function _assertNoTokMoved(uint256 taskId, TaskState state) private view {
        _assertSettled(taskId, state);
        _assertAccount(taskId, 0, 0, 0);
        _assertTok(POSTER, 0, "TOK of the poster");
        _assertTok(WORKER, 0, "TOK of the worker");
        _assertOthersWhole();
    }

    function _assertOthersWhole() private view {
        vm.assertEq(escrow.totalHeld(), OTHERS, "held for the others");
        vm.assertEq(tok.balanceOf(address(escrow)), OTHERS, "backing of the others");
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
        calls[9] = abi.encodeCall(ITaskRegistry.settleDispute, (taskId, 10_000));
        calls[10] = abi.encodeCall(ITaskRegistry.mutualCancel, (taskId, 5000, byPoster, byWorker));
    }

    function _expectNoCase(bytes memory call) private {
        (bool success, bytes memory result) = address(arbitration).call(call);
        vm.assertFalse(success);
        vm.assertEq(bytes32(bytes4(result)), bytes32(IArbitration.WrongPhase.selector));
    }
}
