// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../../src/interfaces/IArbitration.sol";
import { APPEAL_FEE, ENTRY_DEPOSIT, EXIT_DEPOSIT, PAUSE_THRESHOLD, TASK_RESERVE } from "../../../src/types/Market.sol";
import { ClaimPolicy, Receipt, Task, TaskState } from "../../../src/types/Task.sol";
import { Entries } from "./Entries.sol";

/// @dev What posters and workers do with a task that exists. A menu lists the moves the rules allow at this moment,
/// each with the weight it has in the choice.
abstract contract Parties is Entries {
    bytes32 private constant HASH = keccak256("proof");

    struct Menu {
        function(uint256, Task memory, Rng memory) internal[] moves;
        uint256[] weights;
        uint256 count;
        uint256 weight;
    }

    function _menu() internal pure returns (Menu memory menu) {
        menu.moves = new function(uint256, Task memory, Rng memory) internal[](8);
        menu.weights = new uint256[](8);
    }

    function _offer(Menu memory menu, uint256 weight, function(uint256, Task memory, Rng memory) internal move)
        internal
        pure
    {
        menu.moves[menu.count] = move;
        menu.weights[menu.count++] = weight;
        menu.weight += weight;
    }

    function _choose(Menu memory menu, uint256 taskId, Task memory task, Rng memory r) internal returns (bool) {
        if (menu.count == 0) return false;
        uint256 point = _next(r, menu.weight);
        uint256 i = 0;
        while (point >= menu.weights[i]) point -= menu.weights[i++];
        menu.moves[i](taskId, task, r);
        focus = taskId;
        return true;
    }

    /// @param rarely Offer ways out too; were they always there, few tasks would live long.
    function _posterMenu(uint256 taskId, Task memory task, bool rarely) internal view returns (Menu memory menu) {
        menu = _menu();
        Ghost storage ghost = ghosts[taskId];
        bool missing = ghost.funded < ghost.total && _spendable(task.poster) != 0;
        if (task.state == TaskState.POSTED) {
            if (rarely) _offer(menu, 1, _cancel);
            if (rarely && task.claimPolicy == ClaimPolicy.PERMIT) _offer(menu, 4, _allow);
            if (missing && !registry.paused() && deposits.balanceOf(task.poster) >= PAUSE_THRESHOLD) {
                _offer(menu, 3, _fund);
            }
        } else if (task.state == TaskState.CLAIMED) {
            if (block.timestamp > _claimEnd(task)) return menu;
            bool canDismiss = _isPrivate(ghost) || _spendable(task.poster) >= EXIT_DEPOSIT;
            if (canDismiss && rarely) _offer(menu, 1, _dismiss);
            if (missing) _offer(menu, 8, _fund);
            if (ghost.funded == ghost.total) _offer(menu, 12, _activateAsPoster);
        } else if (task.state == TaskState.ACTIVE) {
            if (rarely) _offer(menu, 1, _complete);
            bool working = task.reviewEnd == 0 && block.timestamp <= task.deadline;
            if (rarely && working && !task.underNotice) _offer(menu, 3, _giveNotice);
            bool answers = task.reviewEnd != 0 && (rarely || !_isSilent(taskId, task.current, 3));
            if (rarely || answers) _offer(menu, 4, _release);
            if (answers && block.timestamp <= task.reviewEnd) {
                if (_canOpen(taskId, task)) _offer(menu, 4, _disputeAsPoster);
                if (task.revisions < task.maxRevisions && !task.underNotice) _offer(menu, 4, _requestRevision);
            }
        } else if (task.state == TaskState.DISPUTED) {
            if (rarely && _canConcede(taskId, task)) _offer(menu, 1, _release);
            _offerDispute(menu, taskId, task.poster, rarely);
        }
    }

    function _workerMenu(uint256 taskId, Task memory task, bool rarely) internal view returns (Menu memory menu) {
        menu = _menu();
        if (task.state == TaskState.CLAIMED) {
            if (block.timestamp > _claimEnd(task)) return menu;
            if (rarely) _offer(menu, 3, _leave);
            bool full = ghosts[taskId].funded == ghosts[taskId].total;
            if (full && block.timestamp > task.claimedAt + params.vetWindow) _offer(menu, 6, _activateAsWorker);
        } else if (task.state == TaskState.ACTIVE) {
            if (block.timestamp > _waitEnd(taskId, task) || (task.reviewEnd != 0 && _isPayable(task))) return menu;
            bool free = task.underNotice && task.reviewEnd == 0;
            if (rarely || free) _offer(menu, 3, free ? _goFree : _leave);
            if (task.reviewEnd == 0) {
                _offer(menu, 12, _deliver);
                return menu;
            }
            if (rarely) _offer(menu, 2, _cure);
            if (block.timestamp > task.reviewEnd) _offer(menu, 6, _disputeAsWorker);
        } else if (task.state == TaskState.DISPUTED) {
            _offerDispute(menu, taskId, task.worker, rarely);
        }
    }

    /// @dev The poster has a whole reserve and the stake, and silence would pay.
    function _canOpen(uint256 taskId, Task memory task) private view returns (bool) {
        uint256 stake = ghosts[taskId].terms.amounts[task.current] / 10;
        uint256 reserve = deposits.reserveOf(taskId, task.poster) + deposits.freeOf(task.poster);
        return _isPayable(task) && reserve >= TASK_RESERVE && _spendable(task.poster) >= stake;
    }

    /// @dev Nobody has ruled, and whoever goes on afterwards has a whole reserve.
    function _canConcede(uint256 taskId, Task memory task) private view returns (bool) {
        if (arbitration.disputeOf(taskId).ruled) return false;
        bool last = task.underNotice || task.current + 1 == task.milestoneCount;
        return last || deposits.reserveOf(taskId, task.poster) + deposits.freeOf(task.poster) >= ENTRY_DEPOSIT;
    }

    function _fund(uint256 taskId, Task memory task, Rng memory r) private {
        Ghost storage ghost = ghosts[taskId];
        uint256 amount = ghost.total - ghost.funded;
        if (_next(r, 3) == 0) amount = _between(r, 1, amount);
        uint256 most = _spendable(task.poster);
        if (amount > most) amount = most;
        uint256 gas = _as(task.poster);
        registry.fund(taskId, amount);
        _did("fund", gas);
        _booksFund(taskId, amount);
    }

    function _cancel(uint256 taskId, Task memory task, Rng memory) private {
        uint256 gas = _as(task.poster);
        registry.cancel(taskId);
        _did("cancel", gas);
        _booksEnd(taskId, 0, TaskState.CANCELLED);
    }

    function _allow(uint256 taskId, Task memory task, Rng memory r) private {
        address worker = _someoneElse(task.poster, r);
        uint256 gas = _as(task.poster);
        registry.allowWorker(taskId, worker);
        _did("allowWorker", gas);
        ghosts[taskId].allowed = worker;
    }

    function _activateAsPoster(uint256 taskId, Task memory task, Rng memory) private {
        uint256 gas = _as(task.poster);
        registry.activate(taskId);
        _did("activate", gas);
    }

    function _activateAsWorker(uint256 taskId, Task memory task, Rng memory) private {
        uint256 gas = _as(task.worker);
        registry.activate(taskId);
        _did("activate by worker", gas);
    }

    function _dismiss(uint256 taskId, Task memory task, Rng memory) private {
        bool late = block.timestamp > task.claimedAt + params.vetWindow;
        uint256 gas = _as(task.poster);
        registry.dismiss(taskId);
        _did(late ? "dismiss late" : "dismiss", gas);
        Ghost storage ghost = ghosts[taskId];
        _bookSpentExit(ghost, true);
        if (!_isPrivate(ghost)) {
            _spendTok(task.poster, EXIT_DEPOSIT);
            ghost.posterLocked = true;
        }
        _booksLetGo(taskId, TaskState.CANCELLED);
    }

    function _giveNotice(uint256 taskId, Task memory task, Rng memory) private {
        uint256 gas = _as(task.poster);
        registry.dismiss(taskId);
        _did("give notice", gas);
        ghosts[taskId].noticed = true;
        _bookSpentExit(ghosts[taskId], true);
    }

    /// @dev Under notice, with nothing delivered.
    function _goFree(uint256 taskId, Task memory task, Rng memory) private {
        uint256 gas = _as(task.worker);
        registry.expire(taskId);
        _did("go free under notice", gas);
        _booksEnd(taskId, 0, TaskState.EXPIRED);
    }

    function _leave(uint256 taskId, Task memory task, Rng memory) private {
        bool claimed = task.state == TaskState.CLAIMED;
        uint256 gas = _as(task.worker);
        registry.leaveTask(taskId);
        _did(claimed ? "leave a claim" : task.reviewEnd == 0 ? "leave work" : "leave a delivery", gas);
        _bookSpentExit(ghosts[taskId], false);
        if (claimed) _booksLetGo(taskId, TaskState.CANCELLED);
        else _booksEnd(taskId, 0, TaskState.CANCELLED);
    }

    /// @dev A claim fell away: an open task waits for another worker, a private one is over.
    function _booksLetGo(uint256 taskId, TaskState end) internal {
        Ghost storage ghost = ghosts[taskId];
        if (_isPrivate(ghost)) return _booksEnd(taskId, 0, end);
        _bookReturnedExit(ghost, false);
        ghost.worker = address(0);
    }

    function _deliver(uint256 taskId, Task memory task, Rng memory r) private {
        bool receipted = task.store != address(0) && _next(r, 2) == 0;
        Receipt memory receipt = receipted ? _receiptFor(taskId, task) : Receipt(0, 0, "");
        uint256 gas = _as(task.worker);
        registry.markDelivered(taskId, task.current, HASH, receipt);
        _did(receipted ? "markDelivered with a receipt" : "markDelivered", gas);
        ghosts[taskId].delivered = true;
    }

    /// @dev A receipt that the delivery lacked comes with another one.
    function _cure(uint256 taskId, Task memory task, Rng memory) private {
        Receipt memory receipt = _receiptFor(taskId, task);
        uint256 gas = _as(task.worker);
        registry.markDelivered(taskId, task.current, HASH, receipt);
        _did("deliver again", gas);
    }

    function _receiptFor(uint256 taskId, Task memory task) private view returns (Receipt memory) {
        uint256 dispute =
            uint256(params.evidenceWindow) + params.rulingWindow + params.appealWindow + params.courtWindow;
        uint64 until = uint64(block.timestamp + _noticeOf(task) + dispute);
        return _receipt(registry, taskId, HASH, until, _keyOf(task.store));
    }

    function _requestRevision(uint256 taskId, Task memory task, Rng memory) private {
        uint256 gas = _as(task.poster);
        registry.requestRevision(taskId, task.current, HASH);
        _did("requestRevision", gas);
    }

    function _release(uint256 taskId, Task memory task, Rng memory) private {
        bool concession = task.state == TaskState.DISPUTED;
        IArbitration.Dispute memory was = arbitration.disputeOf(taskId);
        uint256 gas = _as(task.poster);
        registry.release(taskId, task.current);
        _did(concession ? "concede" : "release", gas);
        ghosts[taskId].accepted = true;
        if (concession) {
            ghosts[taskId].conceded = true;
            _bookStake(
                ghosts[taskId], was.stake, block.timestamp > was.evidenceEnd ? _lostStake(was) : was.amount / 100
            );
        }
        _booksAccept(taskId);
    }

    function _complete(uint256 taskId, Task memory task, Rng memory) private {
        uint256 gas = _as(task.poster);
        registry.complete(taskId);
        _did("complete", gas);
        Ghost storage ghost = ghosts[taskId];
        ghost.accepted = true;
        ghost.current = ghost.terms.amounts.length;
        _booksEnd(taskId, _ghostHeld(ghost), TaskState.COMPLETED);
    }

    /// @dev The current milestone was paid; the last one, or one under notice, ends the task.
    function _booksAccept(uint256 taskId) internal {
        Ghost storage ghost = ghosts[taskId];
        uint256 amount = ghost.terms.amounts[ghost.current];
        bool last = ++ghost.current == ghost.terms.amounts.length;
        if (last || ghost.noticed) _booksEnd(taskId, amount, TaskState.COMPLETED);
        else _booksPay(taskId, amount);
    }

    function _disputeAsPoster(uint256 taskId, Task memory task, Rng memory r) private {
        uint256 stake = ghosts[taskId].terms.amounts[task.current] / 10;
        uint256 offer = _next(r, 2) == 0 ? 0 : _next(r, 10_000);
        uint256 gas = _as(task.poster);
        registry.openDispute(taskId, task.current, HASH, offer);
        _did("openDispute", gas);
        _spendTok(task.poster, stake);
    }

    function _disputeAsWorker(uint256 taskId, Task memory task, Rng memory r) private {
        uint256 ask = _next(r, 2) == 0 ? 10_000 : 1 + _next(r, 10_000);
        uint256 gas = _as(task.worker);
        registry.openDispute(taskId, task.current, HASH, ask);
        _did("openDispute by worker", gas);
    }

    function _offerDispute(Menu memory menu, uint256 taskId, address party, bool rarely) private view {
        IArbitration.Dispute memory dispute = arbitration.disputeOf(taskId);
        bool isPoster = party == dispute.poster;
        bool open = dispute.phase == IArbitration.DisputePhase.OPEN;
        bool spoke = isPoster ? dispute.posterSpoke : dispute.workerSpoke;
        bool inEvidence = !dispute.ruled && block.timestamp <= dispute.evidenceEnd;
        if (inEvidence && (rarely || !spoke)) _offer(menu, 10, isPoster ? _speakAsPoster : _speakAsWorker);
        bool proposed = (isPoster ? dispute.posterProposal : dispute.workerProposal) != address(0);
        if (open && block.timestamp <= dispute.consentEnd && (rarely || !proposed)) {
            _offer(menu, 6, isPoster ? _proposeAsPoster : _proposeAsWorker);
        }
        bool mayAppeal = dispute.phase == IArbitration.DisputePhase.RULED && block.timestamp <= dispute.appealEnd
            && isPoster == dispute.forWorker && deposits.freeOf(party) >= APPEAL_FEE;
        if (mayAppeal && (rarely || _isSilent(taskId, dispute.appealEnd, 2))) {
            _offer(menu, 1, isPoster ? _escalateAsPoster : _escalateAsWorker);
        }
    }

    function _speakAsPoster(uint256 taskId, Task memory task, Rng memory r) private {
        _speak(taskId, task.poster, r);
    }

    function _speakAsWorker(uint256 taskId, Task memory task, Rng memory r) private {
        _speak(taskId, task.worker, r);
    }

    /// @dev Mostly what was named before or a little nearer; now and then the other side's share, which closes the case.
    function _speak(uint256 taskId, address party, Rng memory r) private {
        IArbitration.Dispute memory was = arbitration.disputeOf(taskId);
        uint256 choice = _next(r, 8);
        bool isPoster = party == was.poster;
        uint256 share = isPoster == (choice == 0) ? was.askBps : was.offerBps;
        if (choice > 3) share = _between(r, was.offerBps, was.askBps);
        uint256 gas = _as(party);
        arbitration.submitEvidence(taskId, HASH, share);
        _did("submitEvidence", gas);
        IArbitration.Dispute memory dispute = arbitration.disputeOf(taskId);
        if (dispute.phase != IArbitration.DisputePhase.CLOSED) return;
        bool agreed = dispute.ending == IArbitration.Ending.SETTLED;
        _did(agreed ? "settle" : isPoster ? "offer everything" : "give up", gasleft());
        if (!agreed) ghosts[taskId].conceded = true;
        _booksClose(taskId, was);
    }

    function _proposeAsPoster(uint256 taskId, Task memory task, Rng memory r) private {
        _propose(taskId, task, task.poster, r);
    }

    function _proposeAsWorker(uint256 taskId, Task memory task, Rng memory r) private {
        _propose(taskId, task, task.worker, r);
    }

    /// @dev Often the other side's choice, so that they agree.
    function _propose(uint256 taskId, Task memory task, address party, Rng memory r) private {
        IArbitration.Dispute memory dispute = arbitration.disputeOf(taskId);
        address choice = party == task.poster ? dispute.workerProposal : dispute.posterProposal;
        if (choice == address(0) || _next(r, 4) == 0) choice = arbitrators[_next(r, ARBITRATORS)];
        uint256 gas = _as(party);
        arbitration.propose(taskId, choice);
        _did("propose", gas);
    }

    function _escalateAsPoster(uint256 taskId, Task memory task, Rng memory) private {
        _escalate(taskId, task.poster);
    }

    function _escalateAsWorker(uint256 taskId, Task memory task, Rng memory) private {
        _escalate(taskId, task.worker);
    }

    function _escalate(uint256 taskId, address party) private {
        uint256 gas = _as(party);
        arbitration.escalate(taskId);
        _did("escalate", gas);
    }
}
