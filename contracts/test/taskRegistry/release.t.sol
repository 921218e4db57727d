// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryReleaseTest is Books {
    /// @dev Undelivered, delivered, revised, past the deadline, past the review, and without a receipt.
    function test_PaysAndStartsNextMilestone() external {
        uint256[6] memory taskIds = [_active(), _delivered(), _delivered(), _active(), _delivered(), _unreceipted()];
        vm.prank(POSTER);
        registry.requestRevision(taskIds[2], 0, PROOF);
        for (uint256 i = 0; i < taskIds.length; ++i) {
            if (i == 3) _after(_task(taskIds[4]).reviewEnd);
            Task memory expected = _task(taskIds[i]);
            Gains memory gains;
            gains.workerTok = int256(FIRST);
            _mark();
            vm.expectEmit(address(registry));
            emit ITaskRegistry.MilestoneReleased(taskIds[i], 0, FIRST, false, block.timestamp + 2 days);
            _release(taskIds[i], 0);

            expected.current = 1;
            expected.deadline = uint40(block.timestamp + 2 days);
            expected.reviewEnd = 0;
            expected.revisions = 0;
            _assertTask(taskIds[i], expected);
            _assertGains(gains);
            _assertAccount(taskIds[i], TOTAL, FIRST, 0);
            _assertReserves(taskIds[i], 13e6, 13e6);
        }
    }

    function test_PaysLastMilestoneAndReturnsDeposits() external {
        uint256 taskId = _lastDelivered();
        Task memory expected = _task(taskId);
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(SECOND);
        _mark();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneReleased(taskId, 1, SECOND, false, 0);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskCompleted(taskId, TOTAL);
        _release(taskId, 1);

        expected.state = TaskState.COMPLETED;
        expected.current = 2;
        expected.deadline = 0;
        expected.reviewEnd = 0;
        _assertTask(taskId, expected);
        _assertGains(gains);
        _assertAccount(taskId, TOTAL, TOTAL, 0);
        _assertSettled(taskId, TaskState.COMPLETED);
    }

    /// @dev A payment in the last second of the vet window leaves no record; each one after it does.
    function test_RecordsPaymentsAndCompletionAfterTheVetWindow() external {
        uint256 taskId = _delivered();
        vm.warp(_task(taskId).claimedAt + 6 hours);
        _release(taskId, 0);
        IReputationRegistry.Reputation memory poster;
        IReputationRegistry.Reputation memory worker;
        _assertReputation(POSTER, poster);
        _assertReputation(WORKER, worker);
        _vet(taskId);
        _release(taskId, 1);
        poster.distinctCounterparties = worker.distinctCounterparties = 1;
        poster.completedAsPoster = worker.completedAsWorker = 1;
        poster.paid = worker.earned = uint128(SECOND);
        _assertReputation(POSTER, poster);
        _assertReputation(WORKER, worker);
    }

    function testFuzz_PaysEachMilestone(uint96[5] calldata amounts, uint8 count) external {
        TaskTerms memory terms = _terms();
        count = count % 5 + 1;
        terms.amounts = new uint256[](count);
        terms.durations = new uint64[](count);
        uint256 total = 0;
        for (uint256 i = 0; i < count; ++i) {
            terms.amounts[i] = uint256(amounts[i]) % 100_000e18 + 1;
            terms.durations[i] = uint64(1 days + i);
            total += terms.amounts[i];
        }
        uint256 taskId = _activeWith(terms, total);
        uint256 paid = 0;
        uint256 before = tok.balanceOf(WORKER);
        for (uint256 i = 0; i < count; ++i) {
            _release(taskId, i);
            paid += terms.amounts[i];
            vm.assertEq(tok.balanceOf(WORKER), before + paid + (i + 1 == count ? uint256(EXIT) : 0));
            vm.assertEq(escrow.heldOf(taskId), total - paid);
            vm.assertEq(_task(taskId).deadline, i + 1 == count ? 0 : block.timestamp + terms.durations[i + 1]);
        }
        _assertSettled(taskId, TaskState.COMPLETED);
    }

    function test_Concedes() external {
        uint256 taskId = _disputed();
        Task memory expected = _task(taskId);
        // The stake goes back, less 1 % of the milestone for the worker.
        Gains memory gains;
        gains.workerTok = int256(FIRST) + 6e18;
        gains.posterTok = 54e18;
        _mark();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeConceded(taskId, 0);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(taskId, 10_000, IArbitration.Ending.CONCEDED);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneReleased(taskId, 0, FIRST, false, block.timestamp + 2 days);
        _release(taskId, 0);

        expected.state = TaskState.ACTIVE;
        expected.current = 1;
        expected.deadline = uint40(block.timestamp + 2 days);
        expected.reviewEnd = 0;
        _assertTask(taskId, expected);
        _assertGains(gains);
        // What the next case may take.
        _assertReserves(taskId, 25e6, 13e6);
        _assertExits(taskId, uint256(EXIT), uint256(EXIT));
        IReputationRegistry.Reputation memory records;
        records.disputesLost = 1;
        _assertReputation(POSTER, records);
        delete records;
        _assertReputation(WORKER, records);
    }

    function test_ConcedesLastMilestone() external {
        uint256 taskId = _lastDelivered();
        _vet(taskId);
        _dispute(taskId, POSTER);
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(SECOND) + 4e18;
        gains.posterTok += 36e18;
        _mark();
        _release(taskId, 1);

        _assertGains(gains);
        _assertSettled(taskId, TaskState.COMPLETED);
        vm.assertEq(reputation.reputationOf(WORKER).completedAsWorker, 1);
    }

    function _release(uint256 taskId, uint256 milestone) private {
        vm.prank(POSTER);
        registry.release(taskId, milestone);
    }

    function _lastDelivered() private returns (uint256 taskId) {
        taskId = _delivered();
        _release(taskId, 0);
        _deliver(taskId);
    }
}
