// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { JUDGE_LOCK_BPS, MIN_BOND, MIN_JUDGE_LOCK } from "../../../src/arbitration/Arbitrators.sol";
import { IArbitration } from "../../../src/interfaces/IArbitration.sol";
import { BPS } from "../../../src/types/Market.sol";
import { World } from "../World.sol";

/// @dev What arbitrators and the final court do: accept and rule, come and go.
abstract contract Arbitrators is World {
    bytes32 private constant REASON = keccak256("reason");

    /// @dev Takes a seat, rules, or lets the final court decide, on some case that waits for it.
    function _judge(Rng memory r) internal returns (bool) {
        (uint256 start, uint256 count) = _from(r);
        for (uint256 i = 0; i < count; ++i) {
            uint256 taskId = live[(start + i) % count];
            IArbitration.Dispute memory dispute = arbitration.disputeOf(taskId);
            bool late = block.timestamp > dispute.evidenceEnd;
            bool silent = _isSilent(taskId, dispute.number, 5) && _next(r, 50) != 0;
            bool done = false;
            if (dispute.phase == IArbitration.DisputePhase.OPEN) {
                done = block.timestamp <= dispute.consentEnd && _accept(taskId, dispute);
            } else if (dispute.phase == IArbitration.DisputePhase.EVIDENCE && block.timestamp <= dispute.rulingEnd) {
                bool may = late && _bothSpoke(dispute) && !silent;
                done = _next(r, 12) == 0 ? _stepDown(taskId, dispute) : may && _rule(taskId, dispute, r);
            } else if (dispute.phase == IArbitration.DisputePhase.COURT) {
                done = late && block.timestamp <= dispute.courtEnd && !silent && _decide(taskId, dispute, r);
            }
            if (!done) continue;
            focus = taskId;
            return true;
        }
        return false;
    }

    function _accept(uint256 taskId, IArbitration.Dispute memory dispute) private returns (bool) {
        bool agreed = dispute.posterProposal == dispute.workerProposal && dispute.posterProposal != address(0);
        address candidate = agreed ? dispute.posterProposal : dispute.named;
        if (candidate == address(0) || !arbitration.isEligible(candidate, dispute.amount)) return false;
        if (candidate == dispute.poster || candidate == dispute.worker) return false;
        uint256 gas = _as(candidate);
        arbitration.propose(taskId, candidate);
        _did(agreed ? "accept what both proposed" : "accept as named", gas);
        return true;
    }

    function _stepDown(uint256 taskId, IArbitration.Dispute memory dispute) private returns (bool) {
        uint256 gas = _as(dispute.judge);
        arbitration.stepDown(taskId);
        _did("stepDown", gas);
        return true;
    }

    function _rule(uint256 taskId, IArbitration.Dispute memory dispute, Rng memory r) private returns (bool) {
        uint256 gas = _as(dispute.judge);
        arbitration.resolve(taskId, dispute.number, _next(r, 2) == 0, REASON);
        _did("resolve", gas);
        return true;
    }

    function _decide(uint256 taskId, IArbitration.Dispute memory dispute, Rng memory r) private returns (bool) {
        bool forWorker = _next(r, 2) == 0;
        uint256 gas = _as(COURT);
        arbitration.decide(taskId, dispute.number, forWorker, REASON);
        bool overturned = dispute.ruled && forWorker != dispute.forWorker;
        _did(!dispute.ruled ? "decide" : overturned ? "overturn" : "uphold", gas);
        if (overturned) {
            uint256 gap = uint256(dispute.amount) * (dispute.askBps - dispute.offerBps) / BPS;
            uint256 moved = gap + _lostStake(dispute);
            uint256 lost = (moved < dispute.amount ? moved : dispute.amount) * JUDGE_LOCK_BPS / BPS;
            _bookBurnt(lost < MIN_JUDGE_LOCK ? MIN_JUDGE_LOCK : lost);
        }
        _booksClose(taskId, dispute);
        return true;
    }

    /// @dev Bonds come, grow and go. Two of the parties are arbitrators too, though never in their own case.
    function _bond(Rng memory r) internal {
        uint256 pick = _next(r, ARBITRATORS + 2);
        address account = pick < ARBITRATORS ? arbitrators[pick] : parties[pick == ARBITRATORS ? 2 : 5];
        for (uint256 i = 0; i < ARBITRATORS && arbitration.arbitratorOf(account).unbondAt == 0; ++i) {
            if (arbitration.arbitratorOf(arbitrators[i]).unbondAt != 0) account = arbitrators[i];
        }
        IArbitration.Arbitrator memory record = arbitration.arbitratorOf(account);
        if (record.unbondAt != 0 && block.timestamp >= record.unbondAt && record.openCases == 0) {
            if (token.blocked(account)) return;
            uint256 gas = _as(account);
            arbitration.unbond();
            _did("unbond", gas);
            tokOf[account] += record.bond;
        } else if (record.bond != 0 && record.unbondAt == 0 && _next(r, 4) == 0) {
            uint256 gas = _as(account);
            arbitration.requestUnbond();
            _did("requestUnbond", gas);
        } else if (record.unbondAt == 0 || _next(r, 3) == 0) {
            uint256 amount = _between(r, record.bond < MIN_BOND ? MIN_BOND - record.bond : 0, MIN_BOND);
            if (amount <= _spendable(account)) _register(account, amount);
        }
    }
}
