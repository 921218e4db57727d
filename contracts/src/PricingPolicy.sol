// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Ownable, Ownable2Step } from "@openzeppelin/contracts/access/Ownable2Step.sol";
import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { IPricingPolicy } from "./interfaces/IPricingPolicy.sol";
import { IUsdOracle } from "./interfaces/IUsdOracle.sol";
import { BPS } from "./types/Market.sol";

/// @title What a posting plan costs
/// @notice One set of plans for both markets. Plan ids are the ASCII name, left-aligned: bytes32("basic").
contract PricingPolicy is IPricingPolicy, Ownable2Step {
    struct InitialPlan {
        bytes32 planId;
        Plan plan;
    }

    /// @notice The highest discount a plan may have, in basis points.
    uint16 public constant MAX_TOK_DISCOUNT_BPS = 5_000;
    /// @dev 6 decimals of USD to 18 of TOK (1e12), by a price of 8 decimals (1e8).
    uint256 private constant USD_TO_TOK = 1e20;

    /// @inheritdoc IPricingPolicy
    address public usdOracle;

    mapping(bytes32 planId => Plan) private _plans;

    constructor(address owner_, address usdOracle_, InitialPlan[] memory plans) Ownable(owner_) {
        _setUsdOracle(usdOracle_);
        for (uint256 i = 0; i < plans.length; ++i) {
            _setPlan(plans[i].planId, plans[i].plan);
        }
    }

    /// @inheritdoc IPricingPolicy
    function setPlan(bytes32 planId, Plan calldata plan) external onlyOwner {
        _setPlan(planId, plan);
    }

    /// @inheritdoc IPricingPolicy
    function setUsdOracle(address usdOracle_) external onlyOwner {
        _setUsdOracle(usdOracle_);
    }

    /// @inheritdoc IPricingPolicy
    function planOf(bytes32 planId) external view returns (Plan memory) {
        return _plans[planId];
    }

    /// @inheritdoc IPricingPolicy
    function quote(bytes32 planId, bool inTok) external view returns (Quote memory) {
        Plan memory plan = _plans[planId];
        uint256 list = plan.listPriceUsd;
        if (list == 0) revert PlanNotForSale(planId);
        if (!inTok) return Quote({ listPriceUsd: list, payUsd: list, tokUsdPrice: 0, amount: list });
        if (!plan.tokAllowed) revert TokNotAllowed(planId);

        address oracle = usdOracle;
        if (oracle == address(0)) revert NoUsdOracle();

        (uint256 price,) = IUsdOracle(oracle).tokUsdPrice();
        uint256 payUsd = Math.ceilDiv(list * (BPS - plan.tokDiscountBps), BPS);
        uint256 amount = Math.ceilDiv(payUsd * USD_TO_TOK, price);
        return Quote({ listPriceUsd: list, payUsd: payUsd, tokUsdPrice: price, amount: amount });
    }

    function _setUsdOracle(address usdOracle_) private {
        usdOracle = usdOracle_;
        emit UsdOracleSet(usdOracle_);
    }

    function _setPlan(bytes32 planId, Plan memory plan) private {
        if (plan.tokDiscountBps > MAX_TOK_DISCOUNT_BPS) revert DiscountTooHigh(plan.tokDiscountBps);

        _plans[planId] = plan;
        emit PlanSet(planId, plan.listPriceUsd, plan.tokDiscountBps, plan.tokAllowed);
    }
}
