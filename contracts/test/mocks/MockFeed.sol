// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IAggregatorV3 } from "../../src/UsdOracle.sol";

/// @dev A Chainlink-style feed that says what it is told to; stands in for the price and for the sequencer-uptime feed.
contract MockFeed is IAggregatorV3 {
    uint8 public immutable decimals;
    int256 public answer;
    uint256 public startedAt;
    uint256 public updatedAt;
    uint80 public roundId;

    constructor(uint8 decimals_, int256 answer_) {
        decimals = decimals_;
        set(answer_, block.timestamp, block.timestamp);
    }

    function set(int256 answer_, uint256 startedAt_, uint256 updatedAt_) public {
        answer = answer_;
        startedAt = startedAt_;
        updatedAt = updatedAt_;
        ++roundId;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (roundId, answer, startedAt, updatedAt, roundId);
    }
}
