// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

/// @dev Flaws of earlier versions: each claim made the poster's reserve whole for the next missed window to take from, an
/// arbitrator could be named in more cases than its bond had slashes for, and strangers could book it out.
contract BleedsTest is Books {
    function test_AwayPoster_UnfundedTaskEndsWithFirstMiss() external {
        uint256 taskId = _posted();
        _mark();
        _claim(taskId, WORKER);
        _after(_claimEnd(taskId));
        registry.expire(taskId);
        Gains memory gains = _exitForfeited();
        gains.posterUsd = -2.5e6;
        gains.treasuryUsd = 2.5e6;
        // Whoever claimed is out of its entry fee.
        gains.workerTok = -EXIT;
        gains.treasuryTok += 600e18;
        gains.unionTok += 400e18;
        _assertGains(gains);

        bytes32 digest = _digestFor(taskId, STRANGER);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, TaskState.EXPIRED));
        vm.prank(STRANGER);
        registry.claim(taskId, digest);
    }

    function test_AwayPoster_FundedTaskCostsNothing() external {
        uint256 taskId = _post(_terms(), TOTAL);
        address[3] memory workers = [WORKER, STRANGER, ARBITRATOR];
        for (uint256 i = 0; i < workers.length; ++i) {
            uint256 before = tok.balanceOf(workers[i]);
            _claim(taskId, workers[i]);
            _after(_claimEnd(taskId));
            registry.expire(taskId);
            vm.assertEq(tok.balanceOf(workers[i]), before - 1_000e18);
        }
        vm.assertEq(deposits.balanceOf(POSTER), 100e6);
        _assertReserves(taskId, 13e6, 0);
        _assertExits(taskId, uint256(EXIT), 0);
        _assertAccount(taskId, TOTAL, 0, 0);
    }

    /// @dev Claim, be dismissed, claim again: each round costs the griefer as much TOK as the poster.
    function test_PosterThatDismisses_PaysNobodyThatClaimed() external {
        uint256 taskId = _posted();
        _mark();
        for (uint256 i = 0; i < 3; ++i) {
            _claim(taskId, WORKER);
            vm.prank(POSTER);
            registry.dismiss(taskId);
        }
        Gains memory gains;
        gains.posterTok = -3 * EXIT;
        gains.workerTok = -3 * EXIT;
        gains.treasuryTok = 6 * 600e18;
        gains.unionTok = 6 * 400e18;
        _assertGains(gains);
    }

    function test_Arbitrator_IsNotSeatedWithoutItsWord() external {
        uint256[] memory taskIds = _nameInSixCases();
        for (uint256 i = 0; i < taskIds.length; ++i) {
            _assertPhase(taskIds[i], IArbitration.DisputePhase.OPEN);
        }
        vm.assertEq(arbitration.arbitratorOf(ARBITRATOR).openCases, 0);
    }

    function test_Arbitrator_SitsNoMoreOftenThanItsBondCovers() external {
        uint256[] memory taskIds = _nameInSixCases();
        for (uint256 i = 0; i < 5; ++i) {
            _accept(taskIds[i]);
        }
        vm.prank(WORKER);
        arbitration.propose(taskIds[5], ARBITRATOR);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotEligible.selector, ARBITRATOR));
        vm.prank(ARBITRATOR);
        arbitration.propose(taskIds[5], ARBITRATOR);

        for (uint256 i = 0; i < 5; ++i) {
            vm.prank(WORKER);
            arbitration.submitEvidence(taskIds[i], EVIDENCE, 10_000);
        }
        _after(arbitration.disputeOf(taskIds[0]).rulingEnd);
        _mark();
        for (uint256 i = 0; i < 5; ++i) {
            vm.expectEmit(address(arbitration));
            emit IArbitration.ArbitratorSlashed(taskIds[i], ARBITRATOR, 2_000e18, 8_000e18 - i * 2_000e18);
            arbitration.resolveTimedOut(taskIds[i]);
        }
        _assertNoGains();
        vm.assertEq(arbitration.totalBonded(), 0);
        vm.assertEq(tok.totalSupply(), 1e27 - 10_000e18);
    }

    function _nameInSixCases() private returns (uint256[] memory taskIds) {
        _register(ARBITRATOR, 10_000e18);
        taskIds = new uint256[](6);
        for (uint256 i = 0; i < 6; ++i) {
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
