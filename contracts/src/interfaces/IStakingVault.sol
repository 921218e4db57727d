// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TokenPermit } from "../types/TokenPermit.sol";

/// @title The Union: staked TOK, Action Credits and a reward reserve fed by access fees
interface IStakingVault {
    event StakingActivated();
    event Staked(address indexed account, uint256 amount);
    event Unstaked(address indexed account, uint256 amount);
    event RewardsClaimed(address indexed account, uint256 amount);
    event RewardAdded(uint256 amount);
    event CreditSpent(address indexed account, uint256 amount);
    /// @notice The hard cap is reached: no credit is ever issued again.
    event CreditIssuanceClosed(uint256 totalCreditsIssued);
    /// @notice The accumulators as they stand from this block on, so that events alone rebuild every balance.
    /// @param creditsPerStake Scaled by `CREDIT_SCALE` of the contract.
    /// @param rewardsPerStake Scaled by `REWARD_SCALE` of the contract.
    event Accrued(uint256 creditsPerStake, uint256 rewardsPerStake, uint256 totalCreditsIssued, uint256 rewardReserve);

    error Unauthorized(address caller);
    error StakingNotActive();
    error StakingAlreadyActive();
    error ZeroAmount();
    error InsufficientStake(address account, uint256 staked, uint256 asked);
    error InsufficientCredits(address account, uint256 credits);
    error UnexpectedAmount(uint256 expected, uint256 received);

    /// @notice Opens staking for good. Owner only.
    function activateStaking() external;

    /// @notice Stakes TOK, once staking is open.
    /// @param amount TOK wei, pulled from the caller by the payment gateway.
    function stake(uint256 amount) external;

    /// @notice As `stake`, with the allowance in the same transaction. A permit that was used already does no harm.
    /// @param amount TOK wei, pulled from the caller by the payment gateway.
    /// @param permit The caller's signature that lets the payment gateway take the amount.
    function stakeWithPermit(uint256 amount, TokenPermit calldata permit) external;

    /// @notice Takes stake back. Never gated; credits and rewards earned so far stay.
    /// @param amount TOK wei, at most the caller's stake.
    function unstake(uint256 amount) external;

    /// @notice Sends the caller its rewards so far. Refuses when nothing is owed.
    /// @return amount TOK wei that were sent.
    function claimRewards() external returns (uint256 amount);

    /// @notice Takes one whole Action Credit from an account. Payment gateway only.
    /// @param account Who pays with the credit.
    function spendCredit(address account) external;

    /// @notice Books TOK that the gateway has just sent here as reward reserve. Payment gateway only.
    /// @param amount TOK wei.
    function addReward(uint256 amount) external;

    /// @notice Whether staking is open.
    /// @return True from `activateStaking` on.
    function stakingActive() external view returns (bool);

    /// @notice Sum of all stakes.
    /// @return TOK wei.
    function totalStakedTok() external view returns (uint256);

    /// @notice Credits earned so far by all, spent ones included.
    /// @return Credits, 1e18 each.
    function totalCreditsIssued() external view returns (uint256);

    /// @notice What the cap still allows; zero once issuance is closed.
    /// @return Credits, 1e18 each.
    function creditsRemaining() external view returns (uint256);

    /// @notice Whether the cap is reached.
    /// @return True once no credit is ever issued again.
    function creditIssuanceClosed() external view returns (bool);

    /// @notice TOK not yet dripped to stakers.
    /// @return TOK wei.
    function rewardReserve() external view returns (uint256);

    /// @notice The stake of an account.
    /// @param account Whose stake.
    /// @return TOK wei.
    function stakedOf(address account) external view returns (uint256);

    /// @notice Credits the account could spend now.
    /// @param account Whose credits.
    /// @return Credits, 1e18 each.
    function creditsOf(address account) external view returns (uint256);

    /// @notice Rewards the account could claim now.
    /// @param account Whose rewards.
    /// @return TOK wei.
    function rewardsOf(address account) external view returns (uint256);
}
