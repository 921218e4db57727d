// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IStakingVault } from "../../src/interfaces/IStakingVault.sol";
import { Vm, vm } from "../Vm.sol";
import { bound } from "../bound.sol";
import { AccountFold } from "../fold/AccountFold.sol";
import { StakingVaultBase } from "./StakingVaultBase.sol";

contract StakingVaultEventsTest is StakingVaultBase, AccountFold {
    function test_AccruedCarriesTheAccumulators() external {
        _stake(ALICE, 1_000e18);
        _reward(700e18);
        vm.warp(NOW + 1 days);
        vm.expectEmit(address(vault));
        emit IStakingVault.Accrued(86_400 * 1e14, 0.1e27, 0.1e18, 600e18);
        vm.expectEmit(address(vault));
        emit IStakingVault.Staked(BOB, 3_000e18);
        _stake(BOB, 3_000e18);

        vm.warp(NOW + 2 days);
        uint256 left = 600e18 - uint256(600e18) / 7;
        vm.expectEmit(address(vault));
        emit IStakingVault.Accrued(2 * 86_400 * 1e14, 0.1e27 + (600e18 - left) * 1e27 / 4_000e18, 0.5e18, left);
        vm.expectEmit(address(vault));
        emit IStakingVault.RewardAdded(0);
        vault.addReward(0);
    }

    function test_AccruedIsNotRepeatedWithinASecond() external {
        _stake(ALICE, 1_000e18);
        vm.recordLogs();
        _stake(ALICE, 1_000e18);
        _reward(1e18);
        _unstake(ALICE, 1e18);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            vm.assertTrue(logs[i].topics[0] != IStakingVault.Accrued.selector);
        }
    }

    function testFuzz_EventsRebuildEveryBalance(uint256[16] calldata seeds) external {
        vm.recordLogs();
        uint256 time = NOW;
        for (uint256 i = 0; i < seeds.length; ++i) {
            time += (seeds[i] >> 128) % 3 days;
            vm.warp(time);
            _operate(seeds[i] % 2 == 0 ? ALICE : BOB, (seeds[i] >> 8) % 5, uint96(seeds[i] >> 16));
        }
        vault.addReward(0);

        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter == address(vault)) _foldStaking(logs[i]);
        }
        vm.assertEq(creditsIssued, vault.totalCreditsIssued(), "issued");
        vm.assertEq(rewardReserve, vault.rewardReserve(), "reserve");
        vm.assertEq(totalStaked, vault.totalStakedTok(), "total staked");
        address[2] memory owners = [ALICE, BOB];
        for (uint256 i = 0; i < 2; ++i) {
            Stake memory stake = _stakeNow(owners[i]);
            vm.assertEq(stake.staked, vault.stakedOf(owners[i]), "staked");
            vm.assertEq(stake.credits, vault.creditsOf(owners[i]), "credits");
            vm.assertEq(stake.rewards, vault.rewardsOf(owners[i]), "rewards");
        }
    }

    function _operate(address account, uint256 operation, uint256 amount) private {
        if (operation == 0) {
            _stake(account, bound(amount, 1, 1_000_000e18));
        } else if (operation == 1 && vault.stakedOf(account) > 0) {
            _unstake(account, bound(amount, 1, vault.stakedOf(account)));
        } else if (operation == 2 && vault.rewardsOf(account) > 0) {
            _claim(account);
        } else if (operation == 3 && vault.creditsOf(account) >= 1e18) {
            vault.spendCredit(account);
        } else {
            _reward(bound(amount, 0, 10_000e18));
        }
    }
}
