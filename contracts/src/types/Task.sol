// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The order is part of the protocol: `packages/protocol/src/tasks/states.ts` lists the same names.
enum TaskState {
    NONE,
    POSTED,
    CLAIMED,
    ACTIVE,
    DISPUTED,
    COMPLETED,
    CANCELLED,
    EXPIRED,
    RESOLVED
}

/// @dev SPLIT: the milestone's money was shared by a ruling or by a mutual cancel. How a task ended, not what was paid: one
/// cancelled before it was funded has these states too.
enum MilestoneState {
    OPEN,
    DELIVERED,
    PAID,
    REFUNDED,
    SPLIT
}

/// @dev OPEN tasks are posted for anyone and publish their text; PRIVATE ones are created from two signatures.
enum TaskScope {
    OPEN,
    PRIVATE
}

/// @dev PERMIT: a claim needs the poster's signed ClaimPermit, or that the poster allowed the worker on chain.
enum ClaimPolicy {
    ANYONE,
    PERMIT
}

/// @dev What both parties agree on. The market and the asset belong to the EIP-712 struct too, but the registry knows
/// its own and never takes them from a caller.
struct TaskTerms {
    address poster;
    uint256[] amounts;
    uint64[] durations;
    uint64 reviewWindow;
    uint8 maxRevisions;
    /// Private task: sits in a dispute once it accepts. Open task: the poster's proposal, once the worker names it too.
    /// Zero for none.
    address arbitrator;
    /// Signs receipts for deliveries; without a receipt of it, silence pays nothing. Zero: silence always pays.
    address store;
    bytes32 criteriaHash;
    TaskScope scope;
    ClaimPolicy claimPolicy;
    uint64 claimDeadline;
    uint256 nonce;
}

/// @dev One party's signature over a struct that carries its own nonce and expiry.
struct Signature {
    uint256 nonce;
    uint64 expiry;
    bytes data;
}

/// @dev A store's signature over StorageReceipt: it holds every byte of the delivery and serves it to the poster.
struct Receipt {
    /// How many bytes it holds.
    uint64 size;
    /// Until when it serves them.
    uint64 until;
    /// Empty: no receipt.
    bytes signature;
}

/// @dev How a dispute ends its task. Arbitration decides, the registry pays.
struct Settlement {
    /// The worker's share of the milestone, after the court's.
    uint16 workerBps;
    /// Forfeits its exit deposit; zero for nobody.
    address loser;
    /// What the final court gets out of the milestone, and who that is.
    uint128 courtShare;
    address court;
}

/// @dev A task as stored. Milestones are worked one after the other: those before `current` are paid, `current` is in
/// work or in review, later ones have not begun.
struct Task {
    address poster;
    TaskState state;
    TaskScope scope;
    ClaimPolicy claimPolicy;
    uint8 milestoneCount;
    uint8 current;
    uint8 maxRevisions;
    /// Revisions asked for on the current milestone.
    uint8 revisions;
    /// The worker's share of the last split, in basis points; set by a ruling or a mutual cancel.
    uint16 workerBps;
    /// A dispute ended the task, so only the disputed milestone was shared.
    bool ruled;
    /// All the money was there when the worker claimed.
    bool fundedAtClaim;
    /// The store of the terms signed for the delivery in review.
    bool receipted;
    /// The poster has ended the work: the worker may deliver what it has until `deadline`, and loses nothing if not.
    bool underNotice;
    address worker;
    uint40 claimedAt;
    uint32 reviewWindow;
    /// Sum of all milestones.
    uint128 total;
    uint40 claimDeadline;
    /// Until when the current milestone may be delivered.
    uint40 deadline;
    /// Until when the poster may answer the delivery; zero while nothing is in review.
    uint40 reviewEnd;
    address arbitrator;
    uint40 postedAt;
    /// Where a reader finds the posting log; never part of a duration.
    uint48 postedBlock;
    address store;
    bytes32 termsHash;
}

struct Milestone {
    uint128 amount;
    uint32 duration;
}

/// @dev What a reader gets of a milestone.
struct MilestoneView {
    uint128 amount;
    uint32 duration;
    MilestoneState state;
}

/// @dev What a reader gets of a task: storage, the vault's account and the digest of the terms with today's worker.
struct TaskView {
    uint256 taskId;
    Task task;
    bytes32 settlementDigest;
    uint256 funded;
    uint256 released;
    uint256 refunded;
    MilestoneView[] milestones;
}
