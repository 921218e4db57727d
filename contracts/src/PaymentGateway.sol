// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { ShortString, ShortStrings } from "@openzeppelin/contracts/utils/ShortStrings.sol";
import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { IPaymentGateway } from "./interfaces/IPaymentGateway.sol";
import { IPricingPolicy } from "./interfaces/IPricingPolicy.sol";
import { IStakingVault } from "./interfaces/IStakingVault.sol";
import { ACCESS_FEE, ACTION_CREDIT, BPS, Contracts, EXIT_DEPOSIT } from "./types/Market.sol";
import { TokenPermit, TokenPermits } from "./types/TokenPermit.sol";

/// @title The TOK router: access fees, plan purchases, and the one address wallets give a TOK allowance to
contract PaymentGateway is IPaymentGateway {
    using SafeERC20 for IERC20;
    using TokenPermits for TokenPermit;

    /// @notice What one purchase adds, in seconds.
    uint256 public constant PLAN_PERIOD = 30 days;
    /// @notice The Union's part of an access fee paid in TOK; the treasury gets the rest.
    uint256 public constant UNION_SHARE_BPS = 4_000;

    IERC20 private immutable TOK;
    address private immutable USDC;
    address private immutable TASK_REGISTRY;
    address private immutable ESCROW_VAULT;
    address private immutable ARBITRATION;
    IStakingVault private immutable STAKING_VAULT;
    IPricingPolicy private immutable PRICING_POLICY;
    address private immutable TREASURY;
    ShortString private immutable MARKET;

    /// @inheritdoc IPaymentGateway
    mapping(address beneficiary => mapping(bytes32 planId => uint256)) public paidUntil;

    constructor(Contracts memory contracts_, string memory market_) {
        TOK = IERC20(contracts_.tok);
        USDC = contracts_.usdc;
        TASK_REGISTRY = contracts_.taskRegistry;
        ESCROW_VAULT = contracts_.escrowVault;
        ARBITRATION = contracts_.arbitration;
        STAKING_VAULT = IStakingVault(contracts_.stakingVault);
        PRICING_POLICY = IPricingPolicy(contracts_.pricingPolicy);
        TREASURY = contracts_.treasury;
        MARKET = ShortStrings.toShortString(market_);
    }

    /// @inheritdoc IPaymentGateway
    function chargeAccessFee(uint256 taskId, address payer, AccessAction action) external {
        if (msg.sender != TASK_REGISTRY) revert Unauthorized(msg.sender);

        if (STAKING_VAULT.creditsOf(payer) >= ACTION_CREDIT) {
            emit AccessFeePaid(taskId, payer, action, 0, ACTION_CREDIT);
            STAKING_VAULT.spendCredit(payer);
        } else {
            emit AccessFeePaid(taskId, payer, action, ACCESS_FEE, 0);
            _collectFee(payer);
        }
    }

    /// @inheritdoc IPaymentGateway
    function shareExitDeposit(uint256 taskId, address payer, AccessAction action) external {
        if (msg.sender != ESCROW_VAULT) revert Unauthorized(msg.sender);

        emit AccessFeePaid(taskId, payer, action, EXIT_DEPOSIT, 0);
        // What a missed duty or a lost dispute forfeits is the Union's: the treasury earns nothing in TOK from either.
        uint256 toUnion = action == AccessAction.FORFEIT ? EXIT_DEPOSIT : EXIT_DEPOSIT * UNION_SHARE_BPS / BPS;
        TOK.safeTransfer(address(STAKING_VAULT), toUnion);
        STAKING_VAULT.addReward(toUnion);
        if (toUnion != EXIT_DEPOSIT) TOK.safeTransfer(TREASURY, EXIT_DEPOSIT - toUnion);
    }

    /// @inheritdoc IPaymentGateway
    function pull(address from, uint256 amount) external {
        if (msg.sender != ESCROW_VAULT && msg.sender != address(STAKING_VAULT) && msg.sender != ARBITRATION) {
            revert Unauthorized(msg.sender);
        }

        TOK.safeTransferFrom(from, msg.sender, amount);
    }

    /// @inheritdoc IPaymentGateway
    function buyPlanWithPermit(
        bytes32 planId,
        address beneficiary,
        address asset,
        uint256 maxAmount,
        TokenPermit calldata permit
    ) external returns (uint256 until) {
        permit.give(asset, address(this), maxAmount);
        return buyPlan(planId, beneficiary, asset, maxAmount);
    }

    /// @inheritdoc IPaymentGateway
    function buyPlan(bytes32 planId, address beneficiary, address asset, uint256 maxAmount)
        public
        returns (uint256 until)
    {
        if (beneficiary == address(0)) revert ZeroBeneficiary();
        bool inTok = asset == address(TOK);
        if (!inTok && asset != USDC) revert AssetNotAccepted(asset);
        IPricingPolicy.Quote memory price = PRICING_POLICY.quote(planId, inTok);
        if (price.amount > maxAmount) revert PriceAboveMaximum(price.amount, maxAmount);

        until = Math.max(block.timestamp, paidUntil[beneficiary][planId]) + PLAN_PERIOD;
        paidUntil[beneficiary][planId] = until;
        emit PlanPurchased(market(), planId, beneficiary, msg.sender, asset, price.amount, price.payUsd, until);

        IERC20(asset).safeTransferFrom(msg.sender, TREASURY, price.amount);
    }

    /// @inheritdoc IPaymentGateway
    function market() public view returns (string memory) {
        return ShortStrings.toString(MARKET);
    }

    function _collectFee(address payer) private {
        uint256 toUnion = ACCESS_FEE * UNION_SHARE_BPS / BPS;
        TOK.safeTransferFrom(payer, address(STAKING_VAULT), toUnion);
        STAKING_VAULT.addReward(toUnion);
        TOK.safeTransferFrom(payer, TREASURY, ACCESS_FEE - toUnion);
    }
}
