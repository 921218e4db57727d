// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { bound } from "../bound.sol";
import { vm } from "../Vm.sol";
import { Bookkeeping } from "./Bookkeeping.sol";

contract TaskRegistryActivateTest is Bookkeeping {
    uint256 private constant START = 1_800_000_000;

    function test_RevertGiven_TheTaskIsNotClaimed() external {
        bytes memory data = abi.encodeCall(registry.activate, (0));
        _assertRefusedOutside(TaskState.CLAIMED, TaskState.CLAIMED, POSTER, data);
        _assertRefusedOutside(TaskState.CLAIMED, TaskState.CLAIMED, STRANGER, data);
    }

    function test_RevertWhen_TheCallerIsNoParty() external {
        uint256 taskId = _funded();
        address[3] memory callers = [STRANGER, OWNER, address(arbitration)];
        for (uint256 i = 0; i < callers.length; ++i) {
            _expect(ITaskRegistry.NotParty.selector, taskId, callers[i]);
            _activateAs(callers[i], taskId);
        }
    }

    function test_RevertWhen_TheWorkerStartsInTheVetWindow() external {
        uint256 taskId = _funded();
        uint256[2] memory moments = [START, START + 6 hours];
        for (uint256 i = 0; i < moments.length; ++i) {
            vm.warp(moments[i]);
            _expect(ITaskRegistry.VetWindowOpen.selector, taskId, START + 6 hours);
            _activateAs(WORKER, taskId);
        }
    }

    function test_TheWorkerStartsAfterTheVetWindow() external {
        uint256 taskId = _funded();
        _after(START + 6 hours);
        _activateAs(WORKER, taskId);
        _assertState(taskId, TaskState.ACTIVE);
    }

    function test_ThePosterStartsAtOnce() external {
        _assertState(_active(), TaskState.ACTIVE);
    }

    function test_EitherStartsInTheLastSecond() external {
        address[2] memory callers = [POSTER, WORKER];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.warp(START + i * 7 days);
            uint256 taskId = _funded();
            vm.warp(START + i * 7 days + 24 hours);
            _activateAs(callers[i], taskId);
            _assertState(taskId, TaskState.ACTIVE);
        }
    }

    function test_RevertGiven_TheStartWindowEnded() external {
        uint256 taskId = _funded();
        _after(START + 24 hours);
        _expect(ITaskRegistry.StartWindowClosed.selector, taskId, START + 24 hours);
        _activateAs(POSTER, taskId);
        _expect(ITaskRegistry.StartWindowClosed.selector, taskId, START + 24 hours);
        _activateAs(WORKER, taskId);
    }

    function test_RevertGiven_NothingIsFunded() external {
        _assertNotFunded(_claimed(), 0);
    }

    function test_RevertGiven_AWeiIsMissing() external {
        uint256 taskId = _claimed();
        vm.prank(POSTER);
        registry.fund(taskId, 1_000e18 - 1);
        _assertNotFunded(taskId, 1_000e18 - 1);
        _fund(taskId);
        _activate(taskId);
    }

    function test_CountsFromTheNewClaim() external {
        uint256 taskId = _funded();
        vm.warp(START + 10 hours);
        vm.prank(POSTER);
        registry.dismiss(taskId);
        _claim(taskId, WORKER);
        vm.warp(START + 16 hours);
        _expect(ITaskRegistry.VetWindowOpen.selector, taskId, START + 16 hours);
        _activateAs(WORKER, taskId);
        vm.warp(START + 34 hours);
        _activateAs(WORKER, taskId);
        _assertState(taskId, TaskState.ACTIVE);
    }

    function test_StartsAPrivateTask() external {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        _activate(taskId);
        _assertState(taskId, TaskState.ACTIVE);
    }

    function test_StartsWhileEntriesArePaused() external {
        uint256 taskId = _funded();
        vm.prank(GUARDIAN);
        registry.pauseEntries();
        _activate(taskId);
        _assertState(taskId, TaskState.ACTIVE);
    }

    function test_StartsTheFirstClock() external {
        uint256 taskId = _fundedWithTwoClocks();
        Task memory task = _task(taskId);
        vm.warp(START + 1 hours);
        _activate(taskId);
        task.state = TaskState.ACTIVE;
        task.deadline = uint40(START + 1 hours + 3 days);
        _assertTask(taskId, task);
    }

    function test_EmitsWhoStartedAndTheDeadline() external {
        uint256 taskId = _fundedWithTwoClocks();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskActivated(taskId, POSTER, START + 3 days);
        vm.recordLogs();
        _activate(taskId);
        vm.assertEq(vm.getRecordedLogs().length, 1);

        taskId = _fundedWithTwoClocks();
        _after(START + 6 hours);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskActivated(taskId, WORKER, START + 6 hours + 1 + 3 days);
        _activateAs(WORKER, taskId);
    }

    function test_MovesNoMoney() external {
        uint256 taskId = _funded();
        Books memory books = _books();
        _activate(taskId);
        _assertBooks(books);
        _assertAccount(taskId, 1_000e18, 0, 0);
        _assertReserves(taskId, 8e6, 8e6);
    }

    function testFuzz_FollowsTheTable(uint256 delay, bool byWorker, bool whole) external {
        uint256 taskId = _claimed();
        uint256 funded = whole ? 1_000e18 : 1;
        vm.prank(POSTER);
        registry.fund(taskId, funded);
        delay = bound(delay, 0, 48 hours);
        vm.warp(START + delay);
        if (byWorker && delay <= 6 hours) {
            _expect(ITaskRegistry.VetWindowOpen.selector, taskId, START + 6 hours);
        } else if (!whole) {
            vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotFullyFunded.selector, taskId, 1, 1_000e18));
        } else if (delay > 24 hours) {
            _expect(ITaskRegistry.StartWindowClosed.selector, taskId, START + 24 hours);
        }
        _activateAs(byWorker ? WORKER : POSTER, taskId);
    }

    /// @dev The first milestone has three days, the second two.
    function _fundedWithTwoClocks() private returns (uint256 taskId) {
        TaskTerms memory terms = _terms();
        terms.durations[0] = 3 days;
        taskId = _post(terms, 1_000e18);
        _claim(taskId, WORKER);
    }

    function _assertNotFunded(uint256 taskId, uint256 funded) private {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotFullyFunded.selector, taskId, funded, 1_000e18));
        _activateAs(POSTER, taskId);
    }

    function _activateAs(address caller, uint256 taskId) private {
        vm.prank(caller);
        registry.activate(taskId);
    }
}
