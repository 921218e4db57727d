// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { IStakingVault } from "../../src/interfaces/IStakingVault.sol";
import { vm } from "../Vm.sol";
import { bound } from "../bound.sol";
import { StakingVaultBase } from "./StakingVaultBase.sol";

contract StakingVaultClaimRewardsTest is StakingVaultBase {
    function test_RevertGiven_TheTokenOnlySaysNo() external {
        _stake(ALICE, 1_000e18);
        _reward(700e18);
        vm.warp(NOW + 1 days);
        vm.mockCall(address(tok), abi.encodeWithSelector(IERC20.transfer.selector), abi.encode(false));
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(tok)));
        _claim(ALICE);
    }

    function test_PaysWhatIsOwedOnceAndLeavesEverythingElse() external {
        _stake(ALICE, 1_000e18);
        _stake(BOB, 3_000e18);
        _reward(700e18);
        vm.warp(NOW + 1 days);
        vm.expectEmit(address(vault));
        emit IStakingVault.RewardsClaimed(ALICE, 25e18);
        vm.assertEq(_claim(ALICE), 25e18);
        vm.assertEq(tok.balanceOf(ALICE), WEALTH - 975e18);
        vm.assertEq(vault.rewardsOf(ALICE), 0);
        vm.expectRevert(IStakingVault.ZeroAmount.selector);
        _claim(ALICE);
        vm.assertEq(vault.stakedOf(ALICE), 1_000e18);
        vm.assertEq(vault.totalStakedTok(), 4_000e18);
        vm.assertEq(vault.rewardReserve(), 600e18);
        vm.assertEq(vault.rewardsOf(BOB), 75e18);
        vm.assertEq(tok.balanceOf(address(vault)), 4_675e18);
    }

    function test_RevertWhen_TheRewardIsNotFromTheGateway() external {
        vm.prank(STRANGER);
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.Unauthorized.selector, STRANGER));
        vault.addReward(1);
        vm.prank(OWNER);
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.Unauthorized.selector, OWNER));
        vault.addReward(1);
    }

    function test_KeepsTheReserveBeforeActivation() external {
        _deploy(CAP, RATE);
        _reward(700e18);
        vm.warp(NOW + 30 days);
        vm.assertEq(vault.rewardReserve(), 700e18);
        _reward(1e18);
        vm.assertEq(vault.rewardReserve(), 701e18);
    }

    function test_AddsToTheReserve() external {
        _reward(400e18);
        vm.assertEq(vault.rewardReserve(), 400e18);
        tok.transfer(address(vault), 1e18);
        vm.expectEmit(address(vault));
        emit IStakingVault.RewardAdded(1e18);
        vault.addReward(1e18);
        vm.assertEq(vault.rewardReserve(), 401e18);
    }

    /// @dev A second, all but a second, all seven days, and more.
    function test_DripsTheElapsedPartOfSevenDays() external {
        _stake(ALICE, 1_000e18);
        _reward(604_800e18);
        uint256[4] memory elapsed = [uint256(1), 7 days - 1, 7 days, 100 days];
        uint256[4] memory dripped = [uint256(1e18), 604_799e18, 604_800e18, 604_800e18];
        for (uint256 i = 0; i < 4; ++i) {
            vm.warp(NOW + elapsed[i]);
            vm.assertEq(vault.rewardsOf(ALICE), dripped[i]);
            vm.assertEq(vault.rewardReserve(), 604_800e18 - dripped[i]);
        }
        vm.assertEq(_claim(ALICE), 604_800e18);
    }

    function test_SharesByStake() external {
        _stake(ALICE, 1_000e18);
        _stake(BOB, 2_000e18);
        _reward(700e18);
        vm.warp(NOW + 7 days);
        vm.assertEq(vault.rewardsOf(ALICE), 233_333_333_333_333_333_333);
        vm.assertEq(vault.rewardsOf(BOB), 466_666_666_666_666_666_666);
    }

    function test_ANewRewardStartsWhenItIsAdded() external {
        _stake(ALICE, 1_000e18);
        vm.warp(NOW + 7 days);
        _reward(700e18);
        vm.assertEq(vault.rewardsOf(ALICE), 0);
        vm.assertEq(vault.rewardReserve(), 700e18);
        vm.warp(NOW + 8 days);
        _reward(700e18);
        vm.assertEq(vault.rewardsOf(ALICE), 100e18);
        vm.assertEq(vault.rewardReserve(), 1_300e18);
    }

    function test_WaitsWhileNothingIsStaked() external {
        _reward(700e18);
        vm.warp(NOW + 30 days);
        _stake(ALICE, 1_000e18);
        vm.assertEq(vault.rewardsOf(ALICE), 0);
        vm.assertEq(vault.rewardReserve(), 700e18);
        vm.warp(NOW + 31 days);
        vm.assertEq(vault.rewardsOf(ALICE), 100e18);
        _unstake(ALICE, 1_000e18);
        vm.warp(NOW + 60 days);
        vm.assertEq(vault.rewardsOf(ALICE), 100e18);
        vm.assertEq(vault.rewardReserve(), 600e18);
    }

    function test_ANewcomerGetsNothingOfTheTimeBefore() external {
        _stake(ALICE, 1_000e18);
        _reward(700e18);
        vm.warp(NOW + 6 days);
        _stake(BOB, 99_000e18);
        vm.assertEq(vault.rewardsOf(BOB), 0);
        vm.assertEq(vault.creditsOf(BOB), 0);
        vm.assertEq(vault.rewardsOf(ALICE), 600e18);
    }

    function testFuzz_JustInTimeStakingGainsNothing(uint256 amount, uint256 reward, uint256 wait, uint256 held)
        external
    {
        _stake(ALICE, bound(held, 1, WEALTH));
        _reward(bound(reward, 1, WEALTH));
        vm.warp(NOW + bound(wait, 0, 365 days));
        amount = bound(amount, 1, WEALTH);
        uint256 rewards = vault.rewardsOf(ALICE);
        uint256 credits = vault.creditsOf(ALICE);

        _stake(BOB, amount);
        _reward(bound(reward, 1, WEALTH));
        _unstake(BOB, amount);

        vm.assertEq(vault.rewardsOf(BOB), 0);
        vm.assertEq(vault.creditsOf(BOB), 0);
        vm.assertEq(tok.balanceOf(BOB), WEALTH);
        vm.assertEq(vault.rewardsOf(ALICE), rewards);
        vm.assertEq(vault.creditsOf(ALICE), credits);
    }

    function testFuzz_DripsNoMoreThanTheReserve(uint32[12] calldata waits, uint256 alice, uint256 bob) external {
        _stake(ALICE, bound(alice, 1, WEALTH / 2));
        _stake(BOB, bound(bob, 1, WEALTH / 2));
        _reward(400e18);
        uint256 time = NOW;
        for (uint256 i = 0; i < waits.length; ++i) {
            time += waits[i] % 2 days;
            vm.warp(time);
            _stake(i % 2 == 0 ? ALICE : BOB, 1);
            uint256 owed = vault.rewardsOf(ALICE) + vault.rewardsOf(BOB);
            vm.assertLe(owed + vault.rewardReserve(), 400e18);
            // Each settlement and each drip loses less than a wei.
            vm.assertGe(owed + vault.rewardReserve() + 2 * (i + 3), 400e18);
        }
    }
}
