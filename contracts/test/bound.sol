// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev `x` folded into [min, max]; values already inside stay. (`vm.bound` is not that: it draws another value.)
function bound(uint256 x, uint256 min, uint256 max) pure returns (uint256) {
    return x >= min && x <= max ? x : min + x % (max - min + 1);
}
