// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { TaskState } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Worlds } from "./Worlds.sol";

/// @dev Every way out of a dispute.
abstract contract DisputeExits is Worlds {
    function test_MutualCancelOfDispute() external {
        _inEveryWorld(_mutualCancelOfDisputeScenario);
    }

    function test_RecordForPoster() external {
        _inEveryWorld(_recordForPosterScenario);
    }

    function test_RecordForWorker() external {
        _inEveryWorld(_recordForWorkerScenario);
    }

    function test_RecordForBoth() external {
        _inEveryWorld(_recordForBothScenario);
    }

    function test_RulingOfNamedArbitrator() external {
        _inEveryWorld(_rulingOfNamedArbitratorScenario);
    }

    function test_RulingOfDrawnArbitrator() external {
        _inEveryWorld(_rulingOfDrawnArbitratorScenario);
    }

    function test_SilentArbitrator() external {
        _inEveryWorld(_silentArbitratorScenario);
    }

    function test_Concession() external {
        _inEveryWorld(_concessionScenario);
    }

    function test_Appeal() external {
        _inEveryWorld(_appealScenario);
    }

    function _mutualCancelOfDisputeScenario() private {
        uint256 taskId = _seated();
        _strike();
        _mutualCancel(taskId, 10_000);
        Gains memory gains;
        gains.workerTok = int256(TOTAL);
        _addDisputeFee(gains);
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function _recordForPosterScenario() private {
        uint256 taskId = _delivered();
        _strike();
        _dispute(taskId, POSTER);
        _pass(arbitration.disputeOf(taskId).seatEnd);
        _timeOut(taskId);
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function _recordForWorkerScenario() private {
        uint256 taskId = _delivered();
        _strike();
        _dispute(taskId, WORKER);
        _pass(arbitration.disputeOf(taskId).seatEnd);
        _timeOut(taskId);
        Gains memory gains;
        gains.workerTok = int256(FIRST);
        gains.posterTok = int256(SECOND);
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function _recordForBothScenario() private {
        uint256 taskId = _delivered();
        _strike();
        _dispute(taskId, WORKER);
        vm.prank(POSTER);
        arbitration.submitEvidence(taskId, EVIDENCE);
        _pass(arbitration.disputeOf(taskId).seatEnd);
        _timeOut(taskId);
        Gains memory gains;
        gains.workerTok = int256(FIRST / 2);
        gains.posterTok = int256(SECOND + FIRST / 2);
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function _rulingOfNamedArbitratorScenario() private {
        uint256 taskId = _seated();
        _strike();
        _rule(taskId, 7500);
        _pass(arbitration.disputeOf(taskId).appealEnd);
        _finalize(taskId);
        Gains memory gains;
        gains.workerTok = 450e18;
        gains.posterTok = 550e18;
        _addDisputeFee(gains);
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function _rulingOfDrawnArbitratorScenario() private {
        _register(ARBITRATOR, 10_000e18);
        uint256 taskId = _delivered();
        _strike();
        _dispute(taskId, WORKER);
        _pass(arbitration.disputeOf(taskId).consentEnd);
        _draw(taskId);
        _rule(taskId, 0);
        _pass(arbitration.disputeOf(taskId).appealEnd);
        _finalize(taskId);
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        gains.workerUsd = -5e6;
        gains.arbitratorUsd = 5e6;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function _silentArbitratorScenario() private {
        uint256 taskId = _seated();
        _strike();
        _pass(arbitration.disputeOf(taskId).rulingEnd);
        _timeOut(taskId);
        _pass(arbitration.disputeOf(taskId).seatEnd);
        _timeOut(taskId);
        Gains memory gains;
        gains.posterTok = int256(TOTAL) + 500e18;
        gains.workerTok = 500e18;
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }

    function _concessionScenario() private {
        uint256 taskId = _seated();
        _strike();
        _release(taskId, 0);
        _pass(_task(taskId).deadline);
        _expire(taskId);
        Gains memory gains;
        gains.workerTok = int256(FIRST);
        gains.posterTok = int256(SECOND);
        gains.posterUsd = -2.5e6;
        gains.workerUsd = -2.5e6;
        gains.arbitratorUsd = 5e6;
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    /// @dev Nobody hears the appeal, so the ruling stands and the bond comes back; who cannot post one loses nothing more.
    function _appealScenario() private {
        uint256 taskId = _seated();
        _strike();
        _rule(taskId, 5000);
        if (_canReserve()) {
            vm.prank(WORKER);
            arbitration.escalate(taskId);
            _pass(arbitration.disputeOf(taskId).seatEnd);
            _timeOut(taskId);
        } else {
            vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, WORKER, 0, 10e6));
            vm.prank(WORKER);
            arbitration.escalate(taskId);
            _pass(arbitration.disputeOf(taskId).appealEnd);
            _finalize(taskId);
        }
        Gains memory gains;
        gains.workerTok = int256(FIRST / 2);
        gains.posterTok = int256(SECOND + FIRST / 2);
        _addDisputeFee(gains);
        _assertOut(taskId, TaskState.RESOLVED, gains);
    }
}
