// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { Arbitrators, MIN_JUDGE_LOCK } from "./arbitration/Arbitrators.sol";
import { Cases } from "./arbitration/Cases.sol";
import { IArbitration } from "./interfaces/IArbitration.sol";
import { IDepositVault } from "./interfaces/IDepositVault.sol";
import { IReputationRegistry } from "./interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "./interfaces/ITaskRegistry.sol";
import { APPEAL_FEE, BPS, Contracts, MarketParams, RULING_FEE, TASK_RESERVE } from "./types/Market.sol";
import { Settlement } from "./types/Task.sol";

/// @dev What a poster puts up to open a case, of the milestone, and loses if a ruling goes against it, of the gap.
uint256 constant OPENER_STAKE_BPS = 1_000;
/// @dev The least that a poster that opened loses to a ruling, of the milestone: an offer of almost everything is no cheap
/// way to press for a discount.
uint256 constant MIN_LOST_STAKE_BPS = 500;
/// @dev What a poster that opened gives the worker when the two settle, of the milestone.
uint256 constant SETTLEMENT_BPS = 100;
/// @dev What the final court gets out of the milestone, of the gap, and at most. A judge gets its fee from the loser and
/// nothing else: no side can earn through a judge of its own, and no court from large sums.
uint256 constant COURT_SHARE_BPS = 100;
uint256 constant MAX_COURT_SHARE = 1_000e18;

