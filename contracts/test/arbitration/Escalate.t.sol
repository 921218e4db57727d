// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";
import { MockDeposits } from "./ArbitrationMocks.sol";

contract EscalateTest is ArbitrationBase {
    function setUp() public override {
        super.setUp();
        registerMany(12);
    }

    function test_Escalate_RevertGiven_NotRuled() external {
        open(WORKER, arb(0));
        vm.prank(POSTER);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.EVIDENCE));
        arbitration.escalate(TASK);
    }

    function test_Escalate_RevertWhen_NotAParty() external {
        _ruled(5_000);
        vm.prank(arb(0));
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotParty.selector, TASK, arb(0)));
        arbitration.escalate(TASK);
    }

    function test_Escalate_RevertGiven_TheTopTier() external {
        _ruled(5_000);
        escalate(WORKER);
        ruleDrawn(5_000);
        escalate(POSTER);
        ruleDrawn(5_000);
        vm.assertEq(dispute().tier, 2);
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NoFurtherAppeal.selector, TASK));
        arbitration.escalate(TASK);
    }

    function test_Escalate_RevertWhen_TheAppealWindowHasClosed() external {
        _ruled(5_000);
        vm.warp(START + APPEAL + 1);
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.AppealWindowClosed.selector, TASK, START + APPEAL));
        arbitration.escalate(TASK);
    }

    function test_Escalate_RevertWhen_ThePosterGotEverything() external {
        _ruled(0);
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NothingToAppeal.selector, TASK, POSTER));
        arbitration.escalate(TASK);
        escalate(WORKER);
    }

    function test_Escalate_RevertWhen_TheWorkerGotEverything() external {
        _ruled(10_000);
        vm.prank(WORKER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NothingToAppeal.selector, TASK, WORKER));
        arbitration.escalate(TASK);
        escalate(POSTER);
    }

    function test_Escalate_RevertWhen_TheFreeDepositIsShort() external {
        _ruled(5_000);
        deposits.take(WORKER, DEPOSIT - 8e6 - 10e6 + 1);
        vm.prank(WORKER);
        vm.expectRevert(abi.encodeWithSelector(MockDeposits.InsufficientDeposit.selector, WORKER, 10e6 - 1, 10e6));
        arbitration.escalate(TASK);
        deposits.give(WORKER, 1);
        escalate(WORKER);
    }

    function test_Escalate_OpensTheNextTier() external {
        _ruled(4_000);
        vm.warp(START + APPEAL);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Escalated(TASK, WORKER, 1, 10e6, START + APPEAL + EVIDENCE);
        escalate(WORKER);

        IArbitration.Dispute memory d = dispute();
        assertPhase(IArbitration.DisputePhase.OPEN);
        vm.assertEq(d.tier, 1);
        vm.assertEq(d.workerBps, 4_000);
        vm.assertEq(d.consentEnd, START + APPEAL);
        vm.assertEq(d.seatEnd, START + APPEAL + EVIDENCE);
        vm.assertFalse(d.posterSpoke);
        vm.assertFalse(d.workerSpoke);
        IArbitration.Appeal[] memory appeals = arbitration.appealsOf(TASK);
        vm.assertEq(appeals.length, 1);
        vm.assertEq(appeals[0].appellant, WORKER);
        vm.assertEq(appeals[0].fromBps, 4_000);
        vm.assertEq(appeals[0].bond, 10e6);
    }

    function test_Escalate_ReservesTenThenTwenty() external {
        _ruled(4_000);
        escalate(WORKER);
        vm.assertEq(deposits.reserveOf(TASK, WORKER), 18e6);
        vm.assertEq(deposits.reserveOf(TASK, POSTER), 8e6);
        ruleDrawn(3_000);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Escalated(TASK, WORKER, 2, 20e6, block.timestamp + EVIDENCE);
        escalate(WORKER);
        vm.assertEq(deposits.reserveOf(TASK, WORKER), 38e6);
        vm.assertEq(arbitration.appealsOf(TASK)[1].bond, 20e6);
        vm.assertEq(arbitration.appealsOf(TASK)[1].fromBps, 3_000);
    }

    function test_Escalate_LetsTheNextTierReplaceItsOwnPanel() external {
        open(WORKER, arb(0));
        vm.warp(dispute().rulingEnd + 1);
        arbitration.resolveTimedOut(TASK);
        vm.assertTrue(dispute().reseated);
        ruleDrawn(5_000);
        escalate(WORKER);
        vm.assertFalse(dispute().reseated);
    }

    function _ruled(uint256 workerBps) private {
        open(WORKER, arb(0));
        speak(POSTER);
        vote(arb(0), workerBps);
    }
}

