// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ENTRY_DEPOSIT } from "../../../src/types/Market.sol";
import { ClaimPolicy, Signature, Task, TaskScope, TaskTerms } from "../../../src/types/Task.sol";
import { World } from "../World.sol";

/// @dev How tasks and workers come in: post, create and claim, each only where the rules allow it.
abstract contract Entries is World {
    string private constant TEXT = "Translate the handbook";

    /// @dev A new task of some poster who can afford one; tops a deposit up when none can.
    function _newTask(Rng memory r) internal {
        uint256 first = _next(r, 3);
        bool isPrivate = _next(r, 3) == 0;
        for (uint256 i = 0; i < 3 && !registry.paused(); ++i) {
            address poster = parties[(first + i) % 3];
            if (isPrivate ? _create(poster, r) : _post(poster, r)) return;
        }
        _topUp(parties[first], parties[first], _between(r, 1, 20) * 1e6);
    }

    function _post(address poster, Rng memory r) private returns (bool) {
        (bool canPay, uint256 rest) = _afterEntry(poster);
        if (!canPay || deposits.freeOf(poster) < ENTRY_DEPOSIT) return false;
        (TaskTerms memory terms, string memory text) = _terms(poster, r);
        uint256 fundAmount = _someOf(_total(terms), r);
        if (fundAmount > rest) fundAmount = 0;

        _bookEntry(poster);
        uint256 gas = _as(poster);
        uint256 taskId = registry.post(terms, text, fundAmount);
        _did("post", gas);
        _began(taskId, terms, address(0));
        if (fundAmount != 0) _booksFund(taskId, fundAmount);
        return true;
    }

    function _create(address poster, Rng memory r) private returns (bool) {
        address worker = _someoneElse(poster, r);
        (bool posterPays,) = _afterEntry(poster);
        if (!posterPays || deposits.freeOf(poster) < ENTRY_DEPOSIT || !_canEngage(worker)) return false;
        (TaskTerms memory terms,) = _terms(poster, r);
        terms.scope = TaskScope.PRIVATE;
        uint64 expiry = uint64(block.timestamp + _next(r, 2) * 1 hours);
        Signature memory byPoster = _acceptance(registry, terms, worker, _keyOf(poster), _freshNonce(), expiry);
        Signature memory byWorker = _acceptance(registry, terms, worker, _keyOf(worker), _freshNonce(), expiry);

        _bookEntry(worker);
        _bookEntry(poster);
        uint256 gas = _as(STRANGER);
        uint256 taskId = registry.create(terms, worker, byPoster, byWorker);
        _did("create", gas);
        _began(taskId, terms, worker);
        _useNonce(poster, byPoster.nonce);
        _useNonce(worker, byWorker.nonce);
        _keepSpent(STRANGER, abi.encodeCall(registry.create, (terms, worker, byPoster, byWorker)));
        return true;
    }

    /// @dev Somebody claims this posted task; false when nobody may now.
    function _claimBySomeone(uint256 taskId, Task memory task, Rng memory r) internal returns (bool) {
        if (registry.paused() || block.timestamp > task.claimDeadline - params.claimCutoff) return false;
        Ghost storage ghost = ghosts[taskId];
        address worker = ghost.allowed == address(0) ? _someoneElse(task.poster, r) : ghost.allowed;
        if (!_canEngage(worker)) return false;

        bytes32 digest = _settlementDigest(registry, task.termsHash, worker);
        _bookEntry(worker);
        bool permit = task.claimPolicy == ClaimPolicy.PERMIT && ghost.allowed == address(0);
        if (permit || _next(r, 6) == 0) {
            _claimWithPermit(taskId, worker, digest, r);
        } else {
            uint256 gas = _as(worker);
            registry.claim(taskId, digest);
            _did(ghost.allowed == worker ? "claim as allowed" : "claim", gas);
        }
        ghost.worker = worker;
        ghost.workerLocked = true;
        ghost.fundedAtClaim = ghost.funded == ghost.total;
        ghost.allowed = address(0);
        return true;
    }

    function _claimWithPermit(uint256 taskId, address worker, bytes32 digest, Rng memory r) private {
        address poster = ghosts[taskId].terms.poster;
        uint64 expiry = uint64(block.timestamp + _next(r, 2) * 1 hours);
        Signature memory permit = _permit(registry, taskId, worker, _keyOf(poster), _freshNonce(), expiry);
        uint256 gas = _as(worker);
        registry.claimWithPermit(taskId, digest, permit);
        _did("claimWithPermit", gas);
        _useNonce(poster, permit.nonce);
        _keepSpent(worker, abi.encodeCall(registry.claimWithPermit, (taskId, digest, permit)));
    }

    function _topUp(address payer, address agent, uint256 amount) internal {
        if (usdc.balanceOf(payer) < amount) return;
        uint256 gas = _as(payer);
        if (payer == agent) deposits.topUp(amount);
        else deposits.topUpFor(agent, amount);
        _did(payer == agent ? "topUp" : "topUpFor", gas);
    }

    /// @dev Mostly one of the three who mostly work; now and then another poster.
    function _someoneElse(address poster, Rng memory r) internal view returns (address other) {
        other = parties[_next(r, 4) == 0 ? _next(r, PARTIES) : 3 + _next(r, 3)];
        if (other == poster) other = parties[3 + _next(r, 3)];
    }

    function _canEngage(address worker) private view returns (bool) {
        (bool canPay,) = _afterEntry(worker);
        return canPay && deposits.freeOf(worker) >= ENTRY_DEPOSIT;
    }

    /// @dev Nothing, everything or a part.
    function _someOf(uint256 amount, Rng memory r) internal pure returns (uint256) {
        uint256 choice = _next(r, 4);
        if (choice == 0) return 0;
        return choice == 1 ? _between(r, 1, amount) : amount;
    }

    /// @dev One to three milestones; rarely the largest task there may be, for what it costs.
    function _terms(address poster, Rng memory r) internal returns (TaskTerms memory terms, string memory text) {
        bool largest = _next(r, 50) == 0;
        uint256 count = largest ? 16 : 1 + _next(r, 3);
        text = largest ? string(new bytes(8192)) : TEXT;
        terms.poster = poster;
        terms.amounts = new uint256[](count);
        terms.durations = new uint64[](count);
        for (uint256 i = 0; i < count; ++i) {
            terms.amounts[i] = _between(r, 1, largest ? 100e18 : 1_500e18);
            terms.durations[i] = uint64(_between(r, params.minDuration, 3 days));
        }
        terms.reviewWindow = uint64(
            _next(r, 2) == 0 ? params.minReviewWindow : _between(r, params.minReviewWindow, params.maxReviewWindow)
        );
        terms.maxRevisions = uint8(_next(r, 3));
        if (_next(r, 2) == 0) terms.arbitrator = arbitrators[_next(r, ARBITRATORS)];
        if (_next(r, 3) == 0) terms.store = parties[5];
        terms.criteriaHash = keccak256(bytes(text));
        terms.claimPolicy = _next(r, 3) == 0 ? ClaimPolicy.PERMIT : ClaimPolicy.ANYONE;
        terms.claimDeadline = uint64(block.timestamp + _between(r, params.claimCutoff, 7 days));
        terms.nonce = _freshNonce();
    }

    function _total(TaskTerms memory terms) internal pure returns (uint256 total) {
        for (uint256 i = 0; i < terms.amounts.length; ++i) {
            total += terms.amounts[i];
        }
    }
}
