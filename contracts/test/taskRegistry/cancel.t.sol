// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryCancelTest is Books {
    function test_RevertGiven_TaskIsNotPosted() external {
        _assertOnlyIn(TaskState.POSTED, TaskState.POSTED, POSTER, ITaskRegistry.cancel.selector, "");
    }

    function test_RevertWhen_CallerIsStranger() external {
        uint256 taskId = _posted();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotPoster.selector, taskId, STRANGER));
        vm.prank(STRANGER);
        registry.cancel(taskId);
    }

    function test_MovesToCancelled() external {
        uint256 taskId = _posted();
        Task memory expected = _task(taskId);
        _cancel(taskId);
        expected.state = TaskState.CANCELLED;
        _assertTask(taskId, expected);
    }

    function test_FreesReserveAndReturnsExitDeposit() external {
        uint256 taskId = _posted();
        Gains memory gains;
        gains.posterTok = EXIT;
        _mark();
        _cancel(taskId);

        _assertGains(gains);
        _assertAccount(taskId, 0, 0, 0);
        _assertSettled(taskId, TaskState.CANCELLED);
        vm.assertEq(deposits.freeOf(POSTER), 100e6);
    }

    function test_RefundsPart() external {
        uint256 taskId = _post(_terms(), 123);
        Gains memory gains;
        gains.posterTok = 123 + EXIT;
        _mark();
        _cancel(taskId);

        _assertGains(gains);
        _assertAccount(taskId, 123, 0, 123);
    }

    function test_RefundsEverything() external {
        uint256 taskId = _post(_terms(), TOTAL);
        Gains memory gains;
        gains.posterTok = int256(TOTAL) + EXIT;
        _mark();
        _cancel(taskId);

        _assertGains(gains);
        _assertAccount(taskId, TOTAL, 0, TOTAL);
        _assertSettled(taskId, TaskState.CANCELLED);
    }

    function test_EmitsTaskCancelled() external {
        uint256 empty = _posted();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskCancelled(empty, 0);
        _cancel(empty);

        uint256 funded = _post(_terms(), 123);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskCancelled(funded, 123);
        _cancel(funded);
    }

    function test_LeavesNoTraceInReputation() external {
        uint256 taskId = _post(_terms(), TOTAL);
        _cancel(taskId);
        IReputationRegistry.Reputation memory expected;
        _assertReputation(POSTER, expected);
    }

    function test_FreesReserveAfterDismissal() external {
        uint256 taskId = _funded();
        vm.prank(address(arbitration));
        deposits.charge(taskId, POSTER, TREASURY, 100e6);
        _vet(taskId);
        vm.prank(POSTER);
        registry.dismiss(taskId);
        _assertReserves(taskId, 5.5e6, 0);
        Gains memory gains;
        gains.posterTok = int256(TOTAL) + EXIT;
        _mark();
        _cancel(taskId);

        _assertGains(gains);
        _assertSettled(taskId, TaskState.CANCELLED);
    }

    function test_CancelsAfterCutoff() external {
        uint256 taskId = _post(_terms(), TOTAL);
        _after(_task(taskId).claimDeadline);
        _cancel(taskId);
        _assertSettled(taskId, TaskState.CANCELLED);
    }

    function test_LeavesOtherTasksAlone() external {
        uint256 other = _active();
        uint256 taskId = _posted();
        _cancel(taskId);
        _assertAccount(other, TOTAL, 0, 0);
        _assertReserves(other, 8e6, 8e6);
    }

    function test_RevertWhen_CalledAgain() external {
        uint256 taskId = _post(_terms(), TOTAL);
        _cancel(taskId);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, TaskState.CANCELLED));
        _cancel(taskId);
    }

    function testFuzz_RefundsWhatIsHeld(uint256 amount) external {
        amount = amount % (TOTAL + 1);
        _post(_terms(), TOTAL);
        uint256 taskId = _post(_terms(), amount);
        Gains memory gains;
        gains.posterTok = int256(amount) + EXIT;
        _mark();
        _cancel(taskId);

        _assertGains(gains);
        vm.assertEq(escrow.totalHeld(), TOTAL);
    }

    function _cancel(uint256 taskId) private {
        vm.prank(POSTER);
        registry.cancel(taskId);
    }
}
