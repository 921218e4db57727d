// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { MIN_BOND } from "../../../src/arbitration/Arbitrators.sol";
import { IArbitration } from "../../../src/interfaces/IArbitration.sol";
import { BPS } from "../../../src/types/Market.sol";
import { World } from "../World.sol";

/// @dev What arbitrators do: vote when they sit, come and go when they do not.
abstract contract Arbitrators is World {
    bytes32 private constant REASON = keccak256("reason");

    /// @dev A vote on some case that waits for one.
    function _vote(Rng memory r) internal returns (bool) {
        (uint256 start, uint256 count) = _from(r);
        for (uint256 i = 0; i < count; ++i) {
            uint256 taskId = live[(start + i) % count];
            IArbitration.Dispute memory dispute = arbitration.disputeOf(taskId);
            if (dispute.phase != IArbitration.DisputePhase.EVIDENCE || block.timestamp > dispute.rulingEnd) continue;
            bool bothSpoke = dispute.posterSpoke && dispute.workerSpoke;
            if (!bothSpoke && block.timestamp <= dispute.evidenceEnd) continue;
            if (_voteOn(taskId, dispute, r)) return true;
        }
        return false;
    }

    function _voteOn(uint256 taskId, IArbitration.Dispute memory dispute, Rng memory r) private returns (bool) {
        IArbitration.Seat[] memory bench = arbitration.benchOf(taskId);
        uint256 size = bench.length - dispute.panelStart;
        uint256 first = _next(r, size);
        for (uint256 i = 0; i < size; ++i) {
            IArbitration.Seat memory member = bench[dispute.panelStart + (first + i) % size];
            bool silent = _isSilent(taskId, 0, 5) || _isSilent(uint160(member.arbitrator), dispute.rulingEnd, 4);
            if (member.voted || (silent && _next(r, 50) != 0)) continue;
            uint256 choice = _next(r, 4);
            uint256 workerBps = choice == 0 ? 0 : choice == 1 ? BPS : _next(r, BPS + 1);
            uint256 gas = _as(member.arbitrator);
            arbitration.resolve(taskId, workerBps, REASON);
            _did("resolve", gas);
            focus = taskId;
            if (arbitration.disputeOf(taskId).phase == IArbitration.DisputePhase.RULED) {
                _did(dispute.tier == 0 ? "rule" : dispute.tier == 1 ? "rule on appeal" : "rule at the top", gasleft());
            }
            return true;
        }
        return false;
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
