// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { Vm } from "../Vm.sol";
import { TaskFold } from "./TaskFold.sol";

/// @dev Folds the events of arbitration into disputes, benches, appeals and arbitrators.
abstract contract CaseFold is TaskFold {
    mapping(uint256 taskId => IArbitration.Dispute) internal disputes;
    mapping(uint256 taskId => IArbitration.Seat[]) internal benches;
    mapping(uint256 taskId => IArbitration.Appeal[]) internal appeals;
    mapping(address account => IArbitration.Arbitrator) internal records;
    mapping(address account => uint256) internal slashGains;

    function _foldArbitration(Vm.Log memory log) internal {
        bytes32 kind = log.topics[0];
        address account = address(uint160(uint256(log.topics[1])));
        if (kind == IArbitration.ArbitratorRegistered.selector) {
            (, uint256 bond) = abi.decode(log.data, (uint256, uint256));
            records[account].bond = uint128(bond);
            records[account].unbondAt = 0;
        } else if (kind == IArbitration.UnbondRequested.selector) {
            records[account].unbondAt = uint40(abi.decode(log.data, (uint256)));
        } else if (kind == IArbitration.Unbonded.selector) {
            records[account].bond = 0;
            records[account].unbondAt = 0;
        } else if (kind == IArbitration.Withdrawn.selector) {
            slashGains[account] -= abi.decode(log.data, (uint256));
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
        } else if (kind == IArbitration.DrawScheduled.selector) {
            dispute.drawBlock = uint64(abi.decode(log.data, (uint256)));
        } else if (kind == IArbitration.PanelSeated.selector) {
            _seated(taskId, log);
        } else if (kind == IArbitration.EvidenceSubmitted.selector) {
            if (_second(log) == dispute.poster) dispute.posterSpoke = true;
            else dispute.workerSpoke = true;
        } else if (kind == IArbitration.VoteCast.selector) {
            _voted(taskId, log);
        } else if (kind == IArbitration.ArbitratorSlashed.selector) {
            _slashed(taskId, log);
        } else if (kind == IArbitration.Ruled.selector) {
            (, uint256 workerBps, uint256 appealEnd) = abi.decode(log.data, (uint256, uint256, uint256));
            dispute.phase = IArbitration.DisputePhase.RULED;
            dispute.workerBps = uint16(workerBps);
            dispute.appealEnd = uint40(appealEnd);
        } else if (kind == IArbitration.Escalated.selector) {
            _escalated(taskId, log);
        } else if (kind == IArbitration.PanelReplaced.selector) {
            (, uint256 seatEnd) = abi.decode(log.data, (uint256, uint256));
            dispute.phase = IArbitration.DisputePhase.OPEN;
            dispute.reseated = true;
            dispute.seatEnd = uint40(seatEnd);
        } else if (kind == IArbitration.CaseClosed.selector) {
            (uint256 workerBps,) = abi.decode(log.data, (uint256, bool));
            dispute.phase = IArbitration.DisputePhase.CLOSED;
            dispute.workerBps = uint16(workerBps);
        } else if (kind == IArbitration.CaseWithdrawn.selector) {
            dispute.phase = IArbitration.DisputePhase.CLOSED;
            for (uint256 i = dispute.panelStart; i < benches[taskId].length; ++i) {
                if (!benches[taskId][i].voted) records[benches[taskId][i].arbitrator].openCases -= 1;
            }
        } else {
            revert("unknown event of Arbitration");
        }
    }

    function _opened(uint256 taskId, Vm.Log memory log) private {
        (uint256 number,, uint256 consentEnd, uint256 seatEnd) =
            abi.decode(log.data, (uint256, bytes32, uint256, uint256));
        delete disputes[taskId];
        delete benches[taskId];
        delete appeals[taskId];
        IArbitration.Dispute storage dispute = disputes[taskId];
        dispute.poster = tasks[taskId].poster;
        dispute.worker = tasks[taskId].worker;
        dispute.phase = IArbitration.DisputePhase.OPEN;
        dispute.number = uint16(number);
        dispute.posterSpoke = _second(log) == dispute.poster;
        dispute.workerSpoke = _second(log) == dispute.worker;
        dispute.consentEnd = uint40(consentEnd);
        dispute.seatEnd = uint40(seatEnd);
    }

    function _seated(uint256 taskId, Vm.Log memory log) private {
        (, address[] memory panel, uint256 evidenceEnd, uint256 rulingEnd) =
            abi.decode(log.data, (uint256, address[], uint256, uint256));
        IArbitration.Dispute storage dispute = disputes[taskId];
        dispute.phase = IArbitration.DisputePhase.EVIDENCE;
        dispute.panelStart = uint8(benches[taskId].length);
        dispute.posterProposal = address(0);
        dispute.workerProposal = address(0);
        dispute.evidenceEnd = uint40(evidenceEnd);
        dispute.rulingEnd = uint40(rulingEnd);
        dispute.drawBlock = 0;
        for (uint256 i = 0; i < panel.length; ++i) {
            benches[taskId].push(IArbitration.Seat(panel[i], false, 0));
            records[panel[i]].openCases += 1;
        }
    }

    function _voted(uint256 taskId, Vm.Log memory log) private {
        (uint256 workerBps,) = abi.decode(log.data, (uint256, bytes32));
        IArbitration.Seat storage member = benches[taskId][_placeOf(taskId, _second(log))];
        member.voted = true;
        member.workerBps = uint16(workerBps);
        records[member.arbitrator].openCases -= 1;
        records[member.arbitrator].resolved += 1;
    }

    /// @dev The last arbitrator of the bench takes the seat of the one removed.
    function _slashed(uint256 taskId, Vm.Log memory log) private {
        (uint256 amount, uint256 bond) = abi.decode(log.data, (uint256, uint256));
        IArbitration.Arbitrator storage record = records[_second(log)];
        record.bond = uint128(bond);
        record.slashed += uint128(amount);
        record.timedOut += 1;
        record.openCases -= 1;
        slashGains[disputes[taskId].poster] += amount / 2;
        slashGains[disputes[taskId].worker] += amount - amount / 2;
        IArbitration.Seat[] storage bench = benches[taskId];
        bench[_placeOf(taskId, _second(log))] = bench[bench.length - 1];
        bench.pop();
    }

    function _escalated(uint256 taskId, Vm.Log memory log) private {
        (uint256 tier, uint256 bond, uint256 seatEnd) = abi.decode(log.data, (uint256, uint256, uint256));
        IArbitration.Dispute storage dispute = disputes[taskId];
        appeals[taskId].push(IArbitration.Appeal(_second(log), dispute.workerBps, uint64(bond)));
        dispute.phase = IArbitration.DisputePhase.OPEN;
        dispute.tier = uint8(tier);
        dispute.reseated = false;
        dispute.posterSpoke = false;
        dispute.workerSpoke = false;
        dispute.consentEnd = uint40(block.timestamp);
        dispute.seatEnd = uint40(seatEnd);
    }

    function _placeOf(uint256 taskId, address arbitrator) private view returns (uint256 i) {
        while (benches[taskId][i].arbitrator != arbitrator) ++i;
    }

    function _second(Vm.Log memory log) private pure returns (address) {
        return address(uint160(uint256(log.topics[2])));
    }
}
