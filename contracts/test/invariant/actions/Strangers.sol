// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../../src/interfaces/IArbitration.sol";
import { BPS } from "../../../src/types/Market.sol";
import { Signature, Task, TaskState } from "../../../src/types/Task.sol";
import { Parties } from "./Parties.sol";

/// @dev What anyone may do: end waits whose time is over, seat panels, carry signatures.
abstract contract Strangers is Parties {
    /// @dev The one default that applies to the task now, if any.
    function _default(uint256 taskId, Task memory task) internal returns (bool) {
        if (block.timestamp <= _waitEnd(taskId, task)) return false;
        if (task.state == TaskState.DISPUTED) _endCase(taskId);
        else if (task.state == TaskState.ACTIVE && task.reviewEnd != 0) _releaseLapsed(taskId, task);
        else _expire(taskId, task);
        return true;
    }

    function _releaseLapsed(uint256 taskId, Task memory task) private {
        uint256 gas = _as(STRANGER);
        registry.releaseLapsed(taskId, task.current);
        _did("releaseLapsed", gas);
        _booksAccept(taskId);
    }

    function _expire(uint256 taskId, Task memory task) private {
        uint256 gas = _as(STRANGER);
        registry.expire(taskId);
        if (task.state == TaskState.POSTED) {
            _did("expire a posting", gas);
            _booksEnd(taskId, 0, TaskState.EXPIRED);
        } else if (task.state == TaskState.CLAIMED) {
            bool late = ghosts[taskId].funded != ghosts[taskId].total;
            _did(late ? "expire an unfunded claim" : "expire a claim never started", gas);
            if (late) ghosts[taskId].cut = true;
            _booksLetGo(taskId, TaskState.EXPIRED);
        } else {
            _did("expire late work", gas);
            _booksEnd(taskId, 0, TaskState.EXPIRED);
        }
    }

    /// @dev Finalizes a ruling or ends a wait for one.
    function _endCase(uint256 taskId) private {
        IArbitration.DisputePhase phase = arbitration.disputeOf(taskId).phase;
        uint256 gas = _as(STRANGER);
        if (phase == IArbitration.DisputePhase.RULED) {
            arbitration.finalize(taskId);
            _did("finalize", gas);
        } else {
            arbitration.resolveTimedOut(taskId);
            _did("resolveTimedOut", gas);
        }
        IArbitration.Dispute memory dispute = arbitration.disputeOf(taskId);
        if (dispute.phase == IArbitration.DisputePhase.CLOSED) {
            if (phase == IArbitration.DisputePhase.OPEN) _did("close by record: nobody sat", gasleft());
            if (phase == IArbitration.DisputePhase.EVIDENCE) _did("close by record: nobody voted", gasleft());
            Ghost storage ghost = ghosts[taskId];
            uint256 share = ghost.terms.amounts[ghost.current] * dispute.workerBps / BPS;
            _booksEnd(taskId, share, TaskState.RESOLVED);
        } else if (dispute.phase == IArbitration.DisputePhase.OPEN) {
            _did("replace a silent panel", gasleft());
        } else {
            _did("rule without the silent", gasleft());
        }
    }

    /// @dev Calls or carries out a draw where that is possible.
    function _seat(uint256 taskId) internal returns (bool) {
        IArbitration.Dispute memory dispute = arbitration.disputeOf(taskId);
        if (dispute.phase != IArbitration.DisputePhase.OPEN || block.timestamp > dispute.seatEnd) return false;
        if (dispute.tier == 0 && !dispute.reseated && block.timestamp <= dispute.consentEnd) return false;
        // Only the draw itself knows whether it finds anybody who may sit.
        if (!_wouldSucceed(STRANGER, address(arbitration), abi.encodeCall(arbitration.seat, (taskId)))) return false;
        uint256 gas = _as(STRANGER);
        arbitration.seat(taskId);
        if (arbitration.disputeOf(taskId).phase == IArbitration.DisputePhase.EVIDENCE) {
            _did(dispute.tier == 0 ? "seat" : dispute.tier == 1 ? "seat an appeal" : "seat the top", gas);
            _noteBench(taskId);
        } else {
            _did(dispute.drawBlock == 0 ? "call a draw" : "call a draw again", gas);
        }
        return true;
    }

    function _mutualCancel(uint256 taskId, Task memory task, Rng memory r) internal {
        uint256 choice = _next(r, 3);
        uint256 workerBps = choice == 0 ? 0 : choice == 1 ? BPS : _next(r, BPS + 1);
        uint64 expiry = uint64(block.timestamp + _next(r, 2) * 1 hours);
        Signature memory byPoster =
            _cancelSignature(registry, taskId, workerBps, _keyOf(task.poster), _freshNonce(), expiry);
        Signature memory byWorker =
            _cancelSignature(registry, taskId, workerBps, _keyOf(task.worker), _freshNonce(), expiry);
        uint256 gas = _as(STRANGER);
        registry.mutualCancel(taskId, workerBps, byPoster, byWorker);
        _did(task.state == TaskState.DISPUTED ? "mutualCancel of a dispute" : "mutualCancel", gas);
        _useNonce(task.poster, byPoster.nonce);
        _useNonce(task.worker, byWorker.nonce);
        _keepSpent(STRANGER, abi.encodeCall(registry.mutualCancel, (taskId, workerBps, byPoster, byWorker)));
        ghosts[taskId].cancelledTogether = true;
        uint256 share = _ghostHeld(ghosts[taskId]) * workerBps / BPS;
        TaskState end = task.state == TaskState.DISPUTED ? TaskState.RESOLVED : TaskState.CANCELLED;
        _booksEnd(taskId, share, end);
    }

    /// @dev Whoever has money waiting fetches it, from either vault.
    function _fetch(Rng memory r) internal returns (bool) {
        uint256 first = _next(r, PARTIES);
        for (uint256 i = 0; i < PARTIES; ++i) {
            address party = parties[(first + i) % PARTIES];
            if (arbitration.withdrawableOf(party) != 0 && !token.blocked(party)) {
                uint256 gas = _as(party);
                uint256 amount = arbitration.withdraw(party);
                _did("withdraw a slash", gas);
                tokOf[party] += amount;
                return true;
            }
            uint256 waiting = escrow.withdrawableOf(party);
            if (waiting != 0) {
                // A frozen account sends it elsewhere.
                address to = token.blocked(party) ? HOLDER : party;
                uint256 gas = _as(party);
                escrow.withdraw(to);
                _did("withdraw a deferred payment", gas);
                _spendTok(party, waiting);
                tokOf[to] += waiting;
                return true;
            }
        }
        return false;
    }
}
