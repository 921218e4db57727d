// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Bookkeeping } from "./Bookkeeping.sol";

contract TaskRegistryLeaveTaskTest is Bookkeeping {
    /// @dev In the first and in the last second.
    function test_CostsTheSameUntilTheLastSecond() external {
        uint256[2] memory delays = [uint256(0), 24 hours];
        for (uint256 i = 0; i < 2; ++i) {
            uint256 taskId = _post(_terms(), TOTAL);
            Task memory expected = _task(taskId);
            vm.warp(block.timestamp + 1 hours);
            _claim(taskId, WORKER);
            vm.warp(block.timestamp + delays[i]);
            _expectLeave(taskId, TaskState.POSTED);
            vm.expectEmit(address(deposits));
            emit IDepositVault.Unreserved(taskId, WORKER, 13e6);
            _assertLeaves(taskId, 0);
            _assertTask(taskId, expected);
            _assertReserves(taskId, 13e6, 0);
            _assertExits(taskId, 1_000e18, 0);
            _assertAccount(taskId, TOTAL, 0, 0);
        }
    }

    function test_NeedsNoTokAndTakesNoCredit() external {
        uint256 taskId = _claimed();
        _giveCredit(WORKER, STRANGER);
        _setTok(WORKER, 0);
        _assertLeaves(taskId, 0);
        vm.assertEq(staking.creditsOf(WORKER), 1e18);
    }

    function test_CountsALeave() external {
        _leave(_claimed());
        _leave(_active());
        IReputationRegistry.Reputation memory expected;
        _assertReputation(POSTER, expected);
        expected.leaves = 2;
        _assertReputation(WORKER, expected);
    }

    function test_Private_EndsTheTask() external {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        _assertEnds(taskId, TOTAL);
    }

    /// @dev The cells have that it cannot leave while silence would pay, nor past the deadline or the grace.
    function test_Active_EndsTheTaskAndRefundsTheUnpaidRest() external {
        _assertEnds(_active(), TOTAL);
        _assertEnds(_unreceipted(), TOTAL);
        uint256 taskId = _delivered();
        vm.startPrank(POSTER);
        registry.requestRevision(taskId, 0, PROOF);
        registry.release(taskId, 0);
        vm.stopPrank();
        _assertEnds(taskId, SECOND);
    }

    function _assertEnds(uint256 taskId, uint256 held) private {
        Task memory expected = _task(taskId);
        _expectLeave(taskId, TaskState.CANCELLED);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Unreserved(taskId, POSTER, 13e6);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.ExitDepositReturned(taskId, POSTER, 1_000e18, false);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Unreserved(taskId, WORKER, 13e6);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.Refunded(taskId, POSTER, held, false);
        _assertLeaves(taskId, int256(held) + EXIT);
        expected.state = TaskState.CANCELLED;
        _assertTask(taskId, expected);
        _assertAccount(taskId, TOTAL, TOTAL - held, held);
        _assertSettled(taskId, TaskState.CANCELLED);
    }

    /// @dev The worker's exit deposit is gone; `toPoster` goes to the poster.
    function _assertLeaves(uint256 taskId, int256 toPoster) private {
        Gains memory gains = _exitSpent();
        gains.posterTok = toPoster;
        _mark();
        _leave(taskId);
        _assertGains(gains);
    }

    function _expectLeave(uint256 taskId, TaskState next) private {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.WorkerLeft(taskId, WORKER, next);
        vm.expectEmit(address(reputation));
        emit IReputationRegistry.LeaveRecorded(taskId, WORKER);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.ExitDepositSpent(taskId, WORKER, 1_000e18, false);
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(taskId, WORKER, IPaymentGateway.AccessAction.LEAVE, 1_000e18, 0);
    }

    function _leave(uint256 taskId) private {
        vm.prank(WORKER);
        registry.leaveTask(taskId);
    }
}
