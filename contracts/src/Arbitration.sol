// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { Arbitrators, JUDGE_LOSS_BPS, MIN_JUDGE_LOCK } from "./arbitration/Arbitrators.sol";
import { Cases } from "./arbitration/Cases.sol";
import { IArbitration } from "./interfaces/IArbitration.sol";
import { IDepositVault } from "./interfaces/IDepositVault.sol";
import { IReputationRegistry } from "./interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "./interfaces/ITaskRegistry.sol";
import {
    APPEAL_FEE,
    BPS,
    Contracts,
    EXIT_DEPOSIT,
    EXIT_PENALTY,
    JUNK_PENALTY,
    MarketParams,
    RULING_FEE,
    TASK_RESERVE
} from "./types/Market.sol";
import { Settlement } from "./types/Task.sol";

/// @dev What a poster puts up to open a case, of the milestone, and loses if a ruling goes against it, of the gap.
uint256 constant OPENER_STAKE_BPS = 1_000;
/// @dev What a poster that opened gives the worker when the two settle, of the milestone.
uint256 constant SETTLEMENT_BPS = 100;
/// @dev What whoever rules gets out of the milestone, of the gap.
uint256 constant COURT_SHARE_BPS = 100;
/// @dev The most that a judge gets of it. With the ruling fee, it is less than losing costs at any price of TOK.
uint256 constant MAX_JUDGE_SHARE = EXIT_DEPOSIT;

