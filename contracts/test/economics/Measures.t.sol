// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { vm } from "../Vm.sol";
import { CaptureGame } from "./CaptureGame.sol";

/// @dev Figures for docs/economics.md that no rule promises.
contract MeasuresTest is CaptureGame {
    uint256[3] private _usd = [uint256(20), 500, 50_000];

    /// @dev From which share of all bonds on capture pays when the final court never answers, in basis points.
    function test_DeadCourt_BreakEvenShare() external {
        for (uint256 i = 0; i < _usd.length; ++i) {
            _redeployFor(_usd[i]);
            for (uint256 s = 0; s <= uint256(Side.WORKER); ++s) {
                _playAll(Side(s), _usd[i] * DOLLAR);
                int256 otherwise = _max(_payoffs[Play.GIVES_UP], _payoffs[Play.LOSES]);
                int256 stands = _payoffs[Play.BOUGHT_UNHEARD];
                vm.assertEq(_formatUsd(stands), _formatUsd(_payoffs[Play.BOUGHT_STANDS]));
                string memory name = string.concat("side ", vm.toString(s), ", USD ", vm.toString(_usd[i]));
                int256 share = -otherwise * 10_000 / (stands - otherwise);
                emit log(string.concat("dead court, ", name, ": pays above bps ", vm.toString(uint256(share))));
                _report(string.concat("dead court and empty bench, ", name), _payoffs[Play.NOBODY_RULES]);
            }
        }
    }

    /// @dev An honest judge is wrong 5 % of the time, and half of all rulings are appealed. Its share is capped, so that the
    /// largest cases do not pay: there the final court decides.
    function test_HonestJudge_ExpectedIncome() external {
        for (uint256 i = 0; i < _usd.length; ++i) {
            _redeployFor(_usd[i]);
            int256[3] memory income = _judgeIncome(_usd[i] * DOLLAR);
            // Wrong and overturned, or right and overturned all the same.
            uint256 overturned = (500 * _courtRight + 9_500 * (10_000 - _courtRight)) / 10_000;
            int256 expected = _mix(5_000, _mix(overturned, income[2], income[1]), income[0]);
            string memory name = string.concat("judge, USD ", vm.toString(_usd[i]));
            _report(string.concat(name, ", unappealed"), income[0]);
            _report(string.concat(name, ", upheld"), income[1]);
            _report(string.concat(name, ", overturned"), income[2]);
            _report(string.concat(name, ", expected"), expected);
            if (_usd[i] <= 500) vm.assertTrue(expected > 0, "judging honestly does not pay");
        }
    }

    function _judgeIncome(uint256 amount) private returns (int256[3] memory income) {
        address judge = _honest(0);
        _bond(judge, 2 * amount + 10_000e18);
        _age();
        _give(POSTER, 2 * amount);
        uint256 taskId = _contested(_single(amount));
        _scheduleDraw(taskId);
        _drawWith(taskId, keccak256("judge"));
        Worth memory before = _worthOf(judge);
        _rule(taskId, true);
        uint256 ruled = vm.snapshotState();
        _finalize(taskId);
        income[0] = _payoff(judge, before);
        vm.revertToState(ruled);
        _appeal(taskId, POSTER);
        uint256 appealed = vm.snapshotState();
        _decide(taskId, true, false);
        income[1] = _payoff(judge, before);
        vm.revertToState(appealed);
        _decide(taskId, false, false);
        income[2] = _payoff(judge, before);
    }

    function _redeployFor(uint256 usd) private {
        _deploy(usd == 20 ? "micro" : "standard");
        _enrich(POSTER);
        _enrich(WORKER);
    }
}
