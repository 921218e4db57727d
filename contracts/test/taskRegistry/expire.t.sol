// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryExpireTest is Books {
    function test_Posted_RefundsAndReturnsExitDeposit() external {
        uint256[3] memory funded = [uint256(0), 250e18, TOTAL];
        for (uint256 i = 0; i < funded.length; ++i) {
            uint256 taskId = _post(_terms(), funded[i]);
            _after(_task(taskId).claimDeadline - 1 hours);
            Gains memory gains;
            gains.posterTok = int256(funded[i]) + EXIT;
            _assertExpires(taskId, TaskState.POSTED, TaskState.EXPIRED, gains);
            _assertAccount(taskId, funded[i], 0, funded[i]);
            _assertSettled(taskId, TaskState.EXPIRED);
        }
        vm.assertEq(deposits.freeOf(POSTER), 100e6);
        _assertLapses(0, 0);
    }

    function test_Claimed_FundedWhenClaimed_OpensAgain() external {
        uint256 taskId = _post(_terms(), TOTAL);
        Task memory expected = _task(taskId);
        _claim(taskId, WORKER);
        _after(_claimEnd(taskId));
        Gains memory gains;
        gains.workerTok = EXIT;
        _assertExpires(taskId, TaskState.CLAIMED, TaskState.POSTED, gains);
        _assertTask(taskId, expected);
        _assertAccount(taskId, TOTAL, 0, 0);
        _assertReserves(taskId, 13e6, 0);
        _assertExits(taskId, uint256(EXIT), 0);
        _assertLapses(0, 0);

        // And for good once the cut-off has passed too.
        _after(_task(taskId).claimDeadline);
        gains.workerTok = 0;
        gains.posterTok = int256(TOTAL) + EXIT;
        _assertExpires(taskId, TaskState.POSTED, TaskState.EXPIRED, gains);
        _assertSettled(taskId, TaskState.EXPIRED);
    }

    /// @dev A wei short, funded after the claim and not started, and private.
    function test_Claimed_Unfunded_PosterForfeits() external {
        uint256[3] memory taskIds = [_claimed(), _funded(), _created(_terms())];
        uint256[3] memory held = [TOTAL - 1, TOTAL, TOTAL];
        vm.prank(POSTER);
        registry.fund(taskIds[0], TOTAL - 1);
        _fund(taskIds[2]);
        for (uint256 i = 0; i < 3; ++i) {
            uint256 snapshot = vm.snapshotState();
            _assertPosterForfeits(taskIds[i], held[i]);
            vm.revertToState(snapshot);
        }
    }

    /// @dev Undelivered, with a milestone paid, without a receipt, and however late.
    function test_Active_WorkerForfeits() external {
        uint256[4] memory taskIds = [_active(), _active(), _unreceipted(), _active()];
        vm.prank(POSTER);
        registry.release(taskIds[1], 0);
        for (uint256 i = 0; i < 4; ++i) {
            uint256 snapshot = vm.snapshotState();
            _after(i == 2 ? _graceEnd(taskIds[i]) : _task(taskIds[i]).deadline + (i == 3 ? 400 days : 0));
            _assertWorkerForfeits(taskIds[i], i == 1 ? SECOND : TOTAL);
            vm.revertToState(snapshot);
        }
    }

    function test_Active_TakesWhatIsLeftOfReserve() external {
        uint256 taskId = _active();
        vm.prank(address(arbitration));
        deposits.penalise(taskId, WORKER, TREASURY, 12e6);
        _after(_task(taskId).deadline);
        Gains memory gains = _exitForfeited();
        gains.posterTok = int256(TOTAL) + EXIT;
        gains.workerUsd = -1e6;
        gains.treasuryUsd = 1e6;
        _assertExpires(taskId, TaskState.ACTIVE, TaskState.EXPIRED, gains);
    }

    /// @dev The claim ends unstarted, with `held` in escrow.
    function _assertPosterForfeits(uint256 taskId, uint256 held) private {
        _after(_claimEnd(taskId));
        Task memory expected = _task(taskId);
        Gains memory gains = _exitForfeited();
        gains.posterTok = int256(held);
        gains.posterUsd = -2.5e6;
        gains.treasuryUsd = 2.5e6;
        gains.workerTok = EXIT;
        _assertExpires(taskId, TaskState.CLAIMED, TaskState.EXPIRED, gains);
        expected.state = TaskState.EXPIRED;
        _assertTask(taskId, expected);
        _assertAccount(taskId, held, 0, held);
        _assertSettled(taskId, TaskState.EXPIRED);
        _assertLapses(1, 0);
    }

    function _assertWorkerForfeits(uint256 taskId, uint256 held) private {
        Task memory expected = _task(taskId);
        Gains memory gains = _exitForfeited();
        gains.posterTok = int256(held) + EXIT;
        gains.workerUsd = -2.5e6;
        gains.treasuryUsd = 2.5e6;
        _assertExpires(taskId, TaskState.ACTIVE, TaskState.EXPIRED, gains);
        expected.state = TaskState.EXPIRED;
        _assertTask(taskId, expected);
        _assertAccount(taskId, TOTAL, TOTAL - held, held);
        _assertSettled(taskId, TaskState.EXPIRED);
        _assertLapses(0, 1);
    }

    /// @dev A stranger expires the task; it moves these amounts and nothing else.
    function _assertExpires(uint256 taskId, TaskState from, TaskState to, Gains memory gains) private {
        _mark();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskExpired(taskId, from, to);
        if (gains.unionTok != 0) {
            address party = from == TaskState.ACTIVE ? WORKER : POSTER;
            vm.expectEmit(address(escrow));
            emit IEscrowVault.ExitDepositSpent(taskId, party, uint256(EXIT), false);
            vm.expectEmit(address(gateway));
            emit IPaymentGateway.AccessFeePaid(taskId, party, IPaymentGateway.AccessAction.FORFEIT, uint256(EXIT), 0);
        }
        vm.prank(STRANGER);
        registry.expire(taskId);
        _assertGains(gains);
    }

    function _assertLapses(uint32 ofPoster, uint32 ofWorker) private view {
        vm.assertEq(reputation.reputationOf(POSTER).lapses, ofPoster);
        vm.assertEq(reputation.reputationOf(WORKER).lapses, ofWorker);
        IReputationRegistry.Reputation memory stranger;
        _assertReputation(STRANGER, stranger);
    }
}
