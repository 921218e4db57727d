// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

contract OpenTest is ArbitrationBase {
    function test_Open_RevertWhen_TheCallerIsNotTheRegistry() external {
        vm.prank(STRANGER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.Unauthorized.selector, STRANGER));
        arbitration.open(TASK, WORKER, HASH, POSTER, WORKER, address(0));
    }

    function test_Open_RevertGiven_ALiveCase() external {
        register(arb(0), 10_000e18);
        open(WORKER, address(0));
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.OPEN));
        open(WORKER, address(0));
        seatDrawn(HASH);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.EVIDENCE));
        open(WORKER, address(0));
        speakBoth();
        voteAll(1);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.RULED));
        open(WORKER, address(0));
    }

    function test_Open_StoresTheCaseOpenedByTheWorker() external {
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseOpened(TASK, 1, WORKER, HASH, START + CONSENT, START + CONSENT + EVIDENCE);
        open(WORKER, address(0));

        IArbitration.Dispute memory d = dispute();
        assertPhase(IArbitration.DisputePhase.OPEN);
        vm.assertEq(d.poster, POSTER);
        vm.assertEq(d.worker, WORKER);
        vm.assertEq(d.number, 1);
        vm.assertEq(d.tier, 0);
        vm.assertFalse(d.posterSpoke);
        vm.assertTrue(d.workerSpoke);
        vm.assertEq(d.consentEnd, START + CONSENT);
        vm.assertEq(d.seatEnd, START + CONSENT + EVIDENCE);
        vm.assertEq(bench().length, 0);
    }

    function test_Open_StoresWhatThePosterSaid() external {
        open(POSTER, address(0));
        vm.assertTrue(dispute().posterSpoke);
        vm.assertFalse(dispute().workerSpoke);
    }

    function test_Open_RefillsBothReservesAsFarAsTheDepositsGo() external {
        deposits.reserve(TASK, WORKER, 3e6);
        deposits.take(POSTER, DEPOSIT - 2e6);
        open(WORKER, address(0));
        vm.assertEq(deposits.reserveOf(TASK, WORKER), 8e6);
        vm.assertEq(deposits.reserveOf(TASK, POSTER), 2e6);
    }

    function test_Open_StartsAfreshAfterAClosedCase() external {
        registerMany(4);
        open(WORKER, arb(0));
        speakBoth();
        vote(arb(0), 4_000);
        escalate(WORKER);
        vm.warp(dispute().seatEnd - 1);
        arbitration.seat(TASK);
        registry.concede(TASK);
        vm.assertEq(arbitration.appealsOf(TASK).length, 1);

        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseOpened(
            TASK, 2, POSTER, HASH, block.timestamp + CONSENT, block.timestamp + CONSENT + EVIDENCE
        );
        open(POSTER, address(0));
        IArbitration.Dispute memory d = dispute();
        vm.assertEq(d.number, 2);
        vm.assertEq(d.tier, 0);
        vm.assertEq(d.workerBps, 0);
        vm.assertEq(d.panelStart, 0);
        vm.assertEq(d.drawBlock, 0);
        vm.assertEq(d.evidenceEnd, 0);
        vm.assertEq(d.appealEnd, 0);
        vm.assertTrue(d.posterSpoke);
        vm.assertFalse(d.workerSpoke);
        vm.assertEq(bench().length, 0);
        vm.assertEq(arbitration.appealsOf(TASK).length, 0);
    }

    function test_Open_SeatsANamedArbitratorAtOnce() external {
        register(arb(0), 10_000e18);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseOpened(TASK, 1, WORKER, HASH, START + CONSENT, START + CONSENT + EVIDENCE);
        vm.expectEmit(address(arbitration));
        emit IArbitration.PanelSeated(TASK, 0, one(arb(0)), START + EVIDENCE, START + EVIDENCE + RULING);
        open(WORKER, arb(0));

        IArbitration.Dispute memory d = dispute();
        assertPhase(IArbitration.DisputePhase.EVIDENCE);
        vm.assertEq(d.panelStart, 0);
        vm.assertEq(d.evidenceEnd, START + EVIDENCE);
        vm.assertEq(d.rulingEnd, START + EVIDENCE + RULING);
        vm.assertEq(bench().length, 1);
        vm.assertEq(bench()[0].arbitrator, arb(0));
        vm.assertFalse(bench()[0].voted);
        vm.assertEq(arbitration.arbitratorOf(arb(0)).openCases, 1);
    }

    function test_Open_StaysOpenWhenTheNamedOneIsIneligible() external {
        open(WORKER, arb(0));
        assertPhase(IArbitration.DisputePhase.OPEN);
    }

    function test_Open_StaysOpenWhenAPartyIsNamed() external {
        register(POSTER, 10_000e18);
        register(WORKER, 10_000e18);
        open(WORKER, WORKER);
        assertPhase(IArbitration.DisputePhase.OPEN);
        registry.concede(TASK);
        open(WORKER, POSTER);
        assertPhase(IArbitration.DisputePhase.OPEN);
    }

    function test_Open_SeatsAMemberOfTheCaseBefore() external {
        register(arb(0), 10_000e18);
        open(WORKER, arb(0));
        registry.concede(TASK);
        open(WORKER, arb(0));
        assertPhase(IArbitration.DisputePhase.EVIDENCE);
        vm.assertEq(bench().length, 1);
    }
}

