// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Signature, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Meter } from "./Meter.sol";

/// @dev Disputes at their dearest: a thousand arbitrators, a full bench of nine, two appeals.
/// forge-config: default.isolate = true
/// forge-config: ci.isolate = true
/// forge-config: deep.isolate = true
/// forge-config: lite.isolate = true
contract DisputeGasTest is Meter {
    uint256 private constant ARBITRATORS = 1000;

    function setUp() public override {
        super.setUp();
        for (uint256 i = 0; i < ARBITRATORS; ++i) {
            address arbitrator = address(uint160(0xA0000 + i));
            vm.prank(HOLDER);
            tok.transfer(arbitrator, 10_000e18);
            vm.startPrank(arbitrator);
            tok.approve(address(gateway), type(uint256).max);
            arbitration.register(10_000e18);
            vm.stopPrank();
        }
    }

    function test_Register() external {
        bytes memory call = abi.encodeCall(IArbitration.register, (10_000e18));
        _measure("register", ARBITRATOR, address(arbitration), call);
    }

    function test_OpenDispute() external {
        _register(ARBITRATOR, 10_000e18);
        TaskTerms memory terms = _terms();
        terms.arbitrator = ARBITRATOR;
        uint256 taskId = _activeWith(terms, TOTAL);
        _deliver(taskId);
        _measure("openDispute", POSTER, abi.encodeCall(ITaskRegistry.openDispute, (taskId, 0, PROOF)));
    }

    function test_OpenDisputeAfterLongOne() external {
        uint256 taskId = _appealedTwice();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _deliver(taskId);
        _measure("openDispute-again", POSTER, abi.encodeCall(ITaskRegistry.openDispute, (taskId, 1, PROOF)));
    }

    function test_Seat() external {
        uint256 taskId = _atTopTier();
        bytes memory call = abi.encodeCall(IArbitration.seat, (taskId));
        _measure("seat-schedule", STRANGER, address(arbitration), call);
        _turnToDraw(taskId);
        _measure("seat-draw", STRANGER, address(arbitration), call);
        vm.assertEq(arbitration.benchOf(taskId).length, 9);
    }

    function test_Resolve() external {
        uint256 taskId = _atTopTier();
        _seatPanel(taskId);
        _after(arbitration.disputeOf(taskId).evidenceEnd);
        IArbitration.Seat[] memory bench = arbitration.benchOf(taskId);
        for (uint256 i = 4; i < 8; ++i) {
            vm.prank(bench[i].arbitrator);
            arbitration.resolve(taskId, i * 1000, PROOF);
        }
        bytes memory call = abi.encodeCall(IArbitration.resolve, (taskId, 5000, PROOF));
        _measure("resolve", bench[8].arbitrator, address(arbitration), call);
    }

    function test_Escalate() external {
        uint256 taskId = _ruledOnce();
        _measure("escalate", WORKER, address(arbitration), abi.encodeCall(IArbitration.escalate, (taskId)));
    }

    function test_Finalize() external {
        uint256 taskId = _appealedTwice();
        _after(arbitration.disputeOf(taskId).appealEnd);
        _measure("finalize", STRANGER, address(arbitration), abi.encodeCall(IArbitration.finalize, (taskId)));
    }

    function test_ReleaseConceding() external {
        uint256 taskId = _appealedTwice();
        _measure("release-conceding", POSTER, abi.encodeCall(ITaskRegistry.release, (taskId, 0)));
    }

    function test_MutualCancelOfDispute() external {
        uint256 taskId = _appealedTwice();
        Signature memory byPoster = _cancelSignature(registry, taskId, 5000, POSTER_KEY, _nonce(), type(uint64).max);
        Signature memory byWorker = _cancelSignature(registry, taskId, 5000, WORKER_KEY, _nonce(), type(uint64).max);
        bytes memory call = abi.encodeCall(ITaskRegistry.mutualCancel, (taskId, 5000, byPoster, byWorker));
        _measure("mutualCancel-of-dispute", STRANGER, call);
    }

    function test_ResolveTimedOut() external {
        uint256 taskId = _atTopTier();
        _seatPanel(taskId);
        bytes memory call = abi.encodeCall(IArbitration.resolveTimedOut, (taskId));
        _after(arbitration.disputeOf(taskId).rulingEnd);
        _measure("resolveTimedOut-replacing", STRANGER, address(arbitration), call);
        _seatPanel(taskId);
        _after(arbitration.disputeOf(taskId).rulingEnd);
        _measure("resolveTimedOut-by-record", STRANGER, address(arbitration), call);
    }

    function _ruledOnce() private returns (uint256 taskId) {
        taskId = _disputed();
        _after(arbitration.disputeOf(taskId).consentEnd);
        _seatPanel(taskId);
        _rule(taskId);
    }

    function _atTopTier() private returns (uint256 taskId) {
        taskId = _ruledOnce();
        vm.prank(WORKER);
        arbitration.escalate(taskId);
        _seatPanel(taskId);
        _rule(taskId);
        vm.prank(POSTER);
        arbitration.escalate(taskId);
    }

    function _appealedTwice() private returns (uint256 taskId) {
        taskId = _atTopTier();
        _seatPanel(taskId);
        _rule(taskId);
        vm.assertEq(arbitration.benchOf(taskId).length, 9);
    }

    function _seatPanel(uint256 taskId) private {
        arbitration.seat(taskId);
        _turnToDraw(taskId);
        arbitration.seat(taskId);
    }

    function _turnToDraw(uint256 taskId) private {
        uint256 drawBlock = arbitration.disputeOf(taskId).drawBlock;
        vm.roll(drawBlock + 1);
        vm.setBlockhash(drawBlock, keccak256(abi.encode(drawBlock)));
    }

    function _rule(uint256 taskId) private {
        _after(arbitration.disputeOf(taskId).evidenceEnd);
        IArbitration.Seat[] memory bench = arbitration.benchOf(taskId);
        for (uint256 i = arbitration.disputeOf(taskId).panelStart; i < bench.length; ++i) {
            vm.prank(bench[i].arbitrator);
            arbitration.resolve(taskId, 5000, PROOF);
        }
    }
}
