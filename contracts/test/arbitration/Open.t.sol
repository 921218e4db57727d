// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { COURT_SHARE_BPS, OPENER_STAKE_BPS, SETTLEMENT_BPS } from "../../src/Arbitration.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";
import { MockDeposits } from "./ArbitrationMocks.sol";

contract OpenTest is ArbitrationBase {
    function test_Constants() external pure {
        vm.assertEq(OPENER_STAKE_BPS, 1_000);
        vm.assertEq(SETTLEMENT_BPS, 100);
        vm.assertEq(COURT_SHARE_BPS, 100);
    }

    function test_Open_RevertWhen_TheCallerIsNotTheRegistry() external {
        vm.prank(STRANGER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.Unauthorized.selector, STRANGER));
        arbitration.open(TASK, caseBy(POSTER, 0));
    }

    function test_Open_RevertGiven_ALiveCase() external {
        heard();
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.EVIDENCE));
        opened();
        rule(JUDGE, true);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.RULED));
        opened();
        escalate(POSTER);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.COURT));
        opened();
    }

    function test_Open_RevertGiven_AnOpenCase() external {
        opened();
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.OPEN));
        opened();
    }

    function test_Open_RevertWhen_ThereIsNothingToDecide() external {
        vm.expectRevert(abi.encodeWithSelector(IArbitration.ShareOutOfRange.selector, 10_000, 0, 9_999));
        open(caseBy(POSTER, 10_000));
        vm.expectRevert(abi.encodeWithSelector(IArbitration.ShareOutOfRange.selector, 0, 1, 10_000));
        open(caseBy(WORKER, 0));
        vm.expectRevert(abi.encodeWithSelector(IArbitration.ShareOutOfRange.selector, 10_001, 1, 10_000));
        open(caseBy(WORKER, 10_001));
        open(caseBy(POSTER, 9_999));
    }

    function test_Open_StoresTheCaseOpenedByThePoster() external {
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseOpened(TASK, 1, POSTER, HASH, OFFER, STAKE, START + CONSENT, START + EVIDENCE);
        opened();

        IArbitration.Dispute memory expected = _expected(1);
        expected.named = JUDGE;
        expected.openedByPoster = true;
        expected.posterSpoke = true;
        expected.offerBps = uint16(OFFER);
        expected.askBps = 10_000;
        expected.stake = uint128(STAKE);
        vm.assertEq(abi.encode(dispute()), abi.encode(expected));
        assertPhase(IArbitration.DisputePhase.OPEN);
        vm.assertEq(arbitration.totalStakes(), STAKE);
        vm.assertEq(deposits.reserveOf(TASK, POSTER), 8e6);
        vm.assertEq(deposits.reserveOf(TASK, WORKER), 8e6);
        Gains memory g;
        g.posterTok = -int256(STAKE);
        assertGains(g);
    }

    function test_Open_StoresTheCaseOpenedByTheWorker() external {
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseOpened(TASK, 1, WORKER, HASH, ASK, 0, START + CONSENT, START + EVIDENCE);
        open(caseBy(WORKER, ASK));

        IArbitration.Dispute memory expected = _expected(1);
        expected.workerSpoke = true;
        expected.askBps = uint16(ASK);
        vm.assertEq(abi.encode(dispute()), abi.encode(expected));
        Gains memory g;
        assertGains(g);
    }

    function test_Open_RevertWhen_ThePostersDepositIsShort() external {
        deposits.take(POSTER, DEPOSIT - 8e6 + 1);
        vm.expectRevert(abi.encodeWithSelector(MockDeposits.InsufficientDeposit.selector, POSTER, 8e6 - 1, 8e6));
        open(caseBy(POSTER, 0));
        deposits.give(POSTER, 1);
        open(caseBy(POSTER, 0));
    }

    function test_Open_RevertWhen_TheStakeDoesNotArrive() external {
        gateway.setKept(1);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.UnexpectedAmount.selector, STAKE, STAKE - 1));
        open(caseBy(POSTER, 0));
    }

    function test_Open_RefillsTheOtherReservesAsFarAsTheDepositsGo() external {
        deposits.reserve(TASK, WORKER, 3e6);
        deposits.take(POSTER, DEPOSIT - 2e6);
        open(caseBy(WORKER, 1));
        vm.assertEq(deposits.reserveOf(TASK, WORKER), 8e6);
        vm.assertEq(deposits.reserveOf(TASK, POSTER), 2e6);
    }

    function test_Open_StakesNothingForADustMilestone() external {
        IArbitration.Case memory case_ = caseBy(POSTER, 0);
        case_.amount = 9;
        open(case_);
        vm.assertEq(dispute().stake, 0);
    }

    function test_Open_StartsAfreshAfterAClosedCase() external {
        // A case with all that a case can leave behind: proposals, a draw, a judge, a ruling, an appeal.
        register(JUDGE, BOND);
        opened();
        propose(POSTER, arb(0));
        propose(WORKER, arb(1));
        vm.warp(START + CONSENT + 1);
        arbitration.seat(TASK);
        propose(JUDGE, JUDGE);
        speak(WORKER, ASK);
        rule(JUDGE, true);
        escalate(POSTER);
        decide(true, false);
        vm.warp(START + 10 days);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseOpened(TASK, 2, WORKER, HASH, 1, 0, START + 10 days + CONSENT, START + 10 days + EVIDENCE);
        open(caseBy(WORKER, 1));
        IArbitration.Dispute memory expected = _expected(2);
        expected.workerSpoke = true;
        expected.askBps = 1;
        vm.assertEq(abi.encode(dispute()), abi.encode(expected));
    }

    function test_Propose_RevertGiven_TheCaseIsNotOpen() external {
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.NONE));
        propose(POSTER, arb(0));
        seated();
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.EVIDENCE));
        propose(POSTER, arb(0));
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.EVIDENCE));
        propose(JUDGE, JUDGE);
    }

    function test_Propose_RevertWhen_TheCallerIsNoParty() external {
        opened();
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotParty.selector, TASK, STRANGER));
        propose(STRANGER, arb(0));
    }

    function test_Propose_RevertWhen_APartyIsNamed() external {
        opened();
        address[2] memory parties = [POSTER, WORKER];
        for (uint256 i = 0; i < 4; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IArbitration.NotEligible.selector, parties[i / 2]));
            propose(parties[i % 2], parties[i / 2]);
        }
    }

    function test_Propose_NotesWhomAPartyNames() external {
        opened();
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorProposed(TASK, POSTER, arb(0));
        propose(POSTER, arb(0));
        vm.warp(START + EVIDENCE);
        propose(WORKER, arb(1));
        vm.assertEq(dispute().posterProposal, arb(0));
        vm.assertEq(dispute().workerProposal, arb(1));
        assertPhase(IArbitration.DisputePhase.OPEN);
        vm.warp(START + EVIDENCE + 1);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.EvidenceWindowClosed.selector, TASK, START + EVIDENCE));
        propose(WORKER, arb(0));
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

    function test_Accept_SeatsTheNamedOneWithAYoungBond() external {
        register(JUDGE, BOND);
        opened();
        vm.warp(START + EVIDENCE);
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

    function test_Accept_RevertWhen_TheEvidenceWindowHasClosed() external {
        register(JUDGE, BOND);
        opened();
        vm.warp(START + EVIDENCE + 1);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.EvidenceWindowClosed.selector, TASK, START + EVIDENCE));
        propose(JUDGE, JUDGE);
    }

    function test_Accept_RevertGiven_TooLittleOfTheBondIsUnlocked() external {
        register(JUDGE, LOCK - 1);
        opened();
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotEligible.selector, JUDGE));
        propose(JUDGE, JUDGE);
        register(JUDGE, 1);
        propose(JUDGE, JUDGE);
    }

    function test_Accept_SitsWhileADrawIsUnderWay() external {
        register(JUDGE, BOND);
        registerOld(arb(0), BOND);
        opened();
        vm.warp(START + CONSENT + 1);
        arbitration.seat(TASK);
        reveal(HASH);
        propose(JUDGE, JUDGE);
        vm.assertEq(dispute().judge, JUDGE);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.EVIDENCE));
        arbitration.seat(TASK);
    }

    function test_Accept_RevertGiven_APartyIsNamedByTheTerms() external {
        register(WORKER, BOND);
        IArbitration.Case memory case_ = caseBy(POSTER, 0);
        case_.named = WORKER;
        open(case_);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotEligible.selector, WORKER));
        propose(WORKER, WORKER);
    }

    function _expectNotProposed(address arbitrator) private {
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotProposed.selector, TASK, arbitrator));
        propose(arbitrator, arbitrator);
    }

    /// @dev What every case opened now has.
    function _expected(uint16 number) private view returns (IArbitration.Dispute memory expected) {
        expected.poster = POSTER;
        expected.worker = WORKER;
        expected.phase = IArbitration.DisputePhase.OPEN;
        expected.number = number;
        expected.openedAt = uint40(block.timestamp);
        expected.consentEnd = uint40(block.timestamp + CONSENT);
        expected.evidenceEnd = uint40(block.timestamp + EVIDENCE);
        expected.amount = AMOUNT;
    }
}
