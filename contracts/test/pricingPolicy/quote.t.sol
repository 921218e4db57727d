// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IPricingPolicy } from "../../src/interfaces/IPricingPolicy.sol";
import { vm } from "../Vm.sol";
import { bound } from "../bound.sol";
import { PricingPolicyBase } from "./PricingPolicyBase.sol";

contract PricingPolicyQuoteTest is PricingPolicyBase {
    function test_RevertGiven_ThePlanIsUnknown() external {
        vm.expectRevert(abi.encodeWithSelector(IPricingPolicy.PlanNotForSale.selector, bytes32("team")));
        policy.quote("team", false);
    }

    function test_RevertGiven_ThePlanIsWithdrawn() external {
        _set(BASIC, _plan(0, 2_000, true));
        vm.expectRevert(abi.encodeWithSelector(IPricingPolicy.PlanNotForSale.selector, BASIC));
        policy.quote(BASIC, true);
    }

    /// @dev Even with an oracle that is stale.
    function test_InUsdcAsksTheListPrice() external {
        vm.warp(NOW + 1 days);
        _assertQuote(policy.quote(BASIC, false), 10e6, 10e6, 0, 10e6);
        _assertQuote(policy.quote(PRO, false), 49e6, 49e6, 0, 49e6);
    }

    function test_RevertGiven_ThePlanDoesNotAllowTok() external {
        vm.expectRevert(abi.encodeWithSelector(IPricingPolicy.TokNotAllowed.selector, PRO));
        policy.quote(PRO, true);
    }

    /// @dev USD 8 at USD 0.0125 are 640 TOK.
    function test_InTokTakesTheDiscountOff() external view {
        _assertQuote(policy.quote(BASIC, true), 10e6, 8e6, 0.0125e8, 640e18);
    }

    function test_InTokRoundsThePriceUp() external {
        _set(BASIC, _plan(3, 5_000, true));
        _assertQuote(policy.quote(BASIC, true), 3, 2, 0.0125e8, 160e12);
    }

    function test_InTokRoundsTheAmountUp() external {
        feed.set(3e8, NOW, NOW);
        _assertQuote(policy.quote(BASIC, true), 10e6, 8e6, 3e8, 2_666_666_666_666_666_667);
    }

    function testFuzz_InTokAsksTheLeastThatIsWorthThePrice(uint64 list, uint16 discount, uint64 price) external {
        list = uint64(bound(list, 1, type(uint64).max));
        discount = uint16(bound(discount, 0, 5_000));
        price = uint64(bound(price, 1, type(uint64).max));
        feed.set(int256(uint256(price)), NOW, NOW);
        _set(BASIC, _plan(list, discount, true));

        IPricingPolicy.Quote memory quoted = policy.quote(BASIC, true);
        uint256 exact = uint256(list) * (10_000 - discount);
        vm.assertGe(quoted.payUsd * 10_000, exact);
        vm.assertLt((quoted.payUsd - 1) * 10_000, exact);
        vm.assertGe(quoted.amount * price, quoted.payUsd * 1e20);
        vm.assertLt((quoted.amount - 1) * price, quoted.payUsd * 1e20);
    }

    function _assertQuote(IPricingPolicy.Quote memory quoted, uint256 list, uint256 pay, uint256 price, uint256 amount)
        private
        pure
    {
        vm.assertEq(quoted.listPriceUsd, list);
        vm.assertEq(quoted.payUsd, pay);
        vm.assertEq(quoted.tokUsdPrice, price);
        vm.assertEq(quoted.amount, amount);
    }
}
