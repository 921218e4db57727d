// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IStakingVault } from "../../src/interfaces/IStakingVault.sol";
import { Vm, vm } from "../Vm.sol";
import { bound } from "../bound.sol";
import { StakingVaultBase } from "./StakingVaultBase.sol";

contract StakingVaultEventsTest is StakingVaultBase {
    struct Replayed {
        uint256 staked;
        uint256 credits;
        uint256 rewards;
        uint256 creditsPerStake;
        uint256 rewardsPerStake;
    }

    uint256 private creditsPerStake;
    uint256 private rewardsPerStake;
    uint256 private issued;
    uint256 private reserve;
    mapping(address account => Replayed) private replayed;

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

        _replay(vm.getRecordedLogs());
        vm.assertEq(issued, vault.totalCreditsIssued(), "issued");
        vm.assertEq(reserve, vault.rewardReserve(), "reserve");
        _assertReplayed(ALICE);
        _assertReplayed(BOB);
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

    function _replay(Vm.Log[] memory logs) private {
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter != address(vault)) continue;
            bytes32 topic = logs[i].topics[0];
            if (topic == IStakingVault.Accrued.selector) {
                (creditsPerStake, rewardsPerStake, issued, reserve) =
                    abi.decode(logs[i].data, (uint256, uint256, uint256, uint256));
                continue;
            }
            if (topic == IStakingVault.CreditIssuanceClosed.selector) continue;
            uint256 amount = abi.decode(logs[i].data, (uint256));
            if (topic == IStakingVault.RewardAdded.selector) {
                reserve += amount;
                continue;
            }

            Replayed storage account = _settleReplayed(address(uint160(uint256(logs[i].topics[1]))));
            if (topic == IStakingVault.Staked.selector) account.staked += amount;
            if (topic == IStakingVault.Unstaked.selector) account.staked -= amount;
            if (topic == IStakingVault.RewardsClaimed.selector) account.rewards -= amount;
            if (topic == IStakingVault.CreditSpent.selector) account.credits -= amount;
        }
    }

    function _settleReplayed(address owner) private returns (Replayed storage account) {
        account = replayed[owner];
        account.credits += account.staked * (creditsPerStake - account.creditsPerStake) / 86_400e18;
        account.rewards += account.staked * (rewardsPerStake - account.rewardsPerStake) / 1e27;
        account.creditsPerStake = creditsPerStake;
        account.rewardsPerStake = rewardsPerStake;
    }

    function _assertReplayed(address owner) private {
        Replayed storage account = _settleReplayed(owner);
        vm.assertEq(account.staked, vault.stakedOf(owner), "staked");
        vm.assertEq(account.credits, vault.creditsOf(owner), "credits");
        vm.assertEq(account.rewards, vault.rewardsOf(owner), "rewards");
    }
}
