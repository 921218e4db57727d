// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ERC20 } from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import { PaymentGateway } from "../../src/PaymentGateway.sol";
import { PricingPolicy } from "../../src/PricingPolicy.sol";
import { StakingVault } from "../../src/StakingVault.sol";
import { TokToken } from "../../src/TokToken.sol";
import { UsdOracle } from "../../src/UsdOracle.sol";
import { IPricingPolicy } from "../../src/interfaces/IPricingPolicy.sol";
import { Contracts } from "../../src/types/Market.sol";
import { vm } from "../Vm.sol";
import { MockFeed } from "../mocks/MockFeed.sol";

contract PlainUsdc is ERC20("USD Coin", "USDC") {
    constructor(address holder) {
        _mint(holder, 1_000_000e6);
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }
}

/// @dev The gateway with the real vault, policy and oracle. "basic" costs USD 10, or USD 8 in TOK: 640 TOK at USD 0.0125.
/// 1,000 staked TOK earn one credit in ten days.
abstract contract PaymentGatewayBase {
    uint256 internal constant NOW = 1_800_000_000;
    uint256 internal constant WEALTH = 1_000_000e18;
    bytes32 internal constant BASIC = "basic";
    bytes32 internal constant PRO = "pro";
    address internal constant REGISTRY = address(0x1001);
    address internal constant ESCROW = address(0x1002);
    address internal constant ARBITRATION = address(0x1003);
    address internal constant TREASURY = address(0x1004);
    address internal constant PAYER = address(0xA11CE);
    address internal constant FRIEND = address(0xB0B);

    TokToken internal tok;
    PlainUsdc internal usdc;
    MockFeed internal feed;
    PricingPolicy internal policy;
    StakingVault internal vault;
    PaymentGateway internal gateway;

    function setUp() public virtual {
        vm.warp(NOW);
        tok = new TokToken(address(this));
        usdc = new PlainUsdc(PAYER);
        feed = new MockFeed(8, 0.0125e8);
        UsdOracle oracle = new UsdOracle(address(feed), address(0), 1 hours, 0);
        policy = new PricingPolicy(address(this), address(oracle), _plans());

        uint256 nonce = vm.getNonce(address(this));
        Contracts memory contracts;
        contracts.tok = address(tok);
        contracts.usdc = address(usdc);
        contracts.taskRegistry = REGISTRY;
        contracts.escrowVault = ESCROW;
        contracts.arbitration = ARBITRATION;
        contracts.treasury = TREASURY;
        contracts.pricingPolicy = address(policy);
        contracts.stakingVault = vm.computeCreateAddress(address(this), nonce);
        contracts.paymentGateway = vm.computeCreateAddress(address(this), nonce + 1);
        vault = new StakingVault(contracts, address(this), 1_000e18, 1e14);
        gateway = new PaymentGateway(contracts, "standard");
        vault.activateStaking();

        tok.transfer(PAYER, WEALTH);
        vm.startPrank(PAYER);
        tok.approve(address(gateway), type(uint256).max);
        usdc.approve(address(gateway), type(uint256).max);
        vm.stopPrank();
    }

    function _plans() private pure returns (PricingPolicy.InitialPlan[] memory plans) {
        plans = new PricingPolicy.InitialPlan[](2);
        plans[0] = PricingPolicy.InitialPlan(BASIC, IPricingPolicy.Plan(10e6, 2_000, true));
        plans[1] = PricingPolicy.InitialPlan(PRO, IPricingPolicy.Plan(49e6, 0, false));
    }

    function _allow(uint256 amount) internal {
        vm.prank(PAYER);
        tok.approve(address(gateway), amount);
    }

    function _assertGatewayIsEmpty() internal view {
        vm.assertEq(tok.balanceOf(address(gateway)), 0);
        vm.assertEq(usdc.balanceOf(address(gateway)), 0);
    }
}
