// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

contract WithdrawnTest is ArbitrationBase {
    function setUp() public override {
        super.setUp();
        registerMany(12);
    }

    function test_Concede_RevertWhen_TheCallerIsNotTheRegistry() external {
        open(WORKER, arb(0));
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.Unauthorized.selector, POSTER));
        arbitration.concede(TASK);
    }

    function test_Concede_RevertGiven_NoLiveCase() external {
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.NONE));
        registry.concede(TASK);
        open(WORKER, arb(0));
        registry.concede(TASK);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.CLOSED));
        registry.concede(TASK);
    }

    function test_Concede_TakesNoFeeWhenNobodySits() external {
        open(WORKER, address(0));
        _concede();
        _assertDeposits(DEPOSIT, DEPOSIT);
        _assertReserves(8e6, 8e6);
    }

    function test_Concede_PaysAPanelThatHasNotVoted() external {
        open(WORKER, arb(0));
        _concede();
        vm.assertEq(deposits.balanceOf(arb(0)), 5e6);
        vm.assertEq(arbitration.arbitratorOf(arb(0)).openCases, 0);
        vm.assertEq(arbitration.arbitratorOf(arb(0)).resolved, 0);
        _assertDeposits(DEPOSIT - 5e6, DEPOSIT);
        _assertReserves(3e6, 8e6);
    }

    function test_Concede_FreesThoseWhoHaveNotVoted() external {
        _appealed(POSTER);
        seatDrawn(HASH);
        speakBoth();
        vote(panel()[1], 5_000);
        address[] memory members = panel();
        _concede();
        for (uint256 i = 0; i < 3; ++i) {
            vm.assertEq(arbitration.arbitratorOf(members[i]).openCases, 0);
            // The fee of 5 and the lost bond of 10 among four.
            vm.assertEq(deposits.balanceOf(members[i]), 3.75e6);
        }
        vm.assertEq(deposits.balanceOf(arb(0)), 3.75e6);
        vm.assertEq(arbitration.arbitratorOf(arb(0)).openCases, 0);
        _assertDeposits(DEPOSIT - 15e6, DEPOSIT);
    }

    function test_Concede_PaysABenchThatHasRuled() external {
        open(WORKER, arb(0));
        speakBoth();
        vote(arb(0), 0);
        _concede();
        vm.assertEq(deposits.balanceOf(arb(0)), 5e6);
        _assertDeposits(DEPOSIT - 5e6, DEPOSIT);
    }

    function test_Concede_GivesTheWorkersBondBackAtOnce() external {
        _appealed(WORKER);
        _assertReserves(8e6, 18e6);
        _concede();
        vm.assertEq(deposits.balanceOf(arb(0)), 5e6);
        _assertDeposits(DEPOSIT - 5e6, DEPOSIT);
        _assertReserves(3e6, 8e6);
    }

    function test_Concede_LeavesTheWorkersReserveAloneGivenNoAppeal() external {
        deposits.take(WORKER, DEPOSIT - 2e6);
        open(WORKER, address(0));
        deposits.give(WORKER, 50e6);
        _concede();
        _assertReserves(8e6, 2e6);
    }

    function test_Concede_TakesThePostersBondsOnly() external {
        _appealed(WORKER);
        ruleDrawn(7_000);
        escalate(POSTER);
        _assertReserves(28e6, 18e6);
        _concede();
        vm.assertEq(bench().length, 4);
        for (uint256 i = 0; i < 4; ++i) {
            vm.assertEq(deposits.balanceOf(bench()[i].arbitrator), 6.25e6);
        }
        _assertDeposits(DEPOSIT - 25e6, DEPOSIT);
        _assertReserves(3e6, 8e6);
    }

    function test_Abandon_RevertWhen_TheCallerIsNotTheRegistry() external {
        open(WORKER, arb(0));
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.Unauthorized.selector, POSTER));
        arbitration.abandon(TASK);
    }

    function test_Abandon_RevertGiven_NoLiveCase() external {
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.NONE));
        registry.abandon(TASK);
        open(WORKER, arb(0));
        registry.abandon(TASK);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.CLOSED));
        registry.abandon(TASK);
    }

    function test_Abandon_TakesNoFeeWhenNobodySits() external {
        open(WORKER, address(0));
        _abandon();
        _assertDeposits(DEPOSIT, DEPOSIT);
    }

    function test_Abandon_PaysAPanelThatHasNotVoted() external {
        open(WORKER, arb(0));
        _abandon();
        vm.assertEq(deposits.balanceOf(arb(0)), 5e6);
        vm.assertEq(arbitration.arbitratorOf(arb(0)).openCases, 0);
        _assertDeposits(DEPOSIT - 2.5e6, DEPOSIT - 2.5e6);
    }

    function test_Abandon_PaysABenchThatHasRuled() external {
        open(WORKER, arb(0));
        speakBoth();
        vote(arb(0), 10_000);
        _abandon();
        vm.assertEq(deposits.balanceOf(arb(0)), 5e6);
        _assertDeposits(DEPOSIT - 2.5e6, DEPOSIT - 2.5e6);
    }

    function test_Abandon_TakesNoBond() external {
        _appealed(WORKER);
        ruleDrawn(7_000);
        escalate(POSTER);
        _abandon();
        for (uint256 i = 0; i < 4; ++i) {
            vm.assertEq(deposits.balanceOf(bench()[i].arbitrator), 1.25e6);
        }
        _assertDeposits(DEPOSIT - 2.5e6, DEPOSIT - 2.5e6);
    }

    /// @dev A first ruling of 4,000 by arb(0), appealed.
    function _appealed(address appellant) private {
        open(WORKER, arb(0));
        speakBoth();
        vote(arb(0), 4_000);
        escalate(appellant);
    }

    function _concede() private {
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseWithdrawn(TASK, true);
        vm.expectCall(address(reputation), abi.encodeCall(reputation.recordDispute, (TASK, WORKER, POSTER)));
        registry.concede(TASK);
        assertPhase(IArbitration.DisputePhase.CLOSED);
        vm.assertEq(registry.settlements(TASK), 0);
    }

    function _abandon() private {
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseWithdrawn(TASK, false);
        registry.abandon(TASK);
        assertPhase(IArbitration.DisputePhase.CLOSED);
        vm.assertEq(registry.settlements(TASK), 0);
        vm.assertEq(reputation.records(), 0);
    }

    function _assertDeposits(uint256 poster, uint256 worker) private view {
        vm.assertEq(deposits.balanceOf(POSTER), poster);
        vm.assertEq(deposits.balanceOf(WORKER), worker);
    }

    function _assertReserves(uint256 poster, uint256 worker) private view {
        vm.assertEq(deposits.reserveOf(TASK, POSTER), poster);
        vm.assertEq(deposits.reserveOf(TASK, WORKER), worker);
    }
}
