// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { UsdOracle } from "../../src/UsdOracle.sol";
import { IUsdOracle } from "../../src/interfaces/IUsdOracle.sol";
import { vm } from "../Vm.sol";
import { bound } from "../bound.sol";
import { MockFeed } from "../mocks/MockFeed.sol";

contract UsdOracleTokUsdPriceTest {
    uint256 private constant NOW = 1_800_000_000;
    uint256 private constant MAX_AGE = 1 hours;
    uint256 private constant GRACE = 30 minutes;
    int256 private constant PRICE = 0.0125e8;

    MockFeed private feed;
    MockFeed private sequencer;
    UsdOracle private oracle;

    function setUp() external {
        vm.warp(NOW);
        feed = new MockFeed(8, PRICE);
        sequencer = new MockFeed(0, 0);
        sequencer.set(0, NOW - 1 days, NOW - 1 days);
        oracle = new UsdOracle(address(feed), address(sequencer), MAX_AGE, GRACE);
    }

    function test_KeepsItsParameters() external view {
        vm.assertEq(address(oracle.priceFeed()), address(feed));
        vm.assertEq(address(oracle.sequencerFeed()), address(sequencer));
        vm.assertEq(oracle.maxAge(), MAX_AGE);
        vm.assertEq(oracle.grace(), GRACE);
    }

    function test_ReturnsThePriceAndWhenTheFeedWroteIt() external {
        feed.set(PRICE, NOW - 50, NOW - 40);
        _assertPrice(oracle, 0.0125e8, NOW - 40);
    }

    function test_ScalesAFeedToEightDecimals() external {
        _assertPrice(_oracleOf(new MockFeed(0, 3)), 3e8, NOW);
        _assertPrice(_oracleOf(new MockFeed(6, 0.0125e6)), 0.0125e8, NOW);
        _assertPrice(_oracleOf(feed), 0.0125e8, NOW);
        _assertPrice(_oracleOf(new MockFeed(9, 19)), 1, NOW);
        _assertPrice(_oracleOf(new MockFeed(18, 0.012500009e18)), 0.0125e8, NOW);
    }

    function testFuzz_EveryFeedHasEightDecimals(uint8 decimals, uint64 answer) external {
        decimals = uint8(bound(decimals, 0, 24));
        UsdOracle other = _oracleOf(new MockFeed(decimals, int256(uint256(answer))));
        uint256 expected = uint256(answer) * 1e8 / 10 ** decimals;
        if (expected == 0) {
            vm.expectRevert(abi.encodeWithSelector(IUsdOracle.InvalidPrice.selector, int256(uint256(answer))));
            other.tokUsdPrice();
        } else {
            _assertPrice(other, expected, NOW);
        }
    }

    function test_ReturnsAPriceExactlyAsOldAsAllowed() external {
        vm.warp(NOW + MAX_AGE);
        _assertPrice(oracle, 0.0125e8, NOW);
        vm.warp(NOW + MAX_AGE + 1);
        vm.expectRevert(abi.encodeWithSelector(IUsdOracle.StalePrice.selector, NOW, MAX_AGE));
        oracle.tokUsdPrice();
    }

    function test_RevertWhen_ThePriceIsFromTheFuture() external {
        feed.set(PRICE, NOW, NOW + 1);
        vm.expectRevert(abi.encodeWithSelector(IUsdOracle.StalePrice.selector, NOW + 1, MAX_AGE));
        oracle.tokUsdPrice();
    }

    /// @dev The last one is zero with eight decimals.
    function test_RevertWhen_TheAnswerIsNoPrice() external {
        int256[3] memory answers = [int256(0), -1, 1e10 - 1];
        for (uint256 i = 0; i < answers.length; ++i) {
            UsdOracle other = _oracleOf(new MockFeed(18, answers[i]));
            vm.expectRevert(abi.encodeWithSelector(IUsdOracle.InvalidPrice.selector, answers[i]));
            other.tokUsdPrice();
        }
    }

    function test_ReturnsThePriceASecondAfterTheGrace() external {
        sequencer.set(0, NOW - GRACE - 1, NOW);
        _assertPrice(oracle, 0.0125e8, NOW);
    }

    /// @dev Or its feed never started.
    function test_RevertWhen_TheSequencerIsDown() external {
        sequencer.set(1, NOW - 1 days, NOW);
        vm.expectRevert(IUsdOracle.SequencerDown.selector);
        oracle.tokUsdPrice();
        sequencer.set(0, 0, NOW);
        vm.expectRevert(IUsdOracle.SequencerDown.selector);
        oracle.tokUsdPrice();
    }

    /// @dev For exactly the grace, or in the future.
    function test_RevertWhen_TheSequencerIsJustBack() external {
        uint256[2] memory since = [NOW - GRACE, NOW + 1];
        for (uint256 i = 0; i < 2; ++i) {
            sequencer.set(0, since[i], NOW - 1 days);
            vm.expectRevert(abi.encodeWithSelector(IUsdOracle.SequencerJustBack.selector, since[i], GRACE));
            oracle.tokUsdPrice();
        }
    }

    function _oracleOf(MockFeed feed_) private returns (UsdOracle) {
        return new UsdOracle(address(feed_), address(0), MAX_AGE, GRACE);
    }

    function _assertPrice(UsdOracle oracle_, uint256 price, uint256 updatedAt) private view {
        (uint256 actualPrice, uint256 actualUpdatedAt) = oracle_.tokUsdPrice();
        vm.assertEq(actualPrice, price);
        vm.assertEq(actualUpdatedAt, updatedAt);
    }
}
