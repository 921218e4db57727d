// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { vm } from "../Vm.sol";
import { bound } from "../bound.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

contract EvidenceTest is ArbitrationBase {
    function test_RevertGiven_ARulingOrNoCase() external {
        _expectWrongPhase(IArbitration.DisputePhase.NONE);
        ruled(true);
        _expectWrongPhase(IArbitration.DisputePhase.RULED);
        escalate(POSTER);
        _expectWrongPhase(IArbitration.DisputePhase.COURT);
        decide(true, false);
        _expectWrongPhase(IArbitration.DisputePhase.CLOSED);
    }

    function test_RevertWhen_TheCallerIsNoParty() external {
        seated();
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotParty.selector, TASK, JUDGE));
        speak(JUDGE, 5_000);
    }

    function test_RevertWhen_TheHashIsMissing() external {
        opened();
        vm.prank(WORKER);
        vm.expectRevert(IArbitration.HashMissing.selector);
        arbitration.submitEvidence(TASK, 0, ASK);
    }

    function test_CountsToTheLastSecondInEveryUndecidedPhase() external {
        opened();
        _assertSpeaks(IArbitration.DisputePhase.OPEN);
        vm.warp(START);
        register(JUDGE, BOND);
        propose(JUDGE, JUDGE);
        _assertSpeaks(IArbitration.DisputePhase.EVIDENCE);
    }

    function test_CountsInCourtWithoutARuling() external {
        opened();
        vm.warp(START + CONSENT + 1);
        arbitration.seat(TASK);
        _assertSpeaks(IArbitration.DisputePhase.COURT);
    }

    function test_RevertWhen_AShareMovesAwayOrPast() external {
        opened();
        _expectOutOfRange(POSTER, OFFER - 1, OFFER, 10_000);
        _expectOutOfRange(WORKER, 10_001, OFFER, 10_000);
        _expectOutOfRange(WORKER, OFFER - 1, OFFER, 10_000);
        speak(WORKER, ASK);
        _expectOutOfRange(WORKER, ASK + 1, OFFER, ASK);
        _expectOutOfRange(POSTER, ASK + 1, OFFER, ASK);
        speak(POSTER, OFFER);
        vm.assertEq(dispute().offerBps, OFFER);
        vm.assertEq(dispute().askBps, ASK);
        assertPhase(IArbitration.DisputePhase.OPEN);
    }

    function test_AShareThatStaysCountsAsSpoken() external {
        opened();
        vm.assertFalse(dispute().workerSpoke);
        vm.expectEmit(address(arbitration));
        emit IArbitration.EvidenceSubmitted(TASK, WORKER, HASH, 10_000);
        speak(WORKER, 10_000);
        vm.assertTrue(dispute().workerSpoke);
        vm.assertEq(dispute().askBps, 10_000);
    }

    function testFuzz_EachSideMovesOnlyTowardsTheOther(uint16[12] memory shares, uint256 seed) external {
        opened();
        (uint256 offer, uint256 ask) = (OFFER, 10_000);
        for (uint256 i = 0; i < shares.length; ++i) {
            uint256 share = bound(shares[i], 0, 10_001);
            bool byPoster = (seed >> i) & 1 == 0;
            vm.prank(byPoster ? POSTER : WORKER);
            (bool done,) = address(arbitration).call(abi.encodeCall(IArbitration.submitEvidence, (TASK, HASH, share)));
            vm.assertEq(done, share >= offer && share <= ask);
            if (done && byPoster) offer = share;
            else if (done) ask = share;
            vm.assertEq(dispute().offerBps, offer);
            vm.assertEq(dispute().askBps, ask);
            bool met = offer == ask;
            vm.assertEq(dispute().phase == IArbitration.DisputePhase.CLOSED, met);
            if (met) return;
        }
    }

    function test_Nothing_WithoutJudge() external {
        _askForNothing(false);
        Gains memory g;
        g.posterTok = int256(STAKE);
        g.posterUsd = 3e6;
        g.treasuryUsd = 7.5e6;
        g.workerUsd = -10.5e6;
        assertGains(g);
        assertClosed(0, IArbitration.Ending.CONCEDED);
        assertSettled(0, 0, address(0), WORKER);
        assertRecorded(POSTER, WORKER);
    }

    function test_Nothing_WithJudge() external {
        _askForNothing(true);
        Gains memory g;
        g.posterTok = int256(STAKE);
        g.posterUsd = 3e6;
        g.judgeUsd = 5e6;
        g.treasuryUsd = 2.5e6;
        g.workerUsd = -10.5e6;
        assertGains(g);
        assertClosed(0, IArbitration.Ending.CONCEDED);
        assertSettled(0, 0, address(0), WORKER);
        assertRecorded(POSTER, WORKER);
    }

    function test_Nothing_OfAShortDeposit() external {
        deposits.take(WORKER, DEPOSIT - 6e6);
        _askForNothing(true);
        Gains memory g;
        g.posterTok = int256(STAKE);
        g.posterUsd = 1e6;
        g.judgeUsd = 5e6;
        g.workerUsd = -6e6;
        assertGains(g);
    }

    function test_Nothing_OfAWorkerThatOpened() external {
        open(caseBy(WORKER, 5_000));
        mark();
        speak(WORKER, 0);
        Gains memory g;
        g.posterUsd = 3e6;
        g.treasuryUsd = 7.5e6;
        g.workerUsd = -10.5e6;
        assertGains(g);
        assertSettled(0, 0, address(0), WORKER);
    }

    function test_Everything_WithoutJudge() external {
        opened();
        mark();
        speak(POSTER, 10_000);
        Gains memory g;
        g.posterTok = 3_600e18;
        g.workerTok = 400e18;
        assertGains(g);
        assertClosed(10_000, IArbitration.Ending.CONCEDED);
        assertSettled(10_000, 0, address(0), address(0));
        assertRecorded(WORKER, POSTER);
    }

    function test_Everything_WithJudge() external {
        seated();
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.JudgeFreed(TASK, JUDGE, LOCK);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(TASK, 10_000, IArbitration.Ending.CONCEDED);
        speak(POSTER, 10_000);
        Gains memory g;
        g.posterTok = 3_600e18;
        g.workerTok = 400e18;
        g.posterUsd = -5e6;
        g.judgeUsd = 5e6;
        assertGains(g);
        assertClosed(10_000, IArbitration.Ending.CONCEDED);
        assertRecorded(WORKER, POSTER);
    }

    function test_Everything_OfAWorkerThatOpened() external {
        open(caseBy(WORKER, 10_000));
        mark();
        speak(POSTER, 10_000);
        Gains memory none;
        assertGains(none);
        assertSettled(10_000, 0, address(0), address(0));
        assertRecorded(WORKER, POSTER);
    }

    function test_InBetween_WithJudge() external {
        heard();
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(TASK, ASK, IArbitration.Ending.SETTLED);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, WORKER, 400e18, false);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, POSTER, 3_600e18, false);
        speak(POSTER, ASK);
        Gains memory g;
        g.posterTok = 3_600e18;
        g.workerTok = 400e18;
        g.posterUsd = -2.5e6;
        g.workerUsd = -2.5e6;
        g.judgeUsd = 5e6;
        assertGains(g);
        assertClosed(ASK, IArbitration.Ending.SETTLED);
        assertSettled(ASK, 0, address(0), address(0));
        assertRecorded(address(0), address(0));
    }

    function test_InBetween_OfAWorkerThatOpened() external {
        open(caseBy(WORKER, ASK));
        speak(POSTER, 1);
        mark();
        speak(WORKER, 1);
        Gains memory none;
        assertGains(none);
        assertClosed(1, IArbitration.Ending.SETTLED);
        assertSettled(1, 0, address(0), address(0));
        assertRecorded(address(0), address(0));
    }

    function _askForNothing(bool withJudge) private {
        if (withJudge) register(JUDGE, BOND);
        IArbitration.Case memory case_ = caseBy(POSTER, 0);
        case_.named = JUDGE;
        open(case_);
        if (withJudge) propose(JUDGE, JUDGE);
        mark();
        vm.expectCall(address(deposits), abi.encodeCall(IDepositVault.charge, (TASK, WORKER, TREASURY, 2.5e6)));
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, POSTER, STAKE, false);
        speak(WORKER, 0);
    }

    /// @dev Whether evidence counts at the last second of the window, and only to it.
    function _assertSpeaks(IArbitration.DisputePhase phase) private {
        assertPhase(phase);
        uint256 id = vm.snapshotState();
        vm.warp(START + EVIDENCE);
        speak(WORKER, ASK);
        vm.assertEq(dispute().askBps, ASK);
        assertPhase(phase);
        vm.warp(START + EVIDENCE + 1);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.EvidenceWindowClosed.selector, TASK, START + EVIDENCE));
        speak(WORKER, ASK);
        vm.revertToState(id);
    }

    function _expectWrongPhase(IArbitration.DisputePhase phase) private {
        vm.expectRevert(wrongPhase(phase));
        speak(WORKER, ASK);
    }

    function _expectOutOfRange(address party, uint256 share, uint256 min, uint256 max) private {
        vm.expectRevert(abi.encodeWithSelector(IArbitration.ShareOutOfRange.selector, share, min, max));
        speak(party, share);
    }
}
