// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { TaskState } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { CourtBase } from "./CourtBase.sol";

/// @dev Random walks of many cases through the court and Reality.eth: whatever people publish, ask, answer and carry, a case
/// is decided as the final answer says, or ends as if the court were silent.
contract CourtWalk is CourtBase {
    uint256 private constant CASES = 4;

    uint256[] private _tasks;
    uint256 public decided;
    uint256 public timedOut;
    /// @dev What a case that ended should not have done; empty if nothing.
    string public breach;

    function setUp() public override {
        super.setUp();
        vm.prank(HOLDER);
        tok.transfer(POSTER, 10_000_000e18);
    }

    function open(uint256) external {
        if (_tasks.length == CASES) return;
        // The loser of the last case paid from its deposit.
        usdc.mint(STRANGER, 100e6);
        vm.startPrank(STRANGER);
        deposits.topUpFor(POSTER, 50e6);
        deposits.topUpFor(WORKER, 50e6);
        vm.stopPrank();
        _tasks.push(_called());
    }

    function publish(uint256 seed) external {
        uint256 taskId = _pick(seed);
        if (taskId == 0) return;
        vm.prank(seed >> 8 & 1 == 0 ? POSTER : WORKER);
        _try(abi.encodeCall(court.publish, (arbitration, taskId, HASH, "https://a.example")), 0);
    }

    function ask(uint256 seed) external {
        uint256 taskId = _pick(seed);
        if (taskId == 0) return;
        vm.prank(STRANGER);
        _try(abi.encodeCall(court.ask, (arbitration, taskId)), 0);
    }

    function answer(uint256 seed) external {
        uint256 taskId = _pick(seed);
        if (taskId == 0) return;
        bytes32 question = court.caseOf(arbitration, taskId).questionId;
        uint256 last = question == 0 ? 0 : reality.getBond(question);
        uint256 bond = last == 0 ? MIN_BOND : 2 * last;
        address who = seed >> 8 & 1 == 0 ? FIRST_ANSWERER : GRIEFER;
        if (who.balance < bond) return;
        vm.prank(who);
        _try(abi.encodeCall(court.answer, (arbitration, taskId, seed >> 9 & 1 == 0, 0)), bond);
    }

    function carry(uint256 seed) external {
        uint256 taskId = _pick(seed);
        if (taskId == 0) return;
        IArbitration.Dispute memory was = arbitration.disputeOf(taskId);
        vm.prank(STRANGER);
        if (!_try(abi.encodeCall(court.carry, (arbitration, taskId)), 0)) return;
        ++decided;
        if (block.timestamp > was.courtEnd) breach = "decided past the window";
        bytes32 question = court.caseOf(arbitration, taskId).questionId;
        if (!reality.isFinalized(question)) breach = "decided before the answer was final";
        _close(taskId);
    }

    function timeOut(uint256 seed) external {
        uint256 taskId = _pick(seed);
        if (taskId == 0 || block.timestamp <= arbitration.disputeOf(taskId).courtEnd) return;
        arbitration.resolveTimedOut(taskId);
        ++timedOut;
        if (arbitration.disputeOf(taskId).workerBps != 10_000) breach = "the opener won by time";
        _close(taskId);
    }

    function pass(uint256 seed) external {
        vm.warp(block.timestamp + seed % 20 hours);
    }

    function sweep(uint256) external {
        court.sweep(arbitration);
    }

    /// @dev The court owns nothing that a case could miss: no coin, and TOK and USDC only until the next sweep.
    function check() external view {
        vm.assertEq(bytes(breach).length, 0, breach);
        vm.assertEq(address(court).balance, 0, "the court holds coins");
        vm.assertLe(deposits.balanceOf(address(court)), 5e6 * decided, "more fees than cases");
        for (uint256 i = 0; i < _tasks.length; ++i) {
            vm.assertEq(uint256(_state(_tasks[i])), uint256(TaskState.DISPUTED), "a case ended by itself");
        }
    }

    function _close(uint256 taskId) private {
        _assertState(taskId, TaskState.RESOLVED);
        for (uint256 i = 0; i < _tasks.length; ++i) {
            if (_tasks[i] != taskId) continue;
            _tasks[i] = _tasks[_tasks.length - 1];
            _tasks.pop();
            return;
        }
    }

    function _pick(uint256 seed) private view returns (uint256) {
        return _tasks.length == 0 ? 0 : _tasks[seed % _tasks.length];
    }

    function _try(bytes memory data, uint256 value) private returns (bool success) {
        (success,) = address(court).call{ value: value }(data);
    }
}

/// forge-config: default.invariant.include-storage = false
/// forge-config: default.invariant.include-push-bytes = false
/// forge-config: default.invariant.check-interval = 10
contract CourtInvariants {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    CourtWalk private walk;

    function setUp() external {
        walk = new CourtWalk();
        walk.setUp();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(walk);
    }

    function targetSelectors() external view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0].addr = address(walk);
        bytes4[] memory list = new bytes4[](10);
        list[0] = walk.open.selector;
        list[1] = walk.publish.selector;
        list[2] = walk.ask.selector;
        list[3] = list[4] = walk.answer.selector;
        list[5] = walk.carry.selector;
        list[6] = walk.timeOut.selector;
        list[7] = list[8] = walk.pass.selector;
        list[9] = walk.sweep.selector;
        targets[0].selectors = list;
    }

    /// forge-config: ci.invariant.runs = 32
    function invariant_aCaseEndsAsThePublicOrTimeSays() external view {
        walk.check();
    }

    /// @dev A walk in which nothing happens proves nothing.
    function test_everyEndHappens() external {
        bytes4[9] memory list = [
            walk.open.selector,
            walk.publish.selector,
            walk.ask.selector,
            walk.answer.selector,
            walk.pass.selector,
            walk.carry.selector,
            walk.timeOut.selector,
            walk.pass.selector,
            walk.answer.selector
        ];
        for (uint256 i = 0; i < 3_000; ++i) {
            uint256 seed = uint256(keccak256(abi.encode(i)));
            (bool ok,) = address(walk).call(abi.encodeWithSelector(list[seed % 9], seed / 9));
            vm.assertTrue(ok);
        }
        walk.check();
        vm.assertGt(walk.decided(), 3);
        vm.assertGt(walk.timedOut(), 3);
    }
}
