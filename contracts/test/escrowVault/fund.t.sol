// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { bound } from "../bound.sol";
import { vm } from "../Vm.sol";
import { EscrowVaultBase } from "./EscrowVaultBase.sol";

contract EscrowVaultFundTest is EscrowVaultBase {
    function test_RevertWhen_CallerIsNotRegistry() external {
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.Unauthorized.selector, stranger));
        vault.fund(TASK, poster, 1);
    }

    function test_PullsExactAmountThroughGateway() external {
        uint256 before = tok.balanceOf(poster);

        vm.expectCall(address(gateway), abi.encodeCall(IPaymentGateway.pull, (poster, 100)));
        vault.fund(TASK, poster, 100);

        vm.assertEq(tok.balanceOf(poster), before - 100);
        vm.assertEq(tok.balanceOf(address(vault)), 100);
        vm.assertEq(tok.balanceOf(address(gateway)), 0);
    }

    function test_AddsToAccountAndTotal() external {
        vault.fund(TASK, poster, 100);
        _assertAccount(TASK, 100, 0, 0);
        _assertTotals(100, 0);
    }

    function test_EmitsFunded() external {
        vm.expectEmit(address(vault));
        emit IEscrowVault.Funded(TASK, poster, 100);
        vault.fund(TASK, poster, 100);
    }

    function test_EmitsFundedBeforeTheMoneyMoves() external {
        vm.recordLogs();
        vault.fund(TASK, poster, 100);
        vm.assertEq(vm.getRecordedLogs()[0].emitter, address(vault));
    }

    function test_AddsUpWhenFundedAgain() external {
        vault.fund(TASK, poster, 100);
        vault.fund(TASK, poster, 23);
        _assertAccount(TASK, 123, 0, 0);
        _assertTotals(123, 0);
    }

    function test_LeavesOtherTasksAlone() external {
        vault.fund(TASK, poster, 100);
        vault.fund(OTHER_TASK, poster, 5);
        _assertAccount(TASK, 100, 0, 0);
        _assertAccount(OTHER_TASK, 5, 0, 0);
        _assertTotals(105, 0);
    }

    function test_RevertWhen_PayerIsShort() external {
        vm.expectRevert(bytes("pull failed"));
        vault.fund(TASK, stranger, 1);
    }

    function test_HoldsLargestUint128() external {
        vault.fund(TASK, poster, type(uint128).max);
        _assertAccount(TASK, type(uint128).max, 0, 0);
    }

    function test_RevertWhen_AmountIsAboveUint128() external {
        uint256 amount = uint256(type(uint128).max) + 1;
        vm.expectRevert(abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 128, amount));
        vault.fund(TASK, poster, amount);
    }

    function test_RevertWhen_SumPassesUint128() external {
        vault.fund(TASK, poster, type(uint128).max);
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        vault.fund(TASK, poster, 1);
    }

    function test_RevertWhen_TokenTakesFee() external {
        tok.setFee(100);
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.UnexpectedAmount.selector, 1000, 990));
        vault.fund(TASK, poster, 1000);
    }

    function test_RevertWhen_TokenLies() external {
        tok.setStill(true);
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.UnexpectedAmount.selector, 1000, 0));
        vault.fund(TASK, poster, 1000);
    }

    function test_RevertWhen_TokenLiesAboutATaskThatHoldsMoney() external {
        vault.fund(OTHER_TASK, poster, 1000);
        tok.setStill(true);
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.UnexpectedAmount.selector, 1000, 0));
        vault.fund(TASK, poster, 1000);
    }

    function test_RevertWhen_MoreArrivesThanAsked() external {
        tok.setCallback(address(tok), abi.encodeCall(tok.mint, (address(vault), 1)));
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.UnexpectedAmount.selector, 1000, 1001));
        vault.fund(TASK, poster, 1000);
    }

    function testFuzz_HoldsSum(uint128 first, uint128 second, uint128 other) external {
        first = uint128(bound(first, 0, type(uint128).max - second));
        vault.fund(TASK, poster, first);
        vault.fund(OTHER_TASK, poster, other);
        vault.fund(TASK, poster, second);

        _assertAccount(TASK, uint256(first) + second, 0, 0);
        _assertAccount(OTHER_TASK, other, 0, 0);
        _assertTotals(uint256(first) + second + other, 0);
    }
}