/// @title Disputes from the opening to the final court
/// @dev "t <= limit" belongs to whoever has the duty and "t > limit" to the default, so that exactly one of them applies.
/// The gap is the part of the milestone between the two shares that the parties name: what a ruling really decides.
contract Arbitration is Cases {
    ITaskRegistry private immutable REGISTRY;
    IDepositVault private immutable DEPOSITS;
    IReputationRegistry private immutable REPUTATION;
    uint256 private immutable CONSENT_WINDOW;
    uint256 private immutable EVIDENCE_WINDOW;
    uint256 private immutable APPEAL_WINDOW;

    constructor(Contracts memory contracts_, MarketParams memory params) Arbitrators(contracts_) Cases(params) {
        REGISTRY = ITaskRegistry(contracts_.taskRegistry);
        DEPOSITS = IDepositVault(contracts_.depositVault);
        REPUTATION = IReputationRegistry(contracts_.reputationRegistry);
        CONSENT_WINDOW = params.consentWindow;
        EVIDENCE_WINDOW = params.evidenceWindow;
        APPEAL_WINDOW = params.appealWindow;
    }

    /// @inheritdoc IArbitration
    function open(uint256 taskId, Case calldata case_) external {
        _onlyRegistry();
        Dispute storage dispute = _disputes[taskId];
        if (dispute.phase != DisputePhase.NONE && dispute.phase != DisputePhase.CLOSED) {
            revert WrongPhase(taskId, dispute.phase);
        }
        bool byPoster = case_.opener == case_.poster;
        // Who opens a case leaves something to decide.
        (uint256 min, uint256 max) = byPoster ? (0, BPS - 1) : (1, BPS);
        if (case_.shareBps < min || case_.shareBps > max) revert ShareOutOfRange(case_.shareBps, min, max);

        uint16 number = dispute.number + 1;
        uint256 consentEnd = block.timestamp + CONSENT_WINDOW;
        uint256 evidenceEnd = block.timestamp + EVIDENCE_WINDOW;
        uint256 stake = byPoster ? case_.amount * OPENER_STAKE_BPS / BPS : 0;
        delete _disputes[taskId];
        dispute.poster = case_.poster;
        dispute.worker = case_.worker;
        dispute.named = case_.named;
        dispute.posterProposal = case_.proposed;
        dispute.phase = DisputePhase.OPEN;
        dispute.number = number;
        dispute.openedByPoster = byPoster;
        dispute.posterSpoke = byPoster;
        dispute.workerSpoke = !byPoster;
        dispute.offerBps = byPoster ? uint16(case_.shareBps) : 0;
        dispute.askBps = byPoster ? uint16(BPS) : uint16(case_.shareBps);
        dispute.openedAt = uint40(block.timestamp);
        dispute.consentEnd = uint40(consentEnd);
        dispute.evidenceEnd = uint40(evidenceEnd);
        dispute.amount = case_.amount;
        dispute.stake = uint128(stake);
        emit CaseOpened(
            taskId, number, case_.opener, case_.evidenceHash, case_.shareBps, stake, consentEnd, evidenceEnd
        );

        if (!byPoster) return;
        // Conceding an earlier case may have eaten into it.
        DEPOSITS.reserve(taskId, case_.poster, TASK_RESERVE);
        _takeStake(case_.poster, stake);
    }

    /// @inheritdoc IArbitration
    function concede(uint256 taskId) external {
        _onlyRegistry();
        _concede(taskId, _undecided(taskId));
    }

    /// @inheritdoc IArbitration
    function abandon(uint256 taskId) external {
        _onlyRegistry();
        // A judge that ruled stays at risk: else its victim's appeal could be bought off.
        Dispute storage dispute = _undecided(taskId);
        _payAgreed(taskId, dispute);
        _end(taskId, dispute, dispute.workerBps, Ending.CANCELLED);
        _returnStake(taskId, dispute, dispute.amount * SETTLEMENT_BPS / BPS);
    }

    /// @inheritdoc IArbitration
    function submitEvidence(uint256 taskId, bytes32 evidenceHash, uint256 shareBps) external {
        Dispute storage dispute = _undecided(taskId);
        _onlyParty(taskId, dispute);
        if (evidenceHash == 0) revert HashMissing();
        if (block.timestamp > dispute.evidenceEnd) revert EvidenceWindowClosed(taskId, dispute.evidenceEnd);
        if (shareBps < dispute.offerBps || shareBps > dispute.askBps) {
            revert ShareOutOfRange(shareBps, dispute.offerBps, dispute.askBps);
        }

        if (msg.sender == dispute.poster) {
            dispute.posterSpoke = true;
            dispute.offerBps = uint16(shareBps);
        } else {
            dispute.workerSpoke = true;
            dispute.askBps = uint16(shareBps);
        }
        emit EvidenceSubmitted(taskId, msg.sender, evidenceHash, shareBps);
        if (dispute.offerBps == dispute.askBps) _settle(taskId, dispute);
    }

    /// @inheritdoc IArbitration
    function resolve(uint256 taskId, uint256 number, bool forWorker, bytes32 reasonHash) external {
        Dispute storage dispute = _in(taskId, DisputePhase.EVIDENCE);
        if (msg.sender != dispute.judge) revert NotJudge(taskId, msg.sender);
        _checkRuling(taskId, dispute, number, reasonHash);
        // From then on the shares stand still.
        if (block.timestamp <= dispute.evidenceEnd) revert EvidenceWindowOpen(taskId, dispute.evidenceEnd);
        // Whoever sleeps is not ruled by a judge that the other side may have brought.
        if (!_bothSpoke(dispute)) revert PartySilent(taskId);
        if (block.timestamp > dispute.rulingEnd) revert RulingWindowClosed(taskId, dispute.rulingEnd);

        uint256 appealEnd = block.timestamp + APPEAL_WINDOW;
        dispute.phase = DisputePhase.RULED;
        dispute.ruled = true;
        dispute.forWorker = forWorker;
        dispute.appealEnd = uint40(appealEnd);
        _arbitrators[msg.sender].resolved += 1;
        emit Ruled(taskId, msg.sender, forWorker, reasonHash, appealEnd);
    }

    /// @inheritdoc IArbitration
    function escalate(uint256 taskId) external {
        Dispute storage dispute = _in(taskId, DisputePhase.RULED);
        if (msg.sender != _loser(dispute, dispute.forWorker)) revert NotLoser(taskId, msg.sender);
        if (block.timestamp > dispute.appealEnd) revert AppealWindowClosed(taskId, dispute.appealEnd);

        dispute.appealed = true;
        emit Escalated(taskId, msg.sender, APPEAL_FEE);
        _callCourt(taskId, dispute);
        DEPOSITS.reserve(taskId, msg.sender, DEPOSITS.reserveOf(taskId, msg.sender) + APPEAL_FEE);
    }

    /// @inheritdoc IArbitration
    function decide(uint256 taskId, uint256 number, bool forWorker, bytes32 reasonHash) external {
        Dispute storage dispute = _in(taskId, DisputePhase.COURT);
        if (msg.sender != finalCourt) revert NotFinalCourt(msg.sender);
        _checkRuling(taskId, dispute, number, reasonHash);
        if (block.timestamp <= dispute.evidenceEnd) revert EvidenceWindowOpen(taskId, dispute.evidenceEnd);
        if (block.timestamp > dispute.courtEnd) revert CourtWindowClosed(taskId, dispute.courtEnd);

        emit Decided(taskId, forWorker, reasonHash);
        address feeTo = dispute.ruled ? dispute.judge : finalCourt;
        if (dispute.ruled) {
            address appellant = _loser(dispute, dispute.forWorker);
            DEPOSITS.penalise(taskId, appellant, finalCourt, APPEAL_FEE);
            if (dispute.forWorker != forWorker) {
                // The appellant has its fee back from the loser; the judge loses more than its ruling moved.
                feeTo = appellant;
                _arbitrators[dispute.judge].overturned += 1;
                _slash(taskId, dispute.judge, lockFor(_movedBy(dispute)));
            }
        }
        _closeByRuling(taskId, dispute, forWorker, feeTo, Ending.DECIDED);
    }

    /// @inheritdoc IArbitration
    function finalize(uint256 taskId) external {
        Dispute storage dispute = _in(taskId, DisputePhase.RULED);
        if (block.timestamp <= dispute.appealEnd) revert AppealWindowOpen(taskId, dispute.appealEnd);
        _closeByRuling(taskId, dispute, dispute.forWorker, dispute.judge, Ending.RULED);
    }

    /// @inheritdoc IArbitration
    function resolveTimedOut(uint256 taskId) external {
        Dispute storage dispute = _disputes[taskId];
        DisputePhase phase = dispute.phase;
        if (phase == DisputePhase.OPEN) {
            _checkTimedOut(taskId, dispute.consentEnd);
            _callCourt(taskId, dispute);
        } else if (phase == DisputePhase.EVIDENCE) {
            bool heard = _bothSpoke(dispute);
            _checkTimedOut(taskId, heard ? dispute.rulingEnd : dispute.evidenceEnd);
            address judge = dispute.judge;
            _unseat(taskId, dispute);
            if (heard) {
                _arbitrators[judge].timedOut += 1;
                _slash(taskId, judge, MIN_JUDGE_LOCK);
            }
        } else if (phase == DisputePhase.COURT) {
            _checkTimedOut(taskId, dispute.courtEnd);
            // An appeal that nobody heard costs nothing: its fee goes back with the reserve.
            if (dispute.ruled) {
                _closeByRuling(taskId, dispute, dispute.forWorker, dispute.judge, Ending.RULED);
            } else {
                _closeByTime(taskId, dispute);
            }
        } else {
            revert WrongPhase(taskId, phase);
        }
    }

    /// @dev One side won. The loser pays, whoever ruled is paid the same whichever share it picked.
    function _closeByRuling(uint256 taskId, Dispute storage dispute, bool forWorker, address feeTo, Ending ending)
        private
    {
        uint256 workerBps = forWorker ? dispute.askBps : dispute.offerBps;
        address loser = _loser(dispute, forWorker);
        address winner = _loser(dispute, !forWorker);
        uint256 gap = _gapOf(dispute);
        _end(taskId, dispute, workerBps, ending);

        DEPOSITS.penalise(taskId, loser, feeTo, RULING_FEE);
        DEPOSITS.penalise(taskId, loser, winner, APPEAL_FEE);
        REPUTATION.recordDispute(taskId, winner, loser);
        _returnStake(taskId, dispute, forWorker ? _lostStake(dispute) : 0);
        uint256 share = ending == Ending.DECIDED ? Math.min(gap * COURT_SHARE_BPS / BPS, MAX_COURT_SHARE) : 0;
        _settleTask(taskId, workerBps, share, loser);
    }

    /// @dev Nobody ruled: only the milestone moves, against the side that opened the case.
    function _closeByTime(uint256 taskId, Dispute storage dispute) private {
        uint256 workerBps = dispute.openedByPoster ? dispute.askBps : dispute.offerBps;
        _end(taskId, dispute, workerBps, Ending.TIMED_OUT);
        _returnStake(taskId, dispute, 0);
        _settleTask(taskId, workerBps, 0, address(0));
    }

    /// @dev The two shares met: in between it is an agreement, at either end one side gave everything up.
    function _settle(uint256 taskId, Dispute storage dispute) private {
        uint256 workerBps = dispute.askBps;
        // Whoever gives everything up ends the task by it. A poster that wants to go on releases the milestone.
        address loser;
        if (workerBps == 0) {
            loser = dispute.worker;
            _abandonWork(taskId, dispute);
        } else if (workerBps == BPS) {
            loser = dispute.poster;
            _concede(taskId, dispute);
        } else {
            _payAgreed(taskId, dispute);
            _end(taskId, dispute, workerBps, Ending.SETTLED);
            _returnStake(taskId, dispute, dispute.amount * SETTLEMENT_BPS / BPS);
        }
        _settleTask(taskId, workerBps, 0, loser);
    }

    /// @dev The poster gives in before anybody ruled. Once nothing more can be said it costs what losing costs: else whoever
    /// learns of a ruling first would concede in front of it.
    function _concede(uint256 taskId, Dispute storage dispute) private {
        address seated = _seated(dispute);
        _end(taskId, dispute, BPS, Ending.CONCEDED);
        if (seated != address(0)) DEPOSITS.penalise(taskId, dispute.poster, seated, RULING_FEE);
        bool late = block.timestamp > dispute.evidenceEnd;
        if (late) DEPOSITS.penalise(taskId, dispute.poster, dispute.worker, APPEAL_FEE);
        REPUTATION.recordDispute(taskId, address(0), dispute.poster);
        _returnStake(taskId, dispute, late ? _lostStake(dispute) : dispute.amount * SETTLEMENT_BPS / BPS);
    }

    /// @dev The worker asks for nothing more. It pays more than by leaving in time or by saying nothing; else junk would be
    /// a free try.
    function _abandonWork(uint256 taskId, Dispute storage dispute) private {
        address seated = _seated(dispute);
        _end(taskId, dispute, 0, Ending.CONCEDED);
        DEPOSITS.penalise(taskId, dispute.worker, seated == address(0) ? dispute.poster : seated, RULING_FEE);
        REPUTATION.recordDispute(taskId, address(0), dispute.worker);
        _returnStake(taskId, dispute, 0);
    }

    /// @dev Whoever has read the case is paid when the parties agree: half its fee each.
    function _payAgreed(uint256 taskId, Dispute storage dispute) private {
        address seated = _seated(dispute);
        if (seated == address(0)) return;
        DEPOSITS.penalise(taskId, dispute.poster, seated, RULING_FEE / 2);
        DEPOSITS.penalise(taskId, dispute.worker, seated, RULING_FEE / 2);
    }

    /// @dev Closes the case; a judge that still sits is free.
    function _end(uint256 taskId, Dispute storage dispute, uint256 workerBps, Ending ending) private {
        dispute.phase = DisputePhase.CLOSED;
        dispute.ending = ending;
        dispute.workerBps = uint16(workerBps);
        if (dispute.judge != address(0)) _free(taskId, dispute.judge, dispute.amount);
        emit CaseClosed(taskId, workerBps, ending);
    }

    /// @dev Gives the opener's stake back, less what the worker gets of it.
    function _returnStake(uint256 taskId, Dispute storage dispute, uint256 toWorker) private {
        uint256 stake = dispute.stake;
        toWorker = Math.min(toWorker, stake);
        totalStakes -= stake;
        dispute.stake = 0;
        _pay(taskId, dispute.worker, toWorker);
        _pay(taskId, dispute.poster, stake - toWorker);
    }

    /// @param loser Forfeits its exit deposit; zero for nobody.
    function _settleTask(uint256 taskId, uint256 workerBps, uint256 courtShare, address loser) private {
        REGISTRY.settleDispute(
            taskId,
            Settlement({
                workerBps: uint16(workerBps), loser: loser, courtShare: uint128(courtShare), court: finalCourt
            })
        );
    }

    /// @dev Who has the case: a judge, or the final court.
    function _seated(Dispute storage dispute) private view returns (address) {
        if (dispute.judge != address(0)) return dispute.judge;
        return dispute.phase == DisputePhase.COURT ? finalCourt : address(0);
    }

    /// @dev A case that nobody has ruled on yet.
    function _undecided(uint256 taskId) private view returns (Dispute storage dispute) {
        dispute = _disputes[taskId];
        DisputePhase phase = dispute.phase;
        bool live = phase == DisputePhase.OPEN || phase == DisputePhase.EVIDENCE || phase == DisputePhase.COURT;
        if (!live || dispute.ruled) revert WrongPhase(taskId, phase);
    }

    /// @dev What a poster that opened loses to a ruling.
    function _lostStake(Dispute storage dispute) private view returns (uint256) {
        uint256 least = uint256(dispute.amount) * MIN_LOST_STAKE_BPS;
        return Math.min(Math.max(_gapOf(dispute) * OPENER_STAKE_BPS, least) / BPS, dispute.stake);
    }

    /// @dev What a ruling moves from one side to the other. It never counts for more than the milestone, for which the
    /// judge locked its bond.
    function _movedBy(Dispute storage dispute) private view returns (uint256) {
        return Math.min(_gapOf(dispute) + _lostStake(dispute), dispute.amount);
    }

    function _gapOf(Dispute storage dispute) private view returns (uint256) {
        return uint256(dispute.amount) * (dispute.askBps - dispute.offerBps) / BPS;
    }

    function _loser(Dispute storage dispute, bool forWorker) private view returns (address) {
        return forWorker ? dispute.poster : dispute.worker;
    }

    function _checkTimedOut(uint256 taskId, uint256 until) private view {
        if (block.timestamp <= until) revert NotTimedOut(taskId, until);
    }

    function _onlyRegistry() private view {
        if (msg.sender != address(REGISTRY)) revert Unauthorized(msg.sender);
    }
}
