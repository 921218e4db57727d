// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { Vm, vm } from "../Vm.sol";

/// @dev Measures calls as transactions of their own: with isolation on, the base fee, the calldata and cold storage count.
/// Each measurement is a log line `gas <name> <n>`, which `forge test -vv` prints and `forge test -vv --json` lists under
/// `decoded_logs`. The number is what the sender has to supply, before refunds.
abstract contract Meter is Books {
    uint256 internal constant LIMIT = 2_000_000;

    event log(string);

    /// @dev Staking is on and has something to accrue, so that every fee does its whole work.
    function setUp() public virtual override {
        super.setUp();
        vm.prank(OWNER);
        staking.activateStaking();
        vm.startPrank(STRANGER);
        staking.stake(100e18);
        vm.stopPrank();
        _posted();
        vm.warp(block.timestamp + 1 hours);
    }

    function _measure(string memory name, address caller, address target, bytes memory data) internal {
        vm.prank(caller);
        (bool success, bytes memory result) = target.call(data);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(result, 0x20), mload(result))
            }
        }
        Vm.Gas memory used = vm.lastCallGas();
        uint256 supplied = used.gasTotalUsed + uint256(uint64(used.gasRefunded));
        emit log(string.concat("gas ", name, " ", vm.toString(supplied)));
        vm.assertGt(supplied, 21_000);
        vm.assertLt(supplied, LIMIT);
    }

    function _measure(string memory name, address caller, bytes memory data) internal {
        _measure(name, caller, address(registry), data);
    }

    /// @dev As large as terms get: sixteen milestones of odd amounts.
    function _largest() internal returns (TaskTerms memory terms, uint256 total) {
        terms = _terms();
        terms.maxRevisions = 3;
        terms.amounts = new uint256[](16);
        terms.durations = new uint64[](16);
        for (uint256 i = 0; i < 16; ++i) {
            terms.amounts[i] = 1e18 + 0x0101010101010101 * (i + 1);
            terms.durations[i] = uint64(2 days + i);
            total += terms.amounts[i];
        }
    }

    function _largestActive() internal returns (uint256 taskId) {
        (TaskTerms memory terms, uint256 total) = _largest();
        taskId = _activeWith(terms, total);
    }
}
