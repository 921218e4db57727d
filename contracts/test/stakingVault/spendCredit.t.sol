// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IStakingVault } from "../../src/interfaces/IStakingVault.sol";
import { vm } from "../Vm.sol";
import { StakingVaultBase } from "./StakingVaultBase.sol";

contract StakingVaultSpendCreditTest is StakingVaultBase {
    function test_RevertWhen_TheCallerIsNotTheGateway() external {
        _stake(ALICE, 1_000e18);
        vm.warp(NOW + 10 days);
        vm.prank(ALICE);
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.Unauthorized.selector, ALICE));
        vault.spendCredit(ALICE);
    }

    function test_RevertGiven_LessThanAWholeCredit() external {
        // 1e18 wei less one, staked for ten thousand days, earn one credit less a wei.
        _stake(ALICE, 1e18 - 1);
        vm.warp(NOW + 10_000 days);
        vm.assertEq(vault.creditsOf(ALICE), 1e18 - 1);
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.InsufficientCredits.selector, ALICE, 1e18 - 1));
        vault.spendCredit(ALICE);
    }

    function test_TakesExactlyOne() external {
        _stake(ALICE, 1_000e18);
        _stake(BOB, 1_000e18);
        vm.warp(NOW + 10 days);
        vm.expectEmit(address(vault));
        emit IStakingVault.CreditSpent(ALICE, 1e18);
        vault.spendCredit(ALICE);
        vm.assertEq(vault.creditsOf(ALICE), 0);
        vm.assertEq(vault.creditsOf(BOB), 1e18);
        vm.assertEq(vault.stakedOf(ALICE), 1_000e18);
        _assertIssuance(2e18, 998e18, false);
    }

    function test_SpendsAfterUnstaking() external {
        _stake(ALICE, 1_000e18);
        vm.warp(NOW + 25 days);
        _unstake(ALICE, 1_000e18);
        vm.warp(NOW + 50 days);
        vault.spendCredit(ALICE);
        vault.spendCredit(ALICE);
        vm.assertEq(vault.creditsOf(ALICE), 0.5e18);
    }
}
