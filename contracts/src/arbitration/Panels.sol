// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Arrays } from "@openzeppelin/contracts/utils/Arrays.sol";
import { Blockhash } from "@openzeppelin/contracts/utils/Blockhash.sol";
import { IArbitration } from "../interfaces/IArbitration.sol";
import { MarketParams } from "../types/Market.sol";
import { Arbitrators } from "./Arbitrators.sol";
import { BondTree } from "./BondTree.sol";

/// @dev How far ahead the block of a draw lies: nobody knows its hash when the draw is called.
uint256 constant DRAW_DELAY = 4;
/// @dev Bounds the gas of a draw that keeps hitting parties and members who already sat.
uint256 constant MAX_DRAWS = 40;

/// @title Who sits on a case: agreed by the parties or drawn by bond
abstract contract Panels is Arbitrators {
    /// @inheritdoc IArbitration
    bytes32 public immutable paramsHash;
    uint256 internal immutable EVIDENCE_WINDOW;
    uint256 private immutable RULING_WINDOW;

    mapping(uint256 taskId => Dispute) internal _disputes;
    mapping(uint256 taskId => Seat[]) internal _benches;
    mapping(uint256 taskId => BondTree.Frozen) private _draws;
    /// @dev Outlives the bench, so that a member removed for silence is not drawn again.
    mapping(uint256 taskId => mapping(uint256 number => mapping(address account => bool))) private _sat;

    constructor(MarketParams memory params) {
        paramsHash = keccak256(abi.encode(params));
        EVIDENCE_WINDOW = params.evidenceWindow;
        RULING_WINDOW = params.rulingWindow;
    }

    /// @inheritdoc IArbitration
    function propose(uint256 taskId, address arbitrator) external {
        Dispute storage dispute = _in(taskId, DisputePhase.OPEN);
        _onlyParty(taskId, dispute);
        if (block.timestamp > dispute.seatEnd) revert SeatWindowClosed(taskId, dispute.seatEnd);
        if (!_maySit(taskId, dispute, arbitrator)) revert NotEligible(arbitrator);

        if (msg.sender == dispute.poster) dispute.posterProposal = arbitrator;
        else dispute.workerProposal = arbitrator;
        emit ArbitratorProposed(taskId, msg.sender, arbitrator);

        if (dispute.posterProposal == dispute.workerProposal) _seatOne(taskId, dispute, arbitrator);
    }

    /// @inheritdoc IArbitration
    function seat(uint256 taskId) external {
        Dispute storage dispute = _in(taskId, DisputePhase.OPEN);
        if (dispute.tier == 0 && !dispute.reseated && block.timestamp <= dispute.consentEnd) {
            revert ConsentWindowOpen(taskId, dispute.consentEnd);
        }
        if (block.timestamp > dispute.seatEnd) revert SeatWindowClosed(taskId, dispute.seatEnd);
        uint256 drawBlock = dispute.drawBlock;
        if (drawBlock == 0) return _scheduleDraw(taskId, dispute);
        if (block.number <= drawBlock) revert DrawPending(taskId, drawBlock);
        bytes32 hash = Blockhash.blockHash(drawBlock);
        // Too old for the chain to remember.
        if (hash == 0) return _scheduleDraw(taskId, dispute);
        _draw(taskId, dispute, hash);
    }

    /// @inheritdoc IArbitration
    function disputeOf(uint256 taskId) external view returns (Dispute memory) {
        return _disputes[taskId];
    }

    /// @inheritdoc IArbitration
    function benchOf(uint256 taskId) external view returns (Seat[] memory) {
        return _benches[taskId];
    }

    function _in(uint256 taskId, DisputePhase phase) internal view returns (Dispute storage dispute) {
        dispute = _disputes[taskId];
        if (dispute.phase != phase) revert WrongPhase(taskId, dispute.phase);
    }

    function _onlyParty(uint256 taskId, Dispute storage dispute) internal view {
        if (msg.sender != dispute.poster && msg.sender != dispute.worker) revert NotParty(taskId, msg.sender);
    }

    function _maySit(uint256 taskId, Dispute storage dispute, address account) internal view returns (bool) {
        return isEligible(account) && account != dispute.poster && account != dispute.worker
            && !_sat[taskId][dispute.number][account];
    }

    function _seatOne(uint256 taskId, Dispute storage dispute, address account) internal {
        _take(taskId, dispute, account);
        _begin(taskId, dispute, _benches[taskId].length - 1);
    }

    /// @dev Slashes and removes the panel's members without a vote; answers how many are left.
    function _removeSilent(uint256 taskId, Dispute storage dispute) internal returns (uint256) {
        Seat[] storage bench = _benches[taskId];
        uint256 start = dispute.panelStart;
        for (uint256 i = bench.length; i > start; --i) {
            Seat storage member = bench[i - 1];
            if (member.voted) continue;
            _slash(taskId, member.arbitrator, dispute.poster, dispute.worker);
            bench[i - 1] = bench[bench.length - 1];
            bench.pop();
        }
        return bench.length - start;
    }

    /// @dev The median of the panel's votes; of an even number, the mean of the middle two.
    function _median(uint256 taskId, Dispute storage dispute) internal view returns (uint256) {
        Seat[] storage bench = _benches[taskId];
        uint256 start = dispute.panelStart;
        uint256[] memory votes = new uint256[](bench.length - start);
        for (uint256 i = 0; i < votes.length; ++i) {
            votes[i] = bench[start + i].workerBps;
        }
        Arrays.sort(votes);
        return (votes[(votes.length - 1) / 2] + votes[votes.length / 2]) / 2;
    }

    function _scheduleDraw(uint256 taskId, Dispute storage dispute) private {
        BondTree.Frozen memory bonds = _freezeBonds();
        if (bonds.total == 0) revert NobodyToSeat(taskId);

        uint256 drawBlock = block.number + DRAW_DELAY;
        dispute.drawBlock = uint64(drawBlock);
        _draws[taskId] = bonds;
        emit DrawScheduled(taskId, drawBlock);
    }

    /// @dev The hash alone gives the order in which candidates come; the panel is the first of them who may sit.
    function _draw(uint256 taskId, Dispute storage dispute, bytes32 hash) private {
        BondTree.Frozen memory bonds = _draws[taskId];
        uint256 start = _benches[taskId].length;
        uint256 missing = 2 * dispute.tier + 1;
        for (uint256 i = 0; i < MAX_DRAWS && missing > 0; ++i) {
            uint256 point = uint256(keccak256(abi.encode(hash, taskId, i))) % bonds.total;
            address candidate = _arbitratorAt(bonds, point);
            if (!_maySit(taskId, dispute, candidate)) continue;
            _take(taskId, dispute, candidate);
            missing -= 1;
        }
        if (_benches[taskId].length == start) revert NobodyToSeat(taskId);
        _begin(taskId, dispute, start);
    }

    function _take(uint256 taskId, Dispute storage dispute, address account) private {
        _sat[taskId][dispute.number][account] = true;
        _arbitrators[account].openCases += 1;
        _benches[taskId].push(Seat(account, false, 0));
    }

    /// @dev The bench from `start` on becomes the panel.
    function _begin(uint256 taskId, Dispute storage dispute, uint256 start) private {
        Seat[] storage bench = _benches[taskId];
        address[] memory panel = new address[](bench.length - start);
        for (uint256 i = 0; i < panel.length; ++i) {
            panel[i] = bench[start + i].arbitrator;
        }
        uint256 evidenceEnd = block.timestamp + EVIDENCE_WINDOW;
        uint256 rulingEnd = evidenceEnd + RULING_WINDOW;
        dispute.phase = DisputePhase.EVIDENCE;
        dispute.panelStart = uint8(start);
        dispute.posterProposal = address(0);
        dispute.workerProposal = address(0);
        dispute.evidenceEnd = uint40(evidenceEnd);
        dispute.rulingEnd = uint40(rulingEnd);
        dispute.drawBlock = 0;
        emit PanelSeated(taskId, dispute.tier, panel, evidenceEnd, rulingEnd);
    }
}
