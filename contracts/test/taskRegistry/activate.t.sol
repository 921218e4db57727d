// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { bound } from "../bound.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryActivateTest is Books {
    uint256 private constant START = 1_800_000_000;

    /// @dev By the poster in the vet window, and by the worker right after it.
    function test_StartsTheFirstClockAndMovesNoMoney() external {
        address[2] memory callers = [POSTER, WORKER];
        for (uint256 i = 0; i < 2; ++i) {
            TaskTerms memory terms = _terms();
            terms.durations[0] = 3 days;
            uint256 taskId = _post(terms, TOTAL);
            _claim(taskId, WORKER);
            if (i == 1) _vet(taskId);
            Task memory expected = _task(taskId);
            _mark();
            vm.expectEmit(address(registry));
            emit ITaskRegistry.TaskActivated(taskId, callers[i], block.timestamp + 3 days);
            vm.recordLogs();
            vm.prank(callers[i]);
            registry.activate(taskId);

            vm.assertEq(vm.getRecordedLogs().length, 1);
            expected.state = TaskState.ACTIVE;
            expected.deadline = uint40(block.timestamp + 3 days);
            _assertTask(taskId, expected);
            _assertNoGains();
            _assertAccount(taskId, TOTAL, 0, 0);
            _assertReserves(taskId, 13e6, 13e6);
        }
    }

    /// @dev A start by the poster past the vet window gives at least 48 h; by the worker what was signed.
    function test_LateStartLeavesTimeToAnswer() external {
        address[3] memory callers = [POSTER, POSTER, WORKER];
        uint64[3] memory durations = [uint64(6 hours), 3 days, 6 hours];
        uint256[3] memory times = [uint256(48 hours), 3 days, 6 hours];
        for (uint256 i = 0; i < 3; ++i) {
            TaskTerms memory terms = _terms();
            terms.durations[0] = durations[i];
            uint256 taskId = _post(terms, TOTAL);
            _claim(taskId, WORKER);
            uint256 vetEnd = block.timestamp + 6 hours;
            vm.warp(vetEnd);
            uint256 snapshot = vm.snapshotState();
            _activate(taskId);
            vm.assertEq(_task(taskId).deadline, vetEnd + durations[i]);
            vm.revertToState(snapshot);
            _after(vetEnd);
            vm.prank(callers[i]);
            registry.activate(taskId);
            vm.assertEq(_task(taskId).deadline, vetEnd + 1 + times[i]);
        }
    }

    /// @dev The cells have the limits; this tries every second between them, and a claim after an earlier one.
    function testFuzz_FollowsTheTable(uint256 delay, bool byWorker, bool whole, bool again) external {
        uint256 taskId = _claimed();
        uint256 claimedAt = START;
        if (again) {
            claimedAt += 10 hours;
            vm.warp(claimedAt);
            vm.prank(POSTER);
            registry.dismiss(taskId);
            _claim(taskId, WORKER);
        }
        uint256 funded = whole ? TOTAL : TOTAL - 1;
        vm.prank(POSTER);
        registry.fund(taskId, funded);
        delay = bound(delay, 0, 48 hours);
        vm.warp(claimedAt + delay);
        if (byWorker && delay <= 6 hours) {
            _expect(ITaskRegistry.VetWindowOpen.selector, taskId, claimedAt + 6 hours);
        } else if (!whole) {
            vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotFullyFunded.selector, taskId, funded, TOTAL));
        } else if (delay > 24 hours) {
            _expect(ITaskRegistry.StartWindowClosed.selector, taskId, claimedAt + 24 hours);
        }
        vm.prank(byWorker ? WORKER : POSTER);
        registry.activate(taskId);
    }

    function _expect(bytes4 selector, uint256 taskId, uint256 moment) private {
        vm.expectRevert(abi.encodeWithSelector(selector, taskId, moment));
    }
}
