// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TaskState, TaskView } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskLensFindTasksTest is Books {
    uint256 private constant ALL = type(uint128).max;

    function test_FindsNothingWithoutTasks() external view {
        _assertFound(TaskState.POSTED, ALL, ALL, ALL, "", 0);
    }

    function test_StartsAnywhere() external {
        _world();
        _assertFound(TaskState.POSTED, ALL, ALL, ALL, abi.encode(6, 4, 3, 1), 0);
        _assertFound(TaskState.POSTED, 7, ALL, ALL, abi.encode(6, 4, 3, 1), 0);
        _assertFound(TaskState.POSTED, 6, ALL, ALL, abi.encode(6, 4, 3, 1), 0);
        _assertFound(TaskState.POSTED, 5, ALL, ALL, abi.encode(4, 3, 1), 0);
        _assertFound(TaskState.POSTED, 4, ALL, ALL, abi.encode(4, 3, 1), 0);
        _assertFound(TaskState.POSTED, 1, ALL, ALL, abi.encode(1), 0);
        _assertFound(TaskState.POSTED, 0, ALL, ALL, "", 0);
        _assertFound(TaskState.ACTIVE, ALL, ALL, ALL, abi.encode(5, 2), 0);
        _assertFound(TaskState.DISPUTED, ALL, ALL, ALL, "", 0);
    }

    function test_StopsAtLimitOrWhenScanIsUsedUp() external {
        _world();
        _assertFound(TaskState.POSTED, ALL, ALL, 0, "", 6);
        _assertFound(TaskState.POSTED, 3, ALL, 0, "", 3);
        _assertFound(TaskState.POSTED, ALL, ALL, 1, abi.encode(6), 5);
        _assertFound(TaskState.POSTED, ALL, ALL, 2, abi.encode(6, 4), 3);
        _assertFound(TaskState.POSTED, ALL, ALL, 3, abi.encode(6, 4, 3), 2);
        _assertFound(TaskState.POSTED, ALL, ALL, 4, abi.encode(6, 4, 3, 1), 0);
        _assertFound(TaskState.POSTED, ALL, 0, ALL, "", 6);
        _assertFound(TaskState.POSTED, ALL, 1, ALL, abi.encode(6), 5);
        _assertFound(TaskState.POSTED, ALL, 2, ALL, abi.encode(6), 4);
        _assertFound(TaskState.POSTED, ALL, 3, ALL, abi.encode(6, 4), 3);
        _assertFound(TaskState.POSTED, ALL, 5, ALL, abi.encode(6, 4, 3), 1);
        _assertFound(TaskState.POSTED, ALL, 6, ALL, abi.encode(6, 4, 3, 1), 0);
        _assertFound(TaskState.POSTED, 1, 1, 1, abi.encode(1), 0);
        _assertFound(TaskState.ACTIVE, ALL, 1, ALL, "", 5);
    }

    function test_FindsEachTaskOnce() external {
        uint256 found = 0;
        for (uint256 i = uint256(TaskState.POSTED); i <= uint256(TaskState.RESOLVED); ++i) {
            _inState(TaskState(i));
        }
        for (uint256 i = uint256(TaskState.POSTED); i <= uint256(TaskState.RESOLVED); ++i) {
            (uint256[] memory ids,) = registry.findTasks(TaskState(i), ALL, ALL, ALL);
            vm.assertEq(ids.length, 1);
            vm.assertEq(ids[0], i);
            found += ids.length;
        }
        vm.assertEq(found, registry.taskCount());
    }

    function testFuzz_FindsAllPageByPage(uint8 maxScan, uint8 limit) external {
        _world();
        maxScan = maxScan % 8 + 1;
        limit = limit % 8 + 1;
        uint256[4] memory expected = [uint256(6), 4, 3, 1];
        uint256 found = 0;
        uint256 next = ALL;
        while (next != 0) {
            uint256[] memory ids;
            (ids, next) = registry.findTasks(TaskState.POSTED, next, maxScan, limit);
            vm.assertLe(ids.length, limit);
            for (uint256 i = 0; i < ids.length; ++i) {
                vm.assertEq(ids[i], expected[found++]);
            }
        }
        vm.assertEq(found, 4);
    }

    function test_FollowsStates() external {
        _world();
        vm.prank(POSTER);
        registry.cancel(3);
        _assertFound(TaskState.POSTED, ALL, ALL, ALL, abi.encode(6, 4, 1), 0);
        _assertFound(TaskState.CANCELLED, ALL, ALL, ALL, abi.encode(3), 0);
    }

    function test_AnswersViews() external {
        _world();
        (TaskView[] memory views, uint256 next) = lens.tasksIn(TaskState.POSTED, 5, 4, 2);
        vm.assertEq(next, 2);
        vm.assertEq(views.length, 2);
        vm.assertEq(abi.encode(views[0]), abi.encode(_view(4)));
        vm.assertEq(abi.encode(views[1]), abi.encode(_view(3)));
    }

    function test_AnswersNoViews() external {
        _world();
        (TaskView[] memory views, uint256 next) = lens.tasksIn(TaskState.DISPUTED, ALL, 4, 2);
        vm.assertEq(views.length, 0);
        vm.assertEq(next, 2);
    }

    /// @dev POSTED: 1, 3, 4, 6. ACTIVE: 2, 5.
    function _world() private {
        _posted();
        _active();
        _posted();
        _posted();
        _active();
        _posted();
    }

    /// @param ids The ids expected, encoded one after the other.
    function _assertFound(
        TaskState state,
        uint256 start,
        uint256 maxScan,
        uint256 limit,
        bytes memory ids,
        uint256 expectedNext
    ) private view {
        (uint256[] memory found, uint256 next) = registry.findTasks(state, start, maxScan, limit);
        vm.assertEq(abi.encodePacked(found), ids);
        vm.assertEq(next, expectedNext, "next");
    }
}
