// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

contract DecideTest is ArbitrationBase {
    function test_RevertGiven_TheCaseIsNotInCourt() external {
        _expectWrongPhase(IArbitration.DisputePhase.NONE);
        register(JUDGE, BOND);
        opened();
        _expectWrongPhase(IArbitration.DisputePhase.OPEN);
        propose(JUDGE, JUDGE);
        speak(WORKER, ASK);
        _expectWrongPhase(IArbitration.DisputePhase.EVIDENCE);
        rule(JUDGE, true);
        _expectWrongPhase(IArbitration.DisputePhase.RULED);
        escalate(POSTER);
        decide(true, false);
        _expectWrongPhase(IArbitration.DisputePhase.CLOSED);
    }

    function test_RevertWhen_TheCallerIsNotTheFinalCourt() external {
        appealed(true);
        address[4] memory others = [POSTER, WORKER, JUDGE, STRANGER];
        for (uint256 i = 0; i < 4; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(IArbitration.NotFinalCourt.selector, others[i]));
            arbitration.decide(TASK, true, false, REASON);
        }
    }

    function test_RevertWhen_TheReasonIsMissing() external {
        appealed(true);
        vm.prank(COURT);
        vm.expectRevert(IArbitration.HashMissing.selector);
        arbitration.decide(TASK, true, false, 0);
    }

    function test_RevertGiven_OnlyOneSpokeAndNobodyRuled() external {
        opened();
        vm.warp(START + CONSENT + 1);
        arbitration.seat(TASK);
        vm.warp(START + EVIDENCE);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.EvidenceWindowOpen.selector, TASK, START + EVIDENCE));
        decide(true, false);
        uint256 id = vm.snapshotState();
        speak(WORKER, ASK);
        decide(true, false);
        vm.revertToState(id);
        vm.warp(START + EVIDENCE + 1);
        decide(true, false);
    }

    /// @dev With these windows a ruling on one voice falls after the evidence; the court need not hear it again.
    function test_CountsAtOnceGiven_ARuling() external {
        seated();
        vm.warp(START + EVIDENCE + 1);
        rule(JUDGE, false);
        escalate(WORKER);
        vm.warp(START + 1);
        decide(true, false);
        assertClosed(10_000, IArbitration.Ending.DECIDED);
    }

    function test_ToTheLastSecondOfTheCourtsWindow() external {
        appealed(true);
        vm.warp(START + DECISION + 1);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.CourtWindowClosed.selector, TASK, START + DECISION));
        decide(true, false);
        vm.warp(START + DECISION);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Decided(TASK, true, false, REASON);
        decide(true, false);
    }

    function test_Unruled_ForTheWorker() external {
        unruled(false);
        mark();
        decide(true, true);
        Gains memory g;
        g.posterTok = 1_200e18;
        g.workerTok = 2_800e18;
        g.posterUsd = -8e6;
        g.workerUsd = 3e6;
        g.courtUsd = 5e6;
        assertGains(g);
        assertClosed(ASK, IArbitration.Ending.DECIDED);
        assertSettled(ASK, 280e18, COURT, address(0));
        assertRecorded(WORKER, POSTER);
    }

    function test_Unruled_ForThePosterAfterASilentJudge() external {
        unruled(true);
        mark();
        decide(false, true);
        Gains memory g;
        g.posterTok = int256(STAKE);
        g.posterUsd = 3e6;
        g.workerUsd = -8e6;
        g.courtUsd = 5e6;
        assertGains(g);
        assertClosed(OFFER, IArbitration.Ending.DECIDED);
        assertSettled(OFFER, 280e18, COURT, address(0));
        assertRecorded(POSTER, WORKER);
        vm.assertEq(arbitration.arbitratorOf(JUDGE).overturned, 0);
    }

    function test_Upheld_ForTheWorker() external {
        appealed(true);
        mark();
        decide(true, true);
        Gains memory g;
        g.posterTok = 1_200e18;
        g.workerTok = 2_800e18;
        g.posterUsd = -18e6;
        g.workerUsd = 3e6;
        g.judgeUsd = 5e6;
        g.courtUsd = 10e6;
        assertGains(g);
        assertClosed(ASK, IArbitration.Ending.DECIDED);
        assertSettled(ASK, 280e18, COURT, address(0));
        assertRecorded(WORKER, POSTER);
        vm.assertEq(arbitration.arbitratorOf(JUDGE).overturned, 0);
    }

    function test_Upheld_ForThePoster() external {
        appealed(false);
        mark();
        decide(false, false);
        Gains memory g;
        g.posterTok = int256(STAKE);
        g.posterUsd = 3e6;
        g.workerUsd = -18e6;
        g.judgeUsd = 5e6;
        g.courtUsd = 10e6;
        assertGains(g);
        assertClosed(OFFER, IArbitration.Ending.DECIDED);
        assertSettled(OFFER, 280e18, COURT, address(0));
    }

    function test_Overturned_ForTheWorker() external {
        appealed(false);
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorSlashed(TASK, JUDGE, 2_800e18, BOND - 2_800e18);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, WORKER, 2_800e18, false);
        vm.expectEmit(address(arbitration));
        emit IArbitration.JudgeFreed(TASK, JUDGE, LOCK);
        decide(true, false);
        Gains memory g;
        g.posterTok = 1_200e18;
        g.workerTok = 5_600e18;
        g.judgeBond = -2_800e18;
        g.posterUsd = -8e6;
        g.workerUsd = -2e6;
        g.courtUsd = 10e6;
        assertGains(g);
        assertClosed(ASK, IArbitration.Ending.DECIDED);
        assertSettled(ASK, 280e18, COURT, address(0));
        assertRecorded(WORKER, POSTER);
        IArbitration.Arbitrator memory judge = arbitration.arbitratorOf(JUDGE);
        vm.assertEq(judge.resolved, 1);
        vm.assertEq(judge.overturned, 1);
        vm.assertEq(judge.slashed, 2_800e18);
        vm.assertEq(arbitration.totalBonded(), BOND - 2_800e18);
    }

    function test_Overturned_ForThePoster() external {
        appealed(true);
        mark();
        decide(false, false);
        Gains memory g;
        g.posterTok = 6_800e18;
        g.judgeBond = -2_800e18;
        g.posterUsd = -2e6;
        g.workerUsd = -8e6;
        g.courtUsd = 10e6;
        assertGains(g);
        assertClosed(OFFER, IArbitration.Ending.DECIDED);
        assertSettled(OFFER, 280e18, COURT, address(0));
        assertRecorded(POSTER, WORKER);
    }

    function test_Overturned_OverASmallGapCostsAtLeast2000() external {
        _appealedOver(7_000, 9_000, false);
        decide(true, true);
        // Five quarters of the gap of 8,000 would be 10,000: all of it is lost, a tenth would only be 800.
        Gains memory g;
        g.posterTok = 3_200e18;
        g.workerTok = 2_800e18;
        g.treasuryTok = 8_000e18;
        g.judgeBond = -10_000e18;
        g.posterUsd = -8e6;
        g.workerUsd = -2e6;
        g.courtUsd = 10e6;
        assertGains(g);
    }

    function test_Overturned_OverATinyGapCostsOnlyThe2000() external {
        _appealedOver(8_999, 9_000, false);
        decide(true, true);
        Gains memory g;
        g.posterTok = 3_999.6e18;
        g.workerTok = 2_000.4e18;
        g.judgeBond = -2_000e18;
        g.posterUsd = -8e6;
        g.workerUsd = -2e6;
        g.courtUsd = 10e6;
        assertGains(g);
    }

    function test_Overturned_Unfounded() external {
        appealed(true);
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorSlashed(TASK, JUDGE, 35_000e18, BOND - 35_000e18);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, POSTER, 2_800e18, false);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, TREASURY, 32_200e18, false);
        decide(false, true);
        Gains memory g;
        g.posterTok = 6_800e18;
        g.treasuryTok = 32_200e18;
        g.judgeBond = -35_000e18;
        g.posterUsd = -2e6;
        g.workerUsd = -8e6;
        g.courtUsd = 10e6;
        assertGains(g);
    }

    function test_Overturned_UnfoundedOverEverythingTakesTheWholeLock() external {
        _appealedOver(0, 10_000, true);
        vm.prank(JUDGE);
        arbitration.requestUnbond();
        decide(false, true);
        Gains memory g;
        g.posterTok = 8_000e18;
        g.treasuryTok = 46_000e18;
        g.judgeBond = -int256(LOCK);
        g.posterUsd = -2e6;
        g.workerUsd = -13e6;
        g.treasuryUsd = 5e6;
        g.courtUsd = 10e6;
        assertGains(g);
        assertSettled(0, 400e18, COURT, WORKER);
        assertClosed(0, IArbitration.Ending.DECIDED);
        vm.assertTrue(arbitration.arbitratorOf(JUDGE).unbondAt != 0);
    }

    function test_Overturned_DefersWhatReceiversRefuse() external {
        appealed(false);
        tok.refuse(WORKER);
        decide(true, false);
        assertClosed(ASK, IArbitration.Ending.DECIDED);
        vm.assertEq(arbitration.withdrawableOf(WORKER), 5_600e18);
        vm.assertEq(arbitration.totalWithdrawable(), 5_600e18);
        assertBacked();
    }

    function test_Overturned_DefersWhatTheTreasuryRefuses() external {
        appealed(true);
        tok.refuse(TREASURY);
        decide(false, true);
        assertClosed(OFFER, IArbitration.Ending.DECIDED);
        vm.assertEq(arbitration.withdrawableOf(TREASURY), 32_200e18);
        assertBacked();
    }

    /// @dev An appealed ruling between two shares of choice; marks the balances.
    function _appealedOver(uint256 offerBps, uint256 askBps, bool forWorker) private {
        register(JUDGE, BOND);
        IArbitration.Case memory case_ = caseBy(POSTER, offerBps);
        case_.named = JUDGE;
        open(case_);
        propose(JUDGE, JUDGE);
        speak(WORKER, askBps);
        rule(JUDGE, forWorker);
        escalate(forWorker ? POSTER : WORKER);
        mark();
    }

    function _expectWrongPhase(IArbitration.DisputePhase phase) private {
        vm.expectRevert(wrongPhase(phase));
        decide(true, false);
    }
}
