// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What a posting plan costs
interface IPricingPolicy {
    struct Plan {
        /// List price for 30 days, USD with 6 decimals; zero means not for sale.
        uint64 listPriceUsd;
        /// Taken off when paid in TOK, in basis points.
        uint16 tokDiscountBps;
        bool tokAllowed;
    }

    struct Quote {
        uint256 listPriceUsd;
        /// What is really asked, USD with 6 decimals.
        uint256 payUsd;
        /// USD per TOK with 8 decimals; zero when paid in USDC.
        uint256 tokUsdPrice;
        /// In units of the asset paid with, rounded up.
        uint256 amount;
    }

    event PlanSet(bytes32 indexed planId, uint64 listPriceUsd, uint16 tokDiscountBps, bool tokAllowed);

    /// @notice The price of TOK comes from this oracle from now on; zero if plans sell for USDC only.
    event UsdOracleSet(address indexed usdOracle);

    error PlanNotForSale(bytes32 planId);
    error TokNotAllowed(bytes32 planId);
    error NoUsdOracle();
    error DiscountTooHigh(uint16 tokDiscountBps);

    /// @notice Sets or withdraws (price zero) a plan. Owner only.
    /// @param planId The ASCII name of the plan, left-aligned.
    /// @param plan Its price and how it is sold.
    function setPlan(bytes32 planId, Plan calldata plan) external;

    /// @notice Replaces the oracle, or does without one: plans then sell for USDC only. Owner only.
    /// @dev The whole oracle, not its feed: another feed may need another age limit.
    /// @param usdOracle_ The new `IUsdOracle`, or zero for none.
    function setUsdOracle(address usdOracle_) external;

    /// @notice Where the price of TOK comes from.
    /// @return The oracle, or zero if plans sell for USDC only.
    function usdOracle() external view returns (address);

    /// @notice A plan as it is set.
    /// @param planId The ASCII name of the plan, left-aligned.
    /// @return The plan; an unknown one has price zero.
    function planOf(bytes32 planId) external view returns (Plan memory);

    /// @notice The price now. In TOK it needs an oracle with a fresh price; in USDC it needs nothing.
    /// @param planId The ASCII name of the plan, left-aligned.
    /// @param inTok True to pay in TOK, false to pay in USDC.
    /// @return The list price, the price asked, and the amount to pay.
    function quote(bytes32 planId, bool inTok) external view returns (Quote memory);
}
