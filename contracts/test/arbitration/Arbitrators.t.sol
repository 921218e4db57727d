// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { JUDGE_LOCK_BPS, MIN_BOND, MIN_JUDGE_LOCK, UNBOND_COOLDOWN } from "../../src/arbitration/Arbitrators.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { bound } from "../bound.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

contract ArbitratorsTest is ArbitrationBase {
    address private constant A = address(0xA1);
    address private constant B = address(0xB1);

    function test_Constants() external pure {
        vm.assertEq(MIN_BOND, 10_000e18);
        vm.assertEq(JUDGE_LOCK_BPS, 12_500);
        vm.assertEq(MIN_JUDGE_LOCK, 2_000e18);
        vm.assertEq(UNBOND_COOLDOWN, 7 days);
    }

    function test_Register_RevertWhen_TheFinalCourtCalls() external {
        vm.assertEq(arbitration.finalCourt(), COURT);
        fundWallet(COURT, MIN_BOND);
        vm.prank(COURT);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.CourtCannotJudge.selector, COURT));
        arbitration.register(MIN_BOND);
    }

    function test_Register_BondsListsAndMakesEligible() external {
        vm.assertFalse(arbitration.isEligible(A, 1));
        fundWallet(A, MIN_BOND + 5);
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorRegistered(A, MIN_BOND, MIN_BOND);
        vm.prank(A);
        arbitration.register(MIN_BOND);

        IArbitration.Arbitrator memory expected;
        expected.bond = uint128(MIN_BOND);
        vm.assertEq(abi.encode(arbitration.arbitratorOf(A)), abi.encode(expected));
        vm.assertTrue(arbitration.isEligible(A, 1));
        vm.assertEq(arbitration.totalBonded(), MIN_BOND);
        vm.assertEq(arbitration.arbitratorCount(), 1);
        vm.assertEq(arbitration.arbitratorsFrom(0, 9)[0], A);
        vm.assertEq(tok.balanceOf(address(arbitration)), MIN_BOND);
        vm.assertEq(tok.balanceOf(A), 5);
    }

    function test_Register_RevertWhen_AnotherAmountArrives() external {
        fundWallet(A, MIN_BOND);
        gateway.setKept(1);
        vm.prank(A);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.UnexpectedAmount.selector, MIN_BOND, MIN_BOND - 1));
        arbitration.register(MIN_BOND);
    }

    function test_Register_AddsToABondAndListsOnce() external {
        register(A, MIN_BOND);
        register(B, MIN_BOND);
        vm.warp(START + 5);
        tok.mint(A, 1);
        vm.expectEmit(address(arbitration));
        emit IArbitration.ArbitratorRegistered(A, 1, MIN_BOND + 1);
        vm.prank(A);
        arbitration.register(1);
        vm.assertEq(bondOf(A), MIN_BOND + 1);
        vm.assertEq(arbitration.arbitratorCount(), 2);
        vm.assertEq(arbitration.totalBonded(), 2 * MIN_BOND + 1);
    }

    function test_Register_MakesASlashedBondEligibleAgain() external {
        _silence(MIN_BOND, 1);
        vm.assertFalse(arbitration.isEligible(A, 1));
        fundWallet(A, MIN_JUDGE_LOCK);
        vm.startPrank(A);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.BondTooLow.selector, MIN_BOND - 1, MIN_BOND));
        arbitration.register(MIN_JUDGE_LOCK - 1);
        arbitration.register(MIN_JUDGE_LOCK);
        vm.assertTrue(arbitration.isEligible(A, 1));
    }

    function test_Register_EndsAnUnbonding() external {
        register(A, MIN_BOND);
        vm.prank(A);
        arbitration.requestUnbond();
        vm.warp(START + 9 days);
        register(A, 0);
        vm.assertEq(arbitration.arbitratorOf(A).unbondAt, 0);
        vm.assertEq(bondOf(A), MIN_BOND);
        vm.assertTrue(arbitration.isEligible(A, 1));
    }

    function testFuzz_Register_HoldsExactlyTheBonds(uint96 first, uint96 second, uint96 third) external {
        uint256 a = MIN_BOND + first;
        uint256 b = MIN_BOND + second;
        register(A, a);
        register(B, b);
        register(A, third);
        vm.assertEq(bondOf(A), a + third);
        vm.assertEq(bondOf(B), b);
        vm.assertEq(arbitration.totalBonded(), a + b + third);
        assertBacked();
    }

    function test_RequestUnbond_EndsEligibility() external {
        register(A, MIN_BOND);
        vm.expectEmit(address(arbitration));
        emit IArbitration.UnbondRequested(A, START + 7 days);
        vm.prank(A);
        arbitration.requestUnbond();
        vm.assertEq(arbitration.arbitratorOf(A).unbondAt, START + 7 days);
        vm.assertEq(bondOf(A), MIN_BOND);
        vm.assertFalse(arbitration.isEligible(A, 1));
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

    function test_Unbond_RevertGiven_AnOpenCase() external {
        ruled(true);
        vm.prank(JUDGE);
        arbitration.requestUnbond();
        vm.warp(START + 11 days);
        vm.prank(JUDGE);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.BondInUse.selector, JUDGE, 1));
        arbitration.unbond();

        arbitration.finalize(TASK);
        vm.prank(JUDGE);
        vm.assertEq(arbitration.unbond(), BOND);
    }

    /// @dev Not before it was asked for, and not a second early.
    function test_Unbond_PaysTheWholeBondOnce() external {
        register(A, MIN_BOND + 3);
        register(B, MIN_BOND);
        vm.startPrank(A);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotUnbonding.selector, A));
        arbitration.unbond();
        arbitration.requestUnbond();
        vm.warp(START + 7 days - 1);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.UnbondCooldown.selector, A, START + 7 days));
        arbitration.unbond();
        vm.warp(START + 7 days);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Unbonded(A, MIN_BOND + 3);
        vm.assertEq(arbitration.unbond(), MIN_BOND + 3);
        vm.assertEq(tok.balanceOf(A), MIN_BOND + 3);
        vm.assertEq(arbitration.totalBonded(), MIN_BOND);
        vm.assertEq(bondOf(A), 0);
        vm.assertEq(arbitration.arbitratorOf(A).unbondAt, 0);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotUnbonding.selector, A));
        arbitration.unbond();
        vm.stopPrank();
        register(A, MIN_BOND);
        vm.assertEq(arbitration.arbitratorCount(), 2);
    }

    function test_Unbond_PaysNothingGiven_ASlashTookEverything() external {
        _seat(A, MIN_BOND, 5);
        vm.prank(A);
        arbitration.requestUnbond();
        _silence(5);
        vm.assertEq(bondOf(A), 0);
        vm.assertEq(arbitration.arbitratorOf(A).slashed, MIN_BOND);
        vm.warp(START + 7 days);
        vm.prank(A);
        vm.assertEq(arbitration.unbond(), 0);
        vm.prank(A);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NothingToWithdraw.selector, A));
        arbitration.requestUnbond();
        assertBacked();
    }

    function test_Withdraw_PaysTheAddressNamedOnce() external {
        opened();
        tok.refuse(POSTER);
        registry.abandon(TASK);
        uint256 owed = STAKE - 400e18;
        vm.assertEq(arbitration.withdrawableOf(POSTER), owed);
        vm.assertEq(arbitration.totalWithdrawable(), owed);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Withdrawn(POSTER, B, owed);
        vm.prank(POSTER);
        vm.assertEq(arbitration.withdraw(B), owed);
        vm.assertEq(tok.balanceOf(B), owed);
        vm.assertEq(arbitration.totalWithdrawable(), 0);

        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NothingToWithdraw.selector, POSTER));
        arbitration.withdraw(B);
        assertBacked();
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

    function test_LockFor_IsFiveQuartersAndAtLeast2000() external view {
        vm.assertEq(arbitration.lockFor(0), 2_000e18);
        vm.assertEq(arbitration.lockFor(1_600e18), 2_000e18);
        vm.assertEq(arbitration.lockFor(1_600e18 + 4), 2_000e18 + 5);
        vm.assertEq(arbitration.lockFor(type(uint128).max), uint256(type(uint128).max) * 5 / 4);
    }

    function test_IsEligible_ToTheWeiOfTheUnlockedBond() external {
        register(A, MIN_BOND);
        vm.assertTrue(arbitration.isEligible(A, 8_000e18));
        vm.assertFalse(arbitration.isEligible(A, 8_000e18 + 1));
        _seat(A, 0, 5);
        vm.assertEq(lockedOf(A), MIN_BOND);
        vm.assertFalse(arbitration.isEligible(A, 0));
        registry.abandon(101);
        vm.assertEq(lockedOf(A), MIN_BOND - MIN_JUDGE_LOCK);
        vm.assertTrue(arbitration.isEligible(A, 1_600e18));
        vm.assertFalse(arbitration.isEligible(A, 1_600e18 + 1));
    }

    function test_IsEligible_NotGiven_ASlashBelowTheMinimum() external {
        _silence(MIN_BOND + MIN_JUDGE_LOCK - 1, 1);
        vm.assertEq(bondOf(A), MIN_BOND - 1);
        vm.assertFalse(arbitration.isEligible(A, 0));
    }

    function test_IsEligible_StillGiven_ASlashToTheMinimum() external {
        _silence(MIN_BOND + MIN_JUDGE_LOCK, 1);
        vm.assertTrue(arbitration.isEligible(A, 0));
    }

    /// @dev On some cases the judge is silent, on some overturned: the worst that can happen on every case at once.
    function testFuzz_Locks_CoverEverySlash(uint128[6] memory amounts, uint256 seed) external {
        uint256 bond = 0;
        for (uint256 i = 0; i < 6; ++i) {
            amounts[i] = uint128(bound(amounts[i], 1, 1e27));
            bond += arbitration.lockFor(amounts[i]);
        }
        // Exactly what the six cases lock, as far as a bond may be that small.
        uint256 least = bond < MIN_BOND ? MIN_BOND : bond;
        register(A, least);
        deposits.give(POSTER, 1_000e6);
        deposits.give(WORKER, 1_000e6);
        uint256 lost = 0;
        for (uint256 i = 0; i < 6; ++i) {
            IArbitration.Case memory case_ = caseBy(WORKER, 10_000);
            (case_.named, case_.amount) = (A, amounts[i]);
            registry.open(101 + i, case_);
            vm.prank(A);
            arbitration.propose(101 + i, A);
            vm.prank(POSTER);
            arbitration.submitEvidence(101 + i, HASH, 0);
        }
        vm.assertEq(lockedOf(A), bond);
        vm.warp(START + EVIDENCE + 1);
        for (uint256 i = 0; i < 6; ++i) {
            if ((seed >> i) & 1 == 0) continue;
            vm.prank(A);
            arbitration.resolve(101 + i, 1, true, REASON);
            vm.prank(POSTER);
            arbitration.escalate(101 + i);
        }
        vm.warp(START + EVIDENCE + RULING + 1);
        for (uint256 i = 0; i < 6; ++i) {
            uint256 lock = arbitration.lockFor(amounts[i]);
            (uint256 bondBefore, uint256 lockedBefore) = (bondOf(A), lockedOf(A));
            if ((seed >> i) & 1 == 0) {
                arbitration.resolveTimedOut(101 + i);
            } else {
                vm.prank(COURT);
                arbitration.decide(101 + i, 1, false, REASON);
                // With everything in dispute all that was locked is lost.
                vm.assertEq(bondBefore - bondOf(A), lock);
            }
            lost += bondBefore - bondOf(A);
            vm.assertLe(bondBefore - bondOf(A), lock);
            vm.assertEq(lockedBefore - lockedOf(A), lock);
            vm.assertLe(lockedOf(A), bondOf(A));
            assertBacked();
        }
        vm.assertEq(lockedOf(A), 0);
        vm.assertEq(arbitration.arbitratorOf(A).openCases, 0);
        vm.assertEq(arbitration.arbitratorOf(A).slashed, lost);
    }

    /// @dev A bonds `bond` and is silent on several small cases at once.
    function _silence(uint256 bond, uint256 cases) private {
        _seat(A, bond, cases);
        _silence(cases);
    }

    function _silence(uint256 cases) private {
        vm.warp(START + EVIDENCE + RULING + 1);
        for (uint256 i = 0; i < cases; ++i) {
            arbitration.resolveTimedOut(101 + i);
        }
    }

    /// @dev Small cases, from task 101 on, that name `judge`, who takes each.
    function _seat(address judge, uint256 bond, uint256 cases) private {
        if (bond != 0) register(judge, bond);
        for (uint256 i = 0; i < cases; ++i) {
            IArbitration.Case memory case_ = caseBy(WORKER, 1);
            (case_.named, case_.amount) = (judge, 1_000e18);
            registry.open(101 + i, case_);
            vm.prank(judge);
            arbitration.propose(101 + i, judge);
            vm.prank(POSTER);
            arbitration.submitEvidence(101 + i, HASH, 0);
        }
        vm.assertEq(arbitration.arbitratorOf(judge).openCases, cases);
    }
}
