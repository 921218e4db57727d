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

    function test_Concede_RevertGiven_ARulingOrNoCase() external {
        _expectNoConceding(IArbitration.DisputePhase.NONE);
        ruled(true);
        _expectNoConceding(IArbitration.DisputePhase.RULED);
        escalate(POSTER);
        _expectNoConceding(IArbitration.DisputePhase.COURT);
        decide(true, false);
        _expectNoConceding(IArbitration.DisputePhase.CLOSED);
    }

    function test_Concede_WhileOpen() external {
        opened();
        _concede(0);
    }

    function test_Concede_WhileEvidence() external {
        heard();
        vm.expectEmit(address(arbitration));
        emit IArbitration.JudgeFreed(TASK, JUDGE, LOCK);
        _concede(5e6);
        vm.assertEq(deposits.reserveOf(TASK, POSTER), 3e6);
    }

    function test_Concede_WhileCourtWithoutARuling() external {
        unruled(true);
        _concede(0);
    }

    function test_Concede_OfACaseThatTheWorkerOpened() external {
        open(caseBy(WORKER, ASK));
        mark();
        registry.concede(TASK);
        Gains memory none;
        assertGains(none);
        assertClosed(10_000, IArbitration.Ending.CONCEDED);
        assertRecorded(WORKER, POSTER);
    }

    function test_Abandon_RevertGiven_NoCaseOrAClosedOne() external {
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.NONE));
        registry.abandon(TASK);
        opened();
        registry.abandon(TASK);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.CLOSED));
        registry.abandon(TASK);
    }

    function test_Abandon_WhileOpen() external {
        opened();
        _abandon(false);
    }

    function test_Abandon_WhileEvidence() external {
        seated();
        _abandon(true);
    }

    function test_Abandon_WhileRuled() external {
        ruled(true);
        _abandon(true);
    }

    function test_Abandon_WhileAppealed() external {
        appealed(false);
        _abandon(true);
    }

    function test_Abandon_WhileCourtWithoutARuling() external {
        unruled(true);
        _abandon(false);
    }

    function test_Abandon_OfACaseThatTheWorkerOpened() external {
        open(caseBy(WORKER, ASK));
        mark();
        registry.abandon(TASK);
        Gains memory none;
        assertGains(none);
        assertClosed(0, IArbitration.Ending.CANCELLED);
    }

    function _concede(int256 toJudge) private {
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(TASK, 10_000, IArbitration.Ending.CONCEDED);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, WORKER, 400e18, false);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, POSTER, 3_600e18, false);
        registry.concede(TASK);
        Gains memory g;
        g.posterTok = 3_600e18;
        g.workerTok = 400e18;
        g.posterUsd = -toJudge;
        g.judgeUsd = toJudge;
        assertGains(g);
        assertClosed(10_000, IArbitration.Ending.CONCEDED);
        assertRecorded(WORKER, POSTER);
        vm.assertEq(registry.settlements(TASK), 0);
    }

    function _abandon(bool withJudge) private {
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(TASK, 0, IArbitration.Ending.CANCELLED);
        registry.abandon(TASK);
        Gains memory g;
        g.posterTok = 3_600e18;
        g.workerTok = 400e18;
        g.posterUsd = withJudge ? -2.5e6 : int256(0);
        g.workerUsd = g.posterUsd;
        g.judgeUsd = -2 * g.posterUsd;
        assertGains(g);
        assertClosed(0, IArbitration.Ending.CANCELLED);
        assertRecorded(address(0), address(0));
        vm.assertEq(registry.settlements(TASK), 0);
        vm.assertEq(deposits.reservedOf(POSTER), 0);
        vm.assertEq(deposits.reservedOf(WORKER), 0);
    }

    function _expectNoConceding(IArbitration.DisputePhase phase) private {
        vm.expectRevert(wrongPhase(phase));
        registry.concede(TASK);
    }
}
