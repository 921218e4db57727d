// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryOpenDisputeTest is Books {
    int256 private constant STAKE = 60e18;

    function test_RevertGiven_TaskIsNotActive() external {
        bytes memory tail = abi.encode(0, EVIDENCE, 0);
        _assertOnlyIn(TaskState.ACTIVE, TaskState.ACTIVE, POSTER, ITaskRegistry.openDispute.selector, tail);
    }

    /// @dev While silence pays, the worker has nothing to dispute.
    function test_SilencePays_RevertWhen_CallerIsNotPoster() external {
        uint256[2] memory taskIds = [_delivered(), _receipted()];
        address[2] memory callers = [WORKER, STRANGER];
        for (uint256 i = 0; i < 4; ++i) {
            bytes memory reason =
                abi.encodeWithSelector(ITaskRegistry.NotPoster.selector, taskIds[i % 2], callers[i / 2]);
            _expectRevert(callers[i / 2], taskIds[i % 2], 0, reason);
        }
    }

    function test_SilencePays_RevertWhen_MilestoneIsNotCurrent() external {
        uint256 taskId = _delivered();
        _expectRevert(
            POSTER, taskId, 1, abi.encodeWithSelector(ITaskRegistry.NotCurrentMilestone.selector, taskId, 1, 0)
        );
    }

    function test_SilencePays_RevertGiven_NothingIsInReview() external {
        uint256 taskId = _active();
        _expectRevert(POSTER, taskId, 0, abi.encodeWithSelector(ITaskRegistry.NotDelivered.selector, taskId, 0));
    }

    function test_SilencePays_RevertWhen_ReviewHasEnded() external {
        uint256 taskId = _delivered();
        uint256 reviewEnd = _task(taskId).reviewEnd;
        _after(reviewEnd);
        _expectRevert(POSTER, taskId, 0, abi.encodeWithSelector(ITaskRegistry.ReviewEnded.selector, taskId, reviewEnd));
        vm.warp(reviewEnd);
        _dispute(taskId, POSTER);
        _assertState(taskId, TaskState.DISPUTED);
    }

    function test_RevertWhen_EvidenceIsZero() external {
        uint256 taskId = _delivered();
        vm.expectRevert(IAgreements.HashMissing.selector);
        vm.prank(POSTER);
        registry.openDispute(taskId, 0, 0, 0);
    }

    function test_RevertWhen_NothingIsLeftToDecide() external {
        uint256 taskId = _delivered();
        vm.expectRevert(abi.encodeWithSelector(IArbitration.ShareOutOfRange.selector, 10_000, 0, 9_999));
        vm.prank(POSTER);
        registry.openDispute(taskId, 0, EVIDENCE, 10_000);

        taskId = _unreceipted();
        _after(_task(taskId).reviewEnd);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.ShareOutOfRange.selector, 0, 1, 10_000));
        vm.prank(WORKER);
        registry.openDispute(taskId, 0, EVIDENCE, 0);
    }

    function test_SilencePays_RevertGiven_PosterCannotPutUpItsStake() external {
        uint256 taskId = _delivered();
        uint256 balance = tok.balanceOf(POSTER);
        vm.prank(POSTER);
        tok.transfer(HOLDER, balance - 60e18 + 1);
        _expectRevert(
            POSTER,
            taskId,
            0,
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, POSTER, 60e18 - 1, 60e18)
        );
    }

    function test_SilencePays_RevertGiven_PosterCannotMakeItsReserveWhole() external {
        uint256 taskId = _eaten(_delivered(), POSTER);
        _expectRevert(
            POSTER, taskId, 0, abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, POSTER, 0, 3e6)
        );
        vm.prank(POSTER);
        deposits.topUp(3e6);
        _dispute(taskId, POSTER);
        _assertReserves(taskId, 8e6, 8e6);
    }

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
            _assertReserves(taskIds[i], 8e6, 8e6);
            _assertCase(taskIds[i], true, 60e18);
        }
    }

    function test_SilencePays_OffersAShare() external {
        uint256 taskId = _delivered();
        vm.prank(POSTER);
        registry.openDispute(taskId, 0, EVIDENCE, 9_999);
        vm.assertEq(arbitration.disputeOf(taskId).offerBps, 9_999);
        vm.assertEq(arbitration.disputeOf(taskId).askBps, 10_000);
    }

    function test_SilencePays_NamesArbitratorOfTerms() external {
        TaskTerms memory terms = _terms();
        terms.arbitrator = ARBITRATOR;
        uint256 taskId = _activeWith(terms, TOTAL);
        _deliver(taskId);
        _dispute(taskId, POSTER);
        vm.assertEq(arbitration.disputeOf(taskId).named, ARBITRATOR);
        vm.assertEq(arbitration.disputeOf(taskId).judge, address(0));
    }

    function test_SilencePays_DisputesLaterMilestone() external {
        uint256 taskId = _active();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _deliver(taskId);
        _dispute(taskId, POSTER);
        vm.assertEq(arbitration.disputeOf(taskId).amount, SECOND);
    }

    function test_NoReceipt_RevertWhen_CallerIsNotWorker() external {
        uint256 taskId = _unreceipted();
        uint256[2] memory moments = [block.timestamp, _task(taskId).reviewEnd + 1];
        for (uint256 i = 0; i < 2; ++i) {
            vm.warp(moments[i]);
            _expectRevert(POSTER, taskId, 0, abi.encodeWithSelector(ITaskRegistry.NotWorker.selector, taskId, POSTER));
        }
    }

    function test_NoReceipt_RevertWhen_MilestoneIsNotCurrentOrNotDelivered() external {
        uint256 taskId = _activeWith(_storeTerms(), TOTAL);
        bytes memory reason = abi.encodeWithSelector(ITaskRegistry.NotCurrentMilestone.selector, taskId, 1, 0);
        _expectRevert(WORKER, taskId, 1, reason);
        _expectRevert(WORKER, taskId, 0, abi.encodeWithSelector(ITaskRegistry.NotDelivered.selector, taskId, 0));
    }

    function test_NoReceipt_RevertWhen_ReviewHasNotEnded() external {
        uint256 taskId = _unreceipted();
        uint256 reviewEnd = _task(taskId).reviewEnd;
        vm.warp(reviewEnd);
        bytes memory reason = abi.encodeWithSelector(ITaskRegistry.ReviewNotEnded.selector, taskId, reviewEnd);
        _expectRevert(WORKER, taskId, 0, reason);
    }

    function test_NoReceipt_RevertWhen_GraceHasEnded() external {
        uint256 taskId = _unreceipted();
        uint256 end = _graceEnd(taskId);
        _after(end);
        _expectRevert(WORKER, taskId, 0, abi.encodeWithSelector(ITaskRegistry.GraceEnded.selector, taskId, end));
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

    /// @dev Its right must not hang on the poster's money.
    function test_NoReceipt_WorkerOpensWhateverPosterHasLeft() external {
        uint256 taskId = _eaten(_unreceipted(), POSTER);
        _after(_task(taskId).reviewEnd);
        _dispute(taskId, WORKER);
        _assertReserves(taskId, 5e6, 8e6);
        _assertState(taskId, TaskState.DISPUTED);
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

    /// @dev The reserve has lost USD 3 and the deposit has nothing to fill it up with.
    function _eaten(uint256 taskId, address agent) private returns (uint256) {
        vm.startPrank(address(arbitration));
        deposits.penalise(taskId, agent, TREASURY, 3e6);
        deposits.charge(taskId, agent, TREASURY, 100e6);
        vm.stopPrank();
        return taskId;
    }

    function _expectRevert(address caller, uint256 taskId, uint256 milestone, bytes memory reason) private {
        vm.expectRevert(reason);
        vm.prank(caller);
        registry.openDispute(taskId, milestone, EVIDENCE, caller == WORKER ? 10_000 : 0);
    }
}
