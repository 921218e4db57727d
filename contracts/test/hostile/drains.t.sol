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
        vm.prank(POSTER);
        deposits.topUp(100e6);
        for (uint256 i = 0; i < 4; ++i) {
            _post(_terms(), TOTAL);
        }
    }

    function test_NeverFunded() external {
        for (uint256 way = 0; way < 6; ++way) {
            uint256 snapshot = vm.snapshotState();
            _assertRefundsOnly(0, way);
            vm.revertToState(snapshot);
        }
    }

    function testFuzz_PartlyFunded(uint256 part, uint256 way) external {
        _assertRefundsOnly(part % TOTAL + 1, way % 6);
    }

    function test_Again_AfterCancel() external {
        uint256 taskId = _post(_terms(), TOTAL);
        vm.prank(POSTER);
        registry.cancel(taskId);
        _assertNothingMore(taskId);
    }

    /// @dev Posted, a private claim, work, and a delivery without a receipt.
    function test_Again_AfterExpiry() external {
        uint256[4] memory taskIds = [_post(_terms(), TOTAL), _created(_terms()), _active(), _unreceipted()];
        _fund(taskIds[1]);
        for (uint256 i = 0; i < 4; ++i) {
            _after(_task(taskIds[0]).claimDeadline);
            registry.expire(taskIds[i]);
        }
        for (uint256 i = 0; i < 4; ++i) {
            _assertNothingMore(taskIds[i]);
        }
    }

    /// @dev At once, milestone by milestone, and by silence.
    function test_Again_AfterPayment() external {
        uint256[3] memory taskIds = [_active(), _active(), _active()];
        vm.startPrank(POSTER);
        registry.complete(taskIds[0]);
        registry.release(taskIds[1], 0);
        registry.release(taskIds[1], 1);
        vm.stopPrank();
        for (uint256 i = 0; i < 2; ++i) {
            _deliver(taskIds[2]);
            _after(_task(taskIds[2]).reviewEnd);
            registry.releaseLapsed(taskIds[2], i);
        }
        for (uint256 i = 0; i < 3; ++i) {
            _assertNothingMore(taskIds[i]);
        }
    }

    /// @dev Left, dismissed, and cancelled together.
    function test_Again_AfterAParting() external {
        uint256[3] memory taskIds = [_active(), _created(_terms()), _delivered()];
        _fund(taskIds[1]);
        vm.prank(WORKER);
        registry.leaveTask(taskIds[0]);
        vm.prank(POSTER);
        registry.dismiss(taskIds[1]);
        _mutualCancel(taskIds[2], 5000);
        for (uint256 i = 0; i < 3; ++i) {
            _assertNothingMore(taskIds[i]);
        }
    }

    function test_Again_AfterRuling() external {
        uint256 taskId = _seated();
        _rule(taskId, true);
        _after(arbitration.disputeOf(taskId).appealEnd);
        arbitration.finalize(taskId);
        _assertNothingMore(taskId);
    }

    /// @dev Ways: 0 cancel, 1 expire posted, 2 dismiss, 3 expire claim, 4 mutual cancel, 5 leave.
    function _assertRefundsOnly(uint256 part, uint256 way) private {
        uint256 taskId = way < 2 ? _posted() : _created(_terms());
        if (part != 0) {
            vm.prank(POSTER);
            registry.fund(taskId, part);
        }
        if (way == 1) _after(_task(taskId).claimDeadline);
        if (way == 3) _after(_claimEnd(taskId));
        _mark();
        if (way == 4) _mutualCancel(taskId, 0);
        else if (way == 1 || way == 3) registry.expire(taskId);
        else _endBy(taskId, way);
        _assertAccount(taskId, part, 0, part);
        _assertSettled(taskId, way == 1 || way == 3 ? TaskState.EXPIRED : TaskState.CANCELLED);
        _assertTok(POSTER, int256(part) + (way == 2 || way == 3 ? int256(0) : EXIT), "TOK of the poster");
        _assertTok(WORKER, way < 2 || way == 5 ? int256(0) : EXIT, "TOK of the worker");
        _assertOthersWhole();
    }

    function _endBy(uint256 taskId, uint256 way) private {
        vm.prank(way == 5 ? WORKER : POSTER);
        if (way == 0) registry.cancel(taskId);
        else if (way == 2) registry.dismiss(taskId);
        else registry.leaveTask(taskId);
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
