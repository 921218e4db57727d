// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../../src/interfaces/IArbitration.sol";
import { IPaymentGateway } from "../../../src/interfaces/IPaymentGateway.sol";
import {
    ClaimPolicy,
    Receipt,
    Settlement,
    Signature,
    Task,
    TaskScope,
    TaskState,
    TaskTerms
} from "../../../src/types/Task.sol";
import { Entries } from "./Entries.sol";

/// @dev Calls that must fail: the wrong caller, state or moment, signatures used again or bent, money of others. They are
/// tried and taken back; one that would have gone through is a breach.
abstract contract Attacks is Entries {
    bytes32 private constant HASH = keccak256("attack");

    function _attack(Rng memory r) internal {
        uint256 choice = _next(r, 8);
        uint256 count = registry.taskCount();
        if (choice == 0 || count == 0) return _asSystem(r);
        if (choice == 1) return _moreThanOnesOwn(r);
        if (choice == 2) return _signedBefore(r);
        if (choice == 3) return _bentSignatures(r);
        uint256 taskId = 1 + _next(r, count);
        Task memory task = registry.taskOf(taskId);
        if (task.state > TaskState.DISPUTED) return _onEnded(taskId, task);
        if (choice < 6) return _asWrongCaller(taskId, task, _next(r, 2) == 0);
        _atWrongTime(taskId, task);
    }

    function _mustFail(address caller, address target, bytes memory data, string memory what) internal {
        ++attempts;
        if (!_wouldSucceed(caller, target, data)) return;
        ++breaches;
        lastBreach = what;
    }

    function _onRegistry(address caller, bytes memory data, string memory what) private {
        _mustFail(caller, address(registry), data, what);
    }

    function _onCase(address caller, bytes memory data, string memory what) private {
        _mustFail(caller, address(arbitration), data, what);
    }

    /// @dev An outsider, or the other party, tries what is not theirs.
    function _asWrongCaller(uint256 id, Task memory task, bool outside) private {
        address notPoster = outside || task.worker == address(0) ? OUTSIDER : task.worker;
        address notWorker = outside ? OUTSIDER : task.poster;
        _onRegistry(notPoster, abi.encodeCall(registry.fund, (id, 1)), "fund as not the poster");
        _onRegistry(notPoster, abi.encodeCall(registry.dismiss, (id)), "dismiss as not the poster");
        _onRegistry(notPoster, abi.encodeCall(registry.release, (id, task.current)), "release as not the poster");
        _onRegistry(notPoster, abi.encodeCall(registry.complete, (id)), "complete as not the poster");
        _onRegistry(notPoster, abi.encodeCall(registry.cancel, (id)), "cancel as not the poster");
        _onRegistry(notPoster, abi.encodeCall(registry.requestRevision, (id, task.current, HASH)), "revise, not poster");
        _onRegistry(notWorker, abi.encodeCall(registry.leaveTask, (id)), "leave as not the worker");
        _onRegistry(
            notWorker,
            abi.encodeCall(registry.markDelivered, (id, task.current, HASH, Receipt(0, 0, ""))),
            "deliver, not worker"
        );
        _onRegistry(OUTSIDER, abi.encodeCall(registry.activate, (id)), "activate as an outsider");
        _onRegistry(
            OUTSIDER, abi.encodeCall(registry.openDispute, (id, task.current, HASH, 0)), "dispute as an outsider"
        );
        _onRegistry(notPoster, abi.encodeCall(registry.settleDispute, (id, _all())), "settle as not arbitration");
        _onRegistry(
            task.poster,
            abi.encodeCall(registry.claim, (id, _settlementDigest(registry, task.termsHash, task.poster))),
            "claim one's own task"
        );
        _onRegistry(OUTSIDER, abi.encodeCall(registry.claim, (id, bytes32(0))), "claim other terms");
        if (task.claimPolicy == ClaimPolicy.PERMIT && ghosts[id].allowed != parties[4]) {
            bytes32 digest = _settlementDigest(registry, task.termsHash, parties[4]);
            _onRegistry(parties[4], abi.encodeCall(registry.claim, (id, digest)), "claim without the permit");
        }
        _onCase(OUTSIDER, abi.encodeCall(arbitration.submitEvidence, (id, HASH, 10_000)), "speak as an outsider");
        _onCase(OUTSIDER, abi.encodeCall(arbitration.propose, (id, arbitrators[0])), "propose as an outsider");
        _onCase(OUTSIDER, abi.encodeCall(arbitration.escalate, (id)), "appeal as an outsider");
        uint256 number = arbitration.disputeOf(id).number;
        if (notWorker != arbitration.disputeOf(id).judge) {
            _onCase(notWorker, abi.encodeCall(arbitration.resolve, (id, number, false, HASH)), "rule without a seat");
            _onCase(notWorker, abi.encodeCall(arbitration.stepDown, (id)), "step down without a seat");
        }
        _onCase(notWorker, abi.encodeCall(arbitration.decide, (id, number, true, HASH)), "decide as not the court");
        _onCase(COURT, abi.encodeCall(arbitration.resolve, (id, number, true, HASH)), "rule as the court");
        _onRegistry(
            notPoster, abi.encodeCall(registry.allowWorker, (id, notPoster)), "allow a worker as not the poster"
        );
    }

    /// @dev Everything again on a task that is over, by those who could before: no second refund, no second payment.
    function _onEnded(uint256 id, Task memory task) private {
        uint256 last = task.current == 0 ? 0 : task.current - 1;
        _onRegistry(task.poster, abi.encodeCall(registry.cancel, (id)), "cancel twice");
        _onRegistry(STRANGER, abi.encodeCall(registry.expire, (id)), "expire twice");
        _onRegistry(task.poster, abi.encodeCall(registry.release, (id, task.current)), "release after the end");
        _onRegistry(task.poster, abi.encodeCall(registry.release, (id, last)), "release twice");
        _onRegistry(task.poster, abi.encodeCall(registry.complete, (id)), "complete twice");
        _onRegistry(STRANGER, abi.encodeCall(registry.releaseLapsed, (id, task.current)), "lapse after the end");
        _onRegistry(task.poster, abi.encodeCall(registry.dismiss, (id)), "dismiss after the end");
        _onRegistry(task.worker, abi.encodeCall(registry.leaveTask, (id)), "leave after the end");
        _onRegistry(task.poster, abi.encodeCall(registry.fund, (id, 1)), "fund after the end");
        _onRegistry(task.poster, abi.encodeCall(registry.activate, (id)), "activate after the end");
        _onRegistry(
            task.worker,
            abi.encodeCall(registry.markDelivered, (id, task.current, HASH, Receipt(0, 0, ""))),
            "deliver after the end"
        );
        _onRegistry(
            task.poster, abi.encodeCall(registry.openDispute, (id, task.current, HASH, 0)), "dispute after the end"
        );
        _onRegistry(address(arbitration), abi.encodeCall(registry.settleDispute, (id, _all())), "settle twice");
        _onRegistry(
            parties[4],
            abi.encodeCall(registry.claim, (id, _settlementDigest(registry, task.termsHash, parties[4]))),
            "claim after the end"
        );
        _onCase(STRANGER, abi.encodeCall(arbitration.finalize, (id)), "finalize twice");
        _onCase(STRANGER, abi.encodeCall(arbitration.resolveTimedOut, (id)), "time out twice");
        if (task.worker == address(0)) return;
        (Signature memory byPoster, Signature memory byWorker) = _cancelSignatures(id, task, 10_000, 10_000);
        _onRegistry(
            STRANGER, abi.encodeCall(registry.mutualCancel, (id, 10_000, byPoster, byWorker)), "cancel together twice"
        );
    }

    /// @dev Before the limit no default works, after it no duty.
    function _atWrongTime(uint256 id, Task memory task) private {
        if (block.timestamp <= _waitEnd(id, task)) {
            _onRegistry(STRANGER, abi.encodeCall(registry.expire, (id)), "expire too early");
            _onRegistry(STRANGER, abi.encodeCall(registry.releaseLapsed, (id, task.current)), "lapse too early");
            _onCase(STRANGER, abi.encodeCall(arbitration.finalize, (id)), "finalize too early");
            _onCase(STRANGER, abi.encodeCall(arbitration.resolveTimedOut, (id)), "time out too early");
            return;
        }
        if (task.state == TaskState.POSTED) {
            bytes32 digest = _settlementDigest(registry, task.termsHash, parties[4]);
            if (parties[4] != task.poster) {
                _onRegistry(parties[4], abi.encodeCall(registry.claim, (id, digest)), "claim late");
            }
        } else if (task.state == TaskState.CLAIMED) {
            _onRegistry(task.poster, abi.encodeCall(registry.fund, (id, 1)), "fund too late");
            _onRegistry(task.poster, abi.encodeCall(registry.activate, (id)), "activate too late");
            _onRegistry(task.poster, abi.encodeCall(registry.dismiss, (id)), "dismiss too late");
            _onRegistry(task.worker, abi.encodeCall(registry.leaveTask, (id)), "leave too late");
        } else if (task.state == TaskState.ACTIVE) {
            _onRegistry(
                task.worker,
                abi.encodeCall(registry.markDelivered, (id, task.current, HASH, Receipt(0, 0, ""))),
                "deliver late"
            );
            _onRegistry(task.poster, abi.encodeCall(registry.dismiss, (id)), "give notice late");
            _onRegistry(task.poster, abi.encodeCall(registry.requestRevision, (id, task.current, HASH)), "revise late");
            _onRegistry(
                task.poster, abi.encodeCall(registry.openDispute, (id, task.current, HASH, 0)), "dispute too late"
            );
            _onRegistry(task.worker, abi.encodeCall(registry.leaveTask, (id)), "leave too late");
            if (task.reviewEnd != 0 && _isPayable(task)) {
                _onRegistry(STRANGER, abi.encodeCall(registry.expire, (id)), "expire delivered work");
            }
        } else {
            _onCase(task.poster, abi.encodeCall(arbitration.escalate, (id)), "appeal too late");
            _onCase(task.worker, abi.encodeCall(arbitration.escalate, (id)), "appeal too late");
            IArbitration.Dispute memory dispute = arbitration.disputeOf(id);
            _onCase(COURT, abi.encodeCall(arbitration.decide, (id, dispute.number, true, HASH)), "decide too late");
            _onCase(task.poster, abi.encodeCall(arbitration.propose, (id, arbitrators[0])), "name a judge too late");
            if (block.timestamp > dispute.evidenceEnd) {
                bytes memory words = abi.encodeCall(arbitration.submitEvidence, (id, HASH, dispute.offerBps));
                _onCase(task.poster, words, "speak late");
            }
            if (dispute.judge != address(0)) {
                _onCase(
                    dispute.judge,
                    abi.encodeCall(arbitration.resolve, (id, dispute.number, true, HASH)),
                    "rule late or twice"
                );
            }
        }
    }

    function _all() private pure returns (Settlement memory) {
        return Settlement({ workerBps: 10_000, loser: address(0), courtShare: 0, court: address(0) });
    }

    /// @dev Each contract's inner doors, tried from outside.
    function _asSystem(Rng memory r) private {
        address who = _next(r, 2) == 0 ? OUTSIDER : parties[_next(r, PARTIES)];
        address victim = parties[_next(r, PARTIES)];
        uint256 id = 1 + _next(r, registry.taskCount() + 1);
        _mustFail(who, address(escrow), abi.encodeCall(escrow.fund, (id, victim, 1)), "escrow.fund");
        _mustFail(who, address(escrow), abi.encodeCall(escrow.release, (id, who, 1)), "escrow.release");
        _mustFail(who, address(escrow), abi.encodeCall(escrow.refund, (id, who)), "escrow.refund");
        _mustFail(who, address(escrow), abi.encodeCall(escrow.lockExitDeposit, (id, victim)), "escrow.lockExitDeposit");
        _mustFail(who, address(escrow), abi.encodeCall(escrow.returnExitDeposit, (id, who)), "returnExitDeposit");
        _mustFail(
            who,
            address(escrow),
            abi.encodeCall(escrow.spendExitDeposit, (id, victim, IPaymentGateway.AccessAction.FORFEIT)),
            "escrow.spendExitDeposit"
        );
        _mustFail(who, address(deposits), abi.encodeCall(deposits.reserve, (id, victim, 1)), "deposits.reserve");
        _mustFail(who, address(deposits), abi.encodeCall(deposits.unreserve, (id, who)), "deposits.unreserve");
        _mustFail(who, address(deposits), abi.encodeCall(deposits.penalise, (id, victim, who, 1)), "deposits.penalise");
        _mustFail(who, address(gateway), abi.encodeCall(gateway.pull, (victim, 1)), "gateway.pull");
        _mustFail(
            who,
            address(gateway),
            abi.encodeCall(gateway.chargeAccessFee, (id, victim, IPaymentGateway.AccessAction.POST)),
            "gateway.chargeAccessFee"
        );
        _mustFail(who, address(staking), abi.encodeCall(staking.spendCredit, (victim)), "staking.spendCredit");
        _mustFail(who, address(staking), abi.encodeCall(staking.addReward, (1)), "staking.addReward");
        IArbitration.Case memory case_ = IArbitration.Case(who, who, victim, victim, victim, 1, 0, HASH);
        _onCase(who, abi.encodeCall(arbitration.open, (id, case_)), "arbitration.open");
        _onCase(COURT, abi.encodeCall(arbitration.register, (20_000e18)), "bond as the court");
        _onCase(who, abi.encodeCall(arbitration.concede, (id)), "arbitration.concede");
        _onCase(who, abi.encodeCall(arbitration.abandon, (id)), "arbitration.abandon");
        _mustFail(
            who, address(reputation), abi.encodeCall(reputation.recordPayment, (id, victim, who, 1)), "reputation"
        );
        _mustFail(who, address(scopes), abi.encodeCall(scopes.setPrivate, (id)), "scopes.setPrivate");
        _onRegistry(who, abi.encodeCall(registry.pauseEntries, ()), "pauseEntries");
        _onRegistry(who, abi.encodeCall(registry.unpauseEntries, ()), "unpauseEntries");
        _onRegistry(registry.guardian(), abi.encodeCall(registry.setGuardian, (who)), "setGuardian as guardian");
        if (!registry.paused()) return;
        (TaskTerms memory terms, string memory text) = _terms(victim, r);
        _onRegistry(victim, abi.encodeCall(registry.post, (terms, text, 0)), "post while paused");
    }

    /// @dev More than one has, in every vault.
    function _moreThanOnesOwn(Rng memory r) private {
        address who = parties[_next(r, PARTIES)];
        uint256 tooMuch = deposits.withdrawableOf(who) + 1;
        _mustFail(who, address(deposits), abi.encodeCall(deposits.withdraw, (tooMuch, who)), "withdraw a reserve");
        tooMuch = staking.stakedOf(who) + 1;
        _mustFail(who, address(staking), abi.encodeCall(staking.unstake, (tooMuch)), "unstake more than staked");
        _mustFail(OUTSIDER, address(escrow), abi.encodeCall(escrow.withdraw, (OUTSIDER)), "withdraw from escrow");
        _onCase(OUTSIDER, abi.encodeCall(arbitration.withdraw, (OUTSIDER)), "withdraw a payment of others");
        _mustFail(OUTSIDER, address(staking), abi.encodeCall(staking.claimRewards, ()), "claim rewards unearned");
        _onCase(OUTSIDER, abi.encodeCall(arbitration.unbond, ()), "unbond unbonded");
        address arbitrator = arbitrators[_next(r, ARBITRATORS)];
        IArbitration.Arbitrator memory record = arbitration.arbitratorOf(arbitrator);
        if (record.openCases != 0 || record.unbondAt == 0 || block.timestamp < record.unbondAt) {
            _onCase(arbitrator, abi.encodeCall(arbitration.unbond, ()), "unbond too early");
        }
        if (live.length == 0) return;
        Ghost storage ghost = ghosts[live[_next(r, live.length)]];
        uint256 id = live[_next(r, live.length)];
        ghost = ghosts[id];
        uint256 missing = ghost.total - ghost.funded;
        _onRegistry(ghost.terms.poster, abi.encodeCall(registry.fund, (id, missing + 1)), "fund more than missing");
    }

    /// @dev Calls that worked once, sent again by the same sender.
    function _signedBefore(Rng memory r) private {
        if (spentCalls.length != 0) {
            uint256 i = _next(r, spentCalls.length);
            _onRegistry(spentCallers[i], spentCalls[i], "use signatures twice");
        }
        if (usedNonces.length == 0) return;
        UsedNonce memory used = usedNonces[_next(r, usedNonces.length)];
        _onRegistry(used.account, abi.encodeCall(registry.invalidateNonce, (used.nonce)), "use a nonce twice");
        (TaskTerms memory terms, string memory text) = _terms(used.account, r);
        terms.nonce = used.nonce;
        _onRegistry(used.account, abi.encodeCall(registry.post, (terms, text, 0)), "post with a used nonce");
    }

    /// @dev Signatures of the right people over something else, or too old.
    function _bentSignatures(Rng memory r) private {
        address poster = parties[_next(r, 3)];
        address worker = parties[3 + _next(r, 3)];
        (TaskTerms memory terms,) = _terms(poster, r);
        terms.scope = TaskScope.PRIVATE;
        uint64 expiry = uint64(block.timestamp);
        Signature memory byPoster = _acceptance(registry, terms, worker, _keyOf(poster), _freshNonce(), expiry);
        Signature memory byWorker = _acceptance(registry, terms, worker, _keyOf(worker), _freshNonce(), expiry);
        _onRegistry(STRANGER, abi.encodeCall(registry.create, (terms, worker, byWorker, byPoster)), "swap signatures");
        address other = worker == parties[3] ? parties[4] : parties[3];
        _onRegistry(STRANGER, abi.encodeCall(registry.create, (terms, other, byPoster, byWorker)), "another worker");
        terms.amounts[0] += 1;
        _onRegistry(STRANGER, abi.encodeCall(registry.create, (terms, worker, byPoster, byWorker)), "other terms");
        terms.amounts[0] -= 1;
        byWorker = _acceptance(registry, terms, worker, _keyOf(worker), _freshNonce(), expiry - 1);
        _onRegistry(STRANGER, abi.encodeCall(registry.create, (terms, worker, byPoster, byWorker)), "stale signature");
        if (live.length == 0) return;
        uint256 id = live[_next(r, live.length)];
        Task memory task = registry.taskOf(id);
        if (task.worker == address(0)) {
            Signature memory permit = _permit(registry, id, parties[3], _keyOf(task.poster), _freshNonce(), expiry);
            bytes32 digest = _settlementDigest(registry, task.termsHash, parties[4]);
            if (task.poster == parties[4]) return;
            _onRegistry(parties[4], abi.encodeCall(registry.claimWithPermit, (id, digest, permit)), "another's permit");
            return;
        }
        (byPoster, byWorker) = _cancelSignatures(id, task, 0, 10_000);
        _onRegistry(STRANGER, abi.encodeCall(registry.mutualCancel, (id, 10_000, byPoster, byWorker)), "split unsigned");
        _onRegistry(STRANGER, abi.encodeCall(registry.mutualCancel, (id, 0, byPoster, byWorker)), "split unsigned");
    }

    function _cancelSignatures(uint256 id, Task memory task, uint256 posterBps, uint256 workerBps)
        private
        returns (Signature memory byPoster, Signature memory byWorker)
    {
        uint64 expiry = uint64(block.timestamp);
        byPoster = _cancelSignature(registry, id, posterBps, _keyOf(task.poster), _freshNonce(), expiry);
        byWorker = _cancelSignature(registry, id, workerBps, _keyOf(task.worker), _freshNonce(), expiry);
    }
}
