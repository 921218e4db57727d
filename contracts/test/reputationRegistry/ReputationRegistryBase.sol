// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { ReputationRegistry } from "../../src/ReputationRegistry.sol";
import { Contracts } from "../../src/types/Market.sol";
import { vm } from "../Vm.sol";

/// @dev The test contract is the task registry of `registry`.
abstract contract ReputationRegistryBase {
    uint256 internal constant TASK = 7;

    address internal arbitration = address(0xA4B);
    address internal stranger = address(0x57A6);
    address internal poster = address(0xA11CE);
    address internal worker = address(0xB0B);

    ReputationRegistry internal registry;

    function setUp() public virtual {
        Contracts memory contracts_;
        contracts_.taskRegistry = address(this);
        contracts_.arbitration = arbitration;
        registry = new ReputationRegistry(contracts_, address(0));
    }

    function _of(address account) internal view returns (IReputationRegistry.Reputation memory) {
        return registry.reputationOf(account);
    }

    /// @dev Compares every counter, so that a record which touches a wrong one is seen.
    function _assertReputation(address account, IReputationRegistry.Reputation memory expected) internal view {
        vm.assertEq(abi.encode(_of(account)), abi.encode(expected));
    }
}
