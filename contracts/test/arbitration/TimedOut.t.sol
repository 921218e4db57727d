// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

contract TimedOutTest is ArbitrationBase {
    function test_Open_CallsTheCourt() external {
        opened();
        _expectNotTimedOut(START + CONSENT);
        mark();
        vm.expectEmit(address(arbitration));
        emit IArbitration.CourtCalled(TASK, START + CONSENT + 1 + DECISION);
        vm.prank(STRANGER);
        arbitration.resolveTimedOut(TASK);
        assertPhase(IArbitration.DisputePhase.COURT);
        vm.assertEq(dispute().courtEnd, START + CONSENT + 1 + DECISION);
        Gains memory none;
        assertGains(none);
    }

    /// @dev 2,000 TOK, whatever the sum, and nobody gets them.
    function test_Evidence_BurnsABondGiven_BothSpoke() external {
        heard();
        _expectNotTimedOut(START + EVIDENCE + RULING);
        mark();
        uint256 supply = tok.totalSupply();
        vm.expectEmit(address(arbitration));
        emit IArbitration.JudgeFreed(TASK, JUDGE, LOCK);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CourtCalled(TASK, block.timestamp + DECISION);
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorSlashed(TASK, JUDGE, 2_000e18, BOND - 2_000e18);
        vm.prank(STRANGER);
        arbitration.resolveTimedOut(TASK);
        Gains memory g;
        g.judgeBond = -2_000e18;
        assertGains(g);
        vm.assertEq(tok.totalSupply(), supply - 2_000e18);
        _assertCalled(2_000e18, 1);
    }

    function test_Evidence_CostsTheJudgeNothingGiven_OneSideIsSilent() external {
        seated();
        _expectNotTimedOut(START + EVIDENCE);
        mark();
        vm.prank(STRANGER);
        arbitration.resolveTimedOut(TASK);
        Gains memory none;
        assertGains(none);
        _assertCalled(0, 0);
    }

    function test_Court_EndsAgainstWhoeverOpened() external {
        Gains memory none;
        for (uint256 i = 0; i < 2; ++i) {
            uint256 id = vm.snapshotState();
            if (i == 0) {
                unruled(true);
            } else {
                open(caseBy(WORKER, 10_000));
                vm.warp(START + CONSENT + 1);
                arbitration.resolveTimedOut(TASK);
            }
            _expectNotTimedOut(dispute().courtEnd);
            mark();
            arbitration.resolveTimedOut(TASK);
            assertGains(i == 0 ? paid(int256(STAKE), 0, 0, 0, 0, 0) : none);
            assertClosed(i == 0 ? ASK : 0, IArbitration.Ending.TIMED_OUT);
            assertSettled(i == 0 ? ASK : 0, 0, address(0));
            assertRecorded(address(0), address(0));
            vm.revertToState(id);
        }
    }

    function _assertCalled(uint256 slashed, uint32 timedOut) private view {
        assertPhase(IArbitration.DisputePhase.COURT);
        vm.assertEq(dispute().judge, address(0));
        vm.assertEq(dispute().courtEnd, block.timestamp + DECISION);
        IArbitration.Arbitrator memory judge;
        (judge.bond, judge.slashed, judge.timedOut) = (uint128(BOND - slashed), uint128(slashed), timedOut);
        vm.assertEq(abi.encode(arbitration.arbitratorOf(JUDGE)), abi.encode(judge));
    }

    /// @dev Leaves the clock at the first second at which it is.
    function _expectNotTimedOut(uint256 until) private {
        vm.warp(until);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotTimedOut.selector, TASK, until));
        arbitration.resolveTimedOut(TASK);
        vm.warp(until + 1);
    }
}
