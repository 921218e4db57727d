// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

contract TimedOutTest is ArbitrationBase {
    function test_RevertGiven_NothingToWaitFor() external {
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.NONE));
        arbitration.resolveTimedOut(TASK);
        ruled(true);
        vm.warp(START + 365 days);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.RULED));
        arbitration.resolveTimedOut(TASK);
        arbitration.finalize(TASK);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.CLOSED));
        arbitration.resolveTimedOut(TASK);
    }

    function test_Open_CallsTheCourt() external {
        opened();
        _expectNotTimedOut(START + EVIDENCE);
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.CourtCalled(TASK, START + EVIDENCE + 1 + DECISION);
        vm.prank(STRANGER);
        arbitration.resolveTimedOut(TASK);
        assertPhase(IArbitration.DisputePhase.COURT);
        vm.assertEq(dispute().courtEnd, START + EVIDENCE + 1 + DECISION);
        Gains memory none;
        assertGains(none);
    }

    function test_Evidence_SlashesTheSilentJudge() external {
        seated();
        _expectNotTimedOut(START + EVIDENCE + RULING);
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.JudgeFreed(TASK, JUDGE, LOCK);
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorSlashed(TASK, JUDGE, 4_000e18, BOND - 4_000e18);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, POSTER, 2_000e18, false);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, WORKER, 2_000e18, false);
        vm.prank(STRANGER);
        arbitration.resolveTimedOut(TASK);
        Gains memory g;
        g.posterTok = 2_000e18;
        g.workerTok = 2_000e18;
        g.judgeBond = -4_000e18;
        assertGains(g);
        assertPhase(IArbitration.DisputePhase.COURT);
        vm.assertEq(dispute().judge, address(0));
        vm.assertEq(dispute().courtEnd, START + EVIDENCE + RULING + 1 + DECISION);
        IArbitration.Arbitrator memory judge = arbitration.arbitratorOf(JUDGE);
        vm.assertEq(judge.timedOut, 1);
        vm.assertEq(judge.resolved, 0);
        vm.assertEq(judge.openCases, 0);
        vm.assertEq(judge.locked, 0);
        vm.assertEq(judge.slashed, 4_000e18);
        vm.assertEq(arbitration.totalBonded(), BOND - 4_000e18);
    }

    function test_Evidence_SlashesAtLeast2000() external {
        _silent(19_999e18);
        vm.assertEq(bondOf(JUDGE), BOND - 2_000e18);
    }

    function test_Evidence_GivesTheOddWeiToTheWorker() external {
        _silent(20_000e18 + 10);
        vm.assertEq(bondOf(JUDGE), BOND - 2_000e18 - 1);
        Gains memory g;
        g.posterTok = 1_000e18;
        g.workerTok = 1_000e18 + 1;
        g.judgeBond = -2_000e18 - 1;
        assertGains(g);
    }

    function test_Evidence_DefersWhatAPartyRefuses() external {
        tok.refuse(WORKER);
        _silent(AMOUNT);
        assertPhase(IArbitration.DisputePhase.COURT);
        vm.assertEq(arbitration.withdrawableOf(WORKER), 2_000e18);
        assertBacked();
    }

    function test_Court_LetsARulingForTheWorkerStand() external {
        appealed(true);
        _expectNotTimedOut(START + DECISION);
        mark();
        vm.prank(STRANGER);
        arbitration.resolveTimedOut(TASK);
        Gains memory g;
        g.posterTok = 1_200e18;
        g.workerTok = 2_800e18;
        g.posterUsd = -8e6;
        g.workerUsd = 3e6;
        g.judgeUsd = 5e6;
        assertGains(g);
        assertClosed(ASK, IArbitration.Ending.RULED);
        assertSettled(ASK, 280e18, JUDGE, address(0));
        assertRecorded(WORKER, POSTER);
    }

    function test_Court_LetsARulingForThePosterStand() external {
        appealed(false);
        vm.warp(START + DECISION + 1);
        mark();
        arbitration.resolveTimedOut(TASK);
        Gains memory g;
        g.posterTok = int256(STAKE);
        g.posterUsd = 3e6;
        g.workerUsd = -8e6;
        g.judgeUsd = 5e6;
        assertGains(g);
        assertClosed(OFFER, IArbitration.Ending.RULED);
        assertSettled(OFFER, 280e18, JUDGE, address(0));
    }

    function test_Court_EndsAgainstThePosterThatOpened() external {
        unruled(true);
        _expectNotTimedOut(dispute().courtEnd);
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, POSTER, STAKE, false);
        arbitration.resolveTimedOut(TASK);
        Gains memory g;
        g.posterTok = int256(STAKE);
        assertGains(g);
        assertClosed(ASK, IArbitration.Ending.TIMED_OUT);
        assertSettled(ASK, 0, address(0), address(0));
        assertRecorded(address(0), address(0));
    }

    /// @dev Not even a worker that gets nothing forfeits: nobody ruled.
    function test_Court_EndsAgainstTheWorkerThatOpened() external {
        open(caseBy(WORKER, 10_000));
        vm.warp(START + EVIDENCE + 1);
        arbitration.resolveTimedOut(TASK);
        vm.warp(dispute().courtEnd + 1);
        mark();
        arbitration.resolveTimedOut(TASK);
        Gains memory none;
        assertGains(none);
        assertClosed(0, IArbitration.Ending.TIMED_OUT);
        assertSettled(0, 0, address(0), address(0));
        assertRecorded(address(0), address(0));
    }

    function _silent(uint256 amount) private {
        register(JUDGE, BOND);
        IArbitration.Case memory case_ = caseBy(POSTER, OFFER);
        (case_.named, case_.amount) = (JUDGE, uint128(amount));
        open(case_);
        propose(JUDGE, JUDGE);
        mark();
        vm.warp(START + EVIDENCE + RULING + 1);
        arbitration.resolveTimedOut(TASK);
    }

    /// @dev Leaves the clock at the first second at which it is.
    function _expectNotTimedOut(uint256 until) private {
        vm.warp(until);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotTimedOut.selector, TASK, until));
        arbitration.resolveTimedOut(TASK);
        vm.warp(until + 1);
    }
}
