// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryExpireTest is Books {
    function test_RevertGiven_DisputedOrEnded() external {
        for (uint256 i = uint256(TaskState.DISPUTED); i <= uint256(TaskState.RESOLVED); ++i) {
            uint256 taskId = _inState(TaskState(i));
            vm.warp(block.timestamp + 400 days);
            vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, TaskState(i)));
            registry.expire(taskId);
        }
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.TaskNotFound.selector, 9999));
        registry.expire(9999);
    }

    function test_Posted_RevertWhen_CutoffHasNotPassed() external {
        uint256 taskId = _post(_terms(), TOTAL);
        uint256 cutoff = _task(taskId).claimDeadline - 1 hours;
        vm.warp(cutoff);
        _expectNotExpired(taskId, cutoff);
    }

    function test_Posted_RefundsAndReturnsExitDeposit() external {
        uint256[3] memory funded = [uint256(0), 250e18, TOTAL];
        for (uint256 i = 0; i < funded.length; ++i) {
            uint256 taskId = _post(_terms(), funded[i]);
            _after(_task(taskId).claimDeadline - 1 hours);
            Gains memory gains;
            gains.posterTok = int256(funded[i]) + EXIT;
            _assertExpires(taskId, TaskState.POSTED, TaskState.EXPIRED, gains);
            _assertAccount(taskId, funded[i], 0, funded[i]);
            _assertSettled(taskId, TaskState.EXPIRED);
        }
        vm.assertEq(deposits.freeOf(POSTER), 100e6);
        _assertLapses(0, 0);
    }

    function test_Claimed_RevertWhen_FundingWindowHasNotPassed() external {
        uint256[2] memory taskIds = [_claimed(), _funded()];
        uint256 end = block.timestamp + 24 hours;
        vm.warp(end);
        _expectNotExpired(taskIds[0], end);
        _expectNotExpired(taskIds[1], end);
    }

    function test_Claimed_FundedWhenClaimed_OpensAgain() external {
        uint256 taskId = _post(_terms(), TOTAL);
        Task memory expected = _task(taskId);
        _claim(taskId, WORKER);
        _after(_claimEnd(taskId));
        Gains memory gains;
        gains.workerTok = EXIT;
        _assertExpires(taskId, TaskState.CLAIMED, TaskState.POSTED, gains);
        _assertTask(taskId, expected);
        _assertAccount(taskId, TOTAL, 0, 0);
        _assertReserves(taskId, 8e6, 0);
        _assertExits(taskId, uint256(EXIT), 0);
        _assertLapses(0, 0);

        // And for good once the cut-off has passed too.
        _after(_task(taskId).claimDeadline);
        gains.workerTok = 0;
        gains.posterTok = int256(TOTAL) + EXIT;
        _assertExpires(taskId, TaskState.POSTED, TaskState.EXPIRED, gains);
        _assertSettled(taskId, TaskState.EXPIRED);
    }

    function test_Claimed_Unfunded_PosterForfeits() external {
        uint256 taskId = _claimed();
        vm.prank(POSTER);
        registry.fund(taskId, TOTAL - 1);
        _assertPosterForfeits(taskId, TOTAL - 1);
    }

    /// @dev Money that comes after the claim does not start the work.
    function test_Claimed_FundedLateAndNotStarted_PosterForfeits() external {
        _assertPosterForfeits(_funded(), TOTAL);
    }

    function test_Claimed_Private_PosterForfeits() external {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        _assertPosterForfeits(taskId, TOTAL);
    }

    function test_Active_RevertWhen_DeadlineHasNotPassed() external {
        uint256 taskId = _active();
        uint256 deadline = _task(taskId).deadline;
        vm.warp(deadline);
        _expectNotExpired(taskId, deadline);
    }

    function test_Active_WorkerForfeits() external {
        uint256 taskId = _active();
        _after(_task(taskId).deadline);
        _assertWorkerForfeits(taskId, TOTAL);
    }

    function test_Active_RefundsRest() external {
        uint256 taskId = _active();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _after(_task(taskId).deadline);
        _assertWorkerForfeits(taskId, SECOND);
        _assertAccount(taskId, TOTAL, FIRST, SECOND);
    }

    function test_Active_TakesWhatIsLeftOfReserve() external {
        uint256 taskId = _active();
        vm.prank(address(arbitration));
        deposits.penalise(taskId, WORKER, TREASURY, 7e6);
        _after(_task(taskId).deadline);
        Gains memory gains = _exitSpent();
        gains.posterTok = int256(TOTAL) + EXIT;
        gains.workerUsd = -1e6;
        gains.treasuryUsd = 1e6;
        _assertExpires(taskId, TaskState.ACTIVE, TaskState.EXPIRED, gains);
    }

    function test_InReview_RevertGiven_SilencePays() external {
        uint256[2] memory taskIds = [_delivered(), _receipted()];
        vm.warp(block.timestamp + 400 days);
        for (uint256 i = 0; i < 2; ++i) {
            vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.AlreadyDelivered.selector, taskIds[i], 0));
            registry.expire(taskIds[i]);
        }
    }

    function test_InReview_RevertWhen_GraceHasNotPassed() external {
        uint256 taskId = _unreceipted();
        uint256 end = _task(taskId).reviewEnd + 72 hours;
        vm.assertEq(_graceEnd(taskId), end);
        vm.warp(end);
        _expectNotExpired(taskId, end);
    }

    function test_InReview_WorkerWithoutReceiptForfeits() external {
        uint256 taskId = _unreceipted();
        _after(_graceEnd(taskId));
        _assertWorkerForfeits(taskId, TOTAL);
    }

    function test_EmitsForfeit() external {
        uint256 taskId = _active();
        _after(_task(taskId).deadline);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskExpired(taskId, TaskState.ACTIVE, TaskState.EXPIRED);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.ExitDepositSpent(taskId, WORKER, uint256(EXIT), false);
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(taskId, WORKER, IPaymentGateway.AccessAction.FORFEIT, uint256(EXIT), 0);
        registry.expire(taskId);
    }

    function testFuzz_ExpiresHoweverLate(uint32 late) external {
        uint256 taskId = _active();
        vm.warp(_task(taskId).deadline + 1 + uint256(late));
        _assertWorkerForfeits(taskId, TOTAL);
    }

    /// @dev The claim ends unstarted, with `held` in escrow.
    function _assertPosterForfeits(uint256 taskId, uint256 held) private {
        _after(_claimEnd(taskId));
        Task memory expected = _task(taskId);
        Gains memory gains = _exitSpent();
        gains.posterTok = int256(held);
        gains.posterUsd = -8e6;
        gains.treasuryUsd = 8e6;
        gains.workerTok = EXIT;
        _assertExpires(taskId, TaskState.CLAIMED, TaskState.EXPIRED, gains);
        expected.state = TaskState.EXPIRED;
        _assertTask(taskId, expected);
        _assertAccount(taskId, held, 0, held);
        _assertSettled(taskId, TaskState.EXPIRED);
        _assertLapses(1, 0);
    }

    function _assertWorkerForfeits(uint256 taskId, uint256 held) private {
        Task memory expected = _task(taskId);
        Gains memory gains = _exitSpent();
        gains.posterTok = int256(held) + EXIT;
        gains.workerUsd = -8e6;
        gains.treasuryUsd = 8e6;
        _assertExpires(taskId, TaskState.ACTIVE, TaskState.EXPIRED, gains);
        expected.state = TaskState.EXPIRED;
        _assertTask(taskId, expected);
        _assertSettled(taskId, TaskState.EXPIRED);
        vm.assertEq(deposits.freeOf(WORKER), 92e6);
        _assertLapses(0, 1);
    }

    /// @dev A stranger expires the task; it moves these amounts and nothing else.
    function _assertExpires(uint256 taskId, TaskState from, TaskState to, Gains memory gains) private {
        _mark();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskExpired(taskId, from, to);
        vm.prank(STRANGER);
        registry.expire(taskId);
        _assertGains(gains);
    }

    function _assertLapses(uint32 ofPoster, uint32 ofWorker) private view {
        vm.assertEq(reputation.reputationOf(POSTER).lapses, ofPoster);
        vm.assertEq(reputation.reputationOf(WORKER).lapses, ofWorker);
        IReputationRegistry.Reputation memory stranger;
        _assertReputation(STRANGER, stranger);
    }

    function _expectNotExpired(uint256 taskId, uint256 until) private {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotExpired.selector, taskId, until));
        registry.expire(taskId);
    }
}
