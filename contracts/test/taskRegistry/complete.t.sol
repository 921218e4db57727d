// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryCompleteTest is Books {
    /// @dev Whatever is delivered or paid, and past the deadline and the review.
    function test_PaysTheRestAndReturnsDeposits() external {
        uint256 other = _active();
        uint256[4] memory taskIds = [_active(), _delivered(), _active(), _delivered()];
        vm.prank(POSTER);
        registry.release(taskIds[3], 0);
        for (uint256 i = 0; i < taskIds.length; ++i) {
            if (i == 2) _after(_task(taskIds[1]).reviewEnd);
            uint256 rest = i == 3 ? SECOND : TOTAL;
            Task memory expected = _task(taskIds[i]);
            Gains memory gains = _exitsReturned();
            gains.workerTok += int256(rest);
            _mark();
            vm.expectEmit(address(registry));
            emit ITaskRegistry.TaskCompleted(taskIds[i], TOTAL);
            vm.prank(POSTER);
            registry.complete(taskIds[i]);

            expected.state = TaskState.COMPLETED;
            expected.current = 2;
            _assertTask(taskIds[i], expected);
            _assertGains(gains);
            _assertAccount(taskIds[i], TOTAL, TOTAL, 0);
            _assertSettled(taskIds[i], TaskState.COMPLETED);
        }
        _assertAccount(other, TOTAL, 0, 0);
        _assertReserves(other, 13e6, 13e6);
    }

    /// @dev Completions and counterparties count at once, sums only past the vet window.
    function test_RecordsSumsAfterTheVetWindow() external {
        uint256[2] memory taskIds = [_active(), _active()];
        IReputationRegistry.Reputation memory poster;
        IReputationRegistry.Reputation memory worker;
        poster.distinctCounterparties = worker.distinctCounterparties = 1;
        vm.warp(_task(taskIds[0]).claimedAt + 6 hours);
        for (uint32 i = 0; i < 2; ++i) {
            vm.prank(POSTER);
            registry.complete(taskIds[i]);
            poster.completedAsPoster = worker.completedAsWorker = i + 1;
            if (i == 1) poster.paid = worker.earned = uint128(TOTAL);
            _assertReputation(POSTER, poster);
            _assertReputation(WORKER, worker);
            _vet(taskIds[1]);
        }
    }
}
