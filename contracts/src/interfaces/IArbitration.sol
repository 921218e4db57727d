// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TokenPermit } from "../types/TokenPermit.sol";

/// @title Arbitrators, disputes, rulings, the final court, and what happens when nobody answers
/// @notice One open dispute per task: one judge, then the final court. Every phase has an end that any stranger can call.
interface IArbitration {
    /// @dev OPEN: nobody is seated. EVIDENCE: a judge sits. RULED: a ruling waits for an appeal or `finalize`.
    /// COURT: the final court has the word.
    enum DisputePhase {
        NONE,
        OPEN,
        EVIDENCE,
        RULED,
        COURT,
        CLOSED
    }

    /// @dev How a case ended. RULED: the judge's ruling stood. DECIDED: by the final court. TIMED_OUT: nobody ruled.
    /// SETTLED: the shares that both sides named met. CONCEDED: the poster paid, or the worker asked for nothing more.
    /// CANCELLED: both signed.
    enum Ending {
        NONE,
        RULED,
        DECIDED,
        TIMED_OUT,
        SETTLED,
        CONCEDED,
        CANCELLED
    }

    /// @dev What the registry says about a new case.
    struct Case {
        address opener;
        address poster;
        address worker;
        /// The arbitrator of terms that both signed, or zero.
        address named;
        /// The arbitrator of terms that the poster wrote alone, or zero.
        address proposed;
        /// The disputed milestone.
        uint128 amount;
        /// The worker's share that the opener names.
        uint256 shareBps;
        bytes32 evidenceHash;
    }

    struct Dispute {
        address poster;
        DisputePhase phase;
        Ending ending;
        /// Which dispute of this task it is, from 1.
        uint16 number;
        bool openedByPoster;
        bool posterSpoke;
        bool workerSpoke;
        /// A judge has ruled, and for whom.
        bool ruled;
        bool forWorker;
        bool appealed;
        address worker;
        uint40 openedAt;
        /// Until when a judge may be named and seated.
        uint40 consentEnd;
        address judge;
        /// Until when the parties may speak. Judge and court decide later.
        uint40 evidenceEnd;
        /// EVIDENCE: until when the judge may rule.
        uint40 rulingEnd;
        /// The arbitrator of terms that both signed, or zero.
        address named;
        /// RULED: until when the loser may appeal.
        uint40 appealEnd;
        /// COURT: until when the final court may decide.
        uint40 courtEnd;
        address posterProposal;
        /// The worker's share that the poster offers and the one that the worker asks for. A ruling picks one of them.
        uint16 offerBps;
        uint16 askBps;
        /// The share that the case ended with.
        uint16 workerBps;
        address workerProposal;
        /// The disputed milestone.
        uint128 amount;
        /// What the poster put up to open the case.
        uint128 stake;
    }

    struct Arbitrator {
        uint128 bond;
        /// What open cases lock of the bond.
        uint128 locked;
        /// When the bond may be taken out; zero unless unbonding.
        uint40 unbondAt;
        uint32 openCases;
        uint32 resolved;
        uint32 timedOut;
        uint32 overturned;
        uint128 slashed;
    }

    event ArbitratorRegistered(address indexed arbitrator, uint256 added, uint256 bond);
    event UnbondRequested(address indexed arbitrator, uint256 unbondAt);
    event Unbonded(address indexed arbitrator, uint256 amount);
    /// @param bond What is left.
    event ArbitratorSlashed(uint256 indexed taskId, address indexed arbitrator, uint256 amount, uint256 bond);
    event Withdrawn(address indexed account, address indexed to, uint256 amount);
    /// @notice TOK left the contract, or waits in `withdrawableOf(to)` if it could not be sent.
    event Paid(uint256 indexed taskId, address indexed to, uint256 amount, bool deferred);

