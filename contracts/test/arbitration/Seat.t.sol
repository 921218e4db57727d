// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

contract SeatTest is ArbitrationBase {
    function test_Propose_NotesWhomAPartyNames() external {
        opened();
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorProposed(TASK, POSTER, arb(0));
        propose(POSTER, arb(0));
        vm.warp(START + CONSENT);
        propose(WORKER, arb(1));
        vm.assertEq(dispute().posterProposal, arb(0));
        vm.assertEq(dispute().workerProposal, arb(1));
        assertPhase(IArbitration.DisputePhase.OPEN);
        vm.warp(START + CONSENT + 1);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.ConsentWindowClosed.selector, TASK, START + CONSENT));
        propose(WORKER, arb(0));
        vm.expectRevert(abi.encodeWithSelector(IArbitration.ConsentWindowClosed.selector, TASK, START + CONSENT));
        propose(JUDGE, JUDGE);
    }

    function test_Accept_RevertUnless_BothProposedIt() external {
        register(arb(0), BOND);
        opened();
        _expectNotProposed(arb(0));
        propose(POSTER, arb(0));
        _expectNotProposed(arb(0));
        propose(WORKER, arb(1));
        _expectNotProposed(arb(0));
        propose(WORKER, arb(0));
        uint256 id = vm.snapshotState();
        propose(arb(0), arb(0));
        vm.assertEq(dispute().judge, arb(0));
        vm.revertToState(id);
        propose(POSTER, address(0));
        _expectNotProposed(arb(0));
        _expectNotProposed(STRANGER);
    }

    /// @dev The poster of an open task wrote the terms alone: its judge sits when the worker names it too.
    function test_Accept_NeedsTheWorkerGiven_TheTermsOnlyPropose() external {
        register(JUDGE, BOND);
        IArbitration.Case memory case_ = caseBy(POSTER, 0);
        case_.proposed = JUDGE;
        open(case_);
        vm.assertEq(dispute().posterProposal, JUDGE);
        _expectNotProposed(JUDGE);
        propose(WORKER, JUDGE);
        propose(JUDGE, JUDGE);
        assertPhase(IArbitration.DisputePhase.EVIDENCE);
    }

    function test_Accept_SeatsTheNamedOneInTheLastSecond() external {
        register(JUDGE, BOND);
        opened();
        vm.warp(START + CONSENT);
        vm.expectEmit(address(arbitration));
        emit IArbitration.JudgeSeated(TASK, JUDGE, LOCK, START + EVIDENCE + RULING);
        propose(JUDGE, JUDGE);
        assertPhase(IArbitration.DisputePhase.EVIDENCE);
        vm.assertEq(dispute().judge, JUDGE);
        vm.assertEq(dispute().rulingEnd, START + EVIDENCE + RULING);
        vm.assertEq(lockedOf(JUDGE), LOCK);
        vm.assertEq(arbitration.arbitratorOf(JUDGE).openCases, 1);
        vm.assertEq(bondOf(JUDGE), BOND);
    }

    function test_Accept_RevertGiven_TooLittleOfTheBondIsUnlocked() external {
        register(JUDGE, LOCK - 1);
        opened();
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotEligible.selector, JUDGE));
        propose(JUDGE, JUDGE);
        register(JUDGE, 1);
        propose(JUDGE, JUDGE);
    }

    function test_Accept_RevertGiven_APartyIsNamedByTheTerms() external {
        register(WORKER, BOND);
        IArbitration.Case memory case_ = caseBy(POSTER, 0);
        case_.named = WORKER;
        open(case_);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotEligible.selector, WORKER));
        propose(WORKER, WORKER);
    }

    /// @dev Within the consent window the parties may name another, or the same again.
    function test_StepDown_OpensTheCaseAgainForNothing() external {
        seated();
        mark();
        vm.warp(START + CONSENT);
        vm.expectEmit(address(arbitration));
        emit IArbitration.JudgeSteppedDown(TASK, JUDGE);
        vm.expectEmit(address(arbitration));
        emit IArbitration.JudgeFreed(TASK, JUDGE, LOCK);
        stepDown(JUDGE);
        _assertFree();
        assertPhase(IArbitration.DisputePhase.OPEN);
        propose(JUDGE, JUDGE);
        vm.assertEq(dispute().judge, JUDGE);
        vm.assertEq(dispute().rulingEnd, START + EVIDENCE + RULING);
    }

    /// @dev Later the court follows, whoever has spoken, to the last second of the ruling window.
    function test_StepDown_CallsTheCourtGiven_NobodyMayBeNamed() external {
        heard();
        mark();
        uint256[2] memory times = [START + CONSENT + 1, START + EVIDENCE + RULING];
        uint256 id = vm.snapshotState();
        for (uint256 i = 0; i < 2; ++i) {
            vm.warp(times[i]);
            vm.expectEmit(address(arbitration));
            emit IArbitration.CourtCalled(TASK, times[i] + DECISION);
            stepDown(JUDGE);
            _assertFree();
            assertPhase(IArbitration.DisputePhase.COURT);
            vm.revertToState(id);
        }
        vm.warp(START + EVIDENCE + RULING + 1);
        vm.expectRevert(
            abi.encodeWithSelector(IArbitration.RulingWindowClosed.selector, TASK, START + EVIDENCE + RULING)
        );
        stepDown(JUDGE);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotJudge.selector, TASK, POSTER));
        stepDown(POSTER);
    }

    function stepDown(address judge) private {
        vm.prank(judge);
        arbitration.stepDown(TASK);
    }

    function _assertFree() private view {
        Gains memory none;
        assertGains(none);
        IArbitration.Arbitrator memory free;
        free.bond = uint128(BOND);
        vm.assertEq(abi.encode(arbitration.arbitratorOf(JUDGE)), abi.encode(free));
        vm.assertEq(dispute().judge, address(0));
        vm.assertEq(dispute().rulingEnd, 0);
    }

    function _expectNotProposed(address arbitrator) private {
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotProposed.selector, TASK, arbitrator));
        propose(arbitrator, arbitrator);
    }
}
