// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { vm } from "../Vm.sol";
import { ReputationRegistryBase } from "./ReputationRegistryBase.sol";

contract ReputationRegistrySaturationTest is ReputationRegistryBase {
    uint256 private constant REPUTATIONS_SLOT = 0;

    function test_StayAtMaximum() external {
        _setCounters(poster, type(uint32).max);
        _setCounters(worker, type(uint32).max);
        _recordEverything();
        _assertCounters(poster, type(uint32).max);
        _assertCounters(worker, type(uint32).max);
    }

    function test_ReachMaximumFromOneBelow() external {
        _setCounters(poster, type(uint32).max - 1);
        _setCounters(worker, type(uint32).max - 1);
        _recordEverything();
        _assertCounters(poster, type(uint32).max);
        _assertCounters(worker, type(uint32).max);
    }

    /// @dev Every counter of both accounts is asked to grow.
    function _recordEverything() private {
        _recordBothWays(poster, worker);
        _recordBothWays(worker, poster);
    }

    function _recordBothWays(address a, address b) private {
        registry.recordCompletion(TASK, a, b);
        registry.recordLeave(TASK, a);
        registry.recordDismissal(TASK, a);
        registry.recordLapse(TASK, a);
        vm.prank(arbitration);
        registry.recordDispute(TASK, a, b);
    }

    /// @dev The eight counters share the first slot of a reputation.
    function _setCounters(address account, uint32 value) private {
        uint256 packed;
        for (uint256 i = 0; i < 8; i++) {
            packed |= uint256(value) << (32 * i);
        }
        vm.store(address(registry), keccak256(abi.encode(account, REPUTATIONS_SLOT)), bytes32(packed));
        _assertCounters(account, value);
    }

    function _assertCounters(address account, uint32 value) private view {
        IReputationRegistry.Reputation memory expected = IReputationRegistry.Reputation({
            completedAsPoster: value,
            completedAsWorker: value,
            disputesWon: value,
            disputesLost: value,
            leaves: value,
            dismissals: value,
            lapses: value,
            distinctCounterparties: value,
            earned: _of(account).earned,
            paid: _of(account).paid
        });
        _assertReputation(account, expected);
    }
}
