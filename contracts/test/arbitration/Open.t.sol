// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {
    COURT_SHARE_BPS,
    MAX_COURT_SHARE,
    MIN_LOST_STAKE_BPS,
    OPENER_STAKE_BPS,
    SETTLEMENT_BPS
} from "../../src/Arbitration.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

contract OpenTest is ArbitrationBase {
    function test_Constants() external pure {
        vm.assertEq(OPENER_STAKE_BPS, 1_000);
        vm.assertEq(SETTLEMENT_BPS, 100);
        vm.assertEq(MIN_LOST_STAKE_BPS, 500);
        vm.assertEq(COURT_SHARE_BPS, 100);
        vm.assertEq(MAX_COURT_SHARE, 1_000e18);
    }

    function test_Open_RevertWhen_TheCallerIsNotTheRegistry() external {
        vm.prank(STRANGER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.Unauthorized.selector, STRANGER));
        arbitration.open(TASK, caseBy(POSTER, 0));
    }

    function test_Open_RevertGiven_ALiveCase() external {
        register(JUDGE, BOND);
        opened();
        _expectLive(IArbitration.DisputePhase.OPEN);
        propose(JUDGE, JUDGE);
        speak(WORKER, ASK);
        _expectLive(IArbitration.DisputePhase.EVIDENCE);
        rule(JUDGE, true);
        _expectLive(IArbitration.DisputePhase.RULED);
        escalate(POSTER);
        _expectLive(IArbitration.DisputePhase.COURT);
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
        vm.assertEq(deposits.reserveOf(TASK, POSTER), 13e6);
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

    function test_Open_RevertWhen_TheStakeDoesNotArrive() external {
        gateway.setKept(1);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.UnexpectedAmount.selector, STAKE, STAKE - 1));
        open(caseBy(POSTER, 0));
    }

    /// @dev Of the poster that opens, and only if it has the money.
    function test_Open_MakesTheReserveWhole() external {
        deposits.take(POSTER, DEPOSIT - 13e6);
        open(caseBy(WORKER, 1));
        registry.concede(TASK);
        deposits.penalise(TASK, POSTER, JUDGE, 5e6);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, POSTER, 0, 5e6));
        open(caseBy(POSTER, 0));
        deposits.give(POSTER, 5e6);
        open(caseBy(POSTER, 0));
        vm.assertEq(deposits.reserveOf(TASK, POSTER), 13e6);
    }

    function test_Open_StakesNothingForADustMilestone() external {
        IArbitration.Case memory case_ = caseBy(POSTER, 0);
        case_.amount = 9;
        open(case_);
        vm.assertEq(dispute().stake, 0);
    }

    function test_Open_StartsAfreshAfterAClosedCase() external {
        // A case with all that a case can leave behind: proposals, a judge, a ruling, an appeal.
        register(JUDGE, BOND);
        opened();
        propose(POSTER, arb(0));
        propose(WORKER, arb(1));
        propose(JUDGE, JUDGE);
        speak(WORKER, ASK);
        rule(JUDGE, true);
        escalate(POSTER);
        decide(true);
        vm.warp(START + 10 days);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseOpened(TASK, 2, WORKER, HASH, 1, 0, START + 10 days + CONSENT, START + 10 days + EVIDENCE);
        open(caseBy(WORKER, 1));
        IArbitration.Dispute memory expected = _expected(2);
        expected.workerSpoke = true;
        expected.askBps = 1;
        vm.assertEq(abi.encode(dispute()), abi.encode(expected));
    }

    function _expectLive(IArbitration.DisputePhase phase) private {
        vm.expectRevert(wrongPhase(phase));
        opened();
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