    event CaseOpened(
        uint256 indexed taskId,
        uint256 number,
        address indexed opener,
        bytes32 evidenceHash,
        uint256 shareBps,
        uint256 stake,
        uint256 consentEnd,
        uint256 evidenceEnd
    );
    event ArbitratorProposed(uint256 indexed taskId, address indexed party, address indexed arbitrator);
    /// @param locked What the case locks of the judge's bond.
    event JudgeSeated(uint256 indexed taskId, address indexed judge, uint256 locked, uint256 rulingEnd);
    /// @notice The case is over for the judge; `locked` is free again, less what was slashed.
    event JudgeFreed(uint256 indexed taskId, address indexed judge, uint256 locked);
    /// @notice The judge gave the case back. The parties may name another while they may name one; else the court follows.
    event JudgeSteppedDown(uint256 indexed taskId, address indexed judge);
    event EvidenceSubmitted(uint256 indexed taskId, address indexed party, bytes32 evidenceHash, uint256 shareBps);
    event Ruled(uint256 indexed taskId, address indexed judge, bool forWorker, bytes32 reasonHash, uint256 appealEnd);
    /// @param fee What the appellant reserved of its deposit.
    event Escalated(uint256 indexed taskId, address indexed appellant, uint256 fee);
    event CourtCalled(uint256 indexed taskId, uint256 courtEnd);
    event Decided(uint256 indexed taskId, bool forWorker, bytes32 reasonHash);
    event CaseClosed(uint256 indexed taskId, uint256 workerBps, Ending ending);

    error Unauthorized(address caller);
    error WrongPhase(uint256 taskId, DisputePhase phase);
    error NotParty(uint256 taskId, address caller);
    error NotJudge(uint256 taskId, address caller);
    error NotFinalCourt(address caller);
    error NotLoser(uint256 taskId, address caller);
    error NotProposed(uint256 taskId, address arbitrator);
    error NotEligible(address arbitrator);
    error CourtCannotJudge(address court);
    error ConsentWindowClosed(uint256 taskId, uint256 consentEnd);
    /// @param number The case that is open.
    error WrongCase(uint256 taskId, uint256 number);
    error PartySilent(uint256 taskId);
    error EvidenceWindowOpen(uint256 taskId, uint256 evidenceEnd);
    error EvidenceWindowClosed(uint256 taskId, uint256 evidenceEnd);
    error RulingWindowClosed(uint256 taskId, uint256 rulingEnd);
    error AppealWindowOpen(uint256 taskId, uint256 appealEnd);
    error AppealWindowClosed(uint256 taskId, uint256 appealEnd);
    error CourtWindowClosed(uint256 taskId, uint256 courtEnd);
    error NotTimedOut(uint256 taskId, uint256 until);
    error ShareOutOfRange(uint256 shareBps, uint256 min, uint256 max);
    error HashMissing();
    error BondTooLow(uint256 bond, uint256 minimum);
    error BondInUse(address arbitrator, uint256 openCases);
    error NotUnbonding(address arbitrator);
    error UnbondCooldown(address arbitrator, uint256 unbondAt);
    error UnexpectedAmount(uint256 expected, uint256 received);
    error NothingToWithdraw(address account);

    /// @notice Bonds TOK as an arbitrator, or adds to a bond; ends an unbonding.
    /// @param amount How much to add.
    function register(uint256 amount) external;

    /// @notice As `register`, with the allowance in the same transaction. A permit that was used already does no harm.
    /// @param amount How much to add.
    /// @param permit The caller's signature that lets the payment gateway take the amount.
    function registerWithPermit(uint256 amount, TokenPermit calldata permit) external;

    /// @notice Takes no further cases; the bond is free after a cooldown and the last open case.
    function requestUnbond() external;

    /// @notice Takes the bond out when its cooldown is over.
    /// @return amount How much.
    function unbond() external returns (uint256 amount);

    /// @notice Sends what could not be paid to the caller to an address of its choice.
    /// @param to The address.
    /// @return amount How much.
    function withdraw(address to) external returns (uint256 amount);

    /// @notice Opens a case. Registry only. The opener has spoken; a poster puts up a tenth of the milestone.
    /// @param taskId The task.
    /// @param case_ Who disputes what.
    function open(uint256 taskId, Case calldata case_) external;

    /// @notice Closes a case without a ruling because the poster released the milestone. Registry only.
    /// @param taskId The task.
    function concede(uint256 taskId) external;

    /// @notice Closes a case because both parties signed a mutual cancel. Registry only, until a judge
    /// has ruled.
    /// @param taskId The task.
    function abandon(uint256 taskId) external;

