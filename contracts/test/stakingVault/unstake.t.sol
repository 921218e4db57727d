// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { IStakingVault } from "../../src/interfaces/IStakingVault.sol";
import { vm } from "../Vm.sol";
import { StakingVaultBase } from "./StakingVaultBase.sol";

contract StakingVaultUnstakeTest is StakingVaultBase {
    function test_RevertWhen_TheAmountIsZero() external {
        _stake(ALICE, 5e18);
        vm.expectRevert(IStakingVault.ZeroAmount.selector);
        _unstake(ALICE, 0);
    }

    function test_RevertWhen_TheStakeIsAWeiShort() external {
        _stake(ALICE, 5e18);
        _stake(BOB, 5e18);
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.InsufficientStake.selector, ALICE, 5e18, 5e18 + 1));
        _unstake(ALICE, 5e18 + 1);
    }

    function test_RevertGiven_TheTokenOnlySaysNo() external {
        _stake(ALICE, 5e18);
        vm.mockCall(address(tok), abi.encodeWithSelector(IERC20.transfer.selector), abi.encode(false));
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(tok)));
        _unstake(ALICE, 5e18);
    }

    function test_PaysTheAmountOut() external {
        _stake(ALICE, 5e18);
        _stake(BOB, 2e18);
        vm.prank(OWNER);
        vault.renounceOwnership();
        vm.expectEmit(address(vault));
        emit IStakingVault.Unstaked(ALICE, 1e18);
        _unstake(ALICE, 1e18);
        vm.assertEq(vault.stakedOf(ALICE), 4e18);
        vm.assertEq(vault.totalStakedTok(), 6e18);
        vm.assertEq(tok.balanceOf(ALICE), WEALTH - 4e18);
        _unstake(ALICE, 4e18);
        vm.assertEq(vault.stakedOf(ALICE), 0);
        vm.assertEq(vault.stakedOf(BOB), 2e18);
        vm.assertEq(vault.totalStakedTok(), 2e18);
        vm.assertEq(tok.balanceOf(ALICE), WEALTH);
        vm.assertEq(tok.balanceOf(address(vault)), 2e18);
    }

    function test_KeepsWhatWasEarned() external {
        _stake(ALICE, 1_000e18);
        _reward(700e18);
        vm.warp(NOW + 7 days);
        _unstake(ALICE, 1_000e18);
        vm.assertEq(tok.balanceOf(ALICE), WEALTH);
        vm.warp(NOW + 70 days);
        vm.assertEq(vault.creditsOf(ALICE), 0.7e18);
        vm.assertEq(vault.rewardsOf(ALICE), 700e18);
        vm.assertEq(_claim(ALICE), 700e18);
    }

    function test_EarnsNothingOnWhatWasTakenOut() external {
        _stake(ALICE, 1_000e18);
        vm.warp(NOW + 10 days);
        _unstake(ALICE, 750e18);
        vm.warp(NOW + 20 days);
        vm.assertEq(vault.creditsOf(ALICE), 1.25e18);
    }

    function test_AsksForAStakeAndNotForActivation() external {
        _deploy(CAP, RATE);
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.InsufficientStake.selector, ALICE, 0, 1));
        _unstake(ALICE, 1);
    }

    function test_PaysWhenIssuanceIsClosed() external {
        _stake(ALICE, WEALTH);
        vm.warp(NOW + 3650 days);
        vm.assertTrue(vault.creditIssuanceClosed());
        _unstake(ALICE, WEALTH);
        vm.assertEq(tok.balanceOf(ALICE), WEALTH);
    }

    function test_PaysTheWholeSupplyAfterAHundredYears() external {
        _deploy(type(uint128).max, type(uint64).max);
        _activate();
        uint256 half = tok.totalSupply() / 2;
        vm.prank(BOB);
        tok.transfer(address(this), WEALTH);
        tok.transfer(ALICE, half - WEALTH);
        _stake(ALICE, half);
        _reward(half);
        vm.warp(NOW + 36_500 days);
        vm.assertTrue(vault.creditsOf(ALICE) > 0);
        _unstake(ALICE, half);
        vm.assertEq(_claim(ALICE), half);
        vm.assertEq(tok.balanceOf(ALICE), 2 * half);
    }

    /// @dev One staked wei is where the reward accumulator grows fastest.
    function test_PaysALoneWeiTheWholeReserve() external {
        _stake(ALICE, 1);
        uint256 reserve = tok.balanceOf(address(this));
        _reward(reserve);
        vm.warp(NOW + 7 days);
        _stake(ALICE, WEALTH - 1);
        vm.warp(NOW + 36_500 days);
        _unstake(ALICE, WEALTH);
        vm.assertEq(_claim(ALICE), reserve);
    }
}
