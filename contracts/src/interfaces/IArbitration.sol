// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Arbitrators, disputes, rulings, appeals and what happens when nobody answers
/// @notice One open dispute per task. Every phase has an end that any stranger can call.
interface IArbitration {
    /// @dev OPEN: no arbitrator seated. EVIDENCE: a panel sits. RULED: a ruling waits for an appeal or `finalize`.
    enum DisputePhase {
        NONE,
        OPEN,
        EVIDENCE,
        RULED,
        CLOSED
    }

    struct Dispute {
        address poster;
        DisputePhase phase;
        /// 0, 1, 2: panels of 1, 3, 5.
        uint8 tier;
        /// The panel of this tier was silent once and has been replaced.
        bool reseated;
        bool posterSpoke;
        bool workerSpoke;
        /// The ruling that stands while RULED, in basis points of the disputed milestone.
        uint16 workerBps;
        /// Which dispute of this task it is, from 1.
        uint16 number;
        address worker;
        /// Where the current panel begins in the bench.
        uint8 panelStart;
        address posterProposal;
        address workerProposal;
        /// OPEN, first time only: until when the parties alone choose.
        uint40 consentEnd;
        /// OPEN: until when a draw may seat a panel.
        uint40 seatEnd;
        /// EVIDENCE: until when the parties may speak.
        uint40 evidenceEnd;
        /// EVIDENCE: until when the panel may rule.
        uint40 rulingEnd;
        /// RULED: until when a party may appeal.
        uint40 appealEnd;
        /// The block whose hash seats the panel; zero while no draw is under way.
        uint64 drawBlock;
    }

    /// @dev A member of the bench. Silent members are slashed and removed.
    struct Seat {
        address arbitrator;
        bool voted;
        uint16 workerBps;
    }

    /// @dev A reserve an appellant put up; lost to the bench unless the final ruling improved on `fromBps`.
    struct Appeal {
        address appellant;
        uint16 fromBps;
        uint64 bond;
    }

    struct Arbitrator {
        uint128 bond;
        /// Panels it sits on without having voted.
        uint32 openCases;
        uint32 resolved;
        uint32 timedOut;
        /// When the bond may be taken out; zero unless unbonding.
        uint40 unbondAt;
        uint128 slashed;
    }

    event ArbitratorRegistered(address indexed arbitrator, uint256 added, uint256 bond);
    event UnbondRequested(address indexed arbitrator, uint256 unbondAt);
    event Unbonded(address indexed arbitrator, uint256 amount);
    event ArbitratorSlashed(uint256 indexed taskId, address indexed arbitrator, uint256 amount, uint256 bond);
    event Withdrawn(address indexed account, address indexed to, uint256 amount);

    event CaseOpened(
        uint256 indexed taskId,
        uint256 number,
        address indexed opener,
        bytes32 evidenceHash,
        uint256 consentEnd,
        uint256 seatEnd
    );
    event ArbitratorProposed(uint256 indexed taskId, address indexed party, address indexed arbitrator);
    event DrawScheduled(uint256 indexed taskId, uint256 drawBlock);
    event PanelSeated(uint256 indexed taskId, uint256 tier, address[] panel, uint256 evidenceEnd, uint256 rulingEnd);
    event EvidenceSubmitted(uint256 indexed taskId, address indexed party, bytes32 evidenceHash);
    event VoteCast(uint256 indexed taskId, address indexed arbitrator, uint256 workerBps, bytes32 reasonHash);
    event Ruled(uint256 indexed taskId, uint256 tier, uint256 workerBps, uint256 appealEnd);
    event Escalated(uint256 indexed taskId, address indexed appellant, uint256 tier, uint256 bond, uint256 seatEnd);
    /// @notice A panel ruled nothing in its time and a new one may be drawn until `seatEnd`.
    event PanelReplaced(uint256 indexed taskId, uint256 tier, uint256 seatEnd);
    /// @param byRecord No panel ruled: the evidence on record, or the ruling appealed from, decided.
    event CaseClosed(uint256 indexed taskId, uint256 workerBps, bool byRecord);
    /// @notice The parties ended it themselves: the poster conceded, or both cancelled.
    event CaseWithdrawn(uint256 indexed taskId, bool conceded);