    /// @notice A party names an arbitrator; the one whom signed terms or both parties name sits once it names itself.
    /// @param taskId The task.
    /// @param arbitrator The arbitrator.
    function propose(uint256 taskId, address arbitrator) external;

    /// @notice The judge gives the case back before it rules, for nothing.
    /// @param taskId The task.
    function stepDown(uint256 taskId) external;

    /// @notice A party speaks, and moves the share that it names towards the other's. If the two meet, the case closes.
    /// @param taskId The task.
    /// @param evidenceHash The hash of the evidence.
    /// @param shareBps The worker's share that the party names.
    function submitEvidence(uint256 taskId, bytes32 evidenceHash, uint256 shareBps) external;

    /// @notice The judge picks the worker's or the poster's share after the evidence window, if both spoke.
    /// @param taskId The task.
    /// @param number Which dispute of the task.
    /// @param forWorker Whose share.
    /// @param reasonHash The hash of the reasons.
    function resolve(uint256 taskId, uint256 number, bool forWorker, bytes32 reasonHash) external;

    /// @notice The loser takes a ruling to the final court, for USD 8 of its deposit; the other side pays them if it is right.
    /// @param taskId The task.
    function escalate(uint256 taskId) external;

    /// @notice The final court picks one of the two shares after the evidence window and closes the case.
    /// @dev An overturned judge loses five quarters of the gap, which are burnt.
    /// @param taskId The task.
    /// @param number Which dispute of the task.
    /// @param forWorker Whose share.
    /// @param reasonHash The hash of the reasons.
    function decide(uint256 taskId, uint256 number, bool forWorker, bytes32 reasonHash) external;

    /// @notice Pays a ruling whose appeal window has passed.
    /// @param taskId The task.
    function finalize(uint256 taskId) external;

    /// @notice Ends any wait: calls the final court where no judge ruled; then the ruling stands, or the share named by
    /// the side that did not open the case.
    /// @param taskId The task.
    function resolveTimedOut(uint256 taskId) external;

    /// @notice The last dispute of a task.
    /// @param taskId The task.
    /// @return The dispute; one that never was has phase NONE.
    function disputeOf(uint256 taskId) external view returns (Dispute memory);

    /// @notice The phase of the last dispute of a task.
    /// @param taskId The task.
    /// @return The phase.
    function phaseOf(uint256 taskId) external view returns (DisputePhase);

    /// @notice Bonded enough and not unbonding, with enough of the bond unlocked.
    /// @param arbitrator The arbitrator.
    /// @param amount The disputed milestone.
    /// @return Whether it can take such a case.
    function isEligible(address arbitrator, uint256 amount) external view returns (bool);

    /// @notice What a case locks of a judge's bond: five quarters of the milestone, at least 2,000 TOK.
    /// @param amount The disputed milestone.
    /// @return The amount.
    function lockFor(uint256 amount) external pure returns (uint256);

    /// @notice Bond and record of an arbitrator.
    /// @param arbitrator The arbitrator.
    /// @return The record.
    function arbitratorOf(address arbitrator) external view returns (Arbitrator memory);

    /// @notice All who ever registered, oldest first.
    /// @param start How many to skip.
    /// @param count How many to return, at most.
    /// @return The arbitrators.
    function arbitratorsFrom(uint256 start, uint256 count) external view returns (address[] memory);

    /// @notice How many ever registered.
    /// @return The number.
    function arbitratorCount() external view returns (uint256);

    /// @notice What could not be sent to the account.
    /// @param account The account.
    /// @return The amount.
    function withdrawableOf(address account) external view returns (uint256);

    /// @notice Sum of all bonds.
    /// @return The amount.
    function totalBonded() external view returns (uint256);

    /// @notice Sum of what posters put up to open the cases that are open.
    /// @return The amount.
    function totalStakes() external view returns (uint256);

    /// @notice Sum of what waits for `withdraw`.
    /// @return The amount.
    function totalWithdrawable() external view returns (uint256);

    /// @notice The final court of this market.
    /// @return Its address.
    function finalCourt() external view returns (address);

    /// @notice The hash of the parameters this contract was deployed with; `TaskLens` has them in full.
    /// @return keccak256 of the ABI-encoded `MarketParams`.
    function paramsHash() external view returns (bytes32);
}
