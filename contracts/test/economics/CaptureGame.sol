// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Economics } from "./Economics.sol";

/// @dev The game of somebody who owns one side of a task and judges. Every way it can go is played once on the contracts;
/// `_expect` weighs them. Payoffs are those of all the attacker's wallets together, in USDC units.
abstract contract CaptureGame is Economics {
    uint256 internal constant STORE_KEY = 0xE5;
    /// @dev How often the final court is right, in basis points.
    uint256 internal _courtRight = 9_800;

    /// @dev POSTER: disputes good work. STORE: a poster whose terms name its own store, which signs nothing, so that the
    /// worker has to open the case and the poster puts up no stake. WORKER: delivers junk.
    enum Side {
        POSTER,
        STORE,
        WORKER
    }

    enum Play {
        // The attacker's own judge sits and rules for the attacker.
        BOUGHT_STANDS,
        BOUGHT_OVERTURNED,
        BOUGHT_UPHELD,
        // The attacker's own judge sits and rules against the attacker.
        OWN_JUDGE_HONEST,
        // An honest judge sits.
        GIVES_UP,
        LOSES,
        APPEALS_LOSES,
        APPEALS_WINS,
        // Nobody could be seated: the final court sits.
        GIVES_UP_AT_COURT,
        COURT_RIGHT,
        COURT_WRONG,
        // The final court is dead: a bought ruling that is appealed, and a case that nobody ruled.
        BOUGHT_UNHEARD,
        NOBODY_RULES
    }

    struct Odds {
        uint256 own;
        uint256 honest;
        uint256 court;
    }

    mapping(Play play => int256) internal _payoffs;
    /// @dev The two shares that the parties name in the cases to come. The opener names its own.
    uint256 internal _offerBps = 0;
    uint256 internal _askBps = 10_000;

    /// @dev Plays every branch of a case over `amount` and notes what it brings.
    function _playAll(Side side, uint256 amount) internal {
        uint256 start = vm.snapshotState();
        _bond(_bought(0), 2 * amount + 10_000e18);
        _bond(_honest(0), 2 * amount + 10_000e18);
        _give(POSTER, 2 * amount);
        int256[] memory found = new int256[](uint256(type(Play).max) + 1);
        for (uint256 i = 0; i < found.length; ++i) {
            uint256 before = vm.snapshotState();
            found[i] = _playOne(side, amount, Play(i));
            vm.revertToStateAndDelete(before);
        }
        vm.revertToStateAndDelete(start);
        for (uint256 i = 0; i < found.length; ++i) {
            _payoffs[Play(i)] = found[i];
        }
    }

    /// @dev The expectation of an attacker that always takes the better of its choices.
    /// @param appealBps How often the victim appeals a bought ruling.
    function _expect(Odds memory odds, uint256 appealBps) internal view returns (int256) {
        int256 honest = _max(
            _max(_payoffs[Play.GIVES_UP], _payoffs[Play.LOSES]), _tossCourt(Play.APPEALS_LOSES, Play.APPEALS_WINS)
        );
        int256 court = _max(_payoffs[Play.GIVES_UP_AT_COURT], _tossCourt(Play.COURT_RIGHT, Play.COURT_WRONG));
        int256 own = _max(_expectBought(appealBps), _payoffs[Play.OWN_JUDGE_HONEST]);
        int256 sum = int256(odds.own) * own + int256(odds.honest) * honest + int256(odds.court) * court;
        return sum / int256(odds.own + odds.honest + odds.court);
    }

    /// @dev The expectation once the attacker's judge sits and rules for the attacker.
    function _expectBought(uint256 appealBps) internal view returns (int256) {
        return _mix(appealBps, _tossCourt(Play.BOUGHT_OVERTURNED, Play.BOUGHT_UPHELD), _payoffs[Play.BOUGHT_STANDS]);
    }

    /// @dev What the final court makes of it: `ifRight` nearly always.
    function _tossCourt(Play ifRight, Play ifWrong) internal view returns (int256) {
        return _mix(_courtRight, _payoffs[ifRight], _payoffs[ifWrong]);
    }

    function _mix(uint256 bps, int256 one, int256 other) internal pure returns (int256) {
        return (int256(bps) * one + int256(10_000 - bps) * other) / 10_000;
    }

    function _max(int256 one, int256 other) internal pure returns (int256) {
        return one > other ? one : other;
    }

    function _playOne(Side side, uint256 amount, Play play) private returns (int256) {
        bool own = play <= Play.OWN_JUDGE_HONEST || play == Play.BOUGHT_UNHEARD;
        bool judged = play <= Play.APPEALS_WINS || play == Play.BOUGHT_UNHEARD;
        address judge = own ? _bought(0) : _honest(0);
        address attacker = side == Side.WORKER ? WORKER : POSTER;
        Worth memory before = _worthOf(attacker, _bought(0));
        uint256 taskId = _openCase(side, amount, judged ? judge : address(0));
        if (judged) {
            vm.prank(judge);
            arbitration.propose(taskId, judge);
        } else {
            _after(_case(taskId).evidenceEnd - 1);
        }
        _finish(taskId, side, play);
        int256 gain = _value(_gain(before, _worthOf(attacker, _bought(0))), PRICE);
        // A poster that pays for the work loses its price and the fee for posting, and has the work.
        return side == Side.WORKER ? gain : gain + int256(amount * 1e6 / DOLLAR) + 2.5e6;
    }

    function _finish(uint256 taskId, Side side, Play play) private {
        bool right = side != Side.WORKER;
        if (play == Play.GIVES_UP || play == Play.GIVES_UP_AT_COURT) {
            return _giveUp(taskId, side);
        }
        if (play == Play.COURT_RIGHT || play == Play.COURT_WRONG) {
            _after(_case(taskId).evidenceEnd);
            arbitration.resolveTimedOut(taskId);
            return _decide(taskId, (play == Play.COURT_RIGHT) == right, false);
        }
        if (play == Play.NOBODY_RULES) {
            _after(_case(taskId).evidenceEnd);
            arbitration.resolveTimedOut(taskId);
            return _timeOutCourt(taskId);
        }
        bool bought = play <= Play.BOUGHT_UPHELD || play == Play.BOUGHT_UNHEARD;
        _rule(taskId, bought != right);
        if (play == Play.BOUGHT_STANDS || play == Play.OWN_JUDGE_HONEST || play == Play.LOSES) {
            return _finalize(taskId);
        }
        _appeal(taskId, bought == right ? WORKER : POSTER);
        if (play == Play.BOUGHT_UNHEARD) return _timeOutCourt(taskId);
        bool courtRight = play == Play.BOUGHT_OVERTURNED || play == Play.APPEALS_LOSES;
        _decide(taskId, courtRight == right, play == Play.BOUGHT_OVERTURNED);
    }

    function _timeOutCourt(uint256 taskId) private {
        _after(_case(taskId).courtEnd);
        arbitration.resolveTimedOut(taskId);
    }

    function _giveUp(uint256 taskId, Side side) private {
        if (side == Side.WORKER) {
            _answer(taskId, WORKER, 0);
        } else {
            vm.prank(POSTER);
            registry.release(taskId, 0);
        }
    }

    function _openCase(Side side, uint256 amount, address named) private returns (uint256 taskId) {
        TaskTerms memory terms = _single(amount);
        terms.arbitrator = named;
        if (side == Side.STORE) terms.store = vm.addr(STORE_KEY);
        taskId = _activeWith(terms);
        _deliver(taskId);
        if (side == Side.STORE) {
            _after(_task(taskId).reviewEnd);
            _dispute(taskId, WORKER);
            _answer(taskId, POSTER, _offerBps);
        } else {
            vm.prank(POSTER);
            registry.openDispute(taskId, 0, REASON, _offerBps);
            _answer(taskId, WORKER, _askBps);
        }
    }
}
