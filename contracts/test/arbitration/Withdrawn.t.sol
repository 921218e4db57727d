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
        _concede(0, 0);
        vm.revertToState(id);
        unruled(true);
        _concede(0, 5e6);
        vm.revertToState(id);
        heard();
        vm.expectEmit(address(arbitration));
        emit IArbitration.JudgeFreed(TASK, JUDGE, LOCK);
        _concede(5e6, 0);
        vm.assertEq(deposits.reserveOf(TASK, POSTER), 8e6);
    }

    function test_Abandon_RevertGiven_NoCaseOrAClosedOne() external {
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.NONE));
        registry.abandon(TASK);
        opened();
        registry.abandon(TASK);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.CLOSED));
        registry.abandon(TASK);
    }

    /// @dev Whoever has the case is paid by both, and an appeal by who made it.
    function test_Abandon_InEveryPhase() external {
        uint256 id = vm.snapshotState();
        for (uint256 i = 0; i < 5; ++i) {
            if (i == 0) opened();
            if (i == 1) unruled(true);
            if (i == 2) seated();
            if (i == 3) ruled(true);
            if (i == 4) appealed(false);
            _abandon(i);
            vm.revertToState(id);
        }
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

    function _concede(int256 toJudge, int256 toCourt) private {
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(TASK, 10_000, IArbitration.Ending.CONCEDED);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, WORKER, 400e18, false);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, POSTER, 3_600e18, false);
        registry.concede(TASK);
        assertGains(paid(3_600e18, 400e18, -toJudge - toCourt, 0, toJudge, toCourt));
        assertClosed(10_000, IArbitration.Ending.CONCEDED);
        assertRecorded(address(0), POSTER);
        vm.assertEq(registry.settlements(TASK), 0);
    }

    /// @dev 0: nobody sits. 1: the court, without a ruling. 2, 3: a judge. 4: a judge, and the worker's appeal.
    function _abandon(uint256 phase) private {
        int256 half = phase == 0 ? int256(0) : int256(2.5e6);
        int256 appeal = phase == 4 ? int256(8e6) : int256(0);
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(TASK, 0, IArbitration.Ending.CANCELLED);
        registry.abandon(TASK);
        bool court = phase == 1;
        assertGains(
            paid(3_600e18, 400e18, -half, -half - appeal, court ? int256(0) : 2 * half, court ? 2 * half : appeal)
        );
        assertClosed(0, IArbitration.Ending.CANCELLED);
        assertRecorded(address(0), address(0));
        vm.assertEq(registry.settlements(TASK), 0);
        vm.assertEq(deposits.reservedOf(POSTER), 0);
        vm.assertEq(deposits.reservedOf(WORKER), 0);
    }
}
