// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { BPS } from "../../src/types/Market.sol";
import { TaskScope } from "../../src/types/Task.sol";
import { Vm } from "../Vm.sol";
import { TaskFold } from "./TaskFold.sol";

/// @dev Folds the events of arbitration into disputes, arbitrators and payments that wait.
abstract contract CaseFold is TaskFold {
    mapping(uint256 taskId => IArbitration.Dispute) internal disputes;
    mapping(address account => IArbitration.Arbitrator) internal records;
    mapping(address account => uint256) internal unpaid;

    function _foldArbitration(Vm.Log memory log) internal {
        bytes32 kind = log.topics[0];
        IArbitration.Arbitrator storage record = records[address(uint160(uint256(log.topics[1])))];
        if (kind == IArbitration.ArbitratorRegistered.selector) {
            (, uint256 bond) = abi.decode(log.data, (uint256, uint256));
            record.bond = uint128(bond);
            record.unbondAt = 0;
        } else if (kind == IArbitration.UnbondRequested.selector) {
            record.unbondAt = uint40(abi.decode(log.data, (uint256)));
        } else if (kind == IArbitration.Unbonded.selector) {
            record.bond = 0;
            record.unbondAt = 0;
        } else if (kind == IArbitration.Withdrawn.selector) {
            unpaid[address(uint160(uint256(log.topics[1])))] -= abi.decode(log.data, (uint256));
        } else {
            _foldCase(uint256(log.topics[1]), kind, log);
        }
    }

    function _foldCase(uint256 taskId, bytes32 kind, Vm.Log memory log) private {
        IArbitration.Dispute storage dispute = disputes[taskId];
        if (kind == IArbitration.CaseOpened.selector) {
            _opened(taskId, log);
        } else if (kind == IArbitration.ArbitratorProposed.selector) {
            address choice = address(uint160(uint256(log.topics[3])));
            if (_second(log) == dispute.poster) dispute.posterProposal = choice;
            else dispute.workerProposal = choice;
        } else if (kind == IArbitration.JudgeSeated.selector) {
            (uint256 locked, uint256 rulingEnd) = abi.decode(log.data, (uint256, uint256));
            dispute.phase = IArbitration.DisputePhase.EVIDENCE;
            dispute.judge = _second(log);
            dispute.rulingEnd = uint40(rulingEnd);
            records[dispute.judge].locked += uint128(locked);
            records[dispute.judge].openCases += 1;
        } else if (kind == IArbitration.JudgeFreed.selector) {
            records[_second(log)].locked -= uint128(abi.decode(log.data, (uint256)));
            records[_second(log)].openCases -= 1;
        } else if (kind == IArbitration.JudgeSteppedDown.selector) {
            dispute.phase = IArbitration.DisputePhase.OPEN;
            (dispute.judge, dispute.rulingEnd) = (address(0), 0);
        } else if (kind == IArbitration.EvidenceSubmitted.selector) {
            _spoke(dispute, log);
        } else if (kind == IArbitration.ArbitratorSlashed.selector) {
            _slashed(dispute, log);
        } else if (kind == IArbitration.Ruled.selector) {
            (bool forWorker,, uint256 appealEnd) = abi.decode(log.data, (bool, bytes32, uint256));
            dispute.phase = IArbitration.DisputePhase.RULED;
            dispute.ruled = true;
            dispute.forWorker = forWorker;
            dispute.appealEnd = uint40(appealEnd);
            records[_second(log)].resolved += 1;
        } else if (kind == IArbitration.Escalated.selector) {
            dispute.appealed = true;
        } else if (kind == IArbitration.CourtCalled.selector) {
            dispute.phase = IArbitration.DisputePhase.COURT;
            dispute.courtEnd = uint40(abi.decode(log.data, (uint256)));
            if (!dispute.ruled) (dispute.judge, dispute.rulingEnd) = (address(0), 0);
        } else if (kind == IArbitration.CaseClosed.selector) {
            (uint256 workerBps, IArbitration.Ending ending) = abi.decode(log.data, (uint256, IArbitration.Ending));
            dispute.phase = IArbitration.DisputePhase.CLOSED;
            dispute.ending = ending;
            dispute.workerBps = uint16(workerBps);
            dispute.stake = 0;
        } else if (kind == IArbitration.Paid.selector) {
            (uint256 amount, bool deferred_) = abi.decode(log.data, (uint256, bool));
            if (deferred_) unpaid[_second(log)] += amount;
        } else if (kind != IArbitration.Decided.selector) {
            revert("unknown event of Arbitration");
        }
    }

    function _opened(uint256 taskId, Vm.Log memory log) private {
        (uint256 number,, uint256 shareBps, uint256 stake, uint256 consentEnd, uint256 evidenceEnd) =
            abi.decode(log.data, (uint256, bytes32, uint256, uint256, uint256, uint256));
        delete disputes[taskId];
        IArbitration.Dispute storage dispute = disputes[taskId];
        dispute.poster = tasks[taskId].poster;
        dispute.worker = tasks[taskId].worker;
        dispute.named = tasks[taskId].scope == TaskScope.PRIVATE ? tasks[taskId].arbitrator : address(0);
        dispute.posterProposal = tasks[taskId].arbitrator;
        dispute.phase = IArbitration.DisputePhase.OPEN;
        dispute.number = uint16(number);
        bool byPoster = _second(log) == dispute.poster;
        dispute.openedByPoster = byPoster;
        dispute.posterSpoke = byPoster;
        dispute.workerSpoke = !byPoster;
        dispute.offerBps = byPoster ? uint16(shareBps) : 0;
        dispute.askBps = byPoster ? uint16(BPS) : uint16(shareBps);
        dispute.openedAt = uint40(block.timestamp);
        dispute.consentEnd = uint40(consentEnd);
        dispute.evidenceEnd = uint40(evidenceEnd);
        dispute.amount = uint128(termsOf[taskId].amounts[tasks[taskId].current]);
        dispute.stake = uint128(stake);
    }

    function _spoke(IArbitration.Dispute storage dispute, Vm.Log memory log) private {
        (, uint256 shareBps) = abi.decode(log.data, (bytes32, uint256));
        if (_second(log) == dispute.poster) {
            dispute.posterSpoke = true;
            dispute.offerBps = uint16(shareBps);
        } else {
            dispute.workerSpoke = true;
            dispute.askBps = uint16(shareBps);
        }
    }

    /// @dev Before a ruling for silence; after one because the final court overturned it.
    function _slashed(IArbitration.Dispute storage dispute, Vm.Log memory log) private {
        (uint256 amount, uint256 bond) = abi.decode(log.data, (uint256, uint256));
        IArbitration.Arbitrator storage record = records[_second(log)];
        record.bond = uint128(bond);
        record.slashed += uint128(amount);
        if (dispute.ruled) record.overturned += 1;
        else record.timedOut += 1;
    }

    function _second(Vm.Log memory log) private pure returns (address) {
        return address(uint160(uint256(log.topics[2])));
    }
}
