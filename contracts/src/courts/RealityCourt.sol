// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { IArbitration } from "../interfaces/IArbitration.sol";
import { CaseText } from "./CaseText.sol";
import { IRealityCourt } from "./IRealityCourt.sol";
import { IRealityETH } from "./IRealityETH.sol";

/// @dev The template of Reality.eth for questions with the answers yes and no.
uint256 constant BOOL_TEMPLATE = 0;

/// @title A final court that asks the public through Reality.eth
/// @dev It holds no power: `ask` and `carry` are open to all, and nothing can be changed. The suite knows it only as the
/// address that may decide.
contract RealityCourt is IRealityCourt {
    using SafeERC20 for IERC20;

    /// @inheritdoc IRealityCourt
    address public immutable reality;
    /// @inheritdoc IRealityCourt
    address public immutable tok;
    /// @inheritdoc IRealityCourt
    address public immutable remainderTo;
    /// @inheritdoc IRealityCourt
    string public policy;

    mapping(IArbitration arbitration => Seat) private _seats;
    mapping(bytes32 caseId => bytes32) private _questions;
    /// @dev Of the poster, then of the worker.
    mapping(bytes32 caseId => Evidence[2]) private _published;
    mapping(bytes32 questionId => mapping(bool forWorker => address)) private _answerers;

    /// @param seats The markets that name this court. They need not exist yet.
    constructor(address reality_, address tok_, address remainderTo_, string memory policy_, Seat[] memory seats) {
        reality = reality_;
        tok = tok_;
        remainderTo = remainderTo_;
        policy = policy_;
        for (uint256 i = 0; i < seats.length; ++i) {
            Seat memory seat = seats[i];
            // Room for one wrong answer, for the right one after it, and for the time that both must stand.
            if (seat.timeout == 0 || seat.answerTime < 3 * uint256(seat.timeout) || seat.minBond == 0) {
                revert WindowsDoNotFit(seat.answerTime, seat.timeout);
            }
            _seats[seat.arbitration] = seat;
        }
    }

    /// @inheritdoc IRealityCourt
    function publish(IArbitration arbitration, uint256 taskId, bytes32 evidenceHash, string calldata uri) external {
        _seat(arbitration);
        IArbitration.Dispute memory dispute = arbitration.disputeOf(taskId);
        if (dispute.phase == IArbitration.DisputePhase.NONE || dispute.phase == IArbitration.DisputePhase.CLOSED) {
            revert NotBeforeCourt(taskId);
        }
        bool byPoster = msg.sender == dispute.poster;
        if (!byPoster && msg.sender != dispute.worker) revert NotAParty(taskId, msg.sender);
        bytes32 caseId = _caseId(arbitration, taskId, dispute.number);
        if (_questions[caseId] != 0) revert AlreadyAsked(taskId, _questions[caseId]);
        if (evidenceHash == 0 || !CaseText.isUri(bytes(uri))) revert BadEvidence();

        _published[caseId][byPoster ? 0 : 1] = Evidence({ evidenceHash: evidenceHash, uri: uri });
        emit EvidencePublished(address(arbitration), taskId, dispute.number, msg.sender, evidenceHash, uri);
    }

    /// @inheritdoc IRealityCourt
    function ask(IArbitration arbitration, uint256 taskId) external payable returns (bytes32 questionId) {
        Seat memory seat = _seat(arbitration);
        IArbitration.Dispute memory dispute = arbitration.disputeOf(taskId);
        if (dispute.phase != IArbitration.DisputePhase.COURT) revert NotBeforeCourt(taskId);
        bytes32 caseId = _caseId(arbitration, taskId, dispute.number);
        if (_questions[caseId] != 0) revert AlreadyAsked(taskId, _questions[caseId]);
        _checkTime(taskId, seat, dispute);
        Evidence[2] memory evidence = _published[caseId];
        // What the public cannot open is not asked.
        if (evidence[0].evidenceHash == 0 && evidence[1].evidenceHash == 0) revert NothingPublished(taskId);

        string memory text = CaseText.question(address(arbitration), taskId, dispute, evidence, policy);
        questionId = _askReality(seat, text);
        _questions[caseId] = questionId;
        emit Asked(address(arbitration), taskId, dispute.number, questionId);
    }

    /// @inheritdoc IRealityCourt
    function answer(IArbitration arbitration, uint256 taskId, bool forWorker, uint256 maxPrevious) external payable {
        (, bytes32 questionId) = _asked(arbitration, taskId);
        _answerers[questionId][forWorker] = msg.sender;
        IRealityETH(reality).submitAnswerFor{ value: msg.value }(
            questionId, bytes32(uint256(forWorker ? 1 : 0)), maxPrevious, msg.sender
        );
    }

    /// @inheritdoc IRealityCourt
    function carry(IArbitration arbitration, uint256 taskId) external {
        (uint256 number, bytes32 questionId) = _asked(arbitration, taskId);
        bytes32 result = IRealityETH(reality).resultFor(questionId);
        // Neither yes nor no: the case ends by time.
        if (uint256(result) > 1) revert NoRuling(taskId, result);
        bool forWorker = uint256(result) == 1;
        address payee = _answerers[questionId][forWorker];
        Seat memory seat = _seats[arbitration];
        uint256 usdcBefore = seat.deposits.balanceOf(address(this));
        uint256 tokBefore = IERC20(tok).balanceOf(address(this));

        arbitration.decide(taskId, number, forWorker, questionId);

        uint256 usdc = seat.deposits.balanceOf(address(this)) - usdcBefore;
        uint256 share = IERC20(tok).balanceOf(address(this)) - tokBefore;
        emit Carried(address(arbitration), taskId, questionId, forWorker, payee, usdc, share);
        if (payee != address(0)) _pay(seat, payee, usdc, share);
    }

    /// @inheritdoc IRealityCourt
    function sweep(IArbitration arbitration) external {
        Seat memory seat = _seat(arbitration);
        uint256 usdc = seat.deposits.balanceOf(address(this));
        uint256 rest = IERC20(tok).balanceOf(address(this));
        emit Swept(address(arbitration), usdc, rest);
        _pay(seat, remainderTo, usdc, rest);
    }

    /// @inheritdoc IRealityCourt
    function caseOf(IArbitration arbitration, uint256 taskId) external view returns (CourtCase memory found) {
        Seat memory seat = _seat(arbitration);
        IArbitration.Dispute memory dispute = arbitration.disputeOf(taskId);
        bytes32 caseId = _caseId(arbitration, taskId, dispute.number);
        found.questionId = _questions[caseId];
        found.poster = _published[caseId][0];
        found.worker = _published[caseId][1];
        if (dispute.phase == IArbitration.DisputePhase.COURT) {
            (found.askFrom, found.askUntil) = _askTimes(seat, dispute);
        }
    }

    /// @inheritdoc IRealityCourt
    function seatOf(IArbitration arbitration) external view returns (Seat memory) {
        return _seats[arbitration];
    }

    /// @dev A payee that cannot be paid must not stop a ruling: its money stays for `sweep`.
    function _pay(Seat memory seat, address to, uint256 usdc, uint256 share) private {
        // solhint-disable-next-line no-empty-blocks
        if (usdc != 0) try seat.deposits.withdraw(usdc, to) { } catch { }
        if (share != 0) IERC20(tok).trySafeTransfer(to, share);
    }

    function _seat(IArbitration arbitration) private view returns (Seat memory seat) {
        seat = _seats[arbitration];
        if (address(seat.arbitration) == address(0)) revert UnknownMarket(address(arbitration));
    }

    /// @dev The open case of a task and its question.
    function _asked(IArbitration arbitration, uint256 taskId)
        private
        view
        returns (uint256 number, bytes32 questionId)
    {
        _seat(arbitration);
        number = arbitration.disputeOf(taskId).number;
        questionId = _questions[_caseId(arbitration, taskId, number)];
        if (questionId == 0) revert NotAsked(taskId);
    }

    /// @dev Nobody overrules the answers: whoever is right wins the bonds of whoever is wrong.
    function _askReality(Seat memory seat, string memory text) private returns (bytes32) {
        return IRealityETH(reality).askQuestionWithMinBond{ value: msg.value }(
            BOOL_TEMPLATE, text, address(0), seat.timeout, 0, 0, seat.minBond
        );
    }

    function _checkTime(uint256 taskId, Seat memory seat, IArbitration.Dispute memory dispute) private view {
        (uint256 askFrom, uint256 askUntil) = _askTimes(seat, dispute);
        if (block.timestamp < askFrom) revert AskTooEarly(taskId, askFrom);
        if (block.timestamp > askUntil) revert AskTooLate(taskId, askUntil);
    }

    /// @dev Not before the shares stand still and the parties had time to publish; not when no answer could be final in time.
    function _askTimes(Seat memory seat, IArbitration.Dispute memory dispute)
        private
        pure
        returns (uint256 askFrom, uint256 askUntil)
    {
        askFrom = Math.max(uint256(dispute.evidenceEnd) + 1, Math.saturatingSub(dispute.courtEnd, seat.answerTime));
        askUntil = Math.saturatingSub(dispute.courtEnd, seat.timeout);
    }

    function _caseId(IArbitration arbitration, uint256 taskId, uint256 number) private pure returns (bytes32) {
        return keccak256(abi.encode(arbitration, taskId, number));
    }
}
