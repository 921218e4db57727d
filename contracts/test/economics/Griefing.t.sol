// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Signature, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Economics } from "./Economics.sol";

/// @dev Hurting the other side without a dispute, or with one that is dragged on.
contract GriefingTest is Economics {
    uint256 private constant AMOUNT = 500 * DOLLAR;

    /// @dev Exploit 15. Before: the poster paid 7.50 to be rid of a claim and the griefer had its fee back: USD 0.
    function test_ClaimToBeDismissed_LosesUsd2() external {
        uint256 taskId = _post(_single(AMOUNT), AMOUNT);
        Worth memory griefer = _worthOf(STRANGER);
        Worth memory poster = _worthOf(POSTER);
        _claim(taskId, STRANGER);
        vm.prank(POSTER);
        registry.dismiss(taskId);
        _assertPayoff("15 claims to be dismissed", _payoff(STRANGER, griefer), -2.5e6);
        _assertPayoff("15 poster dismisses", _payoff(POSTER, poster), -2.5e6);
        vm.assertEq(reputation.reputationOf(POSTER).dismissals, 0);
    }

    /// @dev Exploit 8. Before: a cancel signed before the delivery gave 20 % after a ruling of 100 %: USD +400.
    function test_OldMutualCancelIsVoid_Usd0() external {
        uint256 taskId = _activeWith(_single(AMOUNT));
        uint64 expiry = uint64(block.timestamp + 30 days);
        Signature memory byPoster = _cancelSignature(registry, taskId, 2_000, POSTER_KEY, _nonce(), expiry);
        Signature memory byWorker = _cancelSignature(registry, taskId, 2_000, WORKER_KEY, _nonce(), expiry);
        _deliver(taskId);
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, POSTER));
        registry.mutualCancel(taskId, 2_000, byPoster, byWorker);
        _dispute(taskId, POSTER);
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, POSTER));
        registry.mutualCancel(taskId, 2_000, byPoster, byWorker);
        _after(_case(taskId).consentEnd);
        arbitration.seat(taskId);
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, POSTER));
        registry.mutualCancel(taskId, 2_000, byPoster, byWorker);
        _report("8 old mutual cancel after the delivery", 0);
    }

    /// @dev Exploit 10. Before: USD 35 held any sum for 29 days.
    function test_DraggingUsd500For15Days_LosesUsd70() external {
        (int256 gain, uint256 hours_) = _drag(AMOUNT);
        _assertPayoff("10 dragging USD 500", gain, -70.5e6);
        vm.assertEq(hours_, 360);
    }

    function test_DraggingUsd50000For15Days_LosesUsd5020() external {
        (int256 gain, uint256 hours_) = _drag(50_000 * DOLLAR);
        _assertPayoff("10 dragging USD 50,000", gain, -5_020.5e6);
        vm.assertEq(hours_, 360);
    }

    /// @dev Everything at the last second, against an honest judge and a final court that answer.
    function _drag(uint256 amount) private returns (int256 gain, uint256 hours_) {
        _give(POSTER, 2 * amount);
        _bond(_honest(0), 2 * amount);
        _age();
        Worth memory before = _worthOf(POSTER);
        uint256 taskId = _activeWith(_single(amount));
        _deliver(taskId);
        vm.warp(_task(taskId).reviewEnd);
        uint256 opened = block.timestamp;
        _dispute(taskId, POSTER);
        _scheduleDraw(taskId);
        vm.warp(_case(taskId).evidenceEnd);
        _drawWith(taskId, keccak256("late"));
        vm.warp(_case(taskId).rulingEnd);
        _rule(taskId, true);
        vm.warp(_case(taskId).appealEnd);
        _appeal(taskId, POSTER);
        vm.warp(_case(taskId).courtEnd);
        _decide(taskId, true, false);
        gain = _payoff(POSTER, before) + int256(amount / DOLLAR * 1e6) + 2.5e6;
        hours_ = (block.timestamp - opened) / 1 hours;
    }
}