/// @title Disputes from the opening to the final court
/// @dev "t <= limit" belongs to whoever has the duty and "t > limit" to the default, so that exactly one of them applies.
/// The gap is the part of the milestone between the two shares that the parties name: what a ruling really decides.
contract Arbitration is Cases {
    ITaskRegistry private immutable REGISTRY;
    IDepositVault private immutable DEPOSITS;
    IReputationRegistry private immutable REPUTATION;
    address private immutable TREASURY;
    uint256 private immutable CONSENT_WINDOW;
    uint256 private immutable EVIDENCE_WINDOW;
    uint256 private immutable APPEAL_WINDOW;

    constructor(Contracts memory contracts_, MarketParams memory params) Arbitrators(contracts_) Cases(params) {
        REGISTRY = ITaskRegistry(contracts_.taskRegistry);
        DEPOSITS = IDepositVault(contracts_.depositVault);
        REPUTATION = IReputationRegistry(contracts_.reputationRegistry);
        TREASURY = contracts_.treasury;
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

        DEPOSITS.refill(taskId, case_.worker, TASK_RESERVE);
        if (byPoster) DEPOSITS.reserve(taskId, case_.poster, TASK_RESERVE);
        else DEPOSITS.refill(taskId, case_.poster, TASK_RESERVE);
        _takeStake(case_.poster, stake);
    }

    /// @inheritdoc IArbitration
    function concede(uint256 taskId) external {
        _onlyRegistry();
        Dispute storage dispute = _disputes[taskId];
        if (!_isUndecided(dispute)) revert WrongPhase(taskId, dispute.phase);
        _concede(taskId, dispute);
    }

    /// @inheritdoc IArbitration
    function abandon(uint256 taskId) external {
        _onlyRegistry();
        Dispute storage dispute = _disputes[taskId];
        if (dispute.phase == DisputePhase.NONE || dispute.phase == DisputePhase.CLOSED) {
            revert WrongPhase(taskId, dispute.phase);
        }
        _end(taskId, dispute, dispute.workerBps, Ending.CANCELLED);
        _settleCosts(taskId, dispute);
    }

    /// @inheritdoc IArbitration
    function submitEvidence(uint256 taskId, bytes32 evidenceHash, uint256 shareBps) external {
        Dispute storage dispute = _disputes[taskId];
        if (!_isUndecided(dispute)) revert WrongPhase(taskId, dispute.phase);
        _onlyParty(taskId, dispute);
        if (evidenceHash == 0) revert HashMissing();
        _onlyInEvidence(taskId, dispute);
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
    function resolve(uint256 taskId, bool forWorker, bytes32 reasonHash) external {
        Dispute storage dispute = _in(taskId, DisputePhase.EVIDENCE);
        if (msg.sender != dispute.judge) revert NotJudge(taskId, msg.sender);
        if (reasonHash == 0) revert HashMissing();
        _onlyHeard(taskId, dispute);
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
    function decide(uint256 taskId, bool forWorker, bool unfounded, bytes32 reasonHash) external {
        Dispute storage dispute = _in(taskId, DisputePhase.COURT);
        if (msg.sender != finalCourt) revert NotFinalCourt(msg.sender);
        if (reasonHash == 0) revert HashMissing();
        if (!dispute.ruled) _onlyHeard(taskId, dispute);
        if (block.timestamp > dispute.courtEnd) revert CourtWindowClosed(taskId, dispute.courtEnd);

        emit Decided(taskId, forWorker, unfounded, reasonHash);
        bool overturned = dispute.ruled && dispute.forWorker != forWorker;
        // Whoever ruled in the end is paid the ruling fee; of an overturned ruling, the appellant is.
        address feeTo = !dispute.ruled ? finalCourt : overturned ? _loser(dispute, dispute.forWorker) : dispute.judge;
        if (dispute.ruled) {
            DEPOSITS.penalise(taskId, _loser(dispute, dispute.forWorker), finalCourt, APPEAL_FEE);
        }
        if (overturned) _punishJudge(taskId, dispute, unfounded);
        _closeByRuling(taskId, dispute, forWorker, feeTo, finalCourt, Ending.DECIDED);
    }

    /// @inheritdoc IArbitration
    function finalize(uint256 taskId) external {
        Dispute storage dispute = _in(taskId, DisputePhase.RULED);
        if (block.timestamp <= dispute.appealEnd) revert AppealWindowOpen(taskId, dispute.appealEnd);
        _closeByRuling(taskId, dispute, dispute.forWorker, dispute.judge, dispute.judge, Ending.RULED);
    }

    /// @inheritdoc IArbitration
    function resolveTimedOut(uint256 taskId) external {
        Dispute storage dispute = _disputes[taskId];
        DisputePhase phase = dispute.phase;
        if (phase == DisputePhase.OPEN) {
            _checkTimedOut(taskId, dispute.evidenceEnd);
            _callCourt(taskId, dispute);
        } else if (phase == DisputePhase.EVIDENCE) {
            _checkTimedOut(taskId, dispute.rulingEnd);
            uint256 lost = _removeSilentJudge(taskId, dispute);
            _callCourt(taskId, dispute);
            _pay(taskId, dispute.poster, lost / 2);
            _pay(taskId, dispute.worker, lost - lost / 2);
        } else if (phase == DisputePhase.COURT) {
            _checkTimedOut(taskId, dispute.courtEnd);
            // An appeal that nobody heard costs nothing: its fee goes back with the reserve.
            if (dispute.ruled) {
                _closeByRuling(taskId, dispute, dispute.forWorker, dispute.judge, dispute.judge, Ending.RULED);
            } else {
                _closeByTime(taskId, dispute);
            }
        } else {
            revert WrongPhase(taskId, phase);
        }
    }

    /// @dev One side won. The loser pays, whoever ruled is paid the same whichever share it picked.
    function _closeByRuling(
        uint256 taskId,
        Dispute storage dispute,
        bool forWorker,
        address feeTo,
        address shareTo,
        Ending ending
    ) private {
        uint256 workerBps = forWorker ? dispute.askBps : dispute.offerBps;
        address loser = _loser(dispute, forWorker);
        address winner = _loser(dispute, !forWorker);
        uint256 gap = _gapOf(dispute);
        _end(taskId, dispute, workerBps, ending);

        DEPOSITS.penalise(taskId, loser, feeTo, RULING_FEE);
        DEPOSITS.penalise(taskId, loser, winner, TASK_RESERVE - RULING_FEE);
        if (workerBps == 0) DEPOSITS.charge(taskId, loser, TREASURY, JUNK_PENALTY);
        REPUTATION.recordDispute(taskId, winner, loser);
        _returnStake(taskId, dispute, forWorker ? gap * OPENER_STAKE_BPS / BPS : 0);
        uint256 share = gap * COURT_SHARE_BPS / BPS;
        // A judge may be somebody's own: no side may get back through it what losing costs.
        if (shareTo != finalCourt) share = Math.min(share, MAX_JUDGE_SHARE);
        _settleTask(taskId, workerBps, share, shareTo, workerBps == BPS, workerBps == 0);
    }

    /// @dev Nobody ruled: only the milestone moves, against the side that opened the case.
    function _closeByTime(uint256 taskId, Dispute storage dispute) private {
        uint256 workerBps = dispute.openedByPoster ? dispute.askBps : dispute.offerBps;
        _end(taskId, dispute, workerBps, Ending.TIMED_OUT);
        _returnStake(taskId, dispute, 0);
        _settleTask(taskId, workerBps, 0, address(0), false, false);
    }

    /// @dev The two shares met: in between it is an agreement, at either end one side gave everything up.
    function _settle(uint256 taskId, Dispute storage dispute) private {
        uint256 workerBps = dispute.askBps;
        if (workerBps == 0) {
            _abandonWork(taskId, dispute);
        } else if (workerBps == BPS) {
            _concede(taskId, dispute);
        } else {
            _end(taskId, dispute, workerBps, Ending.SETTLED);
            _settleCosts(taskId, dispute);
        }
        _settleTask(taskId, workerBps, 0, address(0), false, workerBps == 0);
    }

    /// @dev The poster gives in before anybody ruled.
    function _concede(uint256 taskId, Dispute storage dispute) private {
        _end(taskId, dispute, BPS, Ending.CONCEDED);
        if (dispute.judge != address(0)) DEPOSITS.penalise(taskId, dispute.poster, dispute.judge, RULING_FEE);
        REPUTATION.recordDispute(taskId, dispute.worker, dispute.poster);
        _returnStake(taskId, dispute, dispute.amount * SETTLEMENT_BPS / BPS);
    }

    /// @dev The worker asks for nothing more. It pays more than by leaving in time or by saying nothing; else junk would be
    /// a free try.
    function _abandonWork(uint256 taskId, Dispute storage dispute) private {
        _end(taskId, dispute, 0, Ending.CONCEDED);
        address worker = dispute.worker;
        address judge = dispute.judge;
        DEPOSITS.penalise(taskId, worker, judge == address(0) ? TREASURY : judge, RULING_FEE);
        DEPOSITS.penalise(taskId, worker, dispute.poster, TASK_RESERVE - RULING_FEE);
        DEPOSITS.charge(taskId, worker, TREASURY, EXIT_PENALTY);
        REPUTATION.recordDispute(taskId, dispute.poster, worker);
        _returnStake(taskId, dispute, 0);
    }

    /// @dev What an agreed end costs: half the judge's fee each, and from a poster that opened a little for the worker.
    function _settleCosts(uint256 taskId, Dispute storage dispute) private {
        address judge = dispute.judge;
        if (judge != address(0)) {
            DEPOSITS.penalise(taskId, dispute.poster, judge, RULING_FEE / 2);
            DEPOSITS.penalise(taskId, dispute.worker, judge, RULING_FEE / 2);
        }
        _returnStake(taskId, dispute, dispute.amount * SETTLEMENT_BPS / BPS);
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

    /// @dev An overturned judge owes the appellant a tenth of the gap, and the treasury the rest if it had no ground at all.
    function _punishJudge(uint256 taskId, Dispute storage dispute, bool unfounded) private {
        uint256 gap = _gapOf(dispute);
        uint256 toAppellant = _lossFor(gap);
        uint256 lost = unfounded ? lockFor(gap) : toAppellant;
        _arbitrators[dispute.judge].overturned += 1;
        _slash(taskId, dispute.judge, lost);
        _pay(taskId, _loser(dispute, dispute.forWorker), toAppellant);
        _pay(taskId, TREASURY, lost - toAppellant);
    }

    /// @dev A judge that said nothing owes each party half of a tenth of the milestone. Paid when the court has the case:
    /// whoever the token calls must find it there.
    function _removeSilentJudge(uint256 taskId, Dispute storage dispute) private returns (uint256 lost) {
        address judge = dispute.judge;
        lost = _lossFor(dispute.amount);
        dispute.judge = address(0);
        _arbitrators[judge].timedOut += 1;
        _free(taskId, judge, dispute.amount);
        _slash(taskId, judge, lost);
    }

    function _settleTask(
        uint256 taskId,
        uint256 workerBps,
        uint256 courtShare,
        address court,
        bool posterForfeits,
        bool workerForfeits
    ) private {
        REGISTRY.settleDispute(
            taskId,
            Settlement({
                workerBps: uint16(workerBps),
                posterForfeits: posterForfeits,
                workerForfeits: workerForfeits,
                courtShare: uint128(courtShare),
                court: court
            })
        );
    }

    /// @dev What a judge loses of what it locked for such an amount.
    function _lossFor(uint256 amount) private pure returns (uint256) {
        return Math.max(amount * JUDGE_LOSS_BPS / BPS, MIN_JUDGE_LOCK);
    }

    /// @dev Open for words: nobody has ruled yet.
    function _isUndecided(Dispute storage dispute) private view returns (bool) {
        DisputePhase phase = dispute.phase;
        return
            phase == DisputePhase.OPEN || phase == DisputePhase.EVIDENCE
                || (phase == DisputePhase.COURT && !dispute.ruled);
    }

    function _gapOf(Dispute storage dispute) private view returns (uint256) {
        return uint256(dispute.amount) * (dispute.askBps - dispute.offerBps) / BPS;
    }

    function _loser(Dispute storage dispute, bool forWorker) private view returns (address) {
        return forWorker ? dispute.poster : dispute.worker;
    }

    function _onlyHeard(uint256 taskId, Dispute storage dispute) private view {
        if (!(dispute.posterSpoke && dispute.workerSpoke) && block.timestamp <= dispute.evidenceEnd) {
            revert EvidenceWindowOpen(taskId, dispute.evidenceEnd);
        }
    }

    function _checkTimedOut(uint256 taskId, uint256 until) private view {
        if (block.timestamp <= until) revert NotTimedOut(taskId, until);
    }

    function _onlyRegistry() private view {
        if (msg.sender != address(REGISTRY)) revert Unauthorized(msg.sender);
    }
}
