// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { vm } from "../Vm.sol";
import { PaymentGatewayBase } from "./PaymentGatewayBase.sol";

contract PaymentGatewayBuyPlanTest is PaymentGatewayBase {
    uint256 private constant MONTH = 30 days;

    function test_RevertWhen_TheBeneficiaryIsZero() external {
        vm.expectRevert(IPaymentGateway.ZeroBeneficiary.selector);
        _buy(BASIC, address(0), address(usdc), 10e6);
    }

    function test_RevertWhen_TheAssetIsNotAccepted() external {
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.AssetNotAccepted.selector, address(feed)));
        _buy(BASIC, FRIEND, address(feed), 10e6);
    }

    function test_RevertWhen_ThePriceIsAboveTheMaximum() external {
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.PriceAboveMaximum.selector, 640e18, 640e18 - 1));
        _buy(BASIC, FRIEND, address(tok), 640e18 - 1);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.PriceAboveMaximum.selector, 10e6, 10e6 - 1));
        _buy(BASIC, FRIEND, address(usdc), 10e6 - 1);
    }

    function test_SellsForUsdcWithAStaleOracle() external {
        vm.warp(NOW + 1 days);
        vm.assertEq(_buy(BASIC, FRIEND, address(usdc), 10e6), NOW + 1 days + MONTH);
    }

    function test_UsdcGoesToTheTreasury() external {
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.PlanPurchased("standard", BASIC, FRIEND, PAYER, address(usdc), 10e6, 10e6, NOW + MONTH);
        vm.assertEq(_buy(BASIC, FRIEND, address(usdc), 10e6), NOW + MONTH);
        vm.assertEq(usdc.balanceOf(PAYER), 1_000_000e6 - 10e6);
        vm.assertEq(usdc.balanceOf(TREASURY), 10e6);
        vm.assertEq(tok.balanceOf(TREASURY), 0);
        _assertGatewayIsEmpty();
    }

    function test_TokGoesToTheTreasury() external {
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.PlanPurchased("standard", BASIC, FRIEND, PAYER, address(tok), 640e18, 8e6, NOW + MONTH);
        vm.assertEq(_buy(BASIC, FRIEND, address(tok), 640e18), NOW + MONTH);
        vm.assertEq(tok.balanceOf(PAYER), WEALTH - 640e18);
        vm.assertEq(tok.balanceOf(TREASURY), 640e18);
        vm.assertEq(tok.balanceOf(address(vault)), 0);
        vm.assertEq(usdc.balanceOf(TREASURY), 0);
        _assertGatewayIsEmpty();
    }

    function test_RevertGiven_TheTokenOnlySaysNo() external {
        vm.mockCall(address(usdc), abi.encodeWithSelector(IERC20.transferFrom.selector), abi.encode(false));
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(usdc)));
        _buy(BASIC, FRIEND, address(usdc), 10e6);
    }

    function test_KeepsBeneficiariesAndPlansApart() external {
        _buy(BASIC, FRIEND, address(usdc), 10e6);
        vm.assertEq(gateway.paidUntil(PAYER, BASIC), 0);
        vm.assertEq(gateway.paidUntil(FRIEND, PRO), 0);
        vm.warp(NOW + 1 days);
        _buy(PRO, FRIEND, address(usdc), 49e6);
        _buy(BASIC, PAYER, address(usdc), 10e6);
        vm.assertEq(gateway.paidUntil(FRIEND, BASIC), NOW + MONTH);
        vm.assertEq(gateway.paidUntil(FRIEND, PRO), NOW + 1 days + MONTH);
        vm.assertEq(gateway.paidUntil(PAYER, BASIC), NOW + 1 days + MONTH);
    }

    function testFuzz_NeverLosesAPaidSecond(uint24[8] calldata waits) external {
        vm.assertEq(gateway.PLAN_PERIOD(), MONTH);
        uint256 time = NOW;
        uint256 end = 0;
        for (uint256 i = 0; i < waits.length; ++i) {
            // It ends in a second, it ends now, it ended a second ago, and any time between two payments.
            if (i == 1) time = end - 1;
            else if (i == 2) time = end;
            else if (i == 3) time = end + 1;
            else time += waits[i];
            vm.warp(time);
            end = (end > time ? end : time) + MONTH;
            vm.assertEq(_buy(BASIC, FRIEND, address(usdc), 10e6), end);
            vm.assertEq(gateway.paidUntil(FRIEND, BASIC), end);
        }
        vm.assertEq(usdc.balanceOf(TREASURY), 80e6);
    }

    function _buy(bytes32 planId, address beneficiary, address asset, uint256 maxAmount) private returns (uint256) {
        vm.prank(PAYER);
        return gateway.buyPlan(planId, beneficiary, asset, maxAmount);
    }
}
