// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { PricingPolicy } from "../../src/PricingPolicy.sol";
import { UsdOracle } from "../../src/UsdOracle.sol";
import { IPricingPolicy } from "../../src/interfaces/IPricingPolicy.sol";
import { IUsdOracle } from "../../src/interfaces/IUsdOracle.sol";
import { vm } from "../Vm.sol";
import { MockFeed } from "../mocks/MockFeed.sol";
import { PricingPolicyBase } from "./PricingPolicyBase.sol";

contract PricingPolicySetUsdOracleTest is PricingPolicyBase {
    function test_RevertWhen_TheCallerIsNotTheOwner() external {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, STRANGER));
        vm.prank(STRANGER);
        policy.setUsdOracle(address(0));
        vm.assertEq(policy.usdOracle(), address(oracle));
    }

    function test_StoresTheOracle() external {
        UsdOracle other = _oracle(0.025e8);
        vm.expectEmit(address(policy));
        emit IPricingPolicy.UsdOracleSet(address(other));
        _setOracle(address(other));
        vm.assertEq(policy.usdOracle(), address(other));

        vm.expectEmit();
        emit IPricingPolicy.UsdOracleSet(address(oracle));
        new PricingPolicy(OWNER, address(oracle), _plans());
    }

    function test_ReplacesADeadOracle() external {
        vm.warp(NOW + 365 days);
        vm.expectRevert(abi.encodeWithSelector(IUsdOracle.StalePrice.selector, NOW, 1 hours));
        policy.quote(BASIC, true);
        _setOracle(address(_oracle(0.0125e8)));
        vm.assertEq(policy.quote(BASIC, true).amount, 640e18);
    }

    function test_DeployedWithoutAnOracle() external {
        policy = new PricingPolicy(OWNER, address(0), _plans());
        _assertUsdcOnly(policy);
        _setOracle(address(oracle));
        vm.assertEq(policy.quote(BASIC, true).amount, 640e18);
    }

    function _assertUsdcOnly(PricingPolicy policy_) private {
        vm.assertEq(policy_.usdOracle(), address(0));
        vm.expectRevert(IPricingPolicy.NoUsdOracle.selector);
        policy_.quote(BASIC, true);
        vm.expectRevert(abi.encodeWithSelector(IPricingPolicy.TokNotAllowed.selector, PRO));
        policy_.quote(PRO, true);
        vm.assertEq(policy_.quote(BASIC, false).amount, 10e6);
        vm.assertEq(policy_.quote(PRO, false).amount, 49e6);
    }

    function _oracle(int256 price) private returns (UsdOracle) {
        return new UsdOracle(address(new MockFeed(8, price)), address(0), 1 hours, 0);
    }

    function _setOracle(address oracle_) private {
        vm.prank(OWNER);
        policy.setUsdOracle(oracle_);
    }
}