contract FinalizeTest is ArbitrationBase {
    function setUp() public override {
        super.setUp();
        registerMany(12);
    }

    function test_Finalize_RevertGiven_NotRuled() external {
        open(WORKER, arb(0));
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.EVIDENCE));
        arbitration.finalize(TASK);
    }

    function test_Finalize_RevertWhen_TheAppealWindowIsOpen() external {
        _ruled(5_000);
        vm.warp(START + APPEAL);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.AppealWindowOpen.selector, TASK, START + APPEAL));
        arbitration.finalize(TASK);
    }

    function test_Finalize_ClosesOnce() external {
        _ruled(5_000);
        vm.warp(START + APPEAL + 1);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(TASK, 5_000, false);
        vm.prank(STRANGER);
        arbitration.finalize(TASK);
        assertClosed(5_000);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.CLOSED));
        arbitration.finalize(TASK);
    }

    function test_Finalize_ChargesThePosterWhenTheWorkerGotEverything() external {
        _ruled(10_000);
        _finalizeRecording(WORKER, POSTER);
        _assertDeposits(DEPOSIT - 5e6, DEPOSIT);
        vm.assertEq(deposits.balanceOf(arb(0)), 5e6);
        assertClosed(10_000);
    }

    function test_Finalize_ChargesTheWorkerWhenItGotNothing() external {
        _ruled(0);
        _finalizeRecording(POSTER, WORKER);
        _assertDeposits(DEPOSIT, DEPOSIT - 5e6);
        vm.assertEq(deposits.balanceOf(arb(0)), 5e6);
        assertClosed(0);
    }

    function test_Finalize_ChargesHalfFromEachWhenItWasSplit() external {
        uint256 id = vm.snapshotState();
        uint256[3] memory shares = [uint256(1), 5_000, 9_999];
        for (uint256 i = 0; i < 3; ++i) {
            _ruled(shares[i]);
            finalizeNow();
            _assertDeposits(DEPOSIT - 2.5e6, DEPOSIT - 2.5e6);
            vm.assertEq(deposits.balanceOf(arb(0)), 5e6);
            vm.assertEq(reputation.records(), 0);
            assertClosed(shares[i]);
            vm.revertToState(id);
        }
    }

    function test_Finalize_DividesEquallyAmongNineAndLeavesTheDust() external {
        _ruled(4_000);
        escalate(WORKER);
        ruleDrawn(4_000);
        escalate(POSTER);
        ruleDrawn(6_000);
        finalizeNow();
        // The worker pays 2.5 and keeps its bond, the poster pays 2.5 and its bond of 20.
        uint256 fromWorker = uint256(2.5e6) / 9;
        uint256 fromPoster = uint256(22.5e6) / 9;
        vm.assertEq(bench().length, 9);
        for (uint256 i = 0; i < 9; ++i) {
            vm.assertEq(deposits.balanceOf(bench()[i].arbitrator), fromWorker + fromPoster);
        }
        _assertDeposits(DEPOSIT - 9 * fromPoster, DEPOSIT - 9 * fromWorker);
    }

    function test_Finalize_DividesWhatThereIs() external {
        deposits.take(POSTER, DEPOSIT - 4e6 - 2);
        open(WORKER, arb(0));
        speak(POSTER);
        vote(arb(0), 5_000);
        escalate(WORKER);
        ruleDrawn(10_000);
        finalizeNow();
        vm.assertEq(bench().length, 4);
        for (uint256 i = 0; i < 4; ++i) {
            vm.assertEq(deposits.balanceOf(bench()[i].arbitrator), 1e6);
        }
        _assertDeposits(2, DEPOSIT);
    }

    function test_Finalize_TakesNothingFromAnEmptyReserve() external {
        deposits.take(POSTER, DEPOSIT);
        _ruled(10_000);
        finalizeNow();
        vm.assertEq(deposits.balanceOf(arb(0)), 0);
        assertClosed(10_000);
    }

    function test_Finalize_JudgesTheWorkersAppeal() external {
        // From 4,000 to: better, equal, worse. What the worker pays beyond its fee.
        _judge(WORKER, 4_001, 0, 0);
        _judge(WORKER, 4_000, 0, 10e6);
        _judge(WORKER, 3_999, 0, 10e6);
    }

    function test_Finalize_JudgesThePostersAppeal() external {
        _judge(POSTER, 3_999, 0, 0);
        _judge(POSTER, 4_000, 10e6, 0);
        _judge(POSTER, 4_001, 10e6, 0);
    }

    function test_Finalize_JudgesEachAppealByTheFinalRuling() external {
        // The worker went from 4,000 to 7,000, the poster back to 4,000: only the poster won something.
        _judgeTwo(WORKER, POSTER, 4_000, 0, 10e6);
        // Back to 5,000: both won something.
        _judgeTwo(WORKER, POSTER, 5_000, 0, 0);
        // Up to 7,000 again: only the worker did.
        _judgeTwo(WORKER, POSTER, 7_000, 20e6, 0);
        // Two appeals by one party, each against its own ruling.
        _judgeTwo(WORKER, WORKER, 4_000, 0, 30e6);
        _judgeTwo(WORKER, WORKER, 7_000, 0, 20e6);
        _judgeTwo(WORKER, WORKER, 7_001, 0, 0);
        _judgeTwo(POSTER, POSTER, 7_000, 30e6, 0);
        _judgeTwo(POSTER, POSTER, 4_000, 10e6, 0);
        _judgeTwo(POSTER, POSTER, 3_999, 0, 0);
    }

    function _judge(address appellant, uint256 to, uint256 posterLoses, uint256 workerLoses) private {
        uint256 id = vm.snapshotState();
        _ruled(4_000);
        escalate(appellant);
        ruleDrawn(to);
        finalizeNow();
        _assertLost(posterLoses, workerLoses);
        vm.revertToState(id);
    }

    function _judgeTwo(address first, address second, uint256 to, uint256 posterLoses, uint256 workerLoses) private {
        uint256 id = vm.snapshotState();
        _ruled(4_000);
        escalate(first);
        ruleDrawn(7_000);
        escalate(second);
        ruleDrawn(to);
        finalizeNow();
        _assertLost(posterLoses, workerLoses);
        vm.revertToState(id);
    }

    /// @dev What each lost beyond half the fee, less the dust that cannot be divided.
    function _assertLost(uint256 poster, uint256 worker) private view {
        uint256 members = bench().length;
        uint256 posterPaid = (2.5e6 + poster) / members * members;
        uint256 workerPaid = (2.5e6 + worker) / members * members;
        _assertDeposits(DEPOSIT - posterPaid, DEPOSIT - workerPaid);
    }

    function _assertDeposits(uint256 poster, uint256 worker) private view {
        vm.assertEq(deposits.balanceOf(POSTER), poster);
        vm.assertEq(deposits.balanceOf(WORKER), worker);
        vm.assertEq(deposits.reserveOf(TASK, POSTER), 0);
        vm.assertEq(deposits.reserveOf(TASK, WORKER), 0);
    }

    function _finalizeRecording(address winner, address loser) private {
        vm.warp(dispute().appealEnd + 1);
        vm.expectCall(address(reputation), abi.encodeCall(reputation.recordDispute, (TASK, winner, loser)));
        arbitration.finalize(TASK);
        vm.assertEq(reputation.records(), 1);
    }

    function _ruled(uint256 workerBps) private {
        open(WORKER, arb(0));
        speak(POSTER);
        vote(arb(0), workerBps);
    }
}
