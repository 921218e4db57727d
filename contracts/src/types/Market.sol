// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The addresses one market is wired with. Every contract takes the whole set and keeps what it needs as immutables.
struct Contracts {
    address tok;
    address usdc;
    address taskRegistry;
    address taskScopeRegistry;
    address escrowVault;
    address depositVault;
    address paymentGateway;
    address stakingVault;
    address arbitration;
    address reputationRegistry;
    address pricingPolicy;
    address usdOracle;
    address treasury;
}

/// @dev What makes a market that market; fixed for life, so a task never outlives the rules it was posted under.
/// All durations are seconds.
struct MarketParams {
    string market;
    uint32 vetWindow;
    uint32 fundingWindow;
    uint32 minReviewWindow;
    uint32 maxReviewWindow;
    uint32 maxClaimDeadline;
    uint32 claimCutoff;
    uint32 minDuration;
    uint32 maxDuration;
    uint8 baseClaims;
    uint32 consentWindow;
    uint32 evidenceWindow;
    uint32 rulingWindow;
    uint32 appealWindow;
}

/// @dev USD amounts are USDC units (6 decimals): collateral is held in USDC, so no exit ever asks an oracle.
uint256 constant ENTRY_DEPOSIT = 25e6;
uint256 constant PAUSE_THRESHOLD = 8e6;
uint256 constant TASK_RESERVE = 8e6;
uint256 constant EXIT_PENALTY = 2.5e6;
/// @dev What a claim needs of the poster's reserve: both penalties of an exit.
uint256 constant CLAIM_RESERVE = 2 * EXIT_PENALTY;
uint256 constant DISPUTE_FEE = 5e6;

uint256 constant ACCESS_FEE = 1_000e18;
uint256 constant ACTION_CREDIT = 1e18;

uint256 constant MAX_MILESTONES = 16;
uint256 constant MAX_REVISIONS = 3;
uint256 constant BPS = 10_000;
