// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

contract WithdrawnTest is ArbitrationBase {
    function test_RevertWhen_TheCallerIsNotTheRegistry() external {
        opened();
        address[3] memory callers = [POSTER, WORKER, COURT];
        for (uint256 i = 0; i < 3; ++i) {
            vm.startPrank(callers[i]);
            vm.expectRevert(abi.encodeWithSelector(IArbitration.Unauthorized.selector, callers[i]));
            arbitration.concede(TASK);
            vm.expectRevert(abi.encodeWithSelector(IArbitration.Unauthorized.selector, callers[i]));
            arbitration.abandon(TASK);
            vm.stopPrank();
        }
    }

    function test_Concede_InEveryUndecidedPhase() external {
        uint256 id = vm.snapshotState();
        opened();
        _concede(0, 0, false);
        vm.revertToState(id);
        unruled(true);
        _concede(0, 5e6, true);
        vm.revertToState(id);
        heard();
        vm.expectEmit(address(arbitration));
        emit IArbitration.JudgeFreed(TASK, JUDGE, LOCK);
        _concede(5e6, 0, false);
        vm.assertEq(deposits.reserveOf(TASK, POSTER), 8e6);
        vm.revertToState(id);
        opened();
        vm.warp(arbitration.disputeOf(TASK).evidenceEnd);
        _concede(0, 0, false);
        vm.revertToState(id);
        opened();
        vm.warp(arbitration.disputeOf(TASK).evidenceEnd + 1);
        _concede(0, 0, true);
    }

    function test_Abandon_RevertGiven_NoCaseOrAClosedOne() external {
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.NONE));
        registry.abandon(TASK);
        opened();
        registry.abandon(TASK);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.CLOSED));
        registry.abandon(TASK);
    }

    /// @dev Whoever has the case is paid by both.
    function test_Abandon_InEveryUndecidedPhase() external {
        uint256 id = vm.snapshotState();
        for (uint256 i = 0; i < 3; ++i) {
            if (i == 0) opened();
            if (i == 1) unruled(true);
            if (i == 2) seated();
            _abandon(i);
            vm.revertToState(id);
        }
    }

    /// @dev Else the victim of a bought judge could be bought off, and the judge would lose nothing.
    function test_RevertGiven_AJudgeHasRuled() external {
        uint256 id = vm.snapshotState();
        ruled(true);
        _expectDecided(IArbitration.DisputePhase.RULED);
        vm.revertToState(id);
        appealed(false);
        _expectDecided(IArbitration.DisputePhase.COURT);
    }

    function _expectDecided(IArbitration.DisputePhase phase) private {
        vm.expectRevert(wrongPhase(phase));
        registry.abandon(TASK);
        vm.expectRevert(wrongPhase(phase));
        registry.concede(TASK);
    }

    function test_OfACaseThatTheWorkerOpened() external {
        Gains memory none;
        for (uint256 i = 0; i < 2; ++i) {
            open(caseBy(WORKER, ASK));
            mark();
            if (i == 0) registry.abandon(TASK);
            else registry.concede(TASK);
            assertGains(none);
            assertClosed(i * 10_000, i == 0 ? IArbitration.Ending.CANCELLED : IArbitration.Ending.CONCEDED);
        }
        assertRecorded(address(0), POSTER);
    }

    /// @dev When nothing more can be said, it costs the stake that a ruling takes and 8 for the worker.
    function _concede(int256 toJudge, int256 toCourt, bool late) private {
        IArbitration.Dispute memory dispute = arbitration.disputeOf(TASK);
        uint256 gap = uint256(dispute.amount) * (dispute.askBps - dispute.offerBps) / 10_000;
        uint256 lost = late ? gap / 10 : 400e18;
        int256 toWorker = late ? int256(8e6) : int256(0);
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(TASK, 10_000, IArbitration.Ending.CONCEDED);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, WORKER, lost, false);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, POSTER, STAKE - lost, false);
        registry.concede(TASK);
        assertGains(paid(int256(STAKE - lost), int256(lost), -toJudge - toCourt - toWorker, toWorker, toJudge, toCourt));
        assertClosed(10_000, IArbitration.Ending.CONCEDED);
        assertRecorded(address(0), POSTER);
        vm.assertEq(registry.settlements(TASK), 0);
    }

    /// @dev 0: nobody sits. 1: the court. 2: a judge.
    function _abandon(uint256 phase) private {
        int256 half = phase == 0 ? int256(0) : int256(2.5e6);
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(TASK, 0, IArbitration.Ending.CANCELLED);
        registry.abandon(TASK);
        bool court = phase == 1;
        assertGains(paid(3_600e18, 400e18, -half, -half, court ? int256(0) : 2 * half, court ? 2 * half : int256(0)));
        assertClosed(0, IArbitration.Ending.CANCELLED);
        assertRecorded(address(0), address(0));
        vm.assertEq(registry.settlements(TASK), 0);
        vm.assertEq(deposits.reservedOf(POSTER), 0);
        vm.assertEq(deposits.reservedOf(WORKER), 0);
    }
}
