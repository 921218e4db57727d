// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { IStakingVault } from "../../src/interfaces/IStakingVault.sol";
import { vm } from "../Vm.sol";
import { PaymentGatewayBase } from "./PaymentGatewayBase.sol";

contract PaymentGatewayChargeAccessFeeTest is PaymentGatewayBase {
    uint256 private constant TASK = 7;
    uint256 private constant STAKE = 1_000e18;

    function test_RevertWhen_TheCallerIsNotTheRegistry() external {
        address[4] memory callers = [PAYER, ESCROW, ARBITRATION, address(vault)];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.Unauthorized.selector, callers[i]));
            gateway.chargeAccessFee(TASK, PAYER, IPaymentGateway.AccessAction.POST);
        }
    }

    function test_TakesExactlyOneCreditAndNoTok() external {
        _stakeFor(20 days);
        vm.assertEq(vault.creditsOf(PAYER), 2e18);
        _allow(0);
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(TASK, PAYER, IPaymentGateway.AccessAction.POST, 0, 1e18);
        vm.expectEmit(address(vault));
        emit IStakingVault.CreditSpent(PAYER, 1e18);
        _charge();
        vm.assertEq(vault.creditsOf(PAYER), 1e18);
        vm.assertEq(tok.balanceOf(PAYER), WEALTH - STAKE);
        vm.assertEq(tok.balanceOf(TREASURY), 0);
        vm.assertEq(vault.rewardReserve(), 0);
    }

    function test_LessThanAWholeCreditIsLeftAlone() external {
        _stakeFor(10 days - 1);
        uint256 credits = vault.creditsOf(PAYER);
        vm.assertLt(credits, 1e18);
        _charge();
        vm.assertEq(vault.creditsOf(PAYER), credits);
        vm.assertEq(tok.balanceOf(PAYER), WEALTH - STAKE - 1_000e18);
    }

    function test_SharesTheFeeBetweenUnionAndTreasury() external {
        _allow(1_000e18);
        _charge();
        vm.assertEq(tok.allowance(PAYER, address(gateway)), 0);
        vm.assertEq(tok.balanceOf(PAYER), WEALTH - 1_000e18);
        vm.assertEq(tok.balanceOf(address(vault)), 400e18);
        vm.assertEq(vault.rewardReserve(), 400e18);
        vm.assertEq(tok.balanceOf(TREASURY), 600e18);
        vm.assertEq(gateway.UNION_SHARE_BPS(), 4_000);
        _assertGatewayIsEmpty();
    }

    function test_EmitsTheTokPaidForEachAction() external {
        for (uint256 i = 0; i <= uint256(type(IPaymentGateway.AccessAction).max); ++i) {
            IPaymentGateway.AccessAction action = IPaymentGateway.AccessAction(i);
            vm.expectEmit(address(gateway));
            emit IPaymentGateway.AccessFeePaid(TASK + i, PAYER, action, 1_000e18, 0);
            vm.expectEmit(address(vault));
            emit IStakingVault.RewardAdded(400e18);
            vm.prank(REGISTRY);
            gateway.chargeAccessFee(TASK + i, PAYER, action);
        }
    }

    function test_RevertGiven_TheAllowanceIsAWeiShort() external {
        _allow(1_000e18 - 1);
        vm.expectRevert(
            abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientAllowance.selector, address(gateway), 600e18 - 1, 600e18
            )
        );
        _charge();
        _assertNothingMoved();
    }

    function test_RevertGiven_TheBalanceIsAWeiShort() external {
        vm.prank(PAYER);
        tok.transfer(address(this), WEALTH - 1_000e18 + 1);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, PAYER, 600e18 - 1, 600e18)
        );
        _charge();
        vm.assertEq(tok.balanceOf(PAYER), 1_000e18 - 1);
        _assertNothingMoved();
    }

    function test_RevertGiven_TheTokenOnlySaysNo() external {
        vm.mockCall(address(tok), abi.encodeWithSelector(IERC20.transferFrom.selector), abi.encode(false));
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(tok)));
        _charge();
    }

    function _charge() private {
        vm.prank(REGISTRY);
        gateway.chargeAccessFee(TASK, PAYER, IPaymentGateway.AccessAction.POST);
    }

    function _stakeFor(uint256 duration) private {
        vm.prank(PAYER);
        vault.stake(STAKE);
        vm.warp(NOW + duration);
    }

    function _assertNothingMoved() private view {
        vm.assertEq(tok.balanceOf(address(vault)), 0);
        vm.assertEq(vault.rewardReserve(), 0);
        vm.assertEq(tok.balanceOf(TREASURY), 0);
    }
}
