// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TaskState } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Worlds } from "./Worlds.sol";

/// @dev Every way out of a task that is not in dispute.
abstract contract TaskExits is Worlds {
    function test_CancelPosted() external {
        _inEveryWorld(_cancelPostedScenario);
    }

    function test_ExpirePosted() external {
        _inEveryWorld(_expirePostedScenario);
    }

    function test_ExpireUnfundedClaim() external {
        _inEveryWorld(_expireUnfundedClaimScenario);
    }

    function test_ExpireFundedClaim() external {
        _inEveryWorld(_expireFundedClaimScenario);
    }

    function test_ExpirePrivateClaim() external {
        _inEveryWorld(_expirePrivateClaimScenario);
    }

    function test_LeaveLateClaim() external {
        _inEveryWorld(_leaveLateClaimScenario);
    }

    function test_LeaveClaim() external {
        _inEveryWorld(_leaveClaimScenario);
    }

    function test_Dismiss() external {
        _inEveryWorld(_dismissScenario);
    }

    function test_LeaveWork() external {
        _inEveryWorld(_leaveWorkScenario);
    }

    function test_ExpireWork() external {
        _inEveryWorld(_expireWorkScenario);
    }

    function test_ExpireWorkHalfDone() external {
        _inEveryWorld(_expireWorkHalfDoneScenario);
    }

    function test_SilencePays() external {
        _inEveryWorld(_silencePaysScenario);
    }

    function test_Release() external {
        _inEveryWorld(_releaseScenario);
    }

    function test_Complete() external {
        _inEveryWorld(_completeScenario);
    }

    function test_MutualCancelOfClaim() external {
        _inEveryWorld(_mutualCancelOfClaimScenario);
    }

    function test_MutualCancelOfWork() external {
        _inEveryWorld(_mutualCancelOfWorkScenario);
    }

    function _cancelPostedScenario() private {
        uint256 taskId = _post(_terms(), TOTAL);
        _strike();
        vm.prank(POSTER);
        registry.cancel(taskId);
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        _assertOut(taskId, TaskState.CANCELLED, gains);
    }

    function _expirePostedScenario() private {
        uint256 taskId = _post(_terms(), 1);
        _strike();
        _pass(_task(taskId).claimDeadline - 1 hours);
        _expire(taskId);
        Gains memory gains;
        gains.posterTok = 1;
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    function _expireUnfundedClaimScenario() private {
        uint256 taskId = _claimed();
        _strike();
        _pass(_claimEnd(taskId));
        _expire(taskId);
        vm.prank(POSTER);
        registry.cancel(taskId);
        Gains memory gains;
        gains.posterUsd = -2.5e6;
        gains.workerUsd = 2.5e6;
        _assertOut(taskId, TaskState.CANCELLED, gains);
    }

    function _expireFundedClaimScenario() private {
        uint256 taskId = _funded();
        _strike();
        _pass(_claimEnd(taskId));
        _expire(taskId);
        _pass(_task(taskId).claimDeadline - 1 hours);
        _expire(taskId);
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    function _expirePrivateClaimScenario() private {
        uint256 taskId = _created(_terms());
        vm.prank(POSTER);
        registry.fund(taskId, FIRST);
        _strike();
        _pass(_claimEnd(taskId));
        _expire(taskId);
        Gains memory gains;
        gains.posterTok = int256(FIRST);
        gains.posterUsd = -2.5e6;
        gains.workerUsd = 2.5e6;
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    function _leaveLateClaimScenario() private {
        uint256 taskId = _created(_terms());
        _strike();
        _pass(_claimEnd(taskId));
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        Gains memory gains;
        gains.posterUsd = -2.5e6;
        gains.workerUsd = 2.5e6;
        _assertOut(taskId, TaskState.CANCELLED, gains);
    }

    /// @dev Leaving and dismissing cost a fee; who cannot pay it has the end of the funding window.
    function _leaveClaimScenario() private {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        _strike();
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        if (_canPayFee()) {
            vm.prank(WORKER);
            registry.leaveTask(taskId);
            _addFee(gains);
            gains.workerTok = -_fee();
            gains.posterUsd = 2.5e6;
            gains.workerUsd = -5e6;
            gains.treasuryUsd = 2.5e6;
            return _assertOut(taskId, TaskState.CANCELLED, gains);
        }
        vm.expectRevert();
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        _pass(_claimEnd(taskId));
        _expire(taskId);
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    function _dismissScenario() private {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        _strike();
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        if (_canPayFee()) {
            vm.prank(POSTER);
            registry.dismiss(taskId);
            _addFee(gains);
            gains.posterTok -= _fee();
            gains.posterUsd = -5e6;
            gains.workerUsd = 2.5e6;
            gains.treasuryUsd = 2.5e6;
            return _assertOut(taskId, TaskState.CANCELLED, gains);
        }
        vm.expectRevert();
        vm.prank(POSTER);
        registry.dismiss(taskId);
        _pass(_claimEnd(taskId));
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        _assertOut(taskId, TaskState.CANCELLED, gains);
    }

    /// @dev Who cannot pay to leave pays as one who was late.
    function _leaveWorkScenario() private {
        uint256 taskId = _active();
        _strike();
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        gains.posterUsd = 2.5e6;
        if (_canPayFee()) {
            vm.prank(WORKER);
            registry.leaveTask(taskId);
            _addFee(gains);
            gains.workerTok = -_fee();
            gains.workerUsd = -5e6;
            gains.treasuryUsd = 2.5e6;
            return _assertOut(taskId, TaskState.CANCELLED, gains);
        }
        vm.expectRevert();
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        _pass(_task(taskId).deadline);
        _expire(taskId);
        gains.workerUsd = -2.5e6;
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    function _expireWorkScenario() private {
        uint256 taskId = _active();
        _strike();
        _pass(_task(taskId).deadline);
        _expire(taskId);
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        gains.posterUsd = 2.5e6;
        gains.workerUsd = -2.5e6;
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    function _expireWorkHalfDoneScenario() private {
        uint256 taskId = _delivered();
        _strike();
        _release(taskId, 0);
        _pass(_task(taskId).deadline);
        _expire(taskId);
        Gains memory gains;
        gains.posterTok = int256(SECOND);
        gains.workerTok = int256(FIRST);
        gains.posterUsd = 2.5e6;
        gains.workerUsd = -2.5e6;
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    function _silencePaysScenario() private {
        uint256 taskId = _active();
        _strike();
        for (uint256 i = 0; i < 2; ++i) {
            _deliver(taskId);
            _pass(_task(taskId).reviewEnd);
            vm.prank(STRANGER);
            registry.releaseLapsed(taskId, i);
        }
        Gains memory gains;
        gains.workerTok = int256(TOTAL);
        _assertOut(taskId, TaskState.COMPLETED, gains);
    }

    function _releaseScenario() private {
        uint256 taskId = _active();
        _strike();
        _deliver(taskId);
        _release(taskId, 0);
        _release(taskId, 1);
        Gains memory gains;
        gains.workerTok = int256(TOTAL);
        _assertOut(taskId, TaskState.COMPLETED, gains);
    }

    function _completeScenario() private {
        uint256 taskId = _active();
        _strike();
        vm.prank(POSTER);
        registry.complete(taskId);
        Gains memory gains;
        gains.workerTok = int256(TOTAL);
        _assertOut(taskId, TaskState.COMPLETED, gains);
    }

    function _mutualCancelOfClaimScenario() private {
        uint256 taskId = _funded();
        _strike();
        _mutualCancel(taskId, 0);
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        _assertOut(taskId, TaskState.CANCELLED, gains);
    }

    function _mutualCancelOfWorkScenario() private {
        uint256 taskId = _delivered();
        _strike();
        _mutualCancel(taskId, 3333);
        Gains memory gains;
        gains.workerTok = 333.3e18;
        gains.posterTok = 666.7e18;
        _assertOut(taskId, TaskState.CANCELLED, gains);
    }
}
