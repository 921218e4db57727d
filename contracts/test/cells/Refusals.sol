// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { Pausable } from "@openzeppelin/contracts/utils/Pausable.sol";
import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState } from "../../src/types/Task.sol";
import { Base } from "../Base.sol";

/// @dev The values that an error of a cell must carry. They follow from the call and from where the task stands.
abstract contract Refusals is Base {
    uint256 internal constant ID = 1;
    uint256 private constant RESERVE = 13e6;

    /// @dev A call, decoded.
    struct Call {
        string operation;
        address caller;
        address other;
        address poster;
        uint256 amount;
        uint256 receipt;
        bool otherMilestone;
        bool noHash;
        bool unsigned;
        bool wrongDigest;
        bool permitted;
        bool forWorker;
        bool wrongCase;
        bool stored;
        bool named;
        bool permitOnly;
    }

    /// @dev The whole answer of a call that was refused with this error. A refused call changes nothing, so it is asked after.
    function _refusal(bytes4 kind, Call memory call) internal view returns (bytes memory) {
        return bytes.concat(kind, _values(kind, call));
    }

    function _values(bytes4 kind, Call memory call) private view returns (bytes memory) {
        if (kind == IAgreements.HashMissing.selector || kind == Pausable.EnforcedPause.selector) return "";
        if (
            kind == ITaskRegistry.TaskNotFound.selector || kind == ITaskRegistry.PosterCannotClaim.selector
                || kind == ITaskRegistry.ClaimPermitRequired.selector || kind == ITaskRegistry.PermitNotNeeded.selector
                || kind == ITaskRegistry.UnderNotice.selector || kind == IArbitration.PartySilent.selector
        ) return abi.encode(ID);
        if (kind == ITaskRegistry.WrongState.selector) return abi.encode(ID, _state(ID));
        if (kind == IArbitration.WrongPhase.selector) return abi.encode(ID, arbitration.phaseOf(ID));
        if (
            kind == ITaskRegistry.NotPoster.selector || kind == ITaskRegistry.NotWorker.selector
                || kind == ITaskRegistry.NotParty.selector || kind == IArbitration.NotJudge.selector
                || kind == IArbitration.NotLoser.selector || kind == IArbitration.NotProposed.selector
        ) return abi.encode(ID, call.caller);
        if (kind == ITaskRegistry.Unauthorized.selector || kind == IArbitration.NotFinalCourt.selector) {
            return abi.encode(call.caller);
        }
        if (kind == IArbitration.WrongCase.selector) return abi.encode(ID, arbitration.disputeOf(ID).number);
        if (kind == IArbitration.NotEligible.selector || kind == ITaskRegistry.WorkerIsPoster.selector) {
            return abi.encode(call.other);
        }
        if (kind == ITaskRegistry.CourtCannotEnter.selector) return abi.encode(COURT);
        if (kind == IAgreements.InvalidSignature.selector) return abi.encode(_signer(call));
        uint256 moment = _momentOf(kind);
        return moment != 0 ? abi.encode(ID, moment) : _otherValues(kind, call);
    }

    /// @dev Until or since when the call is refused, if that is what the error says.
    function _momentOf(bytes4 kind) private view returns (uint256) {
        Task memory task = _task(ID);
        IArbitration.Dispute memory dispute = arbitration.disputeOf(ID);
        uint256 claimEnd = task.claimedAt + params.fundingWindow;
        uint256 graceEnd = uint256(task.reviewEnd) + _noticeTime(task);
        if (kind == ITaskRegistry.ClaimClosed.selector) return task.claimDeadline - params.claimCutoff;
        if (kind == ITaskRegistry.FundingWindowClosed.selector) return claimEnd;
        if (kind == ITaskRegistry.StartWindowClosed.selector) return claimEnd;
        if (kind == ITaskRegistry.VetWindowOpen.selector) return task.claimedAt + params.vetWindow;
        if (kind == ITaskRegistry.DeadlinePassed.selector) return task.deadline;
        if (kind == ITaskRegistry.ReviewEnded.selector) return task.reviewEnd;
        if (kind == ITaskRegistry.ReviewNotEnded.selector) return task.reviewEnd;
        if (kind == ITaskRegistry.GraceEnded.selector) return graceEnd;
        if (kind == ITaskRegistry.NotExpired.selector) {
            if (task.state == TaskState.POSTED) return task.claimDeadline - params.claimCutoff;
            if (task.state == TaskState.CLAIMED) return claimEnd;
            return task.reviewEnd == 0 ? task.deadline : graceEnd;
        }
        if (kind == IArbitration.ConsentWindowClosed.selector) return dispute.consentEnd;
        if (kind == IArbitration.EvidenceWindowOpen.selector) return dispute.evidenceEnd;
        if (kind == IArbitration.EvidenceWindowClosed.selector) return dispute.evidenceEnd;
        if (kind == IArbitration.RulingWindowClosed.selector) return dispute.rulingEnd;
        if (kind == IArbitration.AppealWindowOpen.selector) return dispute.appealEnd;
        if (kind == IArbitration.AppealWindowClosed.selector) return dispute.appealEnd;
        if (kind == IArbitration.CourtWindowClosed.selector) return dispute.courtEnd;
        if (kind != IArbitration.NotTimedOut.selector) return 0;
        if (dispute.phase == IArbitration.DisputePhase.OPEN) return dispute.consentEnd;
        if (dispute.phase == IArbitration.DisputePhase.COURT) return dispute.courtEnd;
        return dispute.posterSpoke && dispute.workerSpoke ? dispute.rulingEnd : dispute.evidenceEnd;
    }

    function _otherValues(bytes4 kind, Call memory call) private view returns (bytes memory) {
        Task memory task = _task(ID);
        uint256 milestone = task.current + (call.otherMilestone ? 1 : 0);
        if (
            kind == ITaskRegistry.NotDelivered.selector || kind == ITaskRegistry.AlreadyDelivered.selector
                || kind == ITaskRegistry.ReceiptMissing.selector || kind == ITaskRegistry.ReceiptNotNeeded.selector
                || kind == ITaskRegistry.NoRevisionsLeft.selector || kind == ITaskRegistry.ReceiptEmpty.selector
        ) return abi.encode(ID, milestone);
        if (kind == ITaskRegistry.NotCurrentMilestone.selector) return abi.encode(ID, milestone, task.current);
        if (kind == ITaskRegistry.InvalidShare.selector) return abi.encode(call.amount);
        if (kind == ITaskRegistry.DigestMismatch.selector) {
            return abi.encode(ID, _digestFor(ID, call.caller), bytes32(uint256(1)));
        }
        if (kind == ITaskRegistry.ReceiptTooShort.selector) {
            return abi.encode(ID, _receiptEnd() - 1, _receiptEnd());
        }
        if (kind == IArbitration.ShareOutOfRange.selector) {
            if (!_is(call, "openDispute")) {
                IArbitration.Dispute memory dispute = arbitration.disputeOf(ID);
                return abi.encode(call.amount, dispute.offerBps, dispute.askBps);
            }
            bool byPoster = call.caller == task.poster;
            return abi.encode(call.amount, byPoster ? 0 : 1, byPoster ? 9_999 : 10_000);
        }
        return _amounts(kind, call);
    }

    /// @dev Whose money is short, what it has, and what it needs.
    function _amounts(bytes4 kind, Call memory call) private view returns (bytes memory) {
        Task memory task = _task(ID);
        uint256 total = task.total == 0 ? FIRST + SECOND : task.total;
        uint256 funded = escrow.accountOf(ID).funded;
        if (kind == ITaskRegistry.AmountNotMissing.selector) return abi.encode(ID, call.amount, total - funded);
        if (kind == ITaskRegistry.NotFullyFunded.selector) return abi.encode(ID, funded, total);
        bool creating = _is(call, "create");
        if (kind == ITaskRegistry.DepositTooLow.selector) {
            if (_is(call, "fund")) return abi.encode(call.caller, deposits.balanceOf(call.caller), 8e6);
            bool posterShort = deposits.freeOf(call.poster) < 25e6;
            address agent = !creating ? call.caller : posterShort ? call.poster : call.other;
            return abi.encode(agent, deposits.freeOf(agent), 25e6);
        }
        if (kind == IDepositVault.InsufficientDeposit.selector) {
            bool appeal = _is(call, "escalate");
            address agent = appeal ? call.caller : POSTER;
            uint256 target = _is(call, "release") ? 25e6 : RESERVE;
            return abi.encode(agent, deposits.freeOf(agent), appeal ? 8e6 : target - deposits.reserveOf(ID, agent));
        }
        require(kind == IERC20Errors.ERC20InsufficientBalance.selector, "an error that no cell expects");
        address payer = !creating ? call.caller : tok.balanceOf(call.poster) == 0 ? call.poster : call.other;
        uint256 needed = 1_000e18;
        if (_is(call, "fund")) needed = call.amount;
        if (_is(call, "openDispute")) needed = (task.current == 0 ? FIRST : SECOND) / 10;
        return abi.encode(payer, tok.balanceOf(payer), needed);
    }

    function _noticeTime(Task memory task) private view returns (uint256) {
        return task.reviewWindow > params.minRevisionTime ? task.reviewWindow : params.minRevisionTime;
    }

    /// @dev How long a receipt that comes now must last: until the end of the longest dispute.
    function _receiptEnd() internal view returns (uint256) {
        Task memory task = _task(ID);
        uint256 dispute = params.evidenceWindow + params.rulingWindow + params.appealWindow + params.courtWindow;
        return block.timestamp + _noticeTime(task) + dispute;
    }

    /// @dev Who has not signed what the call needs.
    function _signer(Call memory call) private view returns (address) {
        if (_is(call, "create")) return call.other;
        if (_is(call, "claim")) return _task(ID).poster;
        return _is(call, "mutualCancel") ? _task(ID).worker : _task(ID).store;
    }

    function _is(Call memory call, string memory operation) internal pure returns (bool) {
        return keccak256(bytes(call.operation)) == keccak256(bytes(operation));
    }
}
