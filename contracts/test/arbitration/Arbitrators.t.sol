// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { MIN_BOND, SLASH, UNBOND_COOLDOWN } from "../../src/arbitration/Arbitrators.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

contract ArbitratorsTest is ArbitrationBase {
    address private constant A = address(0xA1);
    address private constant B = address(0xB1);

    function test_Constants() external pure {
        vm.assertEq(MIN_BOND, 10_000e18);
        vm.assertEq(SLASH, 1_000e18);
        vm.assertEq(UNBOND_COOLDOWN, 7 days);
    }

    function test_Register_RevertWhen_BondBelowMinimum() external {
        tok.mint(A, MIN_BOND);
        vm.prank(A);
        tok.approve(address(gateway), MIN_BOND);
        vm.prank(A);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.BondTooLow.selector, MIN_BOND - 1, MIN_BOND));
        arbitration.register(MIN_BOND - 1);
    }

    function test_Register_BondsListsAndMakesEligible() external {
        vm.assertFalse(arbitration.isEligible(A));
        tok.mint(A, MIN_BOND + 5);
        vm.prank(A);
        tok.approve(address(gateway), MIN_BOND);
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorRegistered(A, MIN_BOND, MIN_BOND);
        vm.prank(A);
        arbitration.register(MIN_BOND);

        IArbitration.Arbitrator memory record = arbitration.arbitratorOf(A);
        vm.assertEq(record.bond, MIN_BOND);
        vm.assertEq(record.unbondAt, 0);
        vm.assertTrue(arbitration.isEligible(A));
        vm.assertEq(arbitration.totalBonded(), MIN_BOND);
        vm.assertEq(arbitration.arbitratorCount(), 1);
        vm.assertEq(arbitration.arbitratorsFrom(0, 9)[0], A);
        vm.assertEq(tok.balanceOf(address(arbitration)), MIN_BOND);
        vm.assertEq(tok.balanceOf(A), 5);
    }

    function test_Register_RevertWhen_AnotherAmountArrives() external {
        tok.mint(A, MIN_BOND);
        vm.prank(A);
        tok.approve(address(gateway), MIN_BOND);
        gateway.setKept(1);
        vm.prank(A);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.UnexpectedAmount.selector, MIN_BOND, MIN_BOND - 1));
        arbitration.register(MIN_BOND);
    }

    function test_Register_AddsToABondAndListsOnce() external {
        register(A, MIN_BOND);
        register(B, MIN_BOND);
        tok.mint(A, 1);
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorRegistered(A, 1, MIN_BOND + 1);
        vm.prank(A);
        arbitration.register(1);
        vm.assertEq(arbitration.arbitratorOf(A).bond, MIN_BOND + 1);
        vm.assertEq(arbitration.arbitratorCount(), 2);
        vm.assertEq(arbitration.totalBonded(), 2 * MIN_BOND + 1);
    }

    function test_Register_RevertWhen_ASlashedBondStaysTooLow() external {
        _slashed(MIN_BOND);
        tok.mint(A, SLASH);
        vm.prank(A);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.BondTooLow.selector, MIN_BOND - 1, MIN_BOND));
        arbitration.register(SLASH - 1);
    }

    function test_Register_MakesASlashedBondEligibleAgain() external {
        _slashed(MIN_BOND);
        vm.assertFalse(arbitration.isEligible(A));
        register(A, SLASH);
        vm.assertTrue(arbitration.isEligible(A));
    }

    function test_Register_EndsAnUnbonding() external {
        register(A, MIN_BOND);
        vm.prank(A);
        arbitration.requestUnbond();
        register(A, 0);
        vm.assertEq(arbitration.arbitratorOf(A).unbondAt, 0);
        vm.assertEq(arbitration.arbitratorOf(A).bond, MIN_BOND);
        vm.assertTrue(arbitration.isEligible(A));
        _assertDrawable(A, true);
    }

    function testFuzz_Register_HoldsExactlyTheBonds(uint96 first, uint96 second, uint96 third) external {
        uint256 a = MIN_BOND + first;
        uint256 b = MIN_BOND + second;
        register(A, a);
        register(B, b);
        register(A, third);
        vm.assertEq(arbitration.arbitratorOf(A).bond, a + third);
        vm.assertEq(arbitration.arbitratorOf(B).bond, b);
        vm.assertEq(arbitration.totalBonded(), a + b + third);
        vm.assertEq(tok.balanceOf(address(arbitration)), a + b + third);
    }

    function test_RequestUnbond_RevertGiven_NoBond() external {
        vm.prank(A);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NothingToWithdraw.selector, A));
        arbitration.requestUnbond();
    }

    function test_RequestUnbond_StopsBeingDrawn() external {
        register(A, MIN_BOND);
        _assertDrawable(A, true);
        vm.expectEmit(address(arbitration));
        emit IArbitration.UnbondRequested(A, block.timestamp + 7 days);
        vm.prank(A);
        arbitration.requestUnbond();
        vm.assertEq(arbitration.arbitratorOf(A).unbondAt, block.timestamp + 7 days);
        vm.assertEq(arbitration.arbitratorOf(A).bond, MIN_BOND);
        vm.assertFalse(arbitration.isEligible(A));
        _assertDrawable(A, false);
    }

    function test_RequestUnbond_StartsTheCooldownAgain() external {
        register(A, MIN_BOND);
        vm.prank(A);
        arbitration.requestUnbond();
        vm.warp(START + 5);
        vm.prank(A);
        arbitration.requestUnbond();
        vm.assertEq(arbitration.arbitratorOf(A).unbondAt, START + 5 + 7 days);
    }

    function test_Unbond_RevertGiven_NoRequest() external {
        register(A, MIN_BOND);
        vm.prank(A);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotUnbonding.selector, A));
        arbitration.unbond();
    }

    function test_Unbond_RevertWhen_OneSecondEarly() external {
        register(A, MIN_BOND);
        vm.prank(A);
        arbitration.requestUnbond();
        vm.warp(START + 7 days - 1);
        vm.prank(A);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.UnbondCooldown.selector, A, START + 7 days));
        arbitration.unbond();
    }

    function test_Unbond_RevertGiven_AnOpenCase() external {
        register(A, MIN_BOND);
        open(WORKER, A);
        vm.prank(A);
        arbitration.requestUnbond();
        vm.warp(START + 7 days);
        vm.prank(A);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.BondInUse.selector, A, 1));
        arbitration.unbond();
    }

    function test_Unbond_PaysOnceTheCaseWasVotedOn() external {
        register(A, MIN_BOND);
        open(WORKER, A);
        vm.prank(A);
        arbitration.requestUnbond();
        speak(POSTER);
        vote(A, 1);
        vm.warp(START + 7 days);
        vm.prank(A);
        vm.assertEq(arbitration.unbond(), MIN_BOND);
    }

    function test_Unbond_PaysTheWholeBondOnce() external {
        register(A, MIN_BOND + 3);
        register(B, MIN_BOND);
        vm.prank(A);
        arbitration.requestUnbond();
        vm.warp(START + 7 days);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Unbonded(A, MIN_BOND + 3);
        vm.prank(A);
        vm.assertEq(arbitration.unbond(), MIN_BOND + 3);
        vm.assertEq(tok.balanceOf(A), MIN_BOND + 3);
        vm.assertEq(arbitration.totalBonded(), MIN_BOND);
        vm.assertEq(arbitration.arbitratorOf(A).bond, 0);
        vm.assertEq(arbitration.arbitratorOf(A).unbondAt, 0);

        vm.prank(A);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotUnbonding.selector, A));
        arbitration.unbond();
        register(A, MIN_BOND);
        vm.assertEq(arbitration.arbitratorCount(), 2);
    }

    function test_Withdraw_RevertGiven_Nothing() external {
        vm.prank(A);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NothingToWithdraw.selector, A));
        arbitration.withdraw(A);
    }

    function test_Withdraw_PaysTheAddressNamedOnce() external {
        _slashed(MIN_BOND);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Withdrawn(POSTER, B, SLASH / 2);
        vm.prank(POSTER);
        vm.assertEq(arbitration.withdraw(B), SLASH / 2);
        vm.assertEq(tok.balanceOf(B), SLASH / 2);
        vm.assertEq(arbitration.withdrawableOf(POSTER), 0);
        vm.assertEq(arbitration.withdrawableOf(WORKER), SLASH / 2);
        vm.assertEq(arbitration.totalWithdrawable(), SLASH / 2);

        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NothingToWithdraw.selector, POSTER));
        arbitration.withdraw(B);
    }

    function test_ArbitratorsFrom_GivesAnyWindow() external {
        registerMany(5);
        for (uint256 start = 0; start < 5; ++start) {
            for (uint256 count = 0; count < 7; ++count) {
                address[] memory window = arbitration.arbitratorsFrom(start, count);
                vm.assertEq(window.length, count < 5 - start ? count : 5 - start);
                for (uint256 i = 0; i < window.length; ++i) {
                    vm.assertEq(window[i], arb(start + i));
                }
            }
        }
        vm.assertEq(arbitration.arbitratorsFrom(5, 3).length, 0);
        vm.assertEq(arbitration.arbitratorsFrom(6, 3).length, 0);
        vm.assertEq(arbitration.arbitratorsFrom(1, type(uint256).max).length, 4);
        vm.assertEq(arbitration.arbitratorCount(), 5);
    }

    function test_Slash_TakesAThousandAndGivesHalfToEachParty() external {
        register(A, MIN_BOND + 1);
        open(WORKER, A);
        vm.warp(dispute().rulingEnd + 1);
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorSlashed(TASK, A, SLASH, MIN_BOND + 1 - SLASH);
        arbitration.resolveTimedOut(TASK);

        IArbitration.Arbitrator memory record = arbitration.arbitratorOf(A);
        vm.assertEq(record.bond, MIN_BOND + 1 - SLASH);
        vm.assertEq(record.slashed, SLASH);
        vm.assertEq(record.timedOut, 1);
        vm.assertEq(record.openCases, 0);
        vm.assertEq(record.resolved, 0);
        vm.assertEq(arbitration.withdrawableOf(POSTER), SLASH / 2);
        vm.assertEq(arbitration.withdrawableOf(WORKER), SLASH / 2);
        vm.assertEq(arbitration.totalWithdrawable(), SLASH);
        vm.assertEq(arbitration.totalBonded(), MIN_BOND + 1 - SLASH);
        vm.assertFalse(arbitration.isEligible(A));
        _assertDrawable(A, false);
    }

    function test_Slash_KeepsAWealthyArbitratorDrawable() external {
        _slashed(MIN_BOND + SLASH);
        vm.assertTrue(arbitration.isEligible(A));
        _assertDrawable(A, true);
    }

    function test_Slash_TakesABondOfExactlyTheSlash() external {
        _drain(MIN_BOND, 10);
        vm.assertEq(arbitration.arbitratorOf(A).bond, 0);
        vm.assertEq(arbitration.arbitratorOf(A).slashed, MIN_BOND);
        vm.assertEq(arbitration.totalBonded(), 0);
        vm.assertEq(arbitration.totalWithdrawable(), MIN_BOND);
    }

    function test_Slash_TakesAWholeSlashForEachCase() external {
        _drain(MIN_BOND + SLASH - 1, 10);
        vm.assertEq(arbitration.arbitratorOf(A).bond, SLASH - 1);
        vm.assertEq(arbitration.arbitratorOf(A).slashed, MIN_BOND);
        vm.assertEq(arbitration.arbitratorOf(A).timedOut, 10);
        vm.assertEq(arbitration.totalBonded(), SLASH - 1);
        vm.assertEq(arbitration.totalWithdrawable(), MIN_BOND);
        vm.assertEq(arbitration.withdrawableOf(POSTER), MIN_BOND / 2);
        vm.assertEq(arbitration.withdrawableOf(WORKER), MIN_BOND / 2);
        vm.assertEq(tok.balanceOf(address(arbitration)), MIN_BOND + SLASH - 1);
    }

    function test_Eligible_OnlyWhileTheBondCoversOneMoreCase() external {
        register(A, MIN_BOND + SLASH - 1);
        _openCases(10);
        vm.assertFalse(arbitration.isEligible(A));
        open(WORKER, A);
        assertPhase(IArbitration.DisputePhase.OPEN);
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotEligible.selector, A));
        arbitration.propose(TASK, A);
        register(A, 1);
        vm.assertTrue(arbitration.isEligible(A));
        propose(POSTER, A);
        propose(WORKER, A);
        assertPhase(IArbitration.DisputePhase.EVIDENCE);
        vm.assertFalse(arbitration.isEligible(A));
    }

    function test_Eligible_AgainOnceACaseIsOver() external {
        register(A, MIN_BOND);
        _openCases(9);
        open(WORKER, A);
        vm.assertFalse(arbitration.isEligible(A));
        uint256 id = vm.snapshotState();
        registry.concede(TASK);
        vm.assertTrue(arbitration.isEligible(A));
        vm.revertToState(id);
        speakBoth();
        vote(A, 5_000);
        vm.assertTrue(arbitration.isEligible(A));
    }

    /// @dev A bonded `bond` and was silent once.
    function _slashed(uint256 bond) private {
        register(A, bond);
        open(WORKER, A);
        vm.warp(dispute().rulingEnd + 1);
        arbitration.resolveTimedOut(TASK);
    }

    /// @dev A sits on several cases at once and is silent on all.
    function _drain(uint256 bond, uint256 cases) private {
        register(A, bond);
        _openCases(cases);
        vm.warp(block.timestamp + EVIDENCE + RULING + 1);
        for (uint256 i = 1; i <= cases; ++i) {
            arbitration.resolveTimedOut(100 + i);
        }
    }

    /// @dev Tasks 101 and on name A, who is seated on each.
    function _openCases(uint256 cases) private {
        for (uint256 i = 1; i <= cases; ++i) {
            registry.open(100 + i, WORKER, HASH, POSTER, WORKER, A);
        }
        vm.assertEq(arbitration.arbitratorOf(A).openCases, cases);
    }

    /// @dev Whether a draw over all bonds could ever hit the account, the only one registered.
    function _assertDrawable(address account, bool drawable) private {
        uint256 id = vm.snapshotState();
        registry.open(99, WORKER, HASH, POSTER, WORKER, address(0));
        vm.warp(block.timestamp + CONSENT + 1);
        if (drawable) {
            arbitration.seat(99);
            vm.roll(block.number + 5);
            arbitration.seat(99);
            vm.assertEq(arbitration.benchOf(99)[0].arbitrator, account);
        } else {
            vm.expectRevert(abi.encodeWithSelector(IArbitration.NobodyToSeat.selector, 99));
            arbitration.seat(99);
        }
        vm.revertToState(id);
    }
}
