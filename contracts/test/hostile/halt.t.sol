// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { TaskState } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

/// @dev The chain stands still across a limit. Time does not, so the party with the duty has lost its last hour: who may
/// still do what? The default applies, never nothing and never both. The cells have what is left a second after each limit,
/// and exits.t.sol every exit after a halt.
contract HaltTest is Books {
    uint256 private constant HALT = 2 hours;

    function test_WindowsAreThreeHaltsLong() external view {
        vm.assertGe(params.vetWindow, 3 * HALT);
        vm.assertGe(params.fundingWindow, 3 * HALT);
        vm.assertGe(params.minReviewWindow, 3 * HALT);
        vm.assertGe(params.minDuration, 3 * HALT);
        vm.assertGe(params.consentWindow, 3 * HALT);
        vm.assertGe(params.evidenceWindow, 3 * HALT);
        vm.assertGe(params.rulingWindow, 3 * HALT);
        vm.assertGe(params.appealWindow, 3 * HALT);
        vm.assertGe(params.courtWindow, 3 * HALT);
        vm.assertGe(params.minRevisionTime, 3 * HALT);
    }

    function test_FundingWindow() external {
        uint256[2] memory taskIds = [_claimed(), _post(_terms(), TOTAL)];
        _claim(taskIds[1], WORKER);
        uint256 end = block.timestamp + 24 hours;
        _halt(end);
        for (uint256 i = 0; i < 2; ++i) {
            uint256 taskId = taskIds[i];
            bytes memory closed = abi.encodeWithSelector(ITaskRegistry.StartWindowClosed.selector, taskId, end);
            _expectRefusal(POSTER, abi.encodeCall(ITaskRegistry.dismiss, (taskId)), closed);
            _expectRefusal(WORKER, abi.encodeCall(ITaskRegistry.leaveTask, (taskId)), closed);
            if (i == 1) _expectRefusal(WORKER, abi.encodeCall(ITaskRegistry.activate, (taskId)), closed);
            closed = abi.encodeWithSelector(ITaskRegistry.FundingWindowClosed.selector, taskId, end);
            _expectRefusal(POSTER, abi.encodeCall(ITaskRegistry.fund, (taskId, 1)), closed);
            registry.expire(taskId);
        }
        _assertSettled(taskIds[0], TaskState.EXPIRED);
        _assertState(taskIds[1], TaskState.POSTED);
    }

    /// @dev A halt across the vet window costs a poster that wanted to dismiss USD 2.50, not its choice.
    function test_VetWindowOfDismissal() external {
        uint256 taskId = _claimed();
        _halt(block.timestamp + 6 hours);
        vm.prank(POSTER);
        registry.dismiss(taskId);
        vm.assertEq(reputation.reputationOf(POSTER).dismissals, 1);
    }

    function test_RevisedDeadline() external {
        uint256 taskId = _delivered();
        vm.warp(_task(taskId).reviewEnd);
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, PROOF);
        vm.assertGe(_task(taskId).deadline - block.timestamp, 3 * HALT);
    }

    function _halt(uint256 limit) private {
        vm.warp(limit - HALT / 2);
        vm.warp(limit + HALT / 2);
    }
}