contract MicroGriefingTest is Economics {
    uint256 private constant AMOUNT = 20 * DOLLAR;

    function setUp() public override {
        super.setUp();
        _deploy("micro");
        _enrich(POSTER);
        _enrich(WORKER);
    }

    /// @dev Exploit 11. Before: funded in the last second and never started: 2.50 each, no mark.
    function test_LastSecondFunding_LosesUsd13AndAMark() external {
        Worth memory poster = _worthOf(POSTER);
        Worth memory worker = _worthOf(WORKER);
        uint256 taskId = _post(_single(AMOUNT), 0);
        _claim(taskId, WORKER);
        uint256 end = _task(taskId).claimedAt + params.fundingWindow;
        vm.warp(end);
        _fund(taskId);
        _after(end);
        registry.expire(taskId);
        _assertState(taskId, TaskState.EXPIRED);
        _assertPayoff("11 funds in the last second, never starts", _payoff(POSTER, poster), -13e6);
        _assertPayoff("11 worker that waited", _payoff(WORKER, worker), -2.5e6);
        vm.assertEq(reputation.reputationOf(POSTER).lapses, 1);
    }

    /// @dev Exploit 12. Before: a change request at night took the whole pay an hour later, and 2.50: USD +22.50.
    function test_ChangeRequestAtNight_Usd0() external {
        TaskTerms memory terms = _single(AMOUNT);
        terms.durations[0] = 15 minutes;
        uint256 taskId = _activeWith(terms);
        _deliver(taskId);
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, REASON);
        uint256 asked = block.timestamp;
        vm.warp(asked + 12 hours);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotExpired.selector, taskId, asked + 12 hours));
        registry.expire(taskId);

        Worth memory poster = _worthOf(POSTER);
        uint256 morning = vm.snapshotState();
        _deliver(taskId);
        vm.prank(POSTER);
        registry.release(taskId, 0);
        // Its exit deposit comes back.
        _assertPayoff("12 change request at night, worker answers in 12 h", _payoff(POSTER, poster) - 2.5e6, 0);
        vm.revertToState(morning);

        // Who sleeps on loses the pay, but no penalty of it goes to the poster.
        uint256 deposit = deposits.balanceOf(POSTER);
        _after(asked + 12 hours);
        registry.expire(taskId);
        vm.assertEq(deposits.balanceOf(POSTER), deposit);
    }

    /// @dev Exploit 20. Before: the worker opened a dispute itself and was paid 12 h before the review ended.
    function test_WorkerCannotShortenTheReview_Usd0() external {
        uint256 taskId = _activeWith(_single(AMOUNT));
        _deliver(taskId);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotPoster.selector, taskId, WORKER));
        vm.prank(WORKER);
        registry.openDispute(taskId, 0, REASON, 10_000);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReviewNotEnded.selector, taskId, _task(taskId).reviewEnd));
        registry.releaseLapsed(taskId, 0);
        _report("20 worker opens the dispute itself", 0);
    }

    /// @dev Exploit 10 in the short market. Before: USD 35 for any sum.
    function test_DraggingUsd20For6Days_LosesUsd22() external {
        _bond(_honest(0), 20_000e18);
        _age();
        Worth memory before = _worthOf(POSTER);
        uint256 taskId = _activeWith(_single(AMOUNT));
        _deliver(taskId);
        vm.warp(_task(taskId).reviewEnd);
        uint256 opened = block.timestamp;
        _dispute(taskId, POSTER);
        _scheduleDraw(taskId);
        vm.warp(_case(taskId).evidenceEnd);
        _drawWith(taskId, keccak256("late"));
        vm.warp(_case(taskId).rulingEnd);
        _rule(taskId, true);
        vm.warp(_case(taskId).appealEnd);
        _appeal(taskId, POSTER);
        vm.warp(_case(taskId).courtEnd);
        _decide(taskId, true, false);
        _assertPayoff("10 dragging USD 20 in micro", _payoff(POSTER, before) + 22.5e6, -22.5e6);
        vm.assertEq((block.timestamp - opened) / 1 hours, 144);
    }
}
