// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Ownable, Ownable2Step } from "@openzeppelin/contracts/access/Ownable2Step.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { IPaymentGateway } from "./interfaces/IPaymentGateway.sol";
import { IStakingVault } from "./interfaces/IStakingVault.sol";
import { ACTION_CREDIT, Contracts } from "./types/Market.sol";
import { TokenPermit, TokenPermits } from "./types/TokenPermit.sol";

/// @title The Union: staked TOK, Action Credits and a reward reserve fed by access fees
/// @notice Two accumulators per unit of stake. An account's gain since its last settlement is
/// stake * growth of `creditsPerStake` / CREDIT_SCALE and stake * growth of `rewardsPerStake` / REWARD_SCALE, rounded down.
contract StakingVault is IStakingVault, Ownable2Step {
    using SafeERC20 for IERC20;
    using TokenPermits for TokenPermit;

    /// @dev Everything that time alone moves.
    struct Accrual {
        uint256 creditsPerStake;
        uint256 rewardsPerStake;
        uint256 totalCreditsIssued;
        uint256 rewardReserve;
        uint256 time;
    }

    struct Account {
        uint256 staked;
        uint256 credits;
        uint256 rewards;
        /// The accumulators at the last settlement.
        uint256 creditsPerStake;
        uint256 rewardsPerStake;
    }

    /// @notice How long the reserve as it stands takes to drip out when nobody touches the vault.
    uint256 public constant REWARD_PERIOD = 7 days;
    /// @notice `creditsPerStake` counts `creditRate` once a second, so it never rounds before the cap.
    uint256 public constant CREDIT_SCALE = 1e18 * 1 days;
    /// @notice As large as the supply of TOK, so a drip loses less than one wei.
    uint256 public constant REWARD_SCALE = 1e27;

    /// @notice The most credits ever issued, 1e18 each.
    uint256 public immutable creditCap;
    /// @notice Credits earned by 1e18 staked TOK in a day, 1e18 each.
    uint256 public immutable creditRate;

    IERC20 private immutable TOK;
    IPaymentGateway private immutable PAYMENT_GATEWAY;

    /// @inheritdoc IStakingVault
    bool public stakingActive;
    /// @inheritdoc IStakingVault
    uint256 public totalStakedTok;

    Accrual private _last;
    mapping(address account => Account) private _accounts;

    modifier onlyGateway() {
        if (msg.sender != address(PAYMENT_GATEWAY)) revert Unauthorized(msg.sender);
        _;
    }

    /// @param creditCap_ Narrow, as `creditRate_` is, so that no product of stake, rate and time can overflow and lock a stake.
    constructor(Contracts memory contracts_, address owner_, uint128 creditCap_, uint64 creditRate_) Ownable(owner_) {
        TOK = IERC20(contracts_.tok);
        PAYMENT_GATEWAY = IPaymentGateway(contracts_.paymentGateway);
        creditCap = creditCap_;
        creditRate = creditRate_;
    }

    /// @inheritdoc IStakingVault
    function activateStaking() external onlyOwner {
        if (stakingActive) revert StakingAlreadyActive();

        stakingActive = true;
        emit StakingActivated();
    }

    /// @inheritdoc IStakingVault
    function stakeWithPermit(uint256 amount, TokenPermit calldata permit) external {
        permit.give(address(TOK), address(PAYMENT_GATEWAY), amount);
        stake(amount);
    }

    /// @inheritdoc IStakingVault
    function stake(uint256 amount) public {
        if (!stakingActive) revert StakingNotActive();
        if (amount == 0) revert ZeroAmount();

        Account storage account = _settle(msg.sender);
        account.staked += amount;
        totalStakedTok += amount;
        emit Staked(msg.sender, amount);

        uint256 balance = TOK.balanceOf(address(this));
        PAYMENT_GATEWAY.pull(msg.sender, amount);
        uint256 received = TOK.balanceOf(address(this)) - balance;
        if (received != amount) revert UnexpectedAmount(amount, received);
    }

    /// @inheritdoc IStakingVault
    function unstake(uint256 amount) external {
        if (amount == 0) revert ZeroAmount();
        uint256 staked = _accounts[msg.sender].staked;
        if (amount > staked) revert InsufficientStake(msg.sender, staked, amount);

        Account storage account = _settle(msg.sender);
        account.staked = staked - amount;
        totalStakedTok -= amount;
        emit Unstaked(msg.sender, amount);

        TOK.safeTransfer(msg.sender, amount);
    }

    /// @inheritdoc IStakingVault
    function claimRewards() external returns (uint256 amount) {
        Account storage account = _settle(msg.sender);
        amount = account.rewards;
        if (amount == 0) revert ZeroAmount();

        account.rewards = 0;
        emit RewardsClaimed(msg.sender, amount);

        TOK.safeTransfer(msg.sender, amount);
    }

    /// @inheritdoc IStakingVault
    function spendCredit(address spender) external onlyGateway {
        Account storage account = _settle(spender);
        uint256 credits = account.credits;
        if (credits < ACTION_CREDIT) revert InsufficientCredits(spender, credits);

        account.credits = credits - ACTION_CREDIT;
        emit CreditSpent(spender, ACTION_CREDIT);
    }

    /// @inheritdoc IStakingVault
    function addReward(uint256 amount) external onlyGateway {
        // The time before this reward drips from the reserve without it.
        _accrue();
        _last.rewardReserve += amount;
        emit RewardAdded(amount);
    }

    /// @inheritdoc IStakingVault
    function totalCreditsIssued() external view returns (uint256) {
        return _accrued().totalCreditsIssued;
    }

    /// @inheritdoc IStakingVault
    function creditsRemaining() external view returns (uint256) {
        return creditCap - _accrued().totalCreditsIssued;
    }

    /// @inheritdoc IStakingVault
    function creditIssuanceClosed() external view returns (bool) {
        return _accrued().totalCreditsIssued == creditCap;
    }

    /// @inheritdoc IStakingVault
    function rewardReserve() external view returns (uint256) {
        return _accrued().rewardReserve;
    }

    /// @inheritdoc IStakingVault
    function stakedOf(address account) external view returns (uint256) {
        return _accounts[account].staked;
    }

    /// @inheritdoc IStakingVault
    function creditsOf(address account) external view returns (uint256) {
        return _creditsAt(_accounts[account], _accrued());
    }

    /// @inheritdoc IStakingVault
    function rewardsOf(address account) external view returns (uint256) {
        return _rewardsAt(_accounts[account], _accrued());
    }

    /// @dev Brings the accumulators and then the account up to now. Every change of a stake starts with this line.
    function _settle(address owner_) private returns (Account storage account) {
        Accrual memory now_ = _accrue();
        account = _accounts[owner_];
        account.credits = _creditsAt(account, now_);
        account.rewards = _rewardsAt(account, now_);
        account.creditsPerStake = now_.creditsPerStake;
        account.rewardsPerStake = now_.rewardsPerStake;
    }

    function _accrue() private returns (Accrual memory now_) {
        now_ = _accrued();
        if (now_.time == _last.time) return now_;

        bool closes = now_.totalCreditsIssued == creditCap && _last.totalCreditsIssued != creditCap;
        _last = now_;
        emit Accrued(now_.creditsPerStake, now_.rewardsPerStake, now_.totalCreditsIssued, now_.rewardReserve);
        if (closes) emit CreditIssuanceClosed(now_.totalCreditsIssued);
    }

    /// @dev The accumulators as of now. Time in which nothing is staked earns nothing and drips nothing.
    function _accrued() private view returns (Accrual memory now_) {
        now_ = _last;
        uint256 elapsed = block.timestamp - now_.time;
        now_.time = block.timestamp;
        uint256 staked = totalStakedTok;
        if (staked == 0) return now_;

        // Issued credits round up and each account's down: what all can spend never exceeds what was issued.
        uint256 growth = elapsed * creditRate;
        uint256 issued = Math.ceilDiv(growth * staked, CREDIT_SCALE);
        uint256 remaining = creditCap - now_.totalCreditsIssued;
        if (issued > remaining) {
            issued = remaining;
            growth = remaining * CREDIT_SCALE / staked;
        }
        now_.creditsPerStake += growth;
        now_.totalCreditsIssued += issued;

        uint256 drip = now_.rewardReserve * Math.min(elapsed, REWARD_PERIOD) / REWARD_PERIOD;
        now_.rewardsPerStake += drip * REWARD_SCALE / staked;
        now_.rewardReserve -= drip;
    }

    function _creditsAt(Account storage account, Accrual memory now_) private view returns (uint256) {
        uint256 growth = now_.creditsPerStake - account.creditsPerStake;
        return account.credits + account.staked * growth / CREDIT_SCALE;
    }

    function _rewardsAt(Account storage account, Accrual memory now_) private view returns (uint256) {
        uint256 growth = now_.rewardsPerStake - account.rewardsPerStake;
        return account.rewards + account.staked * growth / REWARD_SCALE;
    }
}
