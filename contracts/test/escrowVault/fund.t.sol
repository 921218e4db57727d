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

    /// @dev The event comes before the money moves. A second payment adds up; other tasks stay as they are.
    function test_PullsExactAmountThroughGateway() external {
        vault.fund(OTHER_TASK, poster, 5);
        vault.fund(TASK, poster, 23);
        uint256 before = tok.balanceOf(poster);
        vm.expectCall(address(gateway), abi.encodeCall(IPaymentGateway.pull, (poster, 100)));
        vm.expectEmit(address(vault));
        emit IEscrowVault.Funded(TASK, poster, 100);
        vm.recordLogs();
        vault.fund(TASK, poster, 100);
        vm.assertEq(vm.getRecordedLogs()[0].emitter, address(vault));

        vm.assertEq(tok.balanceOf(poster), before - 100);
        vm.assertEq(tok.balanceOf(address(gateway)), 0);
        _assertAccount(TASK, 123, 0, 0);
        _assertAccount(OTHER_TASK, 5, 0, 0);
        _assertTotals(128, 0);
    }

    function test_RevertWhen_PayerIsShort() external {
        vm.expectRevert(bytes("pull failed"));
        vault.fund(TASK, stranger, 1);
    }

    function test_RevertWhen_AmountIsAboveUint128() external {
        uint256 amount = uint256(type(uint128).max) + 1;
        vm.expectRevert(abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 128, amount));
        vault.fund(TASK, poster, amount);
    }

    function test_RevertWhen_SumPassesUint128() external {
        vault.fund(TASK, poster, type(uint128).max);
        _assertAccount(TASK, type(uint128).max, 0, 0);
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        vault.fund(TASK, poster, 1);
    }

    /// @dev The token takes a fee, brings more than asked, or moves nothing.
    function test_RevertWhen_AnotherAmountArrives() external {
        vault.fund(OTHER_TASK, poster, 1000);
        tok.setFee(100);
        _expectUnexpected(990);
        tok.setFee(0);
        tok.setCallback(address(tok), abi.encodeCall(tok.mint, (address(vault), 1)));
        _expectUnexpected(1001);
        tok.setCallback(address(0), "");
        tok.setStill(true);
        _expectUnexpected(0);
    }

    function _expectUnexpected(uint256 received) private {
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.UnexpectedAmount.selector, 1000, received));
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
