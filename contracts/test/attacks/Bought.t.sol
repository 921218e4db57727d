// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Attack } from "./Attack.sol";

/// @dev Attack 7. The attacker owns one side of a private task and the judge that both signed. Every way it can go is played
/// once on the contracts; the final court is right 98 % of the time.
contract BoughtTest is Attack {
    /// @dev POSTER: disputes good work. STORE: a poster with its own silent store, so that the worker opens and the poster
    /// puts up no stake. WORKER: delivers junk.
    enum Side {
        POSTER,
        STORE,
        WORKER
    }

    /// @dev The attacker's judge rules for it: it stands, is overturned, is upheld. It rules against it. Without a judge: the
    /// court is right, or wrong.
    enum Play {
        STANDS,
        OVERTURNED,
        UPHELD,
        AGAINST_SELF,
        COURT_RIGHT,
        COURT_WRONG
    }

    uint256 private constant RIGHT = 9_800;
    string[3] private _sides = ["poster", "poster with its own silent store", "worker"];
    int256[6] private _paid;
    uint256 private _row;

    /// @dev What each row brought before if half of the victims appealed.
    string[33] private _before = [
        "8.34",
        "9.32",
        "7.79",
        "206.06",
        "230.56",
        "253.51",
        "2059.61",
        "2304.61",
        "2557.06",
        "5.70",
        "6.68",
        "2.75",
        "204.88",
        "229.38",
        "249.93",
        "2058.43",
        "2303.43",
        "2553.48",
        "20593.93",
        "23043.93",
        "25588.98",
        "-358.12",
        "-357.14",
        "-608.57",
        "-136.89",
        "-112.39",
        "-339.34",
        "1937.16",
        "2182.16",
        "2184.71",
        "20472.66",
        "22922.66",
        "25220.21"
    ];

    /// @dev At USD 0.0001 a TOK, USD 50,000 are half of all TOK: nobody has the bond and the budget.
    function test_07_BuyAJudge_LosesIfHalfOfTheVictimsAppeal() external {
        uint256[3] memory prices = [uint256(100), 2_500, 250_000];
        uint256[4] memory sums = [uint256(20), 500, 5_000, 50_000];
        for (uint256 p = 0; p < 3; ++p) {
            for (uint256 i = 0; i < 4; ++i) {
                if (p != 0 || i != 3) _assertLoses(prices[p], sums[i]);
            }
        }
        vm.assertEq(_row, 33);
    }

    /// @dev In an open task the judge of the terms sits only if the worker names it in the dispute.
    function test_07_OpenTask_ThePostersJudgeDoesNotSit() external {
        _bond(_bought(), 100_000e18);
        uint256 taskId = _begin(_single(500e18, _bought()));
        _contest(taskId, 0, 10_000);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotProposed.selector, taskId, _bought()));
        _accept(taskId, _bought());
        _toCourt(taskId);
        vm.assertEq(_case(taskId).judge, address(0));
    }

    /// @dev S17. A side without a stake lives from the court's errors above about USD 800, with or without a judge. Documented.
    function test_S17_GambleOnTheCourt_PaysAboveUsd800() external {
        uint256[2] memory sums = [uint256(500), 5_000];
        string[2] memory stores = ["-0.33", "88.77"];
        string[2] memory workers = ["-6.73", "91.37"];
        for (uint256 i = 0; i < 2; ++i) {
            _playAll(Side.STORE, PRICE, sums[i]);
            int256 store = _mix(RIGHT, _paid[4], _paid[5]);
            _playAll(Side.WORKER, PRICE, sums[i]);
            int256 worker = _mix(RIGHT, _paid[4], _paid[5]);
            _report(_named("S17 own silent store before the court", sums[i]), stores[i], store);
            _report(_named("S17 junk before the court", sums[i]), workers[i], worker);
            vm.assertEq(store > 0, i == 1);
            vm.assertEq(worker > 0, i == 1);
        }
    }

    function _assertLoses(uint256 price, uint256 usd) private {
        for (uint256 side = 0; side < 3; ++side) {
            _playAll(Side(side), price, usd);
            string memory name = string.concat(
                _named("07 bought judge, half appeal", usd),
                ", 100 TOK at ",
                _format(int256(price * 100)),
                ", ",
                _sides[side]
            );
            _assertLoss(name, _before[_row++], _expect(5_000));
            _assertLoss(string.concat(name, ", rules against itself"), "see 15", _paid[uint256(Play.AGAINST_SELF)]);
            vm.assertTrue(_expect(7_500) < _expect(5_000) && _expect(9_000) < _expect(7_500));
        }
    }

    function _expect(uint256 appealBps) private view returns (int256) {
        int256 heard = _mix(RIGHT, _paid[uint256(Play.OVERTURNED)], _paid[uint256(Play.UPHELD)]);
        return _mix(appealBps, heard, _paid[uint256(Play.STANDS)]);
    }

    function _mix(uint256 bps, int256 one, int256 other) private pure returns (int256) {
        return (int256(bps) * one + int256(10_000 - bps) * other) / 10_000;
    }

    function _playAll(Side side, uint256 price, uint256 usd) private {
        uint256 amount = usd * 1e24 / price;
        int256[6] memory paid;
        uint256 start = vm.snapshotState();
        _bond(_bought(), amount * 5 / 4 + 10_000e18);
        _give(POSTER, amount * 6 / 5);
        uint256 ready = vm.snapshotState();
        for (uint256 i = 0; i < 6; ++i) {
            paid[i] = _play(side, amount, Play(i), price);
            vm.revertToState(ready);
        }
        vm.revertToStateAndDelete(start);
        _paid = paid;
    }

    function _play(Side side, uint256 amount, Play play, uint256 price) private returns (int256) {
        _attackers(side == Side.WORKER ? WORKER : POSTER, _bought());
        TaskTerms memory terms = _single(amount, _bought());
        if (side == Side.STORE) terms.store = vm.addr(STORE_KEY);
        uint256 taskId = _beginPrivate(terms);
        if (side == Side.STORE) {
            _deliver(taskId);
            _after(_task(taskId).reviewEnd);
            _dispute(taskId, WORKER);
            _answer(taskId, POSTER, 0);
        } else {
            _contest(taskId, 0, 10_000);
        }
        bool workerIsRight = side != Side.WORKER;
        if (play >= Play.COURT_RIGHT) {
            _toCourt(taskId);
            _decide(taskId, (play == Play.COURT_RIGHT) == workerIsRight);
        } else {
            _accept(taskId, _bought());
            _rule(taskId, (play == Play.AGAINST_SELF) == workerIsRight);
            if (play == Play.STANDS || play == Play.AGAINST_SELF) {
                _finalize(taskId);
            } else {
                _appeal(taskId, workerIsRight ? WORKER : POSTER);
                _decide(taskId, (play == Play.OVERTURNED) == workerIsRight);
            }
        }
        // A poster that pays for good work loses its price and the fee for posting.
        int256 gain = _payoff(price);
        return side == Side.WORKER ? gain : gain + int256((amount + 1_000e18) * price / 1e18);
    }
}
