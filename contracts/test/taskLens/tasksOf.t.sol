// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Task, TaskState, TaskTerms, TaskView } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskLensTasksOfTest is Books {
    function test_AnswersEmptyList() external view {
        vm.assertEq(lens.tasksOf(new uint256[](0)).length, 0);
    }

    function test_AnswersEmptyViewOfZero() external {
        _posted();
        _assertEmpty(_view(0), 0);
    }

    function test_KeepsOrder() external {
        uint256 first = _posted();
        uint256 second = _active();
        uint256[] memory ids = new uint256[](3);
        ids[0] = second;
        ids[1] = 77;
        ids[2] = first;
        TaskView[] memory views = lens.tasksOf(ids);
        vm.assertEq(abi.encode(views[0]), abi.encode(_view(second)));
        _assertEmpty(views[1], 77);
        vm.assertEq(abi.encode(views[2]), abi.encode(_view(first)));
        vm.assertEq(uint256(views[0].task.state), uint256(TaskState.ACTIVE));
        vm.assertEq(uint256(views[2].task.state), uint256(TaskState.POSTED));
    }

    function test_ShowsPostedTask() external {
        TaskTerms memory terms = _terms();
        terms.durations[1] = 3 days;
        uint256 taskId = _post(terms, 5);
        TaskView memory seen = _view(taskId);

        Task memory stored = registry.taskOf(taskId);
        vm.assertEq(abi.encode(seen.task), abi.encode(stored));
        vm.assertEq(seen.settlementDigest, _digestFor(taskId, address(0)));
        vm.assertEq(seen.settlementDigest, agreements.settlementDigest(agreements.hashTerms(terms), address(0)));
        vm.assertEq(seen.funded, 5);
        vm.assertEq(seen.released, 0);
        vm.assertEq(seen.refunded, 0);
        vm.assertEq(seen.milestones.length, 2);
        vm.assertEq(seen.milestones[0].amount, FIRST);
        vm.assertEq(seen.milestones[1].amount, SECOND);
        vm.assertEq(seen.milestones[0].duration, 2 days);
        vm.assertEq(seen.milestones[1].duration, 3 days);
    }

    function test_ShowsMoney() external {
        uint256 taskId = _active();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _mutualCancel(taskId, 2500);
        TaskView memory seen = _view(taskId);
        vm.assertEq(seen.settlementDigest, _digestFor(taskId, WORKER));
        vm.assertEq(seen.funded, TOTAL);
        vm.assertEq(seen.released, FIRST + 100e18);
        vm.assertEq(seen.refunded, 300e18);
    }

    function _assertEmpty(TaskView memory seen, uint256 taskId) private pure {
        TaskView memory expected;
        expected.taskId = taskId;
        vm.assertEq(abi.encode(seen), abi.encode(expected));
    }
}
