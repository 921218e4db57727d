// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TaskLens } from "../../src/TaskLens.sol";
import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Contracts, MarketParams } from "../../src/types/Market.sol";
import { Base } from "../Base.sol";
import { vm } from "../Vm.sol";

contract TaskLensConstructorTest is Base {
    bytes private constant FAILED_ASSERTION = abi.encodeWithSignature("Panic(uint256)", 1);

    function test_KeepsTheParams() external {
        TaskLens other = this.deployLens(contracts_, params);
        vm.assertEq(abi.encode(other.params()), abi.encode(params));
    }

    function test_RevertWhen_TheParamsAreOthers() external {
        MarketParams memory other = params;
        other.appealWindow += 1;
        vm.expectRevert(FAILED_ASSERTION);
        this.deployLens(contracts_, other);
    }

    function test_RevertWhen_TheRegistryHasOthers() external {
        vm.mockCall(address(registry), abi.encodeCall(ITaskRegistry.paramsHash, ()), abi.encode(bytes32("other")));
        vm.expectRevert(FAILED_ASSERTION);
        this.deployLens(contracts_, params);
    }

    function test_RevertWhen_TheArbitrationHasOthers() external {
        vm.mockCall(address(arbitration), abi.encodeCall(IArbitration.paramsHash, ()), abi.encode(bytes32("other")));
        vm.expectRevert(FAILED_ASSERTION);
        this.deployLens(contracts_, params);
    }

    function test_RevertWhen_TheAgreementsHaveOthers() external {
        vm.mockCall(address(agreements), abi.encodeCall(IAgreements.paramsHash, ()), abi.encode(bytes32("other")));
        vm.expectRevert(FAILED_ASSERTION);
        this.deployLens(contracts_, params);
    }

    /// @dev In a call of its own: `expectRevert` does not see a `new` that dynamic test linking replaced.
    function deployLens(Contracts calldata wiring, MarketParams calldata marketParams) external returns (TaskLens) {
        return new TaskLens(wiring, marketParams, address(0));
    }
}
