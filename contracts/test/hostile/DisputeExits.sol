// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TaskState } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Worlds } from "./Worlds.sol";

/// @dev Every way out of a dispute over the first milestone.
abstract contract DisputeExits is Worlds {
    /// @dev What the poster put up, and what whoever rules gets of the milestone.
    int256 private constant STAKE = 60e18;
    int256 private constant SHARE = 6e18;

    function test_Dispute_MutualCancel() external {
        _inEveryWorld(_mutualCancelScenario);
    }

    function test_Dispute_Settlement() external {
        _inEveryWorld(_settlementScenario);
    }

    function test_Dispute_WorkerGivesUp() external {
        _inEveryWorld(_workerGivesUpScenario);
    }

    function test_Dispute_Concession() external {
        _inEveryWorld(_concessionScenario);
    }

    function test_Dispute_NobodyRules() external {
        _inEveryWorld(_nobodyRulesScenario);
    }

    function test_Dispute_NobodyRulesForWorker() external {
        _inEveryWorld(_nobodyRulesForWorkerScenario);
    }

    function test_Dispute_RulingForPoster() external {
        _inEveryWorld(_rulingForPosterScenario);
    }

    function test_Dispute_RulingForWorker() external {
        _inEveryWorld(_rulingForWorkerScenario);
    }

    function test_Dispute_RulingOfDrawnJudge() external {
        _inEveryWorld(_rulingOfDrawnJudgeScenario);
    }

    function test_Dispute_SilentJudge() external {
        _inEveryWorld(_silentJudgeScenario);
    }

    function test_Dispute_CourtDecides() external {
        _inEveryWorld(_courtDecidesScenario);
    }

    function test_Dispute_AppealUpheld() external {
        _inEveryWorld(_appealUpheldScenario);
    }

    function test_Dispute_AppealOverturned() external {
        _inEveryWorld(_appealOverturnedScenario);
    }

    function test_Dispute_AppealUnheard() external {
        _inEveryWorld(_appealUnheardScenario);
    }

    function _mutualCancelScenario() private {
        uint256 taskId = _seated();
        _strike();
        _mutualCancel(taskId, 10_000);
        Gains memory gains = _settled();
        gains.workerTok += int256(TOTAL);
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function _settlementScenario() private {
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

    function _workerGivesUpScenario() private {
        uint256 taskId = _seated();
        _strike();
        _speak(taskId, WORKER, 0);
        Gains memory gains;
        gains.posterTok = int256(TOTAL) + EXIT + STAKE;
        gains.workerUsd = -8e6 - 2.5e6;
        gains.arbitratorUsd = 5e6;
        gains.posterUsd = 3e6;
        gains.treasuryUsd = 2.5e6;
        _addSpent(gains);
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function _concessionScenario() private {
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
        gains.workerUsd = -8e6;
        gains.treasuryUsd = 8e6;
        _addSpent(gains);
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    function _nobodyRulesScenario() private {
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

    function _nobodyRulesForWorkerScenario() private {
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

    function _rulingForPosterScenario() private {
        uint256 taskId = _seated();
        _strike();
        _judge(taskId, false);
        _finalize(taskId);
        Gains memory gains = _lost();
        gains.arbitratorTok = SHARE;
        gains.arbitratorUsd = 5e6;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function _rulingForWorkerScenario() private {
        uint256 taskId = _seated();
        _strike();
        _judge(taskId, true);
        _finalize(taskId);
        Gains memory gains = _won();
        gains.workerUsd = 3e6;
        gains.arbitratorTok = SHARE;
        gains.arbitratorUsd = 5e6;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function _rulingOfDrawnJudgeScenario() private {
        _register(ARBITRATOR, 10_000e18);
        vm.warp(block.timestamp + 7 days);
        uint256 taskId = _disputed();
        _strike();
        _pass(arbitration.disputeOf(taskId).consentEnd);
        _draw(taskId);
        _judge(taskId, false);
        _finalize(taskId);
        Gains memory gains = _lost();
        gains.arbitratorTok = SHARE;
        gains.arbitratorUsd = 5e6;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function _silentJudgeScenario() private {
        uint256 taskId = _seated();
        _strike();
        _pass(arbitration.disputeOf(taskId).rulingEnd);
        _timeOut(taskId);
        _pass(arbitration.disputeOf(taskId).courtEnd);
        _timeOut(taskId);
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(FIRST) + 1_000e18;
        gains.posterTok += int256(SECOND) + STAKE + 1_000e18;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function _courtDecidesScenario() private {
        uint256 taskId = _disputed();
        _strike();
        _callCourt(taskId);
        _decide(taskId, false);
        Gains memory gains = _lost();
        gains.courtTok = SHARE;
        gains.courtUsd = 5e6;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function _appealUpheldScenario() private {
        uint256 taskId = _appealed();
        _decide(taskId, false);
        Gains memory gains = _lost();
        gains.workerUsd -= 10e6;
        gains.arbitratorUsd = 5e6;
        gains.courtTok = SHARE;
        gains.courtUsd = 10e6;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function _appealOverturnedScenario() private {
        uint256 taskId = _appealed();
        _decide(taskId, true);
        Gains memory gains = _won();
        gains.workerTok += 2_000e18;
        gains.workerUsd = 8e6 - 10e6;
        gains.courtTok = SHARE;
        gains.courtUsd = 10e6;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function _appealUnheardScenario() private {
        uint256 taskId = _appealed();
        _pass(arbitration.disputeOf(taskId).courtEnd);
        _timeOut(taskId);
        Gains memory gains = _lost();
        gains.arbitratorTok = SHARE;
        gains.arbitratorUsd = 5e6;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    /// @dev Nobody sat in time.
    function _callCourt(uint256 taskId) private {
        _pass(arbitration.disputeOf(taskId).evidenceEnd);
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
        vm.prank(COURT);
        arbitration.decide(taskId, forWorker, false, PROOF);
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

    /// @dev The worker got nothing, without what whoever ruled got.
    function _lost() private view returns (Gains memory gains) {
        gains.posterTok = int256(TOTAL) - SHARE + EXIT + STAKE;
        gains.posterUsd = 3e6;
        gains.workerUsd = -8e6 - 5e6;
        gains.treasuryUsd = 5e6;
        _addSpent(gains);
    }

    /// @dev The worker got everything, without what whoever ruled got.
    function _won() private view returns (Gains memory gains) {
        gains.workerTok = int256(FIRST) - SHARE + EXIT + STAKE;
        gains.posterTok = int256(SECOND);
        gains.posterUsd = -8e6;
        _addSpent(gains);
    }
}
