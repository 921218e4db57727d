// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { IStakingVault } from "../../src/interfaces/IStakingVault.sol";
import { Vm } from "../Vm.sol";

/// @dev Folds the events of the vaults, the gateway and the reputation registry into deposits, stakes, plans and reputations.
abstract contract AccountFold {
    uint256 private constant CREDIT_SCALE = 1e18 * 1 days;
    uint256 private constant REWARD_SCALE = 1e27;

    struct Stake {
        uint256 staked;
        uint256 credits;
        uint256 rewards;
        uint256 creditsPerStake;
        uint256 rewardsPerStake;
    }

    mapping(address agent => uint256) internal depositOf;
    mapping(address agent => uint256) internal reservedOf;
    mapping(uint256 taskId => mapping(address agent => uint256)) public reserveOf;

    mapping(address account => Stake) internal stakes;
    uint256 internal totalStaked;
    uint256 internal creditsPerStake;
    uint256 internal rewardsPerStake;
    uint256 internal creditsIssued;
    uint256 internal rewardReserve;
    uint256 internal accruedAt;

    mapping(address account => IReputationRegistry.Reputation) internal reputations;
    mapping(address one => mapping(address other => bool)) private haveSettled;

    mapping(address account => mapping(bytes32 planId => uint256)) internal paidUntil;

    function _foldDeposits(Vm.Log memory log) internal {
        bytes32 kind = log.topics[0];
        uint256 amount = abi.decode(log.data, (uint256));
        if (kind == IDepositVault.ToppedUp.selector) {
            depositOf[_at(log, 1)] += amount;
        } else if (kind == IDepositVault.Withdrawn.selector) {
            depositOf[_at(log, 1)] -= amount;
        } else if (kind == IDepositVault.Reserved.selector) {
            reserveOf[uint256(log.topics[1])][_at(log, 2)] += amount;
            reservedOf[_at(log, 2)] += amount;
        } else if (kind == IDepositVault.Unreserved.selector) {
            reserveOf[uint256(log.topics[1])][_at(log, 2)] -= amount;
            reservedOf[_at(log, 2)] -= amount;
        } else if (kind == IDepositVault.Penalised.selector) {
            reserveOf[uint256(log.topics[1])][_at(log, 2)] -= amount;
            reservedOf[_at(log, 2)] -= amount;
            depositOf[_at(log, 2)] -= amount;
            depositOf[_at(log, 3)] += amount;
        } else {
            revert("unknown event of DepositVault");
        }
    }

    function _foldStaking(Vm.Log memory log) internal {
        bytes32 kind = log.topics[0];
        if (kind == IStakingVault.Accrued.selector) {
            (creditsPerStake, rewardsPerStake, creditsIssued, rewardReserve) =
                abi.decode(log.data, (uint256, uint256, uint256, uint256));
            accruedAt = block.timestamp;
        } else if (kind == IStakingVault.RewardAdded.selector) {
            rewardReserve += abi.decode(log.data, (uint256));
        } else if (kind == IStakingVault.Staked.selector) {
            uint256 amount = abi.decode(log.data, (uint256));
            _settled(_at(log, 1)).staked += amount;
            totalStaked += amount;
        } else if (kind == IStakingVault.Unstaked.selector) {
            uint256 amount = abi.decode(log.data, (uint256));
            _settled(_at(log, 1)).staked -= amount;
            totalStaked -= amount;
        } else if (kind == IStakingVault.RewardsClaimed.selector) {
            _settled(_at(log, 1)).rewards -= abi.decode(log.data, (uint256));
        } else if (kind == IStakingVault.CreditSpent.selector) {
            _settled(_at(log, 1)).credits -= abi.decode(log.data, (uint256));
        }
    }

    function _foldReputation(Vm.Log memory log) internal {
        bytes32 kind = log.topics[0];
        IReputationRegistry.Reputation storage first = reputations[_at(log, 2)];
        if (kind == IReputationRegistry.LeaveRecorded.selector) {
            first.leaves += 1;
        } else if (kind == IReputationRegistry.DismissalRecorded.selector) {
            first.dismissals += 1;
        } else if (kind == IReputationRegistry.LapseRecorded.selector) {
            first.lapses += 1;
        } else {
            _foldPair(kind, log, first, reputations[_at(log, 3)]);
        }
    }

    function _foldPair(
        bytes32 kind,
        Vm.Log memory log,
        IReputationRegistry.Reputation storage first,
        IReputationRegistry.Reputation storage second
    ) private {
        if (kind == IReputationRegistry.CompletionRecorded.selector) {
            first.completedAsPoster += 1;
            second.completedAsWorker += 1;
            if (haveSettled[_at(log, 2)][_at(log, 3)]) return;
            haveSettled[_at(log, 2)][_at(log, 3)] = true;
            haveSettled[_at(log, 3)][_at(log, 2)] = true;
            first.distinctCounterparties += 1;
            second.distinctCounterparties += 1;
        } else if (kind == IReputationRegistry.DisputeRecorded.selector) {
            if (_at(log, 2) != address(0)) first.disputesWon += 1;
            second.disputesLost += 1;
        } else if (kind == IReputationRegistry.PaymentRecorded.selector) {
            uint128 amount = uint128(abi.decode(log.data, (uint256)));
            first.paid += amount;
            second.earned += amount;
        } else {
            revert("unknown event of ReputationRegistry");
        }
    }

    function _foldGateway(Vm.Log memory log) internal {
        if (log.topics[0] != IPaymentGateway.PlanPurchased.selector) return;
        (,,,, uint256 until) = abi.decode(log.data, (string, address, uint256, uint256, uint256));
        paidUntil[_at(log, 2)][log.topics[1]] = until;
    }

    /// @dev Credits and rewards up to the last accrual.
    function _stakeNow(address account) internal view returns (Stake memory stake) {
        stake = stakes[account];
        stake.credits += stake.staked * (creditsPerStake - stake.creditsPerStake) / CREDIT_SCALE;
        stake.rewards += stake.staked * (rewardsPerStake - stake.rewardsPerStake) / REWARD_SCALE;
        stake.creditsPerStake = creditsPerStake;
        stake.rewardsPerStake = rewardsPerStake;
    }

    function _settled(address account) private returns (Stake storage stake) {
        stakes[account] = _stakeNow(account);
        return stakes[account];
    }

    function _at(Vm.Log memory log, uint256 topic) private pure returns (address) {
        return address(uint160(uint256(log.topics[topic])));
    }
}
