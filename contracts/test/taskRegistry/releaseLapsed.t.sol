// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryReleaseLapsedTest is Books {
    function test_RevertGiven_NoReceipt() external {
        uint256 taskId = _unreceipted();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReceiptMissing.selector, taskId, 0));
        registry.releaseLapsed(taskId, 0);
        vm.warp(block.timestamp + 400 days);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReceiptMissing.selector, taskId, 0));
        registry.releaseLapsed(taskId, 0);
    }

    /// @dev Delivered, delivered again after a revision, and with a receipt.
    function test_PaysAndStartsNextMilestone() external {
        uint256[3] memory taskIds = [_delivered(), _delivered(), _receipted()];
        vm.prank(POSTER);
        registry.requestRevision(taskIds[1], 0, PROOF);
        _deliver(taskIds[1]);
        _after(_task(taskIds[1]).reviewEnd);
        for (uint256 i = 0; i < taskIds.length; ++i) {
            Task memory expected = _task(taskIds[i]);
            Gains memory gains;
            gains.workerTok = int256(FIRST);
            _mark();
            vm.expectEmit(address(registry));
            emit ITaskRegistry.MilestoneReleased(taskIds[i], 0, FIRST, true, block.timestamp + 2 days);
            _lapse(taskIds[i], 0);

            expected.current = 1;
            expected.deadline = uint40(block.timestamp + 2 days);
            expected.reviewEnd = 0;
            expected.revisions = 0;
            expected.receipted = false;
            _assertTask(taskIds[i], expected);
            _assertGains(gains);
            _assertAccount(taskIds[i], TOTAL, FIRST, 0);
            _assertReserves(taskIds[i], 13e6, 13e6);
        }
    }

    function test_CompletesTask() external {
        uint256 taskId = _lastLapsed();
        Task memory expected = _task(taskId);
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(SECOND);
        _mark();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneReleased(taskId, 1, SECOND, true, 0);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskCompleted(taskId, TOTAL);
        _lapse(taskId, 1);

        expected.state = TaskState.COMPLETED;
        expected.current = 2;
        expected.deadline = 0;
        expected.reviewEnd = 0;
        _assertTask(taskId, expected);
        _assertGains(gains);
        _assertSettled(taskId, TaskState.COMPLETED);
        vm.assertEq(reputation.reputationOf(POSTER).completedAsPoster, 1);
        vm.assertEq(reputation.reputationOf(WORKER).completedAsWorker, 1);
        vm.assertEq(reputation.reputationOf(POSTER).paid, TOTAL);
        vm.assertEq(reputation.reputationOf(POSTER).lapses, 0);
    }

    function testFuzz_GivesWholeNextDuration(uint32 late, uint64 next) external {
        TaskTerms memory terms = _terms();
        terms.durations[1] = params.minDuration + next % (params.maxDuration - params.minDuration + 1);
        uint256 taskId = _activeWith(terms, TOTAL);
        _deliver(taskId);
        vm.warp(_task(taskId).reviewEnd + 1 + uint256(late));
        _lapse(taskId, 0);
        vm.assertEq(_task(taskId).deadline, block.timestamp + terms.durations[1]);
        _assertAccount(taskId, TOTAL, FIRST, 0);
    }

    function _lapse(uint256 taskId, uint256 milestone) private {
        vm.prank(STRANGER);
        registry.releaseLapsed(taskId, milestone);
    }

    function _lapsed() private returns (uint256 taskId) {
        taskId = _delivered();
        _after(_task(taskId).reviewEnd);
    }

    function _lastLapsed() private returns (uint256 taskId) {
        taskId = _lapsed();
        _lapse(taskId, 0);
        _deliver(taskId);
        _after(_task(taskId).reviewEnd);
    }
}
