// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TaskLens } from "../../src/TaskLens.sol";
import { Base } from "../Base.sol";
import { vm } from "../Vm.sol";

contract TaskLensPredecessorTest is Base {
    function test_TheFirstHasNone() external view {
        vm.assertEq(lens.predecessor(), address(0));
    }

    function test_NamesTheLensItReplaces() external {
        TaskLens next = new TaskLens(contracts_, params, address(lens));
        vm.assertEq(next.predecessor(), address(lens));
        vm.assertEq(abi.encode(next.params()), abi.encode(params));
    }
}
