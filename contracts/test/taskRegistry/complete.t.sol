// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryCompleteTest is Books {
    function test_RevertGiven_TaskIsNotActive() external {
        _assertOnlyIn(TaskState.ACTIVE, TaskState.ACTIVE, POSTER, ITaskRegistry.complete.selector, "");
    }

    function test_RevertWhen_CallerIsWorker() external {
        uint256 taskId = _active();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotPoster.selector, taskId, WORKER));
        vm.prank(WORKER);
        registry.complete(taskId);
    }

    function test_RevertWhen_CallerIsStranger() external {
        uint256 taskId = _active();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotPoster.selector, taskId, STRANGER));
        vm.prank(STRANGER);
        registry.complete(taskId);
    }

    function test_MovesToCompleted() external {
        uint256 taskId = _active();
        Task memory expected = _task(taskId);
        _complete(taskId);

        expected.state = TaskState.COMPLETED;
        expected.current = 2;
        _assertTask(taskId, expected);
    }

    function test_PaysEverythingAndFreesReserves() external {
        uint256 taskId = _active();
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(TOTAL);
        _mark();
        _complete(taskId);

        _assertGains(gains);
        _assertAccount(taskId, TOTAL, TOTAL, 0);
        _assertSettled(taskId, TaskState.COMPLETED);
        vm.assertEq(deposits.freeOf(POSTER), 100e6);
        vm.assertEq(deposits.freeOf(WORKER), 100e6);
    }

    function test_EmitsTaskCompleted() external {
        uint256 taskId = _active();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskCompleted(taskId, TOTAL);
        _complete(taskId);
    }

    function test_RecordsNothingInVetWindow() external {
        uint256 taskId = _active();
        vm.warp(_task(taskId).claimedAt + 6 hours);
        _complete(taskId);
        IReputationRegistry.Reputation memory none;
        _assertReputation(POSTER, none);
        _assertReputation(WORKER, none);
    }

    function test_RecordsCompletion() external {
        uint256 taskId = _active();
        _vet(taskId);
        _complete(taskId);
        IReputationRegistry.Reputation memory expected;
        expected.distinctCounterparties = 1;
        expected.completedAsPoster = 1;
        expected.paid = uint128(TOTAL);
        _assertReputation(POSTER, expected);
        delete expected;
        expected.distinctCounterparties = 1;
        expected.completedAsWorker = 1;
        expected.earned = uint128(TOTAL);
        _assertReputation(WORKER, expected);
    }

    function test_PaysRest() external {
        uint256 taskId = _delivered();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(SECOND);
        _mark();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskCompleted(taskId, SECOND);
        _complete(taskId);

        _assertGains(gains);
        _assertAccount(taskId, TOTAL, TOTAL, 0);
    }

    function test_PaysDeliveryInReview() external {
        uint256 taskId = _delivered();
        _after(_task(taskId).reviewEnd);
        _complete(taskId);
        _assertAccount(taskId, TOTAL, TOTAL, 0);
        _assertSettled(taskId, TaskState.COMPLETED);
    }

    function test_PaysAfterDeliveryDeadline() external {
        uint256 taskId = _active();
        _after(_task(taskId).deadline);
        _complete(taskId);
        _assertAccount(taskId, TOTAL, TOTAL, 0);
        _assertSettled(taskId, TaskState.COMPLETED);
    }

    function test_LeavesOtherTasksAlone() external {
        uint256 other = _active();
        uint256 taskId = _active();
        _complete(taskId);
        _assertAccount(other, TOTAL, 0, 0);
        _assertReserves(other, 8e6, 8e6);
        vm.assertEq(escrow.totalHeld(), TOTAL);
    }

    function test_RevertWhen_CalledAgain() external {
        uint256 taskId = _active();
        _active();
        _complete(taskId);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, TaskState.COMPLETED));
        _complete(taskId);
    }

    function _complete(uint256 taskId) private {
        vm.prank(POSTER);
        registry.complete(taskId);
    }
}
