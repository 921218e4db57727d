// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Attack } from "./Attack.sol";

/// @dev What is left of the attacks on the very first rules. The others repeat those in First.t.sol, Bought.t.sol and Second.t.sol.
contract EarlierTest is Attack {
    uint256 private constant AMOUNT = 500 * DOLLAR;

    /// @dev Everything in the last second, against an honest judge and a final court that answer: 15 days.
    function test_DraggingADispute_LosesInProportion() external {
        uint256[2] memory sums = [uint256(500), 50_000];
        string[2] memory before = ["-70.50", "-5020.50"];
        int256[2] memory cost = [int256(-73.5e6), -5_023.5e6];
        for (uint256 i = 0; i < 2; ++i) {
            uint256 start = vm.snapshotState();
            uint256 amount = sums[i] * DOLLAR;
            _give(POSTER, 2 * amount);
            _bond(_honest(0), 2 * amount);
            _attackers(POSTER);
            uint256 taskId = _beginPrivate(_single(amount, _honest(0)));
            _deliver(taskId);
            vm.warp(_task(taskId).reviewEnd);
            uint256 opened = block.timestamp;
            _open(taskId, 0);
            _answer(taskId, WORKER, 10_000);
            vm.warp(_case(taskId).consentEnd);
            _accept(taskId, _honest(0));
            vm.warp(_case(taskId).rulingEnd);
            _rule(taskId, true);
            vm.warp(_case(taskId).appealEnd);
            _appeal(taskId, POSTER);
            vm.warp(_case(taskId).courtEnd);
            _decide(taskId, true);
            vm.assertEq((block.timestamp - opened) / 1 hours, 360);
            int256 paid = int256(sums[i] * 1e6) + 2.5e6;
            _assertPayoff(_named("dragging a dispute", sums[i]), before[i], _payoff() + paid, cost[i]);
            vm.revertToState(start);
        }
    }

    function test_ClaimToBeDismissed_Loses() external {
        uint256 taskId = _post(_single(AMOUNT), AMOUNT);
        _attackers(STRANGER);
        Worth memory poster = _worthOf(POSTER);
        _claim(taskId, STRANGER);
        _dismiss(taskId);
        _assertPayoff("claims to be dismissed", "-2.50", _payoff(), -2.5e6);
        _assertPayoff("poster dismisses", "-2.50", _gainOf(POSTER, poster), -2.5e6);
    }

    function test_LastSecondFunding_LosesAndLeavesAMark() external {
        _micro();
        _attackers(POSTER);
        uint256 taskId = _post(_single(20 * DOLLAR), 0);
        _claim(taskId, WORKER);
        uint256 end = _task(taskId).claimedAt + params.fundingWindow;
        vm.warp(end);
        _fund(taskId);
        _after(end);
        registry.expire(taskId);
        _assertPayoff("funds in the last second and never starts", "-13.00", _payoff(), -7.5e6);
        vm.assertEq(reputation.reputationOf(POSTER).lapses, 1);
    }

    function test_ChangeRequestAtNight_LeavesTwelveHours() external {
        _micro();
        TaskTerms memory terms = _single(20 * DOLLAR);
        terms.durations[0] = 15 minutes;
        uint256 taskId = _begin(terms);
        _attackers(POSTER);
        _deliver(taskId);
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, REASON);
        uint256 asked = block.timestamp;
        vm.warp(asked + 12 hours);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotExpired.selector, taskId, asked + 12 hours));
        registry.expire(taskId);
        _deliver(taskId);
        _release(taskId);
        // Its exit deposit comes back.
        _assertPayoff("change request at night, answered in 12 h", "0.00", _payoff() - 2.5e6, 0);
    }

    /// @dev A stake of USD 25 pays no fees in a month, and credits farm no penalties.
    function test_Credits_BringNothing() external {
        vm.prank(OWNER);
        staking.activateStaking();
        vm.prank(STRANGER);
        staking.stake(10_000e18);
        vm.warp(block.timestamp + 30 days);
        vm.assertLt(staking.creditsOf(STRANGER), 1e18);
        vm.prank(STRANGER);
        staking.stake(980_000e18);
        vm.warp(block.timestamp + 30 days);
        _attackers(STRANGER);
        for (uint256 i = 0; i < 5; ++i) {
            uint256 taskId = _posted();
            _claim(taskId, STRANGER);
            _after(_task(taskId).claimedAt + params.fundingWindow);
            registry.expire(taskId);
        }
        _assertPayoff("claims five unfunded offers with credits", "0.00", _payoff(), 0);
    }

    /// @dev 25 behind one live claim, 38 behind two, 51 behind three, and none of it can be taken out.
    function test_EachLiveTaskNeedsItsOwnDeposit() external {
        vm.prank(WORKER);
        deposits.withdraw(75e6, WORKER);
        for (uint256 i = 0; i < 3; ++i) {
            _claim(_posted(), WORKER);
            vm.assertEq(deposits.withdrawableOf(WORKER), 0);
            uint256 taskId = _posted();
            bytes32 digest = _digestFor(taskId, WORKER);
            vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.DepositTooLow.selector, WORKER, 12e6, 25e6));
            vm.prank(WORKER);
            registry.claim(taskId, digest);
            vm.prank(WORKER);
            deposits.topUp(13e6);
        }
    }
}
