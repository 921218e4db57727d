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
uint256 constant TASK_RESERVE = 8e6;
/// @dev What stays in the vault besides the reserves while anything is reserved: it pays for an appeal.
uint256 constant LOCKED_DEPOSIT = ENTRY_DEPOSIT - TASK_RESERVE;
uint256 constant EXIT_PENALTY = 2.5e6;
/// @dev The loser's reserve pays this to whoever ruled, and the rest of the reserve to the winner.
uint256 constant RULING_FEE = 5e6;
uint256 constant APPEAL_FEE = 10e6;
/// @dev What a worker whom a ruling gives nothing pays besides its reserve: losing with junk costs more than silence.
uint256 constant JUNK_PENALTY = 5e6;

uint256 constant ACCESS_FEE = 1_000e18;
/// @dev Locked on entry, spent by leaving or dismissing, forfeited by a missed duty, returned otherwise.
uint256 constant EXIT_DEPOSIT = ACCESS_FEE;
uint256 constant ACTION_CREDIT = 1e18;

uint256 constant MAX_MILESTONES = 16;
uint256 constant MAX_REVISIONS = 3;
uint256 constant BPS = 10_000;
