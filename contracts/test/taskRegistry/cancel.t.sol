// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryCancelTest is Books {
    function test_ReturnsEverythingAndLeavesNoTrace() external {
        uint256 other = _active();
        uint256[3] memory funded = [uint256(0), 123, TOTAL];
        for (uint256 i = 0; i < funded.length; ++i) {
            _assertCancels(_post(_terms(), funded[i]), funded[i]);
        }
        _assertAccount(other, TOTAL, 0, 0);
        _assertReserves(other, 13e6, 13e6);
    }

    function testFuzz_RefundsWhatIsHeld(uint256 amount, uint32 later) external {
        amount = amount % (TOTAL + 1);
        _post(_terms(), TOTAL);
        uint256 taskId = _post(_terms(), amount);
        vm.warp(block.timestamp + later);
        _assertCancels(taskId, amount);
        vm.assertEq(escrow.totalHeld(), TOTAL);
    }

    function _assertCancels(uint256 taskId, uint256 funded) private {
        Task memory expected = _task(taskId);
        Gains memory gains;
        gains.posterTok = int256(funded) + EXIT;
        _mark();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskCancelled(taskId, funded);
        _cancel(taskId);

        expected.state = TaskState.CANCELLED;
        _assertTask(taskId, expected);
        _assertGains(gains);
        _assertAccount(taskId, funded, 0, funded);
        _assertSettled(taskId, TaskState.CANCELLED);
        IReputationRegistry.Reputation memory none;
        _assertReputation(POSTER, none);
    }

    function _cancel(uint256 taskId) private {
        vm.prank(POSTER);
        registry.cancel(taskId);
    }
}
