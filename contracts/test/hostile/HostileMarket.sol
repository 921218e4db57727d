// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { PricingPolicy } from "../../src/PricingPolicy.sol";
import { TokToken } from "../../src/TokToken.sol";
import { UsdOracle } from "../../src/UsdOracle.sol";
import { Books } from "../Books.sol";
import { HostileToken } from "../mocks/HostileToken.sol";
import { MockFeed } from "../mocks/MockFeed.sol";
import { MockUSDC } from "../mocks/MockUSDC.sol";
import { vm } from "../Vm.sol";

/// @dev The whole market around a token that is honest until a test says otherwise.
abstract contract HostileMarket is Books {
    HostileToken internal hostile;

    function setUp() public virtual override {
        vm.warp(1_800_000_000);
        vm.roll(1_000_000);
        vm.chainId(8453);
        hostile = new HostileToken();
        hostile.mint(HOLDER, 1_000_000_000e18);
        tok = TokToken(address(hostile));
        usdc = new MockUSDC();
        feed = new MockFeed(8, 250_000);
        oracle = new UsdOracle(address(feed), address(0), 1 days, 1 hours);
        pricing = new PricingPolicy(OWNER, address(oracle), new PricingPolicy.InitialPlan[](0));
        _deployMarket("standard", address(hostile));
        _enrich(POSTER);
        _enrich(WORKER);
        _enrich(STRANGER);
        _enrich(ARBITRATOR);
    }
}
