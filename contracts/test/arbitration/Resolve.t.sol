// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

/// @dev What every ending pays is in Payments.t.sol; here are times, events and what stays in storage.
contract ResolveTest is ArbitrationBase {
    uint256 private constant RULED_AT = START + EVIDENCE + 1;

    function test_Resolve_OnlyAfterTheEvidenceAndInTheRulingWindow() external {
        heard();
        vm.warp(START + EVIDENCE);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.EvidenceWindowOpen.selector, TASK, START + EVIDENCE));
        _resolve(1);
        vm.warp(START + EVIDENCE + RULING + 1);
        vm.expectRevert(
            abi.encodeWithSelector(IArbitration.RulingWindowClosed.selector, TASK, START + EVIDENCE + RULING)
        );
        _resolve(1);
        vm.warp(START + EVIDENCE + RULING);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.WrongCase.selector, TASK, 1));
        _resolve(2);
        _resolve(1);
    }

    function test_Resolve_RevertGiven_OneSideIsSilent() external {
        for (uint256 i = 0; i < 2; ++i) {
            uint256 id = vm.snapshotState();
            register(JUDGE, BOND);
            IArbitration.Case memory case_ = i == 0 ? caseBy(WORKER, ASK) : caseBy(POSTER, OFFER);
            case_.named = JUDGE;
            open(case_);
            propose(JUDGE, JUDGE);
            vm.warp(RULED_AT);
            vm.expectRevert(abi.encodeWithSelector(IArbitration.PartySilent.selector, TASK));
            _resolve(1);
            vm.revertToState(id);
        }
    }

    function test_Resolve_StoresTheRulingAndMovesNothing() external {
        heard();
        mark();
        bool[2] memory sides = [true, false];
        uint256 id = vm.snapshotState();
        for (uint256 i = 0; i < 2; ++i) {
            vm.expectEmit(address(arbitration));
            emit IArbitration.Ruled(TASK, JUDGE, sides[i], REASON, RULED_AT + APPEAL);
            rule(JUDGE, sides[i]);
            assertPhase(IArbitration.DisputePhase.RULED);
            vm.assertTrue(dispute().ruled);
            vm.assertEq(dispute().forWorker, sides[i]);
            vm.assertEq(dispute().appealEnd, RULED_AT + APPEAL);
            vm.assertEq(arbitration.arbitratorOf(JUDGE).resolved, 1);
            vm.assertEq(arbitration.arbitratorOf(JUDGE).openCases, 1);
            vm.assertEq(lockedOf(JUDGE), LOCK);
            Gains memory none;
            assertGains(none);
            vm.revertToState(id);
        }
    }

    function test_Escalate_ToTheLastSecondOfTheAppealWindow() external {
        ruled(true);
        uint256 appealEnd = RULED_AT + APPEAL;
        vm.warp(appealEnd + 1);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.AppealWindowClosed.selector, TASK, appealEnd));
        escalate(POSTER);
        vm.warp(appealEnd);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.AppealWindowOpen.selector, TASK, appealEnd));
        arbitration.finalize(TASK);
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.Escalated(TASK, POSTER, 8e6);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CourtCalled(TASK, appealEnd + DECISION);
        escalate(POSTER);
        assertPhase(IArbitration.DisputePhase.COURT);
        vm.assertTrue(dispute().appealed);
        vm.assertEq(dispute().courtEnd, appealEnd + DECISION);
        vm.assertEq(deposits.reserveOf(TASK, POSTER), 21e6);
        vm.assertEq(deposits.reserveOf(TASK, WORKER), 13e6);
        vm.assertEq(lockedOf(JUDGE), LOCK);
        Gains memory none;
        assertGains(none);
    }

    /// @dev The loser's 13 and a tenth of the gap; who cannot be paid can withdraw it.
    function test_Finalize_DefersWhatAReceiverRefuses() external {
        ruled(true);
        tok.refuse(WORKER);
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.JudgeFreed(TASK, JUDGE, LOCK);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(TASK, ASK, IArbitration.Ending.RULED);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, WORKER, 2_800e18, true);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Paid(TASK, POSTER, 1_200e18, false);
        finalizeNow();
        assertGains(paid(1_200e18, 0, -13e6, 8e6, 5e6, 0));
        assertClosed(ASK, IArbitration.Ending.RULED);
        assertSettled(ASK, 0, POSTER);
        assertRecorded(WORKER, POSTER);
        vm.prank(WORKER);
        arbitration.withdraw(STRANGER);
        vm.assertEq(tok.balanceOf(STRANGER), 2_800e18);
        assertBacked();
    }

    function test_Finalize_TakesWhatAShortReserveHas() external {
        ruled(false);
        deposits.penalise(TASK, WORKER, STRANGER, 7e6);
        mark();
        finalizeNow();
        assertGains(paid(int256(STAKE), 0, 1e6, -6e6, 5e6, 0));
    }

    /// @dev A tenth of the gap, but five hundredths of the milestone.
    function test_Finalize_TakesAtLeastAHalfOfTheStake() external {
        uint256[3] memory offers = [uint256(4_999), 5_001, 9_999];
        int256[3] memory lost = [int256(2_000.4e18), 2_000e18, 2_000e18];
        for (uint256 i = 0; i < 3; ++i) {
            uint256 id = vm.snapshotState();
            _heardBetween(offers[i], 10_000);
            rule(JUDGE, true);
            mark();
            finalizeNow();
            assertGains(paid(int256(STAKE) - lost[i], lost[i], -13e6, 8e6, 5e6, 0));
            vm.revertToState(id);
        }
    }

    function test_Decide_OnlyAfterTheEvidenceAndInTheCourtWindow() external {
        unruled(false);
        uint256 courtEnd = START + CONSENT + 1 + DECISION;
        vm.warp(START + EVIDENCE);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.EvidenceWindowOpen.selector, TASK, START + EVIDENCE));
        _decide(1);
        vm.warp(courtEnd + 1);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.CourtWindowClosed.selector, TASK, courtEnd));
        _decide(1);
        vm.warp(courtEnd);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.WrongCase.selector, TASK, 1));
        _decide(0);
        _decide(1);
        assertSettled(ASK, 280e18, POSTER);
    }

    /// @dev The court's share is 1 % of the gap, and never more than 1,000 TOK.
    function test_Decide_CapsTheCourtShare() external {
        for (uint256 i = 0; i < 2; ++i) {
            uint256 id = vm.snapshotState();
            IArbitration.Case memory case_ = caseBy(POSTER, 0);
            case_.amount = uint128(100_000e18 - 100 + 200 * i);
            open(case_);
            vm.warp(START + CONSENT + 1);
            arbitration.resolveTimedOut(TASK);
            decide(false);
            assertSettled(0, i == 0 ? 1_000e18 - 1 : 1_000e18, WORKER);
            vm.revertToState(id);
        }
    }

    /// @dev Five quarters of the gap, at least 2,000 TOK, at most all that was locked. Nobody gets them.
    function test_Decide_BurnsWhatAnOverturnedJudgeLoses() external {
        uint256[3] memory asks = [uint256(9_000), 2_001, 10_000];
        uint256[3] memory offers = [uint256(2_000), 2_000, 0];
        // With the stake that the ruling decided about: 2,800 of the first gap, the least for the second.
        uint256[3] memory lost = [uint256(38_500e18), 2_505e18, LOCK];
        for (uint256 i = 0; i < 3; ++i) {
            uint256 id = vm.snapshotState();
            _heardBetween(offers[i], asks[i]);
            rule(JUDGE, true);
            escalate(POSTER);
            mark();
            uint256 supply = tok.totalSupply();
            vm.expectEmit(address(arbitration));
            emit IArbitration.Decided(TASK, false, REASON);
            vm.expectEmit(address(arbitration));
            emit IArbitration.ArbitratorSlashed(TASK, JUDGE, lost[i], BOND - lost[i]);
            decide(false);
            Gains memory g = paid(int256(STAKE), 0, 5e6, -13e6, 0, 8e6);
            g.judgeBond = -int256(lost[i]);
            assertGains(g);
            vm.assertEq(tok.totalSupply(), supply - lost[i]);
            IArbitration.Arbitrator memory judge;
            (judge.bond, judge.slashed) = (uint128(BOND - lost[i]), uint128(lost[i]));
            (judge.resolved, judge.overturned) = (1, 1);
            vm.assertEq(abi.encode(arbitration.arbitratorOf(JUDGE)), abi.encode(judge));
            vm.revertToState(id);
        }
    }

    function _resolve(uint256 number) private {
        vm.prank(JUDGE);
        arbitration.resolve(TASK, number, true, REASON);
    }

    function _decide(uint256 number) private {
        vm.prank(COURT);
        arbitration.decide(TASK, number, true, REASON);
    }

    /// @dev EVIDENCE, both heard, with these shares.
    function _heardBetween(uint256 offerBps, uint256 askBps) private {
        register(JUDGE, BOND);
        IArbitration.Case memory case_ = caseBy(POSTER, offerBps);
        case_.named = JUDGE;
        open(case_);
        propose(JUDGE, JUDGE);
        speak(WORKER, askBps);
    }
}
