// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

contract TimedOutTest is ArbitrationBase {
    function test_TimedOut_RevertGiven_NothingWaits() external {
        registerMany(1);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.NONE));
        arbitration.resolveTimedOut(TASK);
        open(WORKER, arb(0));
        speak(POSTER);
        vote(arb(0), 1);
        vm.warp(block.timestamp + 365 days);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.RULED));
        arbitration.resolveTimedOut(TASK);
        finalizeNow();
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.CLOSED));
        arbitration.resolveTimedOut(TASK);
    }

    function test_TimedOut_RevertWhen_TheSeatWindowIsOpen() external {
        open(WORKER, address(0));
        uint256 seatEnd = START + CONSENT + EVIDENCE;
        vm.warp(seatEnd);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotTimedOut.selector, TASK, seatEnd));
        arbitration.resolveTimedOut(TASK);
    }

    function test_TimedOut_RevertWhen_TheRulingWindowIsOpen() external {
        registerMany(1);
        open(WORKER, arb(0));
        uint256 rulingEnd = START + EVIDENCE + RULING;
        vm.warp(rulingEnd);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotTimedOut.selector, TASK, rulingEnd));
        arbitration.resolveTimedOut(TASK);
    }

    function test_TimedOut_GivesTheWorkerEverythingWhenItAloneSpoke() external {
        open(WORKER, address(0));
        vm.warp(START + CONSENT + EVIDENCE + 1);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(TASK, 10_000, true);
        vm.expectCall(address(reputation), abi.encodeCall(reputation.recordDispute, (TASK, WORKER, POSTER)));
        vm.prank(STRANGER);
        arbitration.resolveTimedOut(TASK);
        assertClosed(10_000);
        _assertDeposits(DEPOSIT, DEPOSIT);
    }

    function test_TimedOut_GivesThePosterEverythingWhenItAloneSpoke() external {
        open(POSTER, address(0));
        vm.warp(START + CONSENT + EVIDENCE + 1);
        vm.expectCall(address(reputation), abi.encodeCall(reputation.recordDispute, (TASK, POSTER, WORKER)));
        arbitration.resolveTimedOut(TASK);
        assertClosed(0);
        _assertDeposits(DEPOSIT, DEPOSIT);
    }

    function test_TimedOut_HalvesWhenBothSpoke() external {
        open(POSTER, address(0));
        speak(WORKER);
        vm.warp(START + CONSENT + EVIDENCE + 1);
        arbitration.resolveTimedOut(TASK);
        assertClosed(5_000);
        vm.assertEq(reputation.records(), 0);
        _assertDeposits(DEPOSIT, DEPOSIT);
    }

    function test_TimedOut_ReplacesASilentPanel() external {
        registerMany(2);
        open(WORKER, arb(0));
        uint256 t = START + EVIDENCE + RULING + 1;
        vm.warp(t);
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorSlashed(TASK, arb(0), 1_000e18, 9_000e18);
        vm.expectEmit(address(arbitration));
        emit IArbitration.PanelReplaced(TASK, 0, t + EVIDENCE);
        arbitration.resolveTimedOut(TASK);

        IArbitration.Dispute memory d = dispute();
        assertPhase(IArbitration.DisputePhase.OPEN);
        vm.assertTrue(d.reseated);
        vm.assertEq(d.tier, 0);
        vm.assertEq(d.seatEnd, t + EVIDENCE);
        vm.assertEq(d.drawBlock, 0);
        vm.assertTrue(d.workerSpoke);
        vm.assertFalse(d.posterSpoke);
        vm.assertEq(bench().length, 0);

        vm.warp(t + EVIDENCE);
        seatDrawn(HASH);
        vm.assertEq(panel()[0], arb(1));
        vm.assertEq(dispute().panelStart, 0);
    }

    function test_TimedOut_LetsTheRecordRuleAfterTheSecondSilence() external {
        registerMany(2);
        open(WORKER, arb(0));
        vm.warp(dispute().rulingEnd + 1);
        arbitration.resolveTimedOut(TASK);
        seatDrawn(HASH);
        vm.warp(dispute().rulingEnd + 1);
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorSlashed(TASK, arb(1), 1_000e18, 9_000e18);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(TASK, 10_000, true);
        arbitration.resolveTimedOut(TASK);
        assertClosed(10_000);
        vm.assertEq(bench().length, 0);
        _assertDeposits(DEPOSIT, DEPOSIT);
        vm.assertEq(arbitration.withdrawableOf(POSTER), 1_000e18);
        vm.assertEq(arbitration.withdrawableOf(WORKER), 1_000e18);
    }

    function test_TimedOut_LetsTheRecordRuleWhenNobodySitsAgain() external {
        registerMany(1);
        open(WORKER, arb(0));
        speak(POSTER);
        vm.warp(dispute().rulingEnd + 1);
        arbitration.resolveTimedOut(TASK);
        uint256 seatEnd = dispute().seatEnd;
        vm.warp(seatEnd);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotTimedOut.selector, TASK, seatEnd));
        arbitration.resolveTimedOut(TASK);
        vm.warp(seatEnd + 1);
        arbitration.resolveTimedOut(TASK);
        assertClosed(5_000);
    }

    function test_TimedOut_RulesWithTheVotesThereAre() external {
        registerMany(12);
        _appealed();
        seatDrawn(HASH);
        speakBoth();
        address[] memory members = panel();
        vote(members[1], 9_000);
        vm.warp(dispute().rulingEnd + 1);
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorSlashed(TASK, members[2], 1_000e18, 9_000e18);
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorSlashed(TASK, members[0], 1_000e18, 9_000e18);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Ruled(TASK, 1, 9_000, block.timestamp + APPEAL);
        arbitration.resolveTimedOut(TASK);
        assertPhase(IArbitration.DisputePhase.RULED);
        vm.assertFalse(dispute().reseated);
        IArbitration.Seat[] memory seats = bench();
        vm.assertEq(seats.length, 2);
        vm.assertEq(seats[0].arbitrator, arb(0));
        vm.assertEq(seats[1].arbitrator, members[1]);
        escalate(POSTER);
    }

    /// @dev Each way that some of five may be silent leaves exactly the voters on the bench.
    function test_TimedOut_RemovesExactlyTheSilent() external {
        registerMany(20);
        _appealed();
        ruleDrawn(5_000);
        escalate(WORKER);
        seatDrawn(HASH);
        speakBoth();
        address[] memory members = panel();
        uint256 rulingEnd = dispute().rulingEnd;
        uint256 id = vm.snapshotState();
        for (uint256 voters = 1; voters < 31; ++voters) {
            uint256 count = 0;
            for (uint256 i = 0; i < 5; ++i) {
                if ((voters >> i) & 1 == 0) continue;
                vote(members[i], 100 * i);
                count += 1;
            }
            vm.warp(rulingEnd + 1);
            arbitration.resolveTimedOut(TASK);
            vm.assertEq(bench().length, 4 + count);
            address[] memory left = panel();
            for (uint256 i = 0; i < count; ++i) {
                vm.assertEq(arbitration.arbitratorOf(left[i]).timedOut, 0);
                vm.assertTrue(bench()[4 + i].voted);
            }
            for (uint256 i = 0; i < 5; ++i) {
                vm.assertEq(arbitration.arbitratorOf(members[i]).timedOut, 1 - ((voters >> i) & 1));
            }
            vm.revertToState(id);
        }
    }

    function test_TimedOut_LeavesTheRulingWhenNobodyHeardTheAppeal() external {
        registerMany(1);
        _appealed();
        // Only the poster speaks to the appeal, and still the record of the first tier does not count again.
        speak(POSTER);
        vm.warp(dispute().seatEnd + 1);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(TASK, 4_000, true);
        arbitration.resolveTimedOut(TASK);
        assertClosed(4_000);
        vm.assertEq(deposits.balanceOf(arb(0)), 5e6);
        _assertDeposits(DEPOSIT - 2.5e6, DEPOSIT - 2.5e6);
    }

    function test_TimedOut_JudgesTheEarlierAppealWhenNobodyHeardTheLast() external {
        registerMany(4);
        _appealed();
        ruleDrawn(4_000);
        escalate(POSTER);
        vm.warp(dispute().seatEnd + 1);
        arbitration.resolveTimedOut(TASK);
        assertClosed(4_000);
        // Four members share the worker's half fee and lost bond, and the poster's half fee.
        vm.assertEq(deposits.balanceOf(arb(0)), 12.5e6 / 4 + 2.5e6 / 4);
        _assertDeposits(DEPOSIT - 2.5e6, DEPOSIT - 12.5e6);
    }

    function test_TimedOut_ReplacesThePanelOfAnAppealOnceThenLeavesTheRuling() external {
        registerMany(20);
        _appealed();
        seatDrawn(HASH);
        vm.warp(dispute().rulingEnd + 1);
        vm.expectEmit(address(arbitration));
        emit IArbitration.PanelReplaced(TASK, 1, block.timestamp + EVIDENCE);
        arbitration.resolveTimedOut(TASK);
        vm.assertEq(bench().length, 1);
        seatDrawn(HASH);
        vm.assertEq(dispute().panelStart, 1);
        vm.assertEq(bench().length, 4);
        vm.warp(dispute().rulingEnd + 1);
        arbitration.resolveTimedOut(TASK);
        assertClosed(4_000);
        vm.assertEq(bench().length, 1);
        vm.assertEq(arbitration.totalWithdrawable(), 6_000e18);
        _assertDeposits(DEPOSIT - 2.5e6, DEPOSIT - 2.5e6);
    }

    /// @dev A first ruling of 4,000 by arb(0), appealed by the worker.
    function _appealed() private {
        open(WORKER, arb(0));
        speak(POSTER);
        vote(arb(0), 4_000);
        escalate(WORKER);
    }

    function _assertDeposits(uint256 poster, uint256 worker) private view {
        vm.assertEq(deposits.balanceOf(POSTER), poster);
        vm.assertEq(deposits.balanceOf(WORKER), worker);
        vm.assertEq(deposits.reservedOf(POSTER), 0);
        vm.assertEq(deposits.reservedOf(WORKER), 0);
    }
}
