// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { Arbitrators } from "./arbitration/Arbitrators.sol";
import { Panels } from "./arbitration/Panels.sol";
import { IArbitration } from "./interfaces/IArbitration.sol";
import { IDepositVault } from "./interfaces/IDepositVault.sol";
import { IReputationRegistry } from "./interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "./interfaces/ITaskRegistry.sol";
import { BPS, Contracts, DISPUTE_FEE, MarketParams, TASK_RESERVE } from "./types/Market.sol";

/// @title Disputes from the opening to the last appeal
/// @dev "t <= limit" belongs to whoever has the duty and "t > limit" to the default, so that exactly one of them applies.
contract Arbitration is Panels {
    uint256 private constant TOP_TIER = 2;

    ITaskRegistry private immutable REGISTRY;
    IDepositVault private immutable DEPOSITS;
    IReputationRegistry private immutable REPUTATION;
    uint256 private immutable CONSENT_WINDOW;
    uint256 private immutable APPEAL_WINDOW;

    mapping(uint256 taskId => Appeal[]) private _appeals;

    constructor(Contracts memory contracts_, MarketParams memory params) Arbitrators(contracts_) Panels(params) {
        REGISTRY = ITaskRegistry(contracts_.taskRegistry);
        DEPOSITS = IDepositVault(contracts_.depositVault);
        REPUTATION = IReputationRegistry(contracts_.reputationRegistry);
        CONSENT_WINDOW = params.consentWindow;
        APPEAL_WINDOW = params.appealWindow;
    }

    /// @inheritdoc IArbitration
    function open(uint256 taskId, address opener, bytes32 evidenceHash, address poster, address worker, address named)
        external
    {
        _onlyRegistry();
        Dispute storage dispute = _disputes[taskId];
        if (dispute.phase != DisputePhase.NONE && dispute.phase != DisputePhase.CLOSED) {
            revert WrongPhase(taskId, dispute.phase);
        }

        uint16 number = dispute.number + 1;
        uint256 consentEnd = block.timestamp + CONSENT_WINDOW;
        uint256 seatEnd = consentEnd + EVIDENCE_WINDOW;
        delete _disputes[taskId];
        delete _benches[taskId];
        delete _appeals[taskId];
        dispute.poster = poster;
        dispute.worker = worker;
        dispute.phase = DisputePhase.OPEN;
        dispute.number = number;
        dispute.posterSpoke = opener == poster;
        dispute.workerSpoke = opener == worker;
        dispute.consentEnd = uint40(consentEnd);
        dispute.seatEnd = uint40(seatEnd);
        emit CaseOpened(taskId, number, opener, evidenceHash, consentEnd, seatEnd);
        if (_maySit(taskId, dispute, named)) _seatOne(taskId, dispute, named);

        DEPOSITS.refill(taskId, poster, TASK_RESERVE);
        DEPOSITS.refill(taskId, worker, TASK_RESERVE);
    }

    /// @inheritdoc IArbitration
    function concede(uint256 taskId) external {
        Dispute storage dispute = _withdrawCase(taskId, true);
        _collectAll(taskId, dispute, BPS, _appeals[taskId].length);
        REPUTATION.recordDispute(taskId, dispute.worker, dispute.poster);
        // The task goes on, so what the worker put up for appeals must not stay reserved until its end.
        if (_appeals[taskId].length != 0) {
            DEPOSITS.unreserve(taskId, dispute.worker);
            DEPOSITS.refill(taskId, dispute.worker, TASK_RESERVE);
        }
    }

    /// @inheritdoc IArbitration
    function abandon(uint256 taskId) external {
        Dispute storage dispute = _withdrawCase(taskId, false);
        _collect(taskId, dispute.poster, DISPUTE_FEE / 2);
        _collect(taskId, dispute.worker, DISPUTE_FEE / 2);
    }

    /// @inheritdoc IArbitration
    function submitEvidence(uint256 taskId, bytes32 evidenceHash) external {
        Dispute storage dispute = _disputes[taskId];
        if (dispute.phase != DisputePhase.OPEN && dispute.phase != DisputePhase.EVIDENCE) {
            revert WrongPhase(taskId, dispute.phase);
        }
        _onlyParty(taskId, dispute);
        if (evidenceHash == 0) revert HashMissing();
        // Past either end the record is what it is: nobody may still change what silence will decide.
        uint256 end = dispute.phase == DisputePhase.OPEN ? dispute.seatEnd : dispute.evidenceEnd;
        if (block.timestamp > end) revert EvidenceWindowClosed(taskId, end);
        bool isPoster = msg.sender == dispute.poster;
        if (isPoster ? dispute.posterSpoke : dispute.workerSpoke) revert AlreadySpoke(taskId, msg.sender);

        if (isPoster) dispute.posterSpoke = true;
        else dispute.workerSpoke = true;
        emit EvidenceSubmitted(taskId, msg.sender, evidenceHash);
    }

    /// @inheritdoc IArbitration
    function resolve(uint256 taskId, uint256 workerBps, bytes32 reasonHash) external {
        Dispute storage dispute = _in(taskId, DisputePhase.EVIDENCE);
        Seat storage member = _panelMember(taskId, dispute);
        if (member.voted) revert AlreadyVoted(taskId, msg.sender);
        if (workerBps > BPS) revert InvalidShare(workerBps);
        if (reasonHash == 0) revert HashMissing();
        if (!(dispute.posterSpoke && dispute.workerSpoke) && block.timestamp <= dispute.evidenceEnd) {
            revert EvidenceWindowOpen(taskId, dispute.evidenceEnd);
        }
        if (block.timestamp > dispute.rulingEnd) revert RulingWindowClosed(taskId, dispute.rulingEnd);

        member.voted = true;
        member.workerBps = uint16(workerBps);
        Arbitrator storage arbitrator = _arbitrators[msg.sender];
        arbitrator.openCases -= 1;
        arbitrator.resolved += 1;
        emit VoteCast(taskId, msg.sender, workerBps, reasonHash);
        if (_allVoted(taskId, dispute)) _rule(taskId, dispute);
    }

    /// @inheritdoc IArbitration
    function escalate(uint256 taskId) external {
        Dispute storage dispute = _in(taskId, DisputePhase.RULED);
        _onlyParty(taskId, dispute);
        uint256 tier = dispute.tier;
        uint16 fromBps = dispute.workerBps;
        if (tier == TOP_TIER) revert NoFurtherAppeal(taskId);
        if (block.timestamp > dispute.appealEnd) revert AppealWindowClosed(taskId, dispute.appealEnd);
        if (fromBps == (msg.sender == dispute.worker ? BPS : 0)) revert NothingToAppeal(taskId, msg.sender);

        // Twice the fee, then twice that.
        uint256 bond = DISPUTE_FEE << (tier + 1);
        uint256 seatEnd = block.timestamp + EVIDENCE_WINDOW;
        dispute.phase = DisputePhase.OPEN;
        dispute.tier = uint8(tier + 1);
        dispute.reseated = false;
        dispute.posterSpoke = false;
        dispute.workerSpoke = false;
        dispute.consentEnd = uint40(block.timestamp);
        dispute.seatEnd = uint40(seatEnd);
        _appeals[taskId].push(Appeal(msg.sender, fromBps, uint64(bond)));
        emit Escalated(taskId, msg.sender, tier + 1, bond, seatEnd);

        DEPOSITS.reserve(taskId, msg.sender, DEPOSITS.reserveOf(taskId, msg.sender) + bond);
    }

    /// @inheritdoc IArbitration
    function finalize(uint256 taskId) external {
        Dispute storage dispute = _in(taskId, DisputePhase.RULED);
        if (block.timestamp <= dispute.appealEnd) revert AppealWindowOpen(taskId, dispute.appealEnd);
        _close(taskId, dispute, dispute.workerBps, false);
    }

    /// @inheritdoc IArbitration
    function resolveTimedOut(uint256 taskId) external {
        Dispute storage dispute = _disputes[taskId];
        if (dispute.phase == DisputePhase.OPEN) {
            if (block.timestamp <= dispute.seatEnd) revert NotTimedOut(taskId, dispute.seatEnd);
            _closeByRecord(taskId, dispute);
        } else if (dispute.phase == DisputePhase.EVIDENCE) {
            if (block.timestamp <= dispute.rulingEnd) revert NotTimedOut(taskId, dispute.rulingEnd);
            if (_removeSilent(taskId, dispute) != 0) _rule(taskId, dispute);
            else if (dispute.reseated) _closeByRecord(taskId, dispute);
            else _replacePanel(taskId, dispute);
        } else {
            revert WrongPhase(taskId, dispute.phase);
        }
    }

    /// @inheritdoc IArbitration
    function appealsOf(uint256 taskId) external view returns (Appeal[] memory) {
        return _appeals[taskId];
    }

    function _rule(uint256 taskId, Dispute storage dispute) private {
        uint256 workerBps = _median(taskId, dispute);
        uint256 tier = dispute.tier;
        uint256 appealEnd = tier == TOP_TIER ? block.timestamp : block.timestamp + APPEAL_WINDOW;
        dispute.phase = DisputePhase.RULED;
        dispute.workerBps = uint16(workerBps);
        dispute.appealEnd = uint40(appealEnd);
        emit Ruled(taskId, tier, workerBps, appealEnd);
    }

    function _replacePanel(uint256 taskId, Dispute storage dispute) private {
        uint256 seatEnd = block.timestamp + EVIDENCE_WINDOW;
        dispute.phase = DisputePhase.OPEN;
        dispute.reseated = true;
        dispute.seatEnd = uint40(seatEnd);
        emit PanelReplaced(taskId, dispute.tier, seatEnd);
    }

    /// @dev No panel ruled on this tier: an appeal leaves the ruling as it was, a first case goes to who alone spoke.
    function _closeByRecord(uint256 taskId, Dispute storage dispute) private {
        uint256 workerBps = dispute.workerBps;
        if (dispute.tier == 0) {
            workerBps = dispute.posterSpoke == dispute.workerSpoke ? BPS / 2 : dispute.workerSpoke ? BPS : 0;
        }
        _close(taskId, dispute, workerBps, true);
    }

    function _close(uint256 taskId, Dispute storage dispute, uint256 workerBps, bool byRecord) private {
        uint256 judged = _appeals[taskId].length;
        // Nobody heard the last appeal, so its bond goes back.
        if (byRecord && judged != 0) judged -= 1;
        dispute.phase = DisputePhase.CLOSED;
        dispute.workerBps = uint16(workerBps);
        emit CaseClosed(taskId, workerBps, byRecord);

        _collectAll(taskId, dispute, workerBps, judged);
        if (workerBps == 0) REPUTATION.recordDispute(taskId, dispute.poster, dispute.worker);
        if (workerBps == BPS) REPUTATION.recordDispute(taskId, dispute.worker, dispute.poster);
        REGISTRY.settleDispute(taskId, workerBps);
    }

    /// @dev Ends a case that the parties settled; members who had not voted yet are free.
    function _withdrawCase(uint256 taskId, bool conceded) private returns (Dispute storage dispute) {
        _onlyRegistry();
        dispute = _disputes[taskId];
        if (dispute.phase == DisputePhase.NONE || dispute.phase == DisputePhase.CLOSED) {
            revert WrongPhase(taskId, dispute.phase);
        }
        dispute.phase = DisputePhase.CLOSED;
        Seat[] storage bench = _benches[taskId];
        for (uint256 i = dispute.panelStart; i < bench.length; ++i) {
            if (!bench[i].voted) _arbitrators[bench[i].arbitrator].openCases -= 1;
        }
        emit CaseWithdrawn(taskId, conceded);
    }

    /// @dev The loser's fee, or half of it from each, and the bonds of those of the first `judged` appeals that won nothing.
    function _collectAll(uint256 taskId, Dispute storage dispute, uint256 workerBps, uint256 judged) private {
        uint256 posterDue = workerBps == 0 ? 0 : workerBps == BPS ? DISPUTE_FEE : DISPUTE_FEE / 2;
        uint256 workerDue = DISPUTE_FEE - posterDue;
        address poster = dispute.poster;
        for (uint256 i = 0; i < judged; ++i) {
            Appeal memory appeal = _appeals[taskId][i];
            if (appeal.appellant == poster) {
                if (workerBps >= appeal.fromBps) posterDue += appeal.bond;
            } else if (workerBps <= appeal.fromBps) {
                workerDue += appeal.bond;
            }
        }
        _collect(taskId, poster, posterDue);
        _collect(taskId, dispute.worker, workerDue);
    }

    /// @dev Shares what is due, as far as the payer's reserve goes, equally among the bench.
    function _collect(uint256 taskId, address payer, uint256 due) private {
        Seat[] storage bench = _benches[taskId];
        uint256 members = bench.length;
        if (members == 0) return;
        uint256 share = Math.min(due, DEPOSITS.reserveOf(taskId, payer)) / members;
        if (share == 0) return;
        for (uint256 i = 0; i < members; ++i) {
            DEPOSITS.penalise(taskId, payer, bench[i].arbitrator, share);
        }
    }

    function _allVoted(uint256 taskId, Dispute storage dispute) private view returns (bool) {
        Seat[] storage bench = _benches[taskId];
        for (uint256 i = dispute.panelStart; i < bench.length; ++i) {
            if (!bench[i].voted) return false;
        }
        return true;
    }

    function _panelMember(uint256 taskId, Dispute storage dispute) private view returns (Seat storage) {
        Seat[] storage bench = _benches[taskId];
        for (uint256 i = dispute.panelStart; i < bench.length; ++i) {
            if (bench[i].arbitrator == msg.sender) return bench[i];
        }
        revert NotOnPanel(taskId, msg.sender);
    }

    function _onlyRegistry() private view {
        if (msg.sender != address(REGISTRY)) revert Unauthorized(msg.sender);
    }
}
