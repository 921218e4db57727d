// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { bound } from "../bound.sol";
import { vm } from "../Vm.sol";
import { EscrowVaultBase } from "./EscrowVaultBase.sol";

contract EscrowVaultRefundTest is EscrowVaultBase {
    function test_RevertWhen_CallerIsNotRegistry() external {
        vault.fund(TASK, poster, 100);
        vm.prank(poster);
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.Unauthorized.selector, poster));
        vault.refund(TASK, poster);
    }

    function test_DoesNothingWhenNothingIsHeld() external {
        vault.fund(OTHER_TASK, poster, 100);
        tok.setBlocked(poster, true);
        vm.recordLogs();

        vm.assertEq(vault.refund(TASK, poster), 0);

        vm.assertEq(vm.getRecordedLogs().length, 0);
        _assertAccount(TASK, 0, 0, 0);
        _assertTotals(100, 0);
    }

    function test_PaysOnlyWhatThisTaskStillHolds() external {
        vault.fund(OTHER_TASK, poster, 5);
        vault.fund(TASK, poster, 100);
        vault.release(TASK, worker, 30);
        vm.expectEmit(address(vault));
        emit IEscrowVault.Refunded(TASK, stranger, 70, false);
        vm.assertEq(vault.refund(TASK, stranger), 70);
        vm.assertEq(vault.withdrawableOf(stranger), 0);
        vault.fund(TASK, poster, 10);
        vm.assertEq(vault.refund(TASK, stranger), 10);

        vm.assertEq(tok.balanceOf(stranger), 80);
        _assertAccount(TASK, 110, 30, 80);
        _assertAccount(OTHER_TASK, 5, 0, 0);
        _assertTotals(5, 0);
    }

    function test_KeepsWhatReceiverCannotTake() external {
        vault.fund(TASK, poster, 100);
        tok.setBlocked(stranger, true);
        vm.expectEmit(address(vault));
        emit IEscrowVault.Refunded(TASK, stranger, 100, true);

        vm.assertEq(vault.refund(TASK, stranger), 100);

        vm.assertEq(vault.withdrawableOf(stranger), 100);
        _assertAccount(TASK, 100, 0, 100);
        _assertTotals(0, 100);
    }

    function testFuzz_PaysExactlyTheRest(uint128 funded, uint128 released, uint128 other) external {
        released = uint128(bound(released, 0, funded));
        vault.fund(OTHER_TASK, poster, other);
        vault.fund(TASK, poster, funded);
        vault.release(TASK, worker, released);

        vm.assertEq(vault.refund(TASK, stranger), funded - released);

        vm.assertEq(tok.balanceOf(stranger), funded - released);
        _assertAccount(TASK, funded, released, funded - released);
        _assertTotals(other, 0);
    }
}
