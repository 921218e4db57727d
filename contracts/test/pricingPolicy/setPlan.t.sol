// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { PricingPolicy } from "../../src/PricingPolicy.sol";
import { IPricingPolicy } from "../../src/interfaces/IPricingPolicy.sol";
import { vm } from "../Vm.sol";
import { PricingPolicyBase } from "./PricingPolicyBase.sol";

contract PricingPolicySetPlanTest is PricingPolicyBase {
    function test_ConstructorKeepsOwnerAndOracle() external view {
        vm.assertEq(policy.owner(), OWNER);
        vm.assertEq(policy.usdOracle(), address(oracle));
        vm.assertEq(policy.MAX_TOK_DISCOUNT_BPS(), 5_000);
    }

    function test_ConstructorSetsEveryPlan() external {
        _assertPlan(BASIC, 10e6, 2_000, true);
        _assertPlan(PRO, 49e6, 0, false);

        vm.expectEmit();
        emit IPricingPolicy.PlanSet(BASIC, 10e6, 2_000, true);
        vm.expectEmit();
        emit IPricingPolicy.PlanSet(PRO, 49e6, 0, false);
        new PricingPolicy(OWNER, address(oracle), _plans());
    }

    function test_RevertWhen_AnInitialDiscountIsTooHigh() external {
        PricingPolicy.InitialPlan[] memory plans = _plans();
        plans[1].plan.tokDiscountBps = 5_001;
        vm.expectRevert(abi.encodeWithSelector(IPricingPolicy.DiscountTooHigh.selector, uint16(5_001)));
        this.deployPolicy(plans);
    }

    function test_RevertWhen_TheCallerIsNotTheOwner() external {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, STRANGER));
        vm.prank(STRANGER);
        policy.setPlan(BASIC, _plan(1, 0, true));
    }

    function test_RevertWhen_TheDiscountIsTooHigh() external {
        vm.expectRevert(abi.encodeWithSelector(IPricingPolicy.DiscountTooHigh.selector, uint16(5_001)));
        _set(BASIC, _plan(10e6, 5_001, true));
    }

    function test_StoresThePlanWithTheHighestDiscount() external {
        _assertPlan("team", 0, 0, false);
        vm.expectEmit(address(policy));
        emit IPricingPolicy.PlanSet(BASIC, 12e6, 5_000, true);
        _set(BASIC, _plan(12e6, 5_000, true));
        _assertPlan(BASIC, 12e6, 5_000, true);
        _assertPlan(PRO, 49e6, 0, false);
    }

    function test_OwnershipNeedsAcceptance() external {
        vm.prank(OWNER);
        policy.transferOwnership(STRANGER);
        vm.assertEq(policy.owner(), OWNER);
        vm.prank(STRANGER);
        policy.acceptOwnership();
        vm.assertEq(policy.owner(), STRANGER);
    }

    function _assertPlan(bytes32 planId, uint256 list, uint256 discount, bool tokAllowed) private view {
        IPricingPolicy.Plan memory plan = policy.planOf(planId);
        vm.assertEq(plan.listPriceUsd, list);
        vm.assertEq(plan.tokDiscountBps, discount);
        vm.assertEq(plan.tokAllowed, tokAllowed);
    }

    /// @dev In a call of its own: `expectRevert` does not see a `new` that dynamic test linking replaced.
    function deployPolicy(PricingPolicy.InitialPlan[] calldata plans) external returns (PricingPolicy) {
        return new PricingPolicy(OWNER, address(oracle), plans);
    }
}
