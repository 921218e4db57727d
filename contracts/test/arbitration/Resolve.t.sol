// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";
import { MockDeposits } from "./ArbitrationMocks.sol";

contract ResolveTest is ArbitrationBase {
    function test_Resolve_RevertGiven_TheCaseIsNotInEvidence() external {
        register(JUDGE, BOND);
        _expectWrongPhase(IArbitration.DisputePhase.NONE);
        opened();
        _expectWrongPhase(IArbitration.DisputePhase.OPEN);
        propose(JUDGE, JUDGE);
        speak(WORKER, ASK);
        rule(JUDGE, true);
        _expectWrongPhase(IArbitration.DisputePhase.RULED);
        escalate(POSTER);
        _expectWrongPhase(IArbitration.DisputePhase.COURT);
        decide(true, false);
        _expectWrongPhase(IArbitration.DisputePhase.CLOSED);
    }

    function test_Resolve_RevertWhen_TheCallerIsNotTheJudge() external {
        heard();
        address[3] memory others = [POSTER, COURT, STRANGER];
        for (uint256 i = 0; i < 3; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IArbitration.NotJudge.selector, TASK, others[i]));
            rule(others[i], true);
        }
    }

    function test_Resolve_RevertWhen_TheReasonIsMissing() external {
        heard();
        vm.prank(JUDGE);
        vm.expectRevert(IArbitration.HashMissing.selector);
        arbitration.resolve(TASK, true, 0);
    }

    function test_Resolve_RevertWhen_OnlyOneSpoke() external {
        seated();
        vm.warp(START + EVIDENCE);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.EvidenceWindowOpen.selector, TASK, START + EVIDENCE));
        rule(JUDGE, true);
        vm.warp(START + EVIDENCE + 1);
        rule(JUDGE, true);
    }

    function test_Resolve_RevertWhen_OnlyTheWorkerSpoke() external {
        register(JUDGE, BOND);
        IArbitration.Case memory case_ = caseBy(WORKER, ASK);
        case_.named = JUDGE;
        open(case_);
        propose(JUDGE, JUDGE);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.EvidenceWindowOpen.selector, TASK, START + EVIDENCE));
        rule(JUDGE, true);
        speak(POSTER, OFFER);
        rule(JUDGE, true);
    }

    function test_Resolve_ToTheLastSecondOfTheRulingWindow() external {
        heard();
        uint256 rulingEnd = START + EVIDENCE + RULING;
        vm.warp(rulingEnd + 1);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.RulingWindowClosed.selector, TASK, rulingEnd));
        rule(JUDGE, true);
        vm.warp(rulingEnd);
        rule(JUDGE, true);
    }

    function test_Resolve_StoresTheRulingAndMovesNothing() external {
        heard();
        mark();
        bool[2] memory sides = [true, false];
        uint256 id = vm.snapshotState();
        for (uint256 i = 0; i < 2; ++i) {
            vm.expectEmit(address(arbitration));
            emit IArbitration.Ruled(TASK, JUDGE, sides[i], REASON, START + APPEAL);
            rule(JUDGE, sides[i]);
            assertPhase(IArbitration.DisputePhase.RULED);
            vm.assertTrue(dispute().ruled);
            vm.assertEq(dispute().forWorker, sides[i]);
            vm.assertEq(dispute().appealEnd, START + APPEAL);
            vm.assertEq(arbitration.arbitratorOf(JUDGE).resolved, 1);
            vm.assertEq(arbitration.arbitratorOf(JUDGE).openCases, 1);
            vm.assertEq(lockedOf(JUDGE), LOCK);
            Gains memory none;
            assertGains(none);
            vm.revertToState(id);
        }
    }

    function test_Escalate_RevertGiven_TheCaseIsNotRuled() external {
        heard();
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.EVIDENCE));
        escalate(POSTER);
        rule(JUDGE, true);
        escalate(POSTER);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.COURT));
        escalate(POSTER);
    }

    function test_Escalate_RevertWhen_TheCallerIsNotTheLoser() external {
        heard();
        uint256 id = vm.snapshotState();
        rule(JUDGE, true);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotLoser.selector, TASK, WORKER));
        escalate(WORKER);
        vm.revertToState(id);
        rule(JUDGE, false);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotLoser.selector, TASK, POSTER));
        escalate(POSTER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotLoser.selector, TASK, STRANGER));
        escalate(STRANGER);
    }

    function test_Escalate_ToTheLastSecondOfTheAppealWindow() external {
        ruled(true);
        vm.warp(START + APPEAL + 1);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.AppealWindowClosed.selector, TASK, START + APPEAL));
        escalate(POSTER);
        vm.warp(START + APPEAL);
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.Escalated(TASK, POSTER, 10e6);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CourtCalled(TASK, START + APPEAL + DECISION);
        escalate(POSTER);
        assertPhase(IArbitration.DisputePhase.COURT);
        vm.assertTrue(dispute().appealed);
        vm.assertEq(dispute().courtEnd, START + APPEAL + DECISION);
        vm.assertEq(deposits.reserveOf(TASK, POSTER), 18e6);
        vm.assertEq(deposits.reserveOf(TASK, WORKER), 8e6);
        vm.assertEq(lockedOf(JUDGE), LOCK);
        Gains memory none;
        assertGains(none);
    }

    function test_Escalate_RevertWhen_TheFreeDepositIsShort() external {
        ruled(false);
        deposits.take(WORKER, DEPOSIT - 18e6 + 1);
        vm.expectRevert(abi.encodeWithSelector(MockDeposits.InsufficientDeposit.selector, WORKER, 10e6 - 1, 10e6));
        escalate(WORKER);
        deposits.give(WORKER, 1);
        escalate(WORKER);
    }

    function test_Escalate_ReservesTenOnTopOfAShortReserve() external {
        deposits.take(WORKER, DEPOSIT - 3e6);
        ruled(false);
        deposits.give(WORKER, 10e6);
        escalate(WORKER);
        vm.assertEq(deposits.reserveOf(TASK, WORKER), 13e6);
    }

    function test_Finalize_RevertGiven_TheCaseIsNotRuled() external {
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.NONE));
        arbitration.finalize(TASK);
        heard();
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.EVIDENCE));
        arbitration.finalize(TASK);
        rule(JUDGE, true);
        vm.warp(START + APPEAL);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.AppealWindowOpen.selector, TASK, START + APPEAL));
        arbitration.finalize(TASK);
        escalate(POSTER);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.COURT));
        arbitration.finalize(TASK);
    }

    function test_Finalize_ForTheWorker() external {
        ruled(true);
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.JudgeFreed(TASK, JUDGE, LOCK);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(TASK, ASK, IArbitration.Ending.RULED);
        vm.warp(START + APPEAL + 1);
        vm.prank(STRANGER);
        arbitration.finalize(TASK);
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

    function test_Finalize_ForThePoster() external {
        ruled(false);
        mark();
        finalizeNow();
        Gains memory g;
        g.posterTok = int256(STAKE);
        g.posterUsd = 3e6;
        g.workerUsd = -8e6;
        g.judgeUsd = 5e6;
        assertGains(g);
        assertClosed(OFFER, IArbitration.Ending.RULED);
        assertSettled(OFFER, 280e18, JUDGE, address(0));
        assertRecorded(POSTER, WORKER);
    }

    function test_Finalize_GivesTheWorkerNothing() external {
        _allOrNothing(POSTER);
        rule(JUDGE, false);
        mark();
        vm.expectCall(address(deposits), abi.encodeCall(IDepositVault.charge, (TASK, WORKER, TREASURY, 5e6)));
        finalizeNow();
        Gains memory g;
        g.posterTok = int256(STAKE);
        g.posterUsd = 3e6;
        g.workerUsd = -13e6;
        g.treasuryUsd = 5e6;
        g.judgeUsd = 5e6;
        assertGains(g);
        assertClosed(0, IArbitration.Ending.RULED);
        assertSettled(0, 400e18, JUDGE, WORKER);
    }

    function test_Finalize_GivesTheWorkerEverything() external {
        _allOrNothing(POSTER);
        rule(JUDGE, true);
        mark();
        finalizeNow();
        Gains memory g;
        g.workerTok = int256(STAKE);
        g.posterUsd = -8e6;
        g.workerUsd = 3e6;
        g.judgeUsd = 5e6;
        assertGains(g);
        assertClosed(10_000, IArbitration.Ending.RULED);
        assertSettled(10_000, 400e18, JUDGE, POSTER);
    }

    function test_Finalize_OfACaseThatTheWorkerOpened() external {
        _allOrNothing(WORKER);
        rule(JUDGE, true);
        mark();
        finalizeNow();
        Gains memory g;
        g.posterUsd = -8e6;
        g.workerUsd = 3e6;
        g.judgeUsd = 5e6;
        assertGains(g);
        assertSettled(10_000, 400e18, JUDGE, POSTER);
    }

    function test_Finalize_TakesWhatAShortDepositHas() external {
        deposits.take(WORKER, DEPOSIT - 6e6);
        _allOrNothing(POSTER);
        rule(JUDGE, false);
        mark();
        finalizeNow();
        Gains memory g;
        g.posterTok = int256(STAKE);
        g.posterUsd = 1e6;
        g.workerUsd = -6e6;
        g.judgeUsd = 5e6;
        assertGains(g);
    }

    function test_Finalize_DefersWhatAReceiverRefuses() external {
        ruled(true);
        tok.refuse(WORKER);
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, WORKER, 2_800e18, true);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, POSTER, 1_200e18, false);
        finalizeNow();
        Gains memory g;
        g.posterTok = 1_200e18;
        g.posterUsd = -8e6;
        g.workerUsd = 3e6;
        g.judgeUsd = 5e6;
        assertGains(g);
        assertClosed(ASK, IArbitration.Ending.RULED);
        vm.assertEq(arbitration.withdrawableOf(WORKER), 2_800e18);
        vm.prank(WORKER);
        arbitration.withdraw(STRANGER);
        vm.assertEq(tok.balanceOf(STRANGER), 2_800e18);
        assertBacked();
    }

    /// @dev EVIDENCE, both heard: the poster offers nothing and the worker asks for everything.
    function _allOrNothing(address opener) private {
        register(JUDGE, BOND);
        IArbitration.Case memory case_ = caseBy(opener, opener == POSTER ? 0 : 10_000);
        case_.named = JUDGE;
        open(case_);
        propose(JUDGE, JUDGE);
        if (opener == POSTER) speak(WORKER, 10_000);
        else speak(POSTER, 0);
    }

    function _expectWrongPhase(IArbitration.DisputePhase phase) private {
        vm.expectRevert(wrongPhase(phase));
        rule(JUDGE, true);
    }
}
