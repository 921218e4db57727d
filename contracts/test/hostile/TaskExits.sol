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

    function test_LeaveClaim() external {
        _inEveryWorld(_leaveClaimScenario);
    }

    function test_LeaveWork() external {
        _inEveryWorld(_leaveWorkScenario);
    }

    function test_LeaveUnreceipted() external {
        _inEveryWorld(_leaveUnreceiptedScenario);
    }

    function test_DismissPrivate() external {
        _inEveryWorld(_dismissPrivateScenario);
    }

    function test_DismissPrivateLate() external {
        _inEveryWorld(_dismissPrivateLateScenario);
    }

    function test_DismissOpen() external {
        _inEveryWorld(_dismissOpenScenario);
    }

    function test_ExpireWork() external {
        _inEveryWorld(_expireWorkScenario);
    }

    function test_ExpireWorkHalfDone() external {
        _inEveryWorld(_expireWorkHalfDoneScenario);
    }

    function test_ExpireUnreceipted() external {
        _inEveryWorld(_expireUnreceiptedScenario);
    }

    function test_SilencePays() external {
        _inEveryWorld(_silencePaysScenario);
    }

    function test_SilencePaysWithReceipt() external {
        _inEveryWorld(_silencePaysWithReceiptScenario);
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
        gains.posterTok = int256(TOTAL) + EXIT;
        _assertOut(taskId, TaskState.CANCELLED, gains);
    }

    function _expirePostedScenario() private {
        uint256 taskId = _post(_terms(), 1);
        _strike();
        _pass(_task(taskId).claimDeadline - 1 hours);
        _expire(taskId);
        Gains memory gains;
        gains.posterTok = 1 + EXIT;
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    function _expireUnfundedClaimScenario() private {
        uint256 taskId = _claimed();
        _strike();
        _pass(_claimEnd(taskId));
        _expire(taskId);
        _assertPosterForfeited(taskId, 0);
    }

    function _expireFundedClaimScenario() private {
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

    function _expirePrivateClaimScenario() private {
        uint256 taskId = _created(_terms());
        vm.prank(POSTER);
        registry.fund(taskId, FIRST);
        _strike();
        _pass(_claimEnd(taskId));
        _expire(taskId);
        _assertPosterForfeited(taskId, FIRST);
    }

    function _leaveClaimScenario() private {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        _strike();
        _leave(taskId);
    }

    function _leaveWorkScenario() private {
        uint256 taskId = _active();
        _strike();
        _leave(taskId);
    }

    function _leaveUnreceiptedScenario() private {
        uint256 taskId = _unreceipted();
        _strike();
        _pass(_task(taskId).reviewEnd);
        _leave(taskId);
    }

    function _dismissPrivateScenario() private {
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

    function _dismissPrivateLateScenario() private {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        _strike();
        _pass(_task(taskId).claimedAt + 6 hours);
        vm.prank(POSTER);
        registry.dismiss(taskId);
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        gains.workerTok = EXIT;
        gains.posterUsd = -2.5e6;
        gains.treasuryUsd = 2.5e6;
        _addSpent(gains);
        _assertOut(taskId, TaskState.CANCELLED, gains);
    }

    function _dismissOpenScenario() private {
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

    function _expireWorkScenario() private {
        uint256 taskId = _active();
        _strike();
        _pass(_task(taskId).deadline);
        _expire(taskId);
        _assertWorkerForfeited(taskId, 0);
    }

    function _expireWorkHalfDoneScenario() private {
        uint256 taskId = _delivered();
        _strike();
        _release(taskId, 0);
        _pass(_task(taskId).deadline);
        _expire(taskId);
        _assertWorkerForfeited(taskId, FIRST);
    }

    function _expireUnreceiptedScenario() private {
        uint256 taskId = _unreceipted();
        _strike();
        _pass(_graceEnd(taskId));
        _expire(taskId);
        _assertWorkerForfeited(taskId, 0);
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
        _assertPaid(taskId);
    }

    function _silencePaysWithReceiptScenario() private {
        uint256 taskId = _unreceipted();
        _strike();
        _pass(_task(taskId).reviewEnd);
        registry.attachReceipt(taskId, 0, _receiptNow(taskId, PROOF));
        _pass(_task(taskId).reviewEnd);
        registry.releaseLapsed(taskId, 0);
        _deliver(taskId, 1, PROOF, _receiptNow(taskId, PROOF));
        _pass(_task(taskId).reviewEnd);
        registry.releaseLapsed(taskId, 1);
        _assertPaid(taskId);
    }

    function _releaseScenario() private {
        uint256 taskId = _active();
        _strike();
        _deliver(taskId);
        _release(taskId, 0);
        _release(taskId, 1);
        _assertPaid(taskId);
    }

    function _completeScenario() private {
        uint256 taskId = _active();
        _strike();
        vm.prank(POSTER);
        registry.complete(taskId);
        _assertPaid(taskId);
    }

    function _mutualCancelOfClaimScenario() private {
        uint256 taskId = _funded();
        _strike();
        _mutualCancel(taskId, 0);
        Gains memory gains = _exitsReturned();
        gains.posterTok += int256(TOTAL);
        _assertOut(taskId, TaskState.CANCELLED, gains);
    }

    function _mutualCancelOfWorkScenario() private {
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
        gains.workerUsd = -2.5e6;
        gains.treasuryUsd = 2.5e6;
        _addSpent(gains);
        _assertOut(taskId, TaskState.CANCELLED, gains);
    }

    function _assertPosterForfeited(uint256 taskId, uint256 held) private {
        Gains memory gains;
        gains.posterTok = int256(held);
        gains.workerTok = EXIT;
        gains.posterUsd = -8e6;
        gains.treasuryUsd = 8e6;
        _addSpent(gains);
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    function _assertWorkerForfeited(uint256 taskId, uint256 paid) private {
        Gains memory gains;
        gains.posterTok = int256(TOTAL - paid) + EXIT;
        gains.workerTok = int256(paid);
        gains.workerUsd = -8e6;
        gains.treasuryUsd = 8e6;
        _addSpent(gains);
        _assertOut(taskId, TaskState.EXPIRED, gains);
    }

    function _assertPaid(uint256 taskId) private {
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(TOTAL);
        _assertOut(taskId, TaskState.COMPLETED, gains);
    }
}
