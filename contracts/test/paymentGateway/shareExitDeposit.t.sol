// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { IStakingVault } from "../../src/interfaces/IStakingVault.sol";
import { vm } from "../Vm.sol";
import { PaymentGatewayBase } from "./PaymentGatewayBase.sol";

contract PaymentGatewayShareExitDepositTest is PaymentGatewayBase {
    uint256 private constant TASK = 7;

    function test_RevertWhen_TheCallerIsNotTheEscrowVault() external {
        address[5] memory callers = [PAYER, REGISTRY, ARBITRATION, address(vault), address(this)];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.Unauthorized.selector, callers[i]));
            gateway.shareExitDeposit(TASK, PAYER, IPaymentGateway.AccessAction.LEAVE);
        }
    }

    /// @dev Like a fee when it was spent; to the Union in full when it was forfeited.
    function test_SharesTheDepositByAction() external {
        IPaymentGateway.AccessAction[3] memory actions = [
            IPaymentGateway.AccessAction.DISMISS,
            IPaymentGateway.AccessAction.LEAVE,
            IPaymentGateway.AccessAction.FORFEIT
        ];
        uint256[3] memory toUnion = [uint256(400e18), 400e18, 1_000e18];
        (uint256 union, uint256 treasury) = (0, 0);
        for (uint256 i = 0; i < 3; ++i) {
            tok.transfer(address(gateway), 1_000e18);
            vm.expectEmit(address(gateway));
            emit IPaymentGateway.AccessFeePaid(TASK, PAYER, actions[i], 1_000e18, 0);
            vm.expectEmit(address(vault));
            emit IStakingVault.RewardAdded(toUnion[i]);
            vm.prank(ESCROW);
            gateway.shareExitDeposit(TASK, PAYER, actions[i]);
            union += toUnion[i];
            treasury += 1_000e18 - toUnion[i];
            vm.assertEq(tok.balanceOf(address(vault)), union);
            vm.assertEq(vault.rewardReserve(), union);
            vm.assertEq(tok.balanceOf(TREASURY), treasury);
            _assertGatewayIsEmpty();
        }
    }

    function test_TouchesNeitherCreditNorAllowance() external {
        vm.prank(PAYER);
        vault.stake(1_000e18);
        vm.warp(NOW + 30 days);
        uint256 credits = vault.creditsOf(PAYER);
        vm.assertGe(credits, 1e18);
        tok.transfer(address(gateway), 1_000e18);
        vm.prank(ESCROW);
        gateway.shareExitDeposit(TASK, PAYER, IPaymentGateway.AccessAction.LEAVE);
        vm.assertEq(vault.creditsOf(PAYER), credits);
        vm.assertEq(tok.balanceOf(PAYER), WEALTH - 1_000e18);
    }

    function test_RevertGiven_TheDepositDidNotArrive() external {
        tok.transfer(address(gateway), 1_000e18 - 1);
        vm.prank(ESCROW);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, address(gateway), 600e18 - 1, 600e18)
        );
        gateway.shareExitDeposit(TASK, PAYER, IPaymentGateway.AccessAction.LEAVE);
    }
}
