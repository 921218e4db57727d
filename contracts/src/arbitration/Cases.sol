// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Blockhash } from "@openzeppelin/contracts/utils/Blockhash.sol";
import { IArbitration } from "../interfaces/IArbitration.sol";
import { MarketParams } from "../types/Market.sol";
import { Arbitrators, BOND_AGE } from "./Arbitrators.sol";
import { BondTree } from "./BondTree.sol";

/// @dev How far ahead the block of a draw lies: nobody knows its hash when the draw is called.
uint256 constant DRAW_DELAY = 4;
/// @dev Bounds the gas of a draw that keeps hitting those who may not sit.
uint256 constant MAX_DRAWS = 40;

/// @title Who sits on a case: named by the parties, drawn by bond, or the final court
abstract contract Cases is Arbitrators {
    /// @inheritdoc IArbitration
    bytes32 public immutable paramsHash;
    uint256 private immutable RULING_WINDOW;
    uint256 private immutable COURT_WINDOW;

    mapping(uint256 taskId => Dispute) internal _disputes;
    mapping(uint256 taskId => BondTree.Frozen) private _draws;

    constructor(MarketParams memory params) {
        paramsHash = keccak256(abi.encode(params));
        RULING_WINDOW = params.rulingWindow;
        COURT_WINDOW = params.courtWindow;
    }

    /// @inheritdoc IArbitration
    function propose(uint256 taskId, address arbitrator) external {
        Dispute storage dispute = _in(taskId, DisputePhase.OPEN);
        if (msg.sender == arbitrator && !_isParty(dispute, arbitrator)) {
            _accept(taskId, dispute);
            return;
        }
        _onlyParty(taskId, dispute);
        _onlyInEvidence(taskId, dispute);
        // A party cannot judge; everything else is checked when the arbitrator accepts.
        if (_isParty(dispute, arbitrator)) revert NotEligible(arbitrator);

        if (msg.sender == dispute.poster) dispute.posterProposal = arbitrator;
        else dispute.workerProposal = arbitrator;
        emit ArbitratorProposed(taskId, msg.sender, arbitrator);
    }

    /// @inheritdoc IArbitration
    function seat(uint256 taskId) external {
        Dispute storage dispute = _in(taskId, DisputePhase.OPEN);
        if (block.timestamp <= dispute.consentEnd) revert ConsentWindowOpen(taskId, dispute.consentEnd);
        _onlyInEvidence(taskId, dispute);
        uint256 drawBlock = dispute.drawBlock;
        if (drawBlock == 0) return _scheduleDraw(taskId, dispute);
        if (block.number <= drawBlock) revert DrawPending(taskId, drawBlock);
        address drawn = _draw(taskId, dispute, Blockhash.blockHash(drawBlock));
        if (drawn == address(0)) _callCourt(taskId, dispute);
        else _seatJudge(taskId, dispute, drawn);
    }

    /// @inheritdoc IArbitration
    function disputeOf(uint256 taskId) external view returns (Dispute memory) {
        return _disputes[taskId];
    }

    /// @inheritdoc IArbitration
    function phaseOf(uint256 taskId) external view returns (DisputePhase) {
        return _disputes[taskId].phase;
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

    function _onlyInEvidence(uint256 taskId, Dispute storage dispute) internal view {
        if (block.timestamp > dispute.evidenceEnd) revert EvidenceWindowClosed(taskId, dispute.evidenceEnd);
    }

    /// @dev The caller takes a case for which the terms or both parties name it. Its bond need not be old: it was chosen.
    function _accept(uint256 taskId, Dispute storage dispute) private {
        bool agreed = dispute.posterProposal == msg.sender && dispute.workerProposal == msg.sender;
        if (dispute.named != msg.sender && !agreed) revert NotProposed(taskId, msg.sender);
        _onlyInEvidence(taskId, dispute);
        if (!isEligible(msg.sender, dispute.amount)) revert NotEligible(msg.sender);
        _seatJudge(taskId, dispute, msg.sender);
    }

    function _scheduleDraw(uint256 taskId, Dispute storage dispute) private {
        BondTree.Frozen memory bonds = _freezeBonds();
        if (bonds.total == 0) return _callCourt(taskId, dispute);

        uint256 drawBlock = block.number + DRAW_DELAY;
        dispute.drawBlock = uint64(drawBlock);
        _draws[taskId] = bonds;
        emit DrawScheduled(taskId, drawBlock);
    }

    /// @dev The hash alone gives the order in which candidates come; the judge is the first of them who may sit.
    /// @return The judge; zero if nobody may sit, or if the chain has forgotten the hash. There is no second draw: who lets
    /// one pass gets no better one.
    function _draw(uint256 taskId, Dispute storage dispute, bytes32 hash) private view returns (address) {
        if (hash == 0) return address(0);
        BondTree.Frozen memory bonds = _draws[taskId];
        for (uint256 i = 0; i < MAX_DRAWS; ++i) {
            uint256 point = uint256(keccak256(abi.encode(hash, taskId, i))) % bonds.total;
            address candidate = _arbitratorAt(bonds, point);
            if (_mayBeDrawn(dispute, candidate)) return candidate;
        }
        return address(0);
    }

    function _seatJudge(uint256 taskId, Dispute storage dispute, address judge) private {
        uint256 rulingEnd = dispute.evidenceEnd + RULING_WINDOW;
        dispute.phase = DisputePhase.EVIDENCE;
        dispute.judge = judge;
        dispute.rulingEnd = uint40(rulingEnd);
        _lock(taskId, judge, dispute.amount, rulingEnd);
    }

    function _mayBeDrawn(Dispute storage dispute, address account) private view returns (bool) {
        return isEligible(account, dispute.amount) && !_isParty(dispute, account)
            && _arbitrators[account].bondedAt + BOND_AGE <= dispute.openedAt;
    }

    function _isParty(Dispute storage dispute, address account) private view returns (bool) {
        return account == dispute.poster || account == dispute.worker;
    }
}
