// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title TOK/USD from a Chainlink-style feed
/// @notice Used to price plans and by nothing else: no task, deposit or exit depends on it.
interface IUsdOracle {
    error StalePrice(uint256 updatedAt, uint256 maxAge);
    error InvalidPrice(int256 answer);
    error SequencerDown();
    error SequencerJustBack(uint256 since, uint256 grace);

    /// @notice Reads the price of TOK. Refuses a stale, non-positive or unsafe price.
    /// @return price USD per TOK with 8 decimals.
    /// @return updatedAt When the feed wrote it, in unix seconds.
    function tokUsdPrice() external view returns (uint256 price, uint256 updatedAt);
}
