// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The addresses one market is wired with. Every contract takes the whole set and keeps what it needs as immutables.
struct Contracts {
    address tok;
    address usdc;
    address taskRegistry;
    address taskScopeRegistry;
    address agreements;
    address escrowVault;
    address depositVault;
    address paymentGateway;
    address stakingVault;
    address arbitration;
    address reputationRegistry;
    address pricingPolicy;
    address usdOracle;
    address treasury;
    /// Decides what no judge decided, and appeals. Never a party.
    address finalCourt;
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
    uint32 minRevisionTime;
    uint32 consentWindow;
    uint32 evidenceWindow;
    uint32 rulingWindow;
    uint32 appealWindow;
    uint32 courtWindow;
}

/// @dev USD amounts are USDC units (6 decimals): collateral is held in USDC, so no exit ever asks an oracle.
uint256 constant ENTRY_DEPOSIT = 25e6;
uint256 constant PAUSE_THRESHOLD = 8e6;
/// @dev The loser of a dispute pays this to whoever ruled, and an appeal's worth to the winner: an appellant that is right
/// has it back.
uint256 constant RULING_FEE = 5e6;
uint256 constant APPEAL_FEE = 8e6;
/// @dev What each party has at stake in a task: a lost dispute.
uint256 constant TASK_RESERVE = RULING_FEE + APPEAL_FEE;
/// @dev What stays in the vault besides the reserves while anything is reserved: it pays for an appeal.
uint256 constant LOCKED_DEPOSIT = ENTRY_DEPOSIT - TASK_RESERVE;
/// @dev What a missed duty costs besides the exit deposit.
uint256 constant LAPSE_PENALTY = 2.5e6;

uint256 constant ACCESS_FEE = 1_000e18;
/// @dev Locked on entry, spent by leaving or dismissing, forfeited by a missed duty, returned otherwise.
uint256 constant EXIT_DEPOSIT = ACCESS_FEE;
uint256 constant ACTION_CREDIT = 1e18;

uint256 constant MAX_MILESTONES = 16;
uint256 constant MAX_REVISIONS = 3;
uint256 constant BPS = 10_000;
