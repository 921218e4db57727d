// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TaskState } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Worlds } from "./Worlds.sol";

/// @dev Every way out of a dispute over the first milestone.
abstract contract DisputeExits is Worlds {
    /// @dev What the poster put up, and what the court gets of the milestone.
    int256 private constant STAKE = 60e18;
    int256 private constant SHARE = 6e18;

    function test_Dispute_MutualCancel() external inEveryWorld {
        uint256 taskId = _seated();
        _strike();
        _mutualCancel(taskId, 10_000);
        Gains memory gains = _settled();
        gains.workerTok += int256(TOTAL);
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function test_Dispute_Settlement() external inEveryWorld {
        uint256 taskId = _seated();
        _strike();
        _speak(taskId, WORKER, 7000);
        _speak(taskId, POSTER, 5000);
        _speak(taskId, WORKER, 5000);
        Gains memory gains = _settled();
        gains.workerTok += int256(FIRST / 2);
        gains.posterTok += int256(SECOND + FIRST / 2);
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function test_Dispute_WorkerGivesUp() external inEveryWorld {
        uint256 taskId = _seated();
        _strike();
        _speak(taskId, WORKER, 0);
        Gains memory gains;
        gains.posterTok = int256(TOTAL) + EXIT + STAKE;
        gains.workerUsd = -5e6;
        gains.arbitratorUsd = 5e6;
        _addForfeited(gains);
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function test_Dispute_Concession() external inEveryWorld {
        uint256 taskId = _seated();
        _strike();
        _release(taskId, 0);
        _pass(_task(taskId).deadline);
        _expire(taskId);
        Gains memory gains;
        gains.workerTok = int256(FIRST) + 6e18;
        gains.posterTok = int256(SECOND) + EXIT + 54e18;
        gains.posterUsd = -5e6;
        gains.arbitratorUsd = 5e6;
        gains.workerUsd = -2.5e6;
        gains.treasuryUsd = 2.5e6;
        _addForfeited(gains);
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    function test_Dispute_NobodyRules() external inEveryWorld {
        uint256 taskId = _disputed();
        _strike();
        _callCourt(taskId);
        _pass(arbitration.disputeOf(taskId).courtEnd);
        _timeOut(taskId);
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(FIRST);
        gains.posterTok += int256(SECOND) + STAKE;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function test_Dispute_NobodyRulesForWorker() external inEveryWorld {
        uint256 taskId = _unreceipted();
        _strike();
        _pass(_task(taskId).reviewEnd);
        _dispute(taskId, WORKER);
        _callCourt(taskId);
        _pass(arbitration.disputeOf(taskId).courtEnd);
        _timeOut(taskId);
        Gains memory gains = _exitsReturned();
        gains.posterTok += int256(TOTAL);
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function test_Dispute_RulingForPoster() external inEveryWorld {
        uint256 taskId = _seated();
        _strike();
        _judge(taskId, false);
        _finalize(taskId);
        Gains memory gains = _lost(0);
        gains.arbitratorUsd = 5e6;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function test_Dispute_RulingForWorker() external inEveryWorld {
        uint256 taskId = _seated();
        _strike();
        _judge(taskId, true);
        _finalize(taskId);
        Gains memory gains = _won(0);
        gains.arbitratorUsd = 5e6;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function test_Dispute_JudgeStepsDown() external inEveryWorld {
        uint256 taskId = _seated();
        _strike();
        _pass(arbitration.disputeOf(taskId).consentEnd);
        vm.prank(ARBITRATOR);
        arbitration.stepDown(taskId);
        _decide(taskId, false);
        Gains memory gains = _lost(SHARE);
        gains.courtUsd = 5e6;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function test_Dispute_SilentJudge() external inEveryWorld {
        uint256 taskId = _seated();
        _strike();
        _speak(taskId, WORKER, 10_000);
        _pass(arbitration.disputeOf(taskId).rulingEnd);
        _timeOut(taskId);
        _pass(arbitration.disputeOf(taskId).courtEnd);
        _timeOut(taskId);
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(FIRST);
        gains.posterTok += int256(SECOND) + STAKE;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function test_Dispute_CourtDecides() external inEveryWorld {
        uint256 taskId = _disputed();
        _strike();
        _callCourt(taskId);
        _decide(taskId, false);
        Gains memory gains = _lost(SHARE);
        gains.courtUsd = 5e6;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function test_Dispute_AppealUpheld() external inEveryWorld {
        uint256 taskId = _appealed();
        _decide(taskId, false);
        Gains memory gains = _lost(SHARE);
        gains.workerUsd -= 8e6;
        gains.arbitratorUsd = 5e6;
        gains.courtUsd = 8e6;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function test_Dispute_AppealOverturned() external inEveryWorld {
        uint256 taskId = _appealed();
        _decide(taskId, true);
        Gains memory gains = _won(SHARE);
        // The appeal is back with the loser's 13.
        gains.workerUsd += 5e6 - 8e6;
        gains.courtUsd = 8e6;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function test_Dispute_AppealUnheard() external inEveryWorld {
        uint256 taskId = _appealed();
        _pass(arbitration.disputeOf(taskId).courtEnd);
        _timeOut(taskId);
        Gains memory gains = _lost(0);
        gains.arbitratorUsd = 5e6;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    /// @dev Nobody sat in time.
    function _callCourt(uint256 taskId) private {
        _pass(arbitration.disputeOf(taskId).consentEnd);
        _timeOut(taskId);
    }

    /// @dev Before the court, on the appeal of a worker that lost. What cannot be withdrawn pays for it, even of the poor.
    function _appealed() private returns (uint256 taskId) {
        taskId = _seated();
        _strike();
        _judge(taskId, false);
        vm.prank(WORKER);
        arbitration.escalate(taskId);
    }

    function _decide(uint256 taskId, bool forWorker) private {
        uint256 evidenceEnd = arbitration.disputeOf(taskId).evidenceEnd;
        if (block.timestamp <= evidenceEnd) _pass(evidenceEnd);
        vm.prank(COURT);
        arbitration.decide(taskId, 1, forWorker, PROOF);
    }

    /// @dev An agreed end: the judge's fee from both, a little of the stake for the worker.
    function _settled() private pure returns (Gains memory gains) {
        gains = _exitsReturned();
        gains.workerTok += 6e18;
        gains.posterTok += 54e18;
        gains.posterUsd = -2.5e6;
        gains.workerUsd = -2.5e6;
        gains.arbitratorUsd = 5e6;
    }

    /// @dev The worker got nothing, without what whoever ruled got in USD.
    function _lost(int256 share) private view returns (Gains memory gains) {
        gains.posterTok = int256(TOTAL) - share + EXIT + STAKE;
        gains.courtTok = share;
        gains.posterUsd = 8e6;
        gains.workerUsd = -13e6;
        _addForfeited(gains);
    }

    /// @dev The worker got everything, without what whoever ruled got in USD.
    function _won(int256 share) private view returns (Gains memory gains) {
        gains.workerTok = int256(FIRST) - share + EXIT + STAKE;
        gains.courtTok = share;
        gains.posterTok = int256(SECOND);
        gains.workerUsd = 8e6;
        gains.posterUsd = -13e6;
        _addForfeited(gains);
    }
}
