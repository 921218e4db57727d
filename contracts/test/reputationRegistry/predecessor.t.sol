// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ReputationRegistry } from "../../src/ReputationRegistry.sol";
import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { Contracts } from "../../src/types/Market.sol";
import { vm } from "../Vm.sol";
import { ReputationRegistryBase } from "./ReputationRegistryBase.sol";

contract ReputationRegistryPredecessorTest is ReputationRegistryBase {
    function test_TheFirstHasNone() external view {
        vm.assertEq(registry.predecessor(), address(0));
    }

    function test_NamesTheRegistryItReplaces() external {
        registry.recordCompletion(TASK, poster, worker);
        Contracts memory contracts_;
        ReputationRegistry next = new ReputationRegistry(contracts_, address(registry));
        vm.assertEq(next.predecessor(), address(registry));
        IReputationRegistry.Reputation memory none;
        vm.assertEq(abi.encode(next.reputationOf(worker)), abi.encode(none));
        vm.assertEq(IReputationRegistry(next.predecessor()).reputationOf(worker).completedAsWorker, 1);
    }
}
