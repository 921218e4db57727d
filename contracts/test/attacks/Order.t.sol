// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { vm } from "../Vm.sol";
import { Attack } from "./Attack.sol";

/// @dev Property 15: the honest way out is the cheapest at every offer and at every price of TOK, counted from the start on.
contract OrderTest is Attack {
    uint256 private constant AMOUNT = 500 * DOLLAR;
    uint256[7] private _prices = [uint256(25), 100, 2_500, 5_600, 10_000, 250_000, 1_000_000];
    uint256[4] private _offers = [uint256(0), 1, 3_000, 9_999];
    /// @dev The exit deposit that the task held at the start.
    uint256 private _within;

    function setUp() public override {
        super.setUp();
        _give(POSTER, 2 * AMOUNT);
        _bond(_honest(0), 2 * AMOUNT);
        _bond(_bought(), 2 * AMOUNT);
    }

    /// @dev Leave < say nothing < give up < lose, before a judge, an own judge or the court.
    function test_11_Worker_LeavesBeforeAllElse() external {
        uint256 taskId = _begin(_single(AMOUNT));
        _attackersWithin(taskId, WORKER);
        uint256 begun = vm.snapshotState();
        Worth[3] memory costs;
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        costs[0] = _cost();
        vm.revertToState(begun);
        _after(_task(taskId).deadline);
        registry.expire(taskId);
        costs[1] = _cost();
        vm.revertToState(begun);
        _contest(taskId, 0, 10_000);
        uint256 contested = vm.snapshotState();
        _answer(taskId, WORKER, 0);
        costs[2] = _cost();
        vm.revertToState(contested);
        _toCourt(taskId);
        _answer(taskId, WORKER, 0);
        vm.assertTrue(_value(_cost(), PRICE) == _value(costs[2], PRICE), "giving up before the court");
        vm.revertToState(begun);
        _assertPayoff("11 worker leaves", "-5.00", _value(costs[0], PRICE), -2.5e6);
        _assertPayoff("11 worker says nothing", "-10.50", _value(costs[1], PRICE), -5e6);
        _assertPayoff("11 worker gives up in a dispute", "-13.00", _value(costs[2], PRICE), -7.5e6);
        _assertDearer(costs[0], costs[1], "silence is cheaper than leaving");
        _assertDearer(costs[1], costs[2], "giving up is cheaper than silence");
        for (uint256 i = 0; i < 4; ++i) {
            Worth memory byJudge = _lose(_offers[i], _honest(0));
            Worth memory byCourt = _lose(_offers[i], address(0));
            Worth memory byOwn = _lose(_offers[i], _bought());
            string memory name = string.concat("11 worker loses at an offer of bps ", vm.toString(_offers[i]));
            string memory before = i == 0 ? "-15.50" : i == 1 ? "-7.95" : "none";
            _assertPayoff(name, before, _value(byJudge, PRICE), -15.5e6);
            _assertDearer(costs[2], byJudge, "losing is cheaper than giving up");
            // Of what the poster offered, the court has its share.
            _assertDearer(costs[2], byCourt, "losing before the court is cheaper than giving up");
            // The 5 stay in the family.
            _assertDearer(costs[1], byOwn, "an own judge makes losing cheaper than silence");
        }
    }

    /// @dev Dismiss, at any time, < neither fund nor start.
    function test_Poster_DismissesBeforeSilence() external {
        uint256 taskId = _post(_single(AMOUNT), 0);
        _attackersWithin(taskId, POSTER);
        _claim(taskId, WORKER);
        uint256 claimed = vm.snapshotState();
        Worth[4] memory costs;
        for (uint256 i = 0; i < 4; ++i) {
            if (i == 1) _after(_task(taskId).claimedAt + params.vetWindow);
            if (i == 3) {
                _after(_task(taskId).claimedAt + params.fundingWindow);
                registry.expire(taskId);
            } else if (i == 2) {
                _fund(taskId);
                _activate(taskId);
                _dismiss(taskId);
                vm.prank(WORKER);
                registry.expire(taskId);
            } else {
                _dismiss(taskId);
                vm.prank(POSTER);
                registry.cancel(taskId);
            }
            costs[i] = _cost();
            vm.revertToState(claimed);
        }
        _assertPayoff("poster dismisses in the vet window", "-2.50", _value(costs[0], PRICE), -2.5e6);
        _assertPayoff("poster dismisses later", "-5.00", _value(costs[1], PRICE), -2.5e6);
        _assertPayoff("poster gives notice", "impossible", _value(costs[2], PRICE), -2.5e6);
        _assertPayoff("poster neither funds nor starts", "-10.50", _value(costs[3], PRICE), -5e6);
        for (uint256 i = 0; i < 3; ++i) {
            _assertDearer(costs[i], costs[3], "silence is cheaper than dismissing");
        }
    }

    /// @dev Pay < concede < lose, at every offer.
    function test_Poster_PaysForGoodWork() external {
        uint256 taskId = _begin(_single(AMOUNT));
        _attackersWithin(taskId, POSTER);
        _deliver(taskId);
        uint256 delivered = vm.snapshotState();
        _release(taskId);
        Worth memory pay = _cost();
        vm.assertTrue(pay.tok == 0 && pay.usd == 0, "paying costs");
        for (uint256 i = 0; i < 4; ++i) {
            vm.revertToState(delivered);
            _open(taskId, _offers[i]);
            uint256 opened = vm.snapshotState();
            _release(taskId);
            Worth memory concede = _cost();
            vm.revertToState(opened);
            _toCourt(taskId);
            uint256 called = vm.snapshotState();
            _release(taskId);
            Worth memory concedeLate = _cost();
            vm.revertToState(called);
            _decide(taskId, true);
            Worth memory lose = _cost();
            _assertPayoff("poster disputes good work and concedes", "-5.00", _value(concede, PRICE), -5e6);
            string memory name = string.concat("poster loses at an offer of bps ", vm.toString(_offers[i]));
            _assertPayoff(name, i == 0 ? "-60.50" : "none", _value(lose, PRICE), i == 0 ? -65.5e6 : _lossAt(_offers[i]));
            _assertDearer(pay, concede, "conceding is cheaper than paying");
            _assertDearer(concede, concedeLate, "conceding late is cheaper");
            _assertDearer(concedeLate, lose, "losing is cheaper than conceding");
        }
    }

    /// @dev 13 and the exit deposit, and a tenth of the gap, at least a twentieth of the milestone.
    function _lossAt(uint256 offerBps) private pure returns (int256) {
        uint256 gap = 500e6 * (10_000 - offerBps) / 10_000;
        return -15.5e6 - int256(gap / 10 < 25e6 ? 25e6 : gap / 10);
    }

    /// @dev What losing against an offer costs, besides what was offered. The offer is the worker's at any rate.
    function _lose(uint256 offerBps, address judge) private returns (Worth memory cost) {
        uint256 start = vm.snapshotState();
        uint256 taskId = _beginPrivate(_single(AMOUNT, judge));
        if (judge == _bought()) _attackers(WORKER, judge);
        else _attackers(WORKER);
        _contest(taskId, offerBps, 10_000);
        if (judge == address(0)) {
            _toCourt(taskId);
            _decide(taskId, false);
        } else {
            _accept(taskId, judge);
            _rule(taskId, false);
            _finalize(taskId);
        }
        cost = _gain();
        // Counted from the start: the exit deposit was in the task.
        cost.tok -= 1_000e18 + int256(AMOUNT * offerBps / 10_000);
        vm.revertToState(start);
    }

    /// @dev Counts the exit deposit that the task holds: most ways out return it.
    function _attackersWithin(uint256 taskId, address account) private {
        _attackers(account);
        _within = escrow.exitDepositOf(taskId, account);
    }

    function _cost() private view returns (Worth memory cost) {
        cost = _gain();
        cost.tok -= int256(_within);
    }

    function _assertDearer(Worth memory cheap, Worth memory dear, string memory otherwise) private view {
        for (uint256 i = 0; i < _prices.length; ++i) {
            vm.assertTrue(_value(dear, _prices[i]) < _value(cheap, _prices[i]), otherwise);
        }
    }
}
