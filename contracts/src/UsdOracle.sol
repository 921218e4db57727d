// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IUsdOracle } from "./interfaces/IUsdOracle.sol";

/// @dev What is used of Chainlink's AggregatorV3Interface, for the price and for the sequencer-uptime feed.
interface IAggregatorV3 {
    /// @notice The decimals of `answer`.
    /// @return How many digits of an answer stand behind the decimal point.
    function decimals() external view returns (uint8);

    /// @notice The newest answer of the feed.
    /// @return roundId The round that gave it.
    /// @return answer The price; of a sequencer feed, zero when the sequencer is up.
    /// @return startedAt When the round started; of a sequencer feed, when its status last changed.
    /// @return updatedAt When the answer was written.
    /// @return answeredInRound Kept by the feed for old callers.
    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound);
}

/// @title TOK/USD from a Chainlink-style feed
contract UsdOracle is IUsdOracle {
    uint8 private constant DECIMALS = 8;

    /// @notice The feed of USD per TOK.
    IAggregatorV3 public immutable priceFeed;
    /// @notice Says whether the chain's sequencer is up; zero where there is none.
    IAggregatorV3 public immutable sequencerFeed;
    /// @notice How old a price may be, in seconds.
    uint256 public immutable maxAge;
    /// @notice For how long after the sequencer came back no price is given, in seconds.
    uint256 public immutable grace;

    uint256 private immutable _multiplier;
    uint256 private immutable _divisor;

    constructor(address priceFeed_, address sequencerFeed_, uint256 maxAge_, uint256 grace_) {
        priceFeed = IAggregatorV3(priceFeed_);
        sequencerFeed = IAggregatorV3(sequencerFeed_);
        maxAge = maxAge_;
        grace = grace_;

        uint256 decimals = priceFeed.decimals();
        _multiplier = decimals < DECIMALS ? 10 ** (DECIMALS - decimals) : 1;
        _divisor = decimals > DECIMALS ? 10 ** (decimals - DECIMALS) : 1;
    }

    /// @inheritdoc IUsdOracle
    function tokUsdPrice() external view returns (uint256 price, uint256 updatedAt) {
        _requireSequencer();

        int256 answer;
        (, answer,, updatedAt,) = priceFeed.latestRoundData();
        if (updatedAt > block.timestamp || block.timestamp - updatedAt > maxAge) revert StalePrice(updatedAt, maxAge);
        if (answer <= 0) revert InvalidPrice(answer);

        price = SafeCast.toUint256(answer) * _multiplier / _divisor;
        if (price == 0) revert InvalidPrice(answer);
    }

    /// @dev A feed that was never started reports `since` zero and is as good as down.
    function _requireSequencer() private view {
        if (address(sequencerFeed) == address(0)) return;

        (, int256 answer, uint256 since,,) = sequencerFeed.latestRoundData();
        if (answer != 0 || since == 0) revert SequencerDown();
        if (since > block.timestamp || block.timestamp - since <= grace) revert SequencerJustBack(since, grace);
    }
}
