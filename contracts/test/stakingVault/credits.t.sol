// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IStakingVault } from "../../src/interfaces/IStakingVault.sol";
import { Vm, vm } from "../Vm.sol";
import { bound } from "../bound.sol";
import { StakingVaultBase } from "./StakingVaultBase.sol";

contract StakingVaultCreditsTest is StakingVaultBase {
    function test_EarnsByStakeAndTime() external {
        _stake(ALICE, 1_000e18);
        _stake(BOB, 4_000e18);
        vm.warp(NOW + 5 days);
        vm.assertEq(vault.creditsOf(ALICE), 0.5e18);
        vm.assertEq(vault.creditsOf(BOB), 2e18);
        vm.assertEq(vault.creditsOf(STRANGER), 0);
        _assertIssuance(2.5e18, 997.5e18, false);
    }

    /// @dev The parameters of the published deployment.
    function test_AMillionEarnsOneInFourDays() external {
        _deploy(100_000e18, 2.5e11);
        _activate();
        _stake(ALICE, 1_000_000e18);
        _stake(BOB, 999_999e18);
        vm.warp(NOW + 4 days - 1);
        vm.assertLt(vault.creditsOf(ALICE), 1e18);
        vm.warp(NOW + 4 days);
        vm.assertEq(vault.creditsOf(ALICE), 1e18);
        vm.assertLt(vault.creditsOf(BOB), 1e18);
        vault.spendCredit(ALICE);
        vm.assertEq(vault.creditsOf(ALICE), 0);
    }

    function testFuzz_EarnsTheSameHoweverOftenTouched(uint32[8] calldata waits, uint256 amount) external {
        amount = bound(amount, 1, 10_000e18);
        _stake(ALICE, amount);
        uint256 time = NOW;
        for (uint256 i = 0; i < waits.length; ++i) {
            time += waits[i] % 10 days;
            vm.warp(time);
            vault.addReward(0);
        }
        uint256 exact = amount * (time - NOW) * RATE;
        vm.assertEq(vault.creditsOf(ALICE), exact / 86_400e18);
        // Issued credits round up at each accrual.
        vm.assertGe(vault.totalCreditsIssued() * 86_400e18, exact);
        vm.assertLe(vault.totalCreditsIssued(), exact / 86_400e18 + waits.length + 1);
    }

    function test_IssuesNothingWhileNothingIsStaked() external {
        vault.addReward(0);
        vm.warp(NOW + 100 days);
        _assertIssuance(0, CAP, false);
        _stake(ALICE, 1_000e18);
        vm.warp(NOW + 110 days);
        _unstake(ALICE, 1_000e18);
        vm.warp(NOW + 500 days);
        _assertIssuance(1e18, 999e18, false);
        _stake(ALICE, 1_000e18);
        vm.assertEq(vault.creditsOf(ALICE), 1e18);
    }

    /// @dev A million TOK reach the cap of 1,000 credits in exactly ten days. Rewards go on after it.
    function test_ClosesExactlyAtTheCap() external {
        _stake(ALICE, 1_000_000e18);
        vm.warp(NOW + 10 days - 1);
        uint256 issued = vault.totalCreditsIssued();
        vm.assertLt(issued, CAP);
        _assertIssuance(issued, CAP - issued, false);
        for (uint256 i = 0; i < 2; ++i) {
            vm.warp(NOW + 10 days + i);
            _assertIssuance(CAP, 0, true);
            vm.assertEq(vault.creditsOf(ALICE), CAP);
        }
        vm.warp(NOW + 11 days);
        _reward(700e18);
        vm.warp(NOW + 12 days);
        vm.assertEq(vault.rewardsOf(ALICE), 100e18);
    }

    function test_RoundingUpToTheCapGivesNoMoreThanEarned() external {
        _deploy(1, RATE);
        _activate();
        _stake(ALICE, 1);
        vm.warp(NOW + 1);
        _assertIssuance(1, 0, true);
        vm.assertEq(vault.creditsOf(ALICE), 0);
    }

    function test_SharesTheLastCreditsByStake() external {
        _stake(ALICE, 1_000_000e18);
        vm.warp(NOW + 5 days);
        _stake(BOB, 3_000_000e18);
        vm.warp(NOW + 400 days);
        _assertIssuance(CAP, 0, true);
        vm.assertEq(vault.creditsOf(ALICE), 625e18);
        vm.assertEq(vault.creditsOf(BOB), 375e18);
    }

    function test_EmitsCreditIssuanceClosedOnce() external {
        _stake(ALICE, 1_000_000e18);
        vm.warp(NOW + 9 days);
        vm.recordLogs();
        vault.addReward(0);
        vm.assertEq(_closings(), 0);
        vm.warp(NOW + 11 days);
        vm.expectEmit(address(vault));
        emit IStakingVault.CreditIssuanceClosed(CAP);
        vault.addReward(0);
        vm.warp(NOW + 12 days);
        vm.recordLogs();
        vault.addReward(0);
        _stake(BOB, 1e18);
        vm.assertEq(_closings(), 0);
    }

    function test_NeverIssuesAgain() external {
        _stake(ALICE, 1_000_000e18);
        vm.warp(NOW + 11 days);
        _stake(BOB, 1_000_000e18);
        vm.warp(NOW + 100 days);
        vm.assertEq(vault.creditsOf(ALICE), CAP);
        vm.assertEq(vault.creditsOf(BOB), 0);
        vault.spendCredit(ALICE);
        vm.warp(NOW + 200 days);
        vm.assertEq(vault.creditsOf(ALICE), CAP - 1e18);
        _assertIssuance(CAP, 0, true);
    }

    function test_ACapOfZeroIsClosedFromTheStart() external {
        _deploy(0, RATE);
        _activate();
        _assertIssuance(0, 0, true);
        _stake(ALICE, 1_000e18);
        vm.warp(NOW + 10 days);
        vm.recordLogs();
        vault.addReward(0);
        vm.assertEq(_closings(), 0);
        vm.assertEq(vault.creditsOf(ALICE), 0);
    }

    function testFuzz_SpendableNeverExceedsIssued(uint32[10] calldata waits, uint256[10] calldata amounts, uint128 cap)
        external
    {
        cap = uint128(bound(cap, 0, 10_000e18));
        _deploy(cap, RATE);
        _activate();
        uint256 time = NOW;
        uint256 spent = 0;
        for (uint256 i = 0; i < waits.length; ++i) {
            address account = i % 2 == 0 ? ALICE : BOB;
            _stake(account, bound(amounts[i], 1, 1_000_000e18));
            time += waits[i] % 10 days;
            vm.warp(time);
            if (vault.creditsOf(account) >= 1e18) {
                vault.spendCredit(account);
                spent += 1e18;
            }
            uint256 issued = vault.totalCreditsIssued();
            uint256 spendable = vault.creditsOf(ALICE) + vault.creditsOf(BOB);
            vm.assertLe(issued, cap);
            vm.assertEq(vault.creditsRemaining(), cap - issued);
            vm.assertEq(vault.creditIssuanceClosed(), issued == cap);
            vm.assertLe(spendable + spent, issued);
            // Nothing but rounding is lost: a wei an accrual, and at the cap a part of CREDIT_SCALE.
            vm.assertLe(issued, spendable + spent + 4 * (i + 1) + vault.totalStakedTok() / 86_400e18);
        }
    }

    /// @dev How often CreditIssuanceClosed was emitted since the logs were last read.
    function _closings() private returns (uint256 count) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] == IStakingVault.CreditIssuanceClosed.selector) ++count;
        }
    }
}