    error Unauthorized(address caller);
    error WrongPhase(uint256 taskId, DisputePhase phase);
    error NotParty(uint256 taskId, address caller);
    error NotOnPanel(uint256 taskId, address caller);
    error AlreadyVoted(uint256 taskId, address arbitrator);
    error AlreadySpoke(uint256 taskId, address party);
    error NotEligible(address arbitrator);
    error ConsentWindowOpen(uint256 taskId, uint256 consentEnd);
    error SeatWindowClosed(uint256 taskId, uint256 seatEnd);
    error DrawPending(uint256 taskId, uint256 drawBlock);
    error NobodyToSeat(uint256 taskId);
    error EvidenceWindowOpen(uint256 taskId, uint256 evidenceEnd);
    error EvidenceWindowClosed(uint256 taskId, uint256 evidenceEnd);
    error RulingWindowClosed(uint256 taskId, uint256 rulingEnd);
    error AppealWindowOpen(uint256 taskId, uint256 appealEnd);
    error AppealWindowClosed(uint256 taskId, uint256 appealEnd);
    error NothingToAppeal(uint256 taskId, address party);
    error NoFurtherAppeal(uint256 taskId);
    error NotTimedOut(uint256 taskId, uint256 until);
    error InvalidShare(uint256 workerBps);
    error HashMissing();
    error BondTooLow(uint256 bond, uint256 minimum);
    error BondInUse(address arbitrator, uint256 openCases);
    error NotUnbonding(address arbitrator);
    error UnbondCooldown(address arbitrator, uint256 unbondAt);
    error UnexpectedAmount(uint256 expected, uint256 received);
    error NothingToWithdraw(address account);

    /// @notice Bonds TOK as an arbitrator, or adds to a bond; ends an unbonding.
    function register(uint256 amount) external;

    /// @notice Stops being drawn; the bond is free after a cooldown and the last open case.
    function requestUnbond() external;

    /// @notice Takes the bond out when its cooldown is over.
    function unbond() external returns (uint256 amount);

    /// @notice Sends the caller's share of slashed bonds to an address of its choice.
    function withdraw(address to) external returns (uint256 amount);

    /// @notice Opens a case. Registry only. The opener's evidence counts as spoken; an eligible `named` is seated at once.
    function open(uint256 taskId, address opener, bytes32 evidenceHash, address poster, address worker, address named)
        external;

    /// @notice Closes a case because the poster released the milestone. Registry only.
    function concede(uint256 taskId) external;

    /// @notice Closes a case because both parties signed a mutual cancel. Registry only.
    function abandon(uint256 taskId) external;

    /// @notice A party's choice of arbitrator; both naming the same eligible one seats it.
    function propose(uint256 taskId, address arbitrator) external;

    /// @notice First call fixes a block a little ahead, a later call seats a panel drawn from its hash by bond.
    function seat(uint256 taskId) external;

    /// @notice Once per party and tier, while a panel may still be seated or in the evidence window.
    function submitEvidence(uint256 taskId, bytes32 evidenceHash) external;

    /// @notice A panel member's ruling, once both parties spoke or the evidence window closed.
    function resolve(uint256 taskId, uint256 workerBps, bytes32 reasonHash) external;

    /// @notice An appeal by a party that did not get everything; reserves a doubled bond of its deposit.
    function escalate(uint256 taskId) external;

    /// @notice Pays a ruling whose appeal window has passed.
    function finalize(uint256 taskId) external;

    /// @notice Ends any wait: counts the votes there are, replaces a silent panel once, then lets the record rule.
    function resolveTimedOut(uint256 taskId) external;

    /// @notice The last dispute of a task; one that never was has phase NONE.
    function disputeOf(uint256 taskId) external view returns (Dispute memory);

    /// @notice Its bench: everyone who was seated and not removed.
    function benchOf(uint256 taskId) external view returns (Seat[] memory);

    /// @notice Its appeals, oldest first.
    function appealsOf(uint256 taskId) external view returns (Appeal[] memory);

    /// @notice Bonded enough, not unbonding, and the bond covers the slash of every open case and of one more.
    function isEligible(address arbitrator) external view returns (bool);

    /// @notice Bond and record of an arbitrator.
    function arbitratorOf(address arbitrator) external view returns (Arbitrator memory);

    /// @notice All who ever registered, oldest first.
    function arbitratorsFrom(uint256 start, uint256 count) external view returns (address[] memory);

    /// @notice How many ever registered.
    function arbitratorCount() external view returns (uint256);

    /// @notice The account's share of slashed bonds.
    function withdrawableOf(address account) external view returns (uint256);

    /// @notice Sum of bonds and of what waits for `withdraw`.
    function totalBonded() external view returns (uint256);

    /// @notice Sum of what waits for `withdraw`.
    function totalWithdrawable() external view returns (uint256);

    /// @notice keccak256 of the ABI-encoded `MarketParams` this contract was deployed with; `TaskLens` has them in full.
    function paramsHash() external view returns (bytes32);
}
