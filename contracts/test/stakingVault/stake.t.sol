// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IStakingVault } from "../../src/interfaces/IStakingVault.sol";
import { vm } from "../Vm.sol";
import { StakingVaultBase } from "./StakingVaultBase.sol";

contract StakingVaultStakeTest is StakingVaultBase {
    function test_RevertGiven_StakingIsNotActive() external {
        _deploy(CAP, RATE);
        vm.expectRevert(IStakingVault.StakingNotActive.selector);
        _stake(ALICE, 1e18);
    }

    function test_RevertWhen_TheAmountIsZero() external {
        vm.expectRevert(IStakingVault.ZeroAmount.selector);
        _stake(ALICE, 0);
    }

    function test_RevertWhen_AnotherAmountArrives() external {
        skim = 1;
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.UnexpectedAmount.selector, 5e18, 5e18 - 1));
        _stake(ALICE, 5e18);
        (skim, extra) = (0, 1);
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.UnexpectedAmount.selector, 5e18, 5e18 + 1));
        _stake(ALICE, 5e18);
    }

    function test_AddsToTheStake() external {
        vm.expectEmit(address(vault));
        emit IStakingVault.Staked(ALICE, 5e18);
        _stake(ALICE, 5e18);
        _stake(BOB, 2e18);
        _stake(ALICE, 1);
        vm.assertEq(vault.stakedOf(ALICE), 5e18 + 1);
        vm.assertEq(vault.stakedOf(BOB), 2e18);
        vm.assertEq(vault.totalStakedTok(), 7e18 + 1);
        vm.assertEq(tok.balanceOf(address(vault)), 7e18 + 1);
        vm.assertEq(tok.balanceOf(ALICE), WEALTH - 5e18 - 1);
    }

    function test_KeepsWhatTheEarlierStakeEarned() external {
        _stake(ALICE, 1_000e18);
        _reward(700e18);
        vm.warp(NOW + 7 days);
        _stake(ALICE, 9_000e18);
        vm.assertEq(vault.creditsOf(ALICE), 0.7e18);
        vm.assertEq(vault.rewardsOf(ALICE), 700e18);
        vm.warp(NOW + 8 days);
        vm.assertEq(vault.creditsOf(ALICE), 1.7e18);
        vm.assertEq(vault.rewardsOf(ALICE), 700e18);
    }

    function test_CountsOnlyWhatThisCallBrought() external {
        tok.transfer(address(vault), 3e18);
        _stake(ALICE, 5e18);
        vm.assertEq(vault.totalStakedTok(), 5e18);
        vm.assertEq(vault.rewardReserve(), 0);
        skim = 1;
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.UnexpectedAmount.selector, 1e18, 1e18 - 1));
        _stake(ALICE, 1e18);
    }
}
