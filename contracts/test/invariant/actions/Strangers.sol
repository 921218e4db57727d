// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { MIN_JUDGE_LOCK } from "../../../src/arbitration/Arbitrators.sol";
import { IArbitration } from "../../../src/interfaces/IArbitration.sol";
import { BPS } from "../../../src/types/Market.sol";
import { Signature, Task, TaskState } from "../../../src/types/Task.sol";
import { Parties } from "./Parties.sol";

/// @dev What anyone may do: end waits whose time is over, carry signatures.
abstract contract Strangers is Parties {
    /// @dev The one default that applies to the task now, if any.
    function _default(uint256 taskId, Task memory task) internal returns (bool) {
        if (block.timestamp <= _waitEnd(taskId, task)) return false;
        if (task.state == TaskState.DISPUTED) _endCase(taskId);
        else if (task.state == TaskState.ACTIVE && task.reviewEnd != 0 && _isPayable(task)) _releaseLapsed(taskId, task);
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
            bool kept = ghosts[taskId].fundedAtClaim;
            _did(kept ? "expire a claim never started" : "expire an offer not kept", gas);
            if (kept) return _booksLetGo(taskId, TaskState.EXPIRED);
            _bookForfeitedExit(ghosts[taskId], true);
            _booksEnd(taskId, 0, TaskState.EXPIRED);
        } else {
            bool free = task.underNotice && task.reviewEnd == 0;
            _did(
                free
                    ? "expire under notice"
                    : task.reviewEnd == 0 ? "expire late work" : "expire a delivery without a receipt",
                gas
            );
            if (!free) _bookForfeitedExit(ghosts[taskId], false);
            _booksEnd(taskId, 0, TaskState.EXPIRED);
        }
    }

    /// @dev Finalizes a ruling or ends a wait for one.
    function _endCase(uint256 taskId) private {
        IArbitration.Dispute memory was = arbitration.disputeOf(taskId);
        uint256 gas = _as(STRANGER);
        if (was.phase == IArbitration.DisputePhase.RULED) {
            arbitration.finalize(taskId);
            _did("finalize", gas);
            return _booksClose(taskId, was);
        }
        arbitration.resolveTimedOut(taskId);
        _did("resolveTimedOut", gas);
        if (was.phase == IArbitration.DisputePhase.COURT) {
            _did(was.ruled ? "close by a ruling nobody heard again" : "close by time", gasleft());
            _booksClose(taskId, was);
        } else if (was.phase == IArbitration.DisputePhase.EVIDENCE) {
            _did(_bothSpoke(was) ? "remove a silent judge" : "call the court for a silent side", gasleft());
            if (_bothSpoke(was)) _bookBurnt(MIN_JUDGE_LOCK);
        } else {
            _did("call the court", gasleft());
        }
    }

    function _mutualCancel(uint256 taskId, Task memory task, Rng memory r) internal {
        uint256 choice = _next(r, 3);
        uint256 workerBps = choice == 0 ? 0 : choice == 1 ? BPS : _next(r, BPS + 1);
        uint64 expiry = uint64(block.timestamp + _next(r, 2) * 1 hours);
        Signature memory byPoster =
            _cancelSignature(registry, taskId, workerBps, _keyOf(task.poster), _freshNonce(), expiry);
        Signature memory byWorker =
            _cancelSignature(registry, taskId, workerBps, _keyOf(task.worker), _freshNonce(), expiry);
        IArbitration.Dispute memory was = arbitration.disputeOf(taskId);
        uint256 gas = _as(STRANGER);
        registry.mutualCancel(taskId, workerBps, byPoster, byWorker);
        _did(task.state == TaskState.DISPUTED ? "mutualCancel of a dispute" : "mutualCancel", gas);
        _useNonce(task.poster, byPoster.nonce);
        _useNonce(task.worker, byWorker.nonce);
        _keepSpent(STRANGER, abi.encodeCall(registry.mutualCancel, (taskId, workerBps, byPoster, byWorker)));
        ghosts[taskId].cancelledTogether = true;
        uint256 share = _ghostHeld(ghosts[taskId]) * workerBps / BPS;
        bool disputed = task.state == TaskState.DISPUTED;
        if (disputed) _bookStake(ghosts[taskId], was.stake, was.amount / 100);
        TaskState end = disputed ? TaskState.RESOLVED : TaskState.CANCELLED;
        _booksEnd(taskId, share, end);
    }

    /// @dev Whoever has money waiting fetches it, from either vault.
    function _fetch(Rng memory r) internal returns (bool) {
        uint256 first = _next(r, PARTIES);
        for (uint256 i = 0; i < PARTIES; ++i) {
            address party = parties[(first + i) % PARTIES];
            uint256 unpaid = arbitration.withdrawableOf(party);
            if (unpaid != 0) {
                address receiver = token.blocked(party) ? HOLDER : party;
                uint256 gas = _as(party);
                arbitration.withdraw(receiver);
                _did("withdraw a payment of arbitration", gas);
                _spendTok(party, unpaid);
                tokOf[receiver] += unpaid;
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
