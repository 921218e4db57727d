// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

/// @dev Two flaws of earlier versions: each claim made the poster's reserve whole for the next missed window to take from,
/// and an arbitrator could be named in more cases than its bond had slashes for.
contract BleedsTest is Books {
    function test_AwayPoster_OneWorkerAgainAndAgain() external {
        _assertBleedsFive([WORKER, WORKER, WORKER]);
    }

    function test_AwayPoster_StrangersInTurn() external {
        _assertBleedsFive([WORKER, STRANGER, ARBITRATOR]);
    }

    function test_AwayPoster_ComesBack() external {
        uint256 taskId = _posted();
        _miss(taskId, WORKER);
        _miss(taskId, STRANGER);
        _fund(taskId);
        _claim(taskId, WORKER);
        _activate(taskId);
        _assertState(taskId, TaskState.ACTIVE);
        _assertReserves(taskId, 8e6, 8e6);
    }

    function test_SleepingArbitrator_SitsNoMoreOftenThanItsBondCovers() external {
        uint256[] memory taskIds = _nameInElevenCases();
        for (uint256 i = 0; i < 10; ++i) {
            _assertPhase(taskIds[i], IArbitration.DisputePhase.EVIDENCE);
        }
        _assertPhase(taskIds[10], IArbitration.DisputePhase.OPEN);
        vm.assertEq(arbitration.arbitratorOf(ARBITRATOR).openCases, 10);
    }

    function test_SleepingArbitrator_PaysEachSlashWhole() external {
        uint256[] memory taskIds = _nameInElevenCases();
        _after(arbitration.disputeOf(taskIds[0]).rulingEnd);
        for (uint256 i = 0; i < 10; ++i) {
            vm.expectEmit(address(arbitration));
            emit IArbitration.ArbitratorSlashed(taskIds[i], ARBITRATOR, 1_000e18, 9_000e18 - i * 1_000e18);
            arbitration.resolveTimedOut(taskIds[i]);
        }
        vm.assertEq(arbitration.withdrawableOf(POSTER), 5_000e18);
        vm.assertEq(arbitration.withdrawableOf(WORKER), 5_000e18);
        vm.assertEq(arbitration.totalBonded(), 0);
    }

    function _assertBleedsFive(address[3] memory workers) private {
        uint256 taskId = _posted();
        uint256 before = deposits.balanceOf(POSTER);
        _miss(taskId, workers[0]);
        _miss(taskId, workers[1]);
        vm.assertEq(before - deposits.balanceOf(POSTER), 5e6);
        bytes32 digest = _digestFor(taskId, workers[2]);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, POSTER, 3e6, 5e6));
        vm.prank(workers[2]);
        registry.claim(taskId, digest);
        vm.assertEq(deposits.reserveOf(taskId, POSTER), 3e6);
    }

    /// @dev Claims, waits for nothing, and leaves for free.
    function _miss(uint256 taskId, address worker) private {
        _claim(taskId, worker);
        _after(_claimEnd(taskId));
        vm.prank(worker);
        registry.leaveTask(taskId);
    }

    function _nameInElevenCases() private returns (uint256[] memory taskIds) {
        _register(ARBITRATOR, 10_000e18);
        taskIds = new uint256[](11);
        for (uint256 i = 0; i < 11; ++i) {
            TaskTerms memory terms = _terms();
            terms.arbitrator = ARBITRATOR;
            taskIds[i] = _activeWith(terms, TOTAL);
            _deliver(taskIds[i]);
            _dispute(taskIds[i], POSTER);
        }
    }

    function _assertPhase(uint256 taskId, IArbitration.DisputePhase phase) private view {
        vm.assertEq(uint256(arbitration.disputeOf(taskId).phase), uint256(phase));
    }
}
