// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { vm } from "../Vm.sol";
import { CaptureGame } from "./CaptureGame.sol";

/// @dev Property 16: buying the judge of a case loses money while the final court answers. The real draw is run with many
/// block hashes for each share of all bonds; payoffs are those of CaptureGame.
contract SimulationTest is CaptureGame {
    uint256 private constant OFTEN = 9_000;
    uint256 private constant HALF = 5_000;
    /// @dev No bonds of the attacker at all: an honest judge sits.
    uint256 private constant NONE = 0;

    /// @dev The attacker's share of all bonds, in basis points.
    uint256[6] private _shares = [uint256(1_000), 2_500, 5_000, 7_500, 9_100, 9_500];
    string[3] private _names = ["poster", "poster with its own store", "worker"];

    function test_Usd20_EveryCaptureLoses() external {
        _redeploy("micro");
        _assertAllLose(20, 3);
    }

    function test_Usd500_EveryCaptureLoses() external {
        _assertAllLose(500, 3);
    }

    function test_Usd50000_EveryCaptureByAPosterLoses() external {
        _assertAllLose(50_000, 1);
    }

    function test_Usd50000_EveryCaptureLoses_WhileTheCourtIsRight() external {
        _courtRight = 10_000;
        _assertAllLose(50_000, 3);
    }

    /// @dev A side without a stake in proportion wins what the final court gets wrong, 2 % of USD 50,000, whether or not it
    /// owns judges. Buying a ruling makes it worse at every point. docs/economics.md says so under "not prevented".
    function test_Usd50000_BuyingARulingLoses_EvenWhereTheCourtsErrorsPay() external {
        for (uint256 s = uint256(Side.STORE); s <= uint256(Side.WORKER); ++s) {
            _playAll(Side(s), 50_000 * DOLLAR);
            int256 without = _expect(Odds({ own: 0, honest: 1, court: 0 }), NONE);
            _report(string.concat(_names[s], ", USD 50,000, no bonds, the court's errors alone"), without);
            // What a side loses comes back through its own judge only in part.
            _assertLoss(
                string.concat(_names[s], ", USD 50,000, own judge rules against itself"),
                _payoffs[Play.OWN_JUDGE_HONEST]
            );
            _assertBoughtLoses(string.concat(_names[s], ", USD 50,000, bought ruling"));
            vm.assertTrue(_expectBought(HALF) < without, "a bought ruling pays more than none");
        }
    }

    /// @dev A ruling about one per cent of the work still moves USD 8 of deposits. Taking only those loses too.
    function test_OnePercentOfTheWork_EveryBoughtRulingLoses() external {
        uint256[3] memory usd = [uint256(20), 500, 50_000];
        for (uint256 i = 0; i < usd.length; ++i) {
            _redeploy(i == 0 ? "micro" : "standard");
            (_offerBps, _askBps) = (9_900, 10_000);
            _playAll(Side.POSTER, usd[i] * DOLLAR);
            _assertBoughtLoses(string.concat(_describe(Side.POSTER, usd[i]), "one per cent"));
            (_offerBps, _askBps) = (0, 100);
            _playAll(Side.WORKER, usd[i] * DOLLAR);
            _assertBoughtLoses(string.concat(_describe(Side.WORKER, usd[i]), "one per cent"));
        }
    }

    /// @dev Up to here even junk that gambles on the final court's errors loses, with any share of the bonds.
    function test_Usd800_JunkLosesWithAndWithoutJudges() external {
        _playAll(Side.WORKER, 800 * DOLLAR);
        _assertLoss("worker, USD 800, honest judge", _expect(Odds({ own: 0, honest: 1, court: 0 }), NONE));
        _assertLoss("worker, USD 800, nobody seated", _expect(Odds({ own: 0, honest: 0, court: 1 }), NONE));
        _assertLoss("worker, USD 800, own judge", _expect(Odds({ own: 1, honest: 0, court: 0 }), HALF));
    }

    /// @dev Every share, in time and late, and the attacker's judge named in the terms, for the first `sides` sides.
    function _assertAllLose(uint256 usd, uint256 sides) private {
        uint256 amount = usd * DOLLAR;
        Odds[12] memory odds;
        for (uint256 i = 0; i < _shares.length; ++i) {
            odds[i] = _drawOdds(amount, _shares[i], false);
            odds[_shares.length + i] = _drawOdds(amount, _shares[i], true);
            vm.assertEq(odds[_shares.length + i].own, 0, "a late bond was drawn");
            emit log(_describeOdds(usd, _shares[i], odds[i], odds[_shares.length + i]));
        }
        for (uint256 s = 0; s < sides; ++s) {
            _playAll(Side(s), amount);
            for (uint256 i = 0; i < odds.length; ++i) {
                bool late = i >= _shares.length;
                string memory name = string.concat(
                    _describe(Side(s), usd), vm.toString(_shares[i % _shares.length] / 100), late ? " % late" : " %"
                );
                _assertPoint(name, odds[i]);
            }
            _assertPoint(string.concat(_describe(Side(s), usd), "named"), Odds({ own: 1, honest: 0, court: 0 }));
            _assertBoughtLoses(string.concat(_describe(Side(s), usd), "bought ruling"));
        }
    }

    function _assertBoughtLoses(string memory name) private {
        _assertLoss(string.concat(name, ", appeals 50 %"), _expectBought(HALF));
        _assertLoss(string.concat(name, ", appeals 90 %"), _expectBought(OFTEN));
    }

    function _assertPoint(string memory name, Odds memory odds) private {
        _assertLoss(string.concat(name, ", appeals 50 %"), _expect(odds, HALF));
        _assertLoss(string.concat(name, ", appeals 90 %"), _expect(odds, OFTEN));
    }

    /// @dev Runs the draw of one case with many block hashes. Every judge's bond is large enough for the case; where the
    /// honest ones are not, the odds are those of a judge named in the terms.
    function _drawOdds(uint256 amount, uint256 shareBps, bool late) private returns (Odds memory odds) {
        uint256 start = vm.snapshotState();
        // One honest judge where ten would need more TOK than there are.
        uint256 honestJudges = shareBps > 5_000 ? 1 : 10;
        uint256 bond = arbitration.lockFor(amount) * 12 / 10 + 10_000e18;
        for (uint256 i = 0; i < honestJudges; ++i) {
            _bond(_honest(i), bond);
        }
        uint256 bought = bond * honestJudges * shareBps / (10_000 - shareBps);
        if (!late) _bondBought(bought, bond);
        _age();
        _give(POSTER, 2 * amount);
        uint256 taskId = _contested(_single(amount));
        if (late) _bondBought(bought, bond);
        _scheduleDraw(taskId);
        uint256 draws = _isDeep() ? 1_000 : 24;
        uint256 undrawn = vm.snapshotState();
        for (uint256 i = 0; i < draws; ++i) {
            _drawWith(taskId, keccak256(abi.encode(shareBps, i)));
            address judge = _case(taskId).judge;
            if (judge == address(0)) ++odds.court;
            else if (_isBought(judge)) ++odds.own;
            else ++odds.honest;
            vm.revertToState(undrawn);
        }
        vm.revertToStateAndDelete(start);
    }

    function _bondBought(uint256 total, uint256 each) private {
        uint256 count = total < each ? 1 : total / each < 8 ? total / each : 8;
        for (uint256 i = 0; i < count; ++i) {
            _bond(_bought(i), total / count);
        }
    }

    function _redeploy(string memory market) private {
        _deploy(market);
        _enrich(POSTER);
        _enrich(WORKER);
    }

    function _describe(Side side, uint256 usd) private view returns (string memory) {
        return string.concat(_names[uint256(side)], ", USD ", vm.toString(usd), ", ");
    }

    function _describeOdds(uint256 usd, uint256 shareBps, Odds memory inTime, Odds memory late)
        private
        pure
        returns (string memory)
    {
        return string.concat(
            string.concat("odds USD ", vm.toString(usd), ", ", vm.toString(shareBps / 100), " %: own "),
            string.concat(vm.toString(inTime.own), ", honest ", vm.toString(inTime.honest)),
            string.concat(", court ", vm.toString(inTime.court), "; late: honest ", vm.toString(late.honest)),
            string.concat(", court ", vm.toString(late.court))
        );
    }
}
