// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TaskState } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Worlds } from "./Worlds.sol";

/// @dev Every way out of a task that is not in dispute.
abstract contract TaskExits is Worlds {
    function test_CancelPosted() external inEveryWorld {
        uint256 taskId = _post(_terms(), TOTAL);
        _strike();
        vm.prank(POSTER);
        registry.cancel(taskId);
        Gains memory gains;
        gains.posterTok = int256(TOTAL) + EXIT;
        _assertOut(taskId, TaskState.CANCELLED, gains);
    }

    function test_ExpirePosted() external inEveryWorld {
        uint256 taskId = _post(_terms(), 1);
        _strike();
        _pass(_task(taskId).claimDeadline - 1 hours);
        _expire(taskId);
        Gains memory gains;
        gains.posterTok = 1 + EXIT;
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    function test_ExpireUnfundedClaim() external inEveryWorld {
        uint256 taskId = _claimed();
        _strike();
        _pass(_claimEnd(taskId));
        _expire(taskId);
        _assertPosterForfeited(taskId, 0);
    }

    function test_ExpireFundedClaim() external inEveryWorld {
        uint256 taskId = _post(_terms(), TOTAL);
        _claim(taskId, WORKER);
        _strike();
        _pass(_claimEnd(taskId));
        _expire(taskId);
        _pass(_task(taskId).claimDeadline - 1 hours);
        _expire(taskId);
        Gains memory gains = _exitsReturned();
        gains.posterTok += int256(TOTAL);
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    function test_ExpirePrivateClaim() external inEveryWorld {
        uint256 taskId = _created(_terms());
        vm.prank(POSTER);
        registry.fund(taskId, FIRST);
        _strike();
        _pass(_claimEnd(taskId));
        _expire(taskId);
        _assertPosterForfeited(taskId, FIRST);
    }

    function test_LeaveClaim() external inEveryWorld {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        _strike();
        _leave(taskId);
    }

    function test_LeaveWork() external inEveryWorld {
        uint256 taskId = _active();
        _strike();
        _leave(taskId);
    }

    function test_LeaveUnreceipted() external inEveryWorld {
        uint256 taskId = _unreceipted();
        _strike();
        _pass(_task(taskId).reviewEnd);
        _leave(taskId);
    }

    function test_DismissPrivate() external inEveryWorld {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        _strike();
        vm.prank(POSTER);
        registry.dismiss(taskId);
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        gains.workerTok = EXIT;
        _addSpent(gains);
        _assertOut(taskId, TaskState.CANCELLED, gains);
    }

    function test_GoFreeUnderNotice() external inEveryWorld {
        uint256 taskId = _active();
        _strike();
        vm.prank(POSTER);
        registry.dismiss(taskId);
        vm.prank(WORKER);
        registry.expire(taskId);
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        gains.workerTok = EXIT;
        _addSpent(gains);
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    function test_DismissOpen() external inEveryWorld {
        uint256 taskId = _post(_terms(), TOTAL);
        _claim(taskId, WORKER);
        _strike();
        Gains memory gains = _exitsReturned();
        gains.posterTok += int256(TOTAL);
        if (_canLock()) {
            gains.posterTok -= EXIT;
            _addSpent(gains);
        } else {
            vm.expectRevert();
        }
        vm.prank(POSTER);
        registry.dismiss(taskId);
        // Who cannot lock again has the end of the claim.
        if (!_canLock()) {
            _pass(_claimEnd(taskId));
            _expire(taskId);
        }
        vm.prank(POSTER);
        registry.cancel(taskId);
        _assertOut(taskId, TaskState.CANCELLED, gains);
    }

    function test_ExpireWork() external inEveryWorld {
        uint256 taskId = _active();
        _strike();
        _pass(_task(taskId).deadline);
        _expire(taskId);
        _assertWorkerForfeited(taskId, 0);
    }

    function test_ExpireWorkHalfDone() external inEveryWorld {
        uint256 taskId = _delivered();
        _strike();
        _release(taskId, 0);
        _pass(_task(taskId).deadline);
        _expire(taskId);
        _assertWorkerForfeited(taskId, FIRST);
    }

    function test_ExpireUnreceipted() external inEveryWorld {
        uint256 taskId = _unreceipted();
        _strike();
        _pass(_graceEnd(taskId));
        _expire(taskId);
        _assertWorkerForfeited(taskId, 0);
    }

    function test_SilencePays() external inEveryWorld {
        uint256 taskId = _active();
        _strike();
        for (uint256 i = 0; i < 2; ++i) {
            _deliver(taskId);
            _pass(_task(taskId).reviewEnd);
            vm.prank(STRANGER);
            registry.releaseLapsed(taskId, i);
        }
        _assertPaid(taskId);
    }

    function test_SilencePaysWithReceipt() external inEveryWorld {
        uint256 taskId = _unreceipted();
        _strike();
        _pass(_task(taskId).reviewEnd);
        _deliver(taskId, 0, PROOF, _receiptNow(taskId, PROOF));
        _pass(_task(taskId).reviewEnd);
        registry.releaseLapsed(taskId, 0);
        _deliver(taskId, 1, PROOF, _receiptNow(taskId, PROOF));
        _pass(_task(taskId).reviewEnd);
        registry.releaseLapsed(taskId, 1);
        _assertPaid(taskId);
    }

    function test_Release() external inEveryWorld {
        uint256 taskId = _active();
        _strike();
        _deliver(taskId);
        _release(taskId, 0);
        _release(taskId, 1);
        _assertPaid(taskId);
    }

    function test_Complete() external inEveryWorld {
        uint256 taskId = _active();
        _strike();
        vm.prank(POSTER);
        registry.complete(taskId);
        _assertPaid(taskId);
    }

    function test_MutualCancelOfClaim() external inEveryWorld {
        uint256 taskId = _funded();
        _strike();
        _mutualCancel(taskId, 0);
        Gains memory gains = _exitsReturned();
        gains.posterTok += int256(TOTAL);
        _assertOut(taskId, TaskState.CANCELLED, gains);
    }

    function test_MutualCancelOfWork() external inEveryWorld {
        uint256 taskId = _delivered();
        _strike();
        _mutualCancel(taskId, 3333);
        Gains memory gains = _exitsReturned();
        gains.workerTok += 333.3e18;
        gains.posterTok += 666.7e18;
        _assertOut(taskId, TaskState.CANCELLED, gains);
    }

    function _leave(uint256 taskId) private {
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        Gains memory gains;
        gains.posterTok = int256(TOTAL) + EXIT;
        _addSpent(gains);
        _assertOut(taskId, TaskState.CANCELLED, gains);
    }

    function _assertPosterForfeited(uint256 taskId, uint256 held) private {
        Gains memory gains;
        gains.posterTok = int256(held);
        gains.workerTok = EXIT;
        gains.posterUsd = -2.5e6;
        gains.treasuryUsd = 2.5e6;
        _addForfeited(gains);
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    function _assertWorkerForfeited(uint256 taskId, uint256 paid) private {
        Gains memory gains;
        gains.posterTok = int256(TOTAL - paid) + EXIT;
        gains.workerTok = int256(paid);
        gains.workerUsd = -2.5e6;
        gains.treasuryUsd = 2.5e6;
        _addForfeited(gains);
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    function _assertPaid(uint256 taskId) private {
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(TOTAL);
        _assertOut(taskId, TaskState.COMPLETED, gains);
    }
}
