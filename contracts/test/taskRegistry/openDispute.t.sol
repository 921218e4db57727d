// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryOpenDisputeTest is Books {
    int256 private constant STAKE = 60e18;

    function test_SilencePays_PosterOpens() external {
        uint256[2] memory taskIds = [_delivered(), _receipted()];
        for (uint256 i = 0; i < 2; ++i) {
            Task memory expected = _task(taskIds[i]);
            Gains memory gains;
            gains.posterTok = -STAKE;
            _mark();
            vm.expectEmit(address(registry));
            emit ITaskRegistry.DisputeOpened(taskIds[i], 0, POSTER, EVIDENCE);
            vm.expectEmit(address(arbitration));
            emit IArbitration.CaseOpened(
                taskIds[i], 1, POSTER, EVIDENCE, 0, 60e18, block.timestamp + 48 hours, block.timestamp + 72 hours
            );
            _dispute(taskIds[i], POSTER);

            expected.state = TaskState.DISPUTED;
            _assertTask(taskIds[i], expected);
            _assertGains(gains);
            _assertAccount(taskIds[i], TOTAL, 0, 0);
            _assertReserves(taskIds[i], 13e6, 13e6);
            _assertCase(taskIds[i], true, 60e18);
        }
    }

    /// @dev Of the last milestone, with the largest offer and the arbitrator of the terms, who has still to accept.
    function test_SilencePays_OffersAShareOfALaterMilestone() external {
        TaskTerms memory terms = _terms();
        terms.arbitrator = ARBITRATOR;
        uint256 taskId = _activeWith(terms, TOTAL);
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _deliver(taskId);
        vm.prank(POSTER);
        registry.openDispute(taskId, 1, EVIDENCE, 9_999);
        IArbitration.Dispute memory dispute = arbitration.disputeOf(taskId);
        vm.assertEq(dispute.offerBps, 9_999);
        vm.assertEq(dispute.askBps, 10_000);
        vm.assertEq(dispute.amount, SECOND);
        vm.assertEq(dispute.named, address(0));
        vm.assertEq(dispute.posterProposal, ARBITRATOR);
        vm.assertEq(dispute.judge, address(0));
    }

    /// @dev Both signed the judge of a private task.
    function test_Private_NamesTheJudgeOfTheTerms() external {
        TaskTerms memory terms = _terms();
        terms.arbitrator = ARBITRATOR;
        uint256 taskId = _created(terms);
        _fund(taskId);
        _activate(taskId);
        _deliver(taskId);
        _dispute(taskId, POSTER);
        vm.assertEq(arbitration.disputeOf(taskId).named, ARBITRATOR);
    }

    function test_NoReceipt_WorkerOpensWithoutStake() external {
        uint256 taskId = _unreceipted();
        vm.warp(_graceEnd(taskId));
        _mark();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeOpened(taskId, 0, WORKER, EVIDENCE);
        _dispute(taskId, WORKER);
        _assertNoGains();
        _assertCase(taskId, false, 0);
    }

    function _assertCase(uint256 taskId, bool byPoster, uint128 stake) private view {
        IArbitration.Dispute memory expected;
        expected.poster = POSTER;
        expected.worker = WORKER;
        expected.phase = IArbitration.DisputePhase.OPEN;
        expected.number = 1;
        expected.openedByPoster = byPoster;
        expected.posterSpoke = byPoster;
        expected.workerSpoke = !byPoster;
        expected.openedAt = uint40(block.timestamp);
        expected.consentEnd = uint40(block.timestamp + 48 hours);
        expected.evidenceEnd = uint40(block.timestamp + 72 hours);
        expected.askBps = 10_000;
        expected.amount = uint128(FIRST);
        expected.stake = stake;
        vm.assertEq(abi.encode(arbitration.disputeOf(taskId)), abi.encode(expected));
    }
}
