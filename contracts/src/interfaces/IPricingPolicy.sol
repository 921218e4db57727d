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

    error PlanNotForSale(bytes32 planId);
    error TokNotAllowed(bytes32 planId);
    error DiscountTooHigh(uint16 tokDiscountBps);

    /// @notice Sets or withdraws (price zero) a plan. Owner only.
    function setPlan(bytes32 planId, Plan calldata plan) external;

    /// @notice A plan as it is set.
    function planOf(bytes32 planId) external view returns (Plan memory);

    /// @notice The price now. In TOK it needs a fresh oracle price; in USDC it needs nothing.
    function quote(bytes32 planId, bool inTok) external view returns (Quote memory);
}
