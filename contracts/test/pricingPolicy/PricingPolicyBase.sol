// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { PricingPolicy } from "../../src/PricingPolicy.sol";
import { UsdOracle } from "../../src/UsdOracle.sol";
import { IPricingPolicy } from "../../src/interfaces/IPricingPolicy.sol";
import { vm } from "../Vm.sol";
import { MockFeed } from "../mocks/MockFeed.sol";

/// @dev Two plans: "basic" for USD 10, 20 % off in TOK; "pro" for USD 49, USDC only. One TOK is USD 0.0125.
abstract contract PricingPolicyBase {
    uint256 internal constant NOW = 1_800_000_000;
    bytes32 internal constant BASIC = "basic";
    bytes32 internal constant PRO = "pro";
    address internal constant OWNER = address(0x0123);
    address internal constant STRANGER = address(0x666);

    MockFeed internal feed;
    UsdOracle internal oracle;
    PricingPolicy internal policy;

    function setUp() public virtual {
        vm.warp(NOW);
        feed = new MockFeed(8, 0.0125e8);
        oracle = new UsdOracle(address(feed), address(0), 1 hours, 0);
        policy = new PricingPolicy(OWNER, address(oracle), _plans());
    }

    function _plans() internal pure returns (PricingPolicy.InitialPlan[] memory plans) {
        plans = new PricingPolicy.InitialPlan[](2);
        plans[0] = PricingPolicy.InitialPlan(BASIC, _plan(10e6, 2_000, true));
        plans[1] = PricingPolicy.InitialPlan(PRO, _plan(49e6, 0, false));
    }

    function _plan(uint64 list, uint16 discount, bool tokAllowed) internal pure returns (IPricingPolicy.Plan memory) {
        return IPricingPolicy.Plan({ listPriceUsd: list, tokDiscountBps: discount, tokAllowed: tokAllowed });
    }

    function _set(bytes32 planId, IPricingPolicy.Plan memory plan) internal {
        vm.prank(OWNER);
        policy.setPlan(planId, plan);
    }
}
