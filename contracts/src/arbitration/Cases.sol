// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../interfaces/IArbitration.sol";
import { MarketParams } from "../types/Market.sol";
import { Arbitrators } from "./Arbitrators.sol";

/// @title Who sits on a case: a judge that both parties named and that accepted, or the final court
abstract contract Cases is Arbitrators {
    /// @inheritdoc IArbitration
    bytes32 public immutable paramsHash;
    uint256 private immutable RULING_WINDOW;
    uint256 private immutable COURT_WINDOW;

    mapping(uint256 taskId => Dispute) internal _disputes;

    constructor(MarketParams memory params) {
        paramsHash = keccak256(abi.encode(params));
        RULING_WINDOW = params.rulingWindow;
        COURT_WINDOW = params.courtWindow;
    }

    /// @inheritdoc IArbitration
    function propose(uint256 taskId, address arbitrator) external {
        Dispute storage dispute = _in(taskId, DisputePhase.OPEN);
        bool accepts = msg.sender == arbitrator && !_isParty(dispute, arbitrator);
        if (accepts) _onlyCandidate(taskId, dispute);
        else _onlyParty(taskId, dispute);
        if (block.timestamp > dispute.consentEnd) revert ConsentWindowClosed(taskId, dispute.consentEnd);
        if (accepts) return _accept(taskId, dispute);
        // A party cannot judge; everything else is checked when the arbitrator accepts.
        if (_isParty(dispute, arbitrator)) revert NotEligible(arbitrator);

        if (msg.sender == dispute.poster) dispute.posterProposal = arbitrator;
        else dispute.workerProposal = arbitrator;
        emit ArbitratorProposed(taskId, msg.sender, arbitrator);
    }

    /// @inheritdoc IArbitration
    function stepDown(uint256 taskId) external {
        Dispute storage dispute = _in(taskId, DisputePhase.EVIDENCE);
        if (msg.sender != dispute.judge) revert NotJudge(taskId, msg.sender);
        if (block.timestamp > dispute.rulingEnd) revert RulingWindowClosed(taskId, dispute.rulingEnd);
        emit JudgeSteppedDown(taskId, msg.sender);
        _unseat(taskId, dispute);
    }

    /// @inheritdoc IArbitration
    function disputeOf(uint256 taskId) external view returns (Dispute memory) {
        return _disputes[taskId];
    }

    /// @inheritdoc IArbitration
    function phaseOf(uint256 taskId) external view returns (DisputePhase) {
        return _disputes[taskId].phase;
    }

    /// @dev The judge is free. While the parties may still name another they may; else the final court sits.
    function _unseat(uint256 taskId, Dispute storage dispute) internal {
        address judge = dispute.judge;
        dispute.judge = address(0);
        dispute.rulingEnd = 0;
        _free(taskId, judge, dispute.amount);
        if (block.timestamp <= dispute.consentEnd) dispute.phase = DisputePhase.OPEN;
        else _callCourt(taskId, dispute);
    }

    function _callCourt(uint256 taskId, Dispute storage dispute) internal {
        uint256 courtEnd = block.timestamp + COURT_WINDOW;
        dispute.phase = DisputePhase.COURT;
        dispute.courtEnd = uint40(courtEnd);
        emit CourtCalled(taskId, courtEnd);
    }

    function _in(uint256 taskId, DisputePhase phase) internal view returns (Dispute storage dispute) {
        dispute = _disputes[taskId];
        if (dispute.phase != phase) revert WrongPhase(taskId, dispute.phase);
    }

    function _onlyParty(uint256 taskId, Dispute storage dispute) internal view {
        if (!_isParty(dispute, msg.sender)) revert NotParty(taskId, msg.sender);
    }

    /// @dev A ruling names its case: a later one of the same task is not ruled by mistake.
    function _checkRuling(uint256 taskId, Dispute storage dispute, uint256 number, bytes32 reasonHash) internal view {
        if (number != dispute.number) revert WrongCase(taskId, dispute.number);
        if (reasonHash == 0) revert HashMissing();
    }

    function _bothSpoke(Dispute storage dispute) internal view returns (bool) {
        return dispute.posterSpoke && dispute.workerSpoke;
    }

    /// @dev Signed terms or both parties name the caller.
    function _onlyCandidate(uint256 taskId, Dispute storage dispute) private view {
        bool agreed = dispute.posterProposal == msg.sender && dispute.workerProposal == msg.sender;
        if (dispute.named != msg.sender && !agreed) revert NotProposed(taskId, msg.sender);
    }

    function _accept(uint256 taskId, Dispute storage dispute) private {
        if (!isEligible(msg.sender, dispute.amount)) revert NotEligible(msg.sender);

        uint256 rulingEnd = dispute.evidenceEnd + RULING_WINDOW;
        dispute.phase = DisputePhase.EVIDENCE;
        dispute.judge = msg.sender;
        dispute.rulingEnd = uint40(rulingEnd);
        _lock(taskId, msg.sender, dispute.amount, rulingEnd);
    }

    function _isParty(Dispute storage dispute, address account) private view returns (bool) {
        return account == dispute.poster || account == dispute.worker;
    }
}