contract ProposeTest is ArbitrationBase {
    function test_Propose_RevertGiven_NotOpen() external {
        vm.prank(POSTER);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.NONE));
        arbitration.propose(TASK, arb(0));
        registerMany(2);
        open(WORKER, arb(0));
        vm.prank(POSTER);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.EVIDENCE));
        arbitration.propose(TASK, arb(1));
    }

    function test_Propose_RevertWhen_NotAParty() external {
        registerMany(1);
        open(WORKER, address(0));
        vm.prank(arb(0));
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotParty.selector, TASK, arb(0)));
        arbitration.propose(TASK, arb(0));
    }

    function test_Propose_RevertWhen_PastTheSeatWindow() external {
        registerMany(1);
        open(WORKER, address(0));
        uint256 seatEnd = START + CONSENT + EVIDENCE;
        vm.warp(seatEnd + 1);
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.SeatWindowClosed.selector, TASK, seatEnd));
        arbitration.propose(TASK, arb(0));
    }

    function test_Propose_RevertWhen_NotEligible() external {
        register(POSTER, 10_000e18);
        register(WORKER, 10_000e18);
        registerMany(2);
        vm.prank(arb(1));
        arbitration.requestUnbond();
        open(WORKER, arb(0));
        vm.warp(dispute().rulingEnd + 1);
        arbitration.resolveTimedOut(TASK);
        register(arb(0), 1_000e18);
        vm.assertTrue(arbitration.isEligible(arb(0)));

        address[5] memory refused = [STRANGER, POSTER, WORKER, arb(1), arb(0)];
        for (uint256 i = 0; i < 5; ++i) {
            vm.prank(POSTER);
            vm.expectRevert(abi.encodeWithSelector(IArbitration.NotEligible.selector, refused[i]));
            arbitration.propose(TASK, refused[i]);
        }
    }

    function test_Propose_StoresAndReplacesOnlyTheProposersOwn() external {
        registerMany(3);
        open(WORKER, address(0));
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorProposed(TASK, POSTER, arb(0));
        propose(POSTER, arb(0));
        _assertProposals(arb(0), address(0));
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorProposed(TASK, WORKER, arb(1));
        propose(WORKER, arb(1));
        _assertProposals(arb(0), arb(1));
        propose(POSTER, arb(2));
        _assertProposals(arb(2), arb(1));
        assertPhase(IArbitration.DisputePhase.OPEN);
    }

    function test_Propose_SeatsTheOneBothNamed() external {
        registerMany(3);
        open(WORKER, address(0));
        propose(WORKER, arb(2));
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorProposed(TASK, POSTER, arb(2));
        vm.expectEmit(address(arbitration));
        emit IArbitration.PanelSeated(TASK, 0, one(arb(2)), START + EVIDENCE, START + EVIDENCE + RULING);
        propose(POSTER, arb(2));
        assertPhase(IArbitration.DisputePhase.EVIDENCE);
        vm.assertEq(panel()[0], arb(2));
        _assertProposals(address(0), address(0));
    }

    function test_Propose_SeatsUntilTheLastSecondOfTheSeatWindow() external {
        registerMany(1);
        open(WORKER, address(0));
        propose(WORKER, arb(0));
        vm.warp(START + CONSENT + EVIDENCE);
        propose(POSTER, arb(0));
        assertPhase(IArbitration.DisputePhase.EVIDENCE);
    }

    function test_Propose_RevertGiven_TheCandidateBecameIneligible() external {
        registerMany(1);
        open(WORKER, address(0));
        propose(WORKER, arb(0));
        vm.prank(arb(0));
        arbitration.requestUnbond();
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotEligible.selector, arb(0)));
        arbitration.propose(TASK, arb(0));
    }

    function test_Propose_DropsADrawUnderWay() external {
        registerMany(2);
        open(WORKER, address(0));
        vm.warp(START + CONSENT + 1);
        arbitration.seat(TASK);
        vm.assertEq(dispute().drawBlock, block.number + 4);
        propose(WORKER, arb(1));
        propose(POSTER, arb(1));
        vm.assertEq(dispute().drawBlock, 0);
        vm.assertEq(panel()[0], arb(1));
    }

    function test_Propose_DoesNotCountTheProposalsOfTheTierBefore() external {
        registerMany(5);
        open(WORKER, address(0));
        propose(POSTER, arb(4));
        propose(WORKER, arb(3));
        seatDrawn(HASH);
        speakBoth();
        voteAll(5_000);
        escalate(WORKER);
        address other = panel()[0] == arb(4) ? arb(3) : arb(4);
        address proposer = other == arb(4) ? WORKER : POSTER;
        propose(proposer, other);
        assertPhase(IArbitration.DisputePhase.OPEN);
        propose(proposer == WORKER ? POSTER : WORKER, other);
        vm.assertEq(panel().length, 1);
        vm.assertEq(panel()[0], other);
        vm.assertEq(dispute().panelStart, 1);
        vm.assertEq(dispute().tier, 1);
    }

    function _assertProposals(address poster, address worker) private view {
        vm.assertEq(dispute().posterProposal, poster);
        vm.assertEq(dispute().workerProposal, worker);
    }
}
