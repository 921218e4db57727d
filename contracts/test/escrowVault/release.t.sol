// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { bound } from "../bound.sol";
import { vm } from "../Vm.sol";
import { EscrowVaultBase } from "./EscrowVaultBase.sol";

contract EscrowVaultReleaseTest is EscrowVaultBase {
    function testFuzz_RevertWhen_CallerIsAnyoneElse(address caller) external {
        vm.assume(caller != address(this));
        vault.fund(TASK, poster, 100);
        vm.prank(caller);
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.Unauthorized.selector, caller));
        vault.release(TASK, caller, 1);
    }

    function test_RevertGiven_PartWasReleased() external {
        vault.fund(OTHER_TASK, poster, 100);
        vault.fund(TASK, poster, 100);
        vault.release(TASK, worker, 60);
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.InsufficientHeld.selector, TASK, 40, 41));
        vault.release(TASK, worker, 41);
    }

    function test_DoesNothingWhenAmountIsZero() external {
        vault.fund(TASK, poster, 100);
        tok.setBlocked(worker, true);
        vm.recordLogs();
        vault.release(TASK, worker, 0);

        vm.assertEq(vm.getRecordedLogs().length, 0);
        _assertAccount(TASK, 100, 0, 0);
        _assertTotals(100, 0);
    }

    function test_PaysPartToReceiver() external {
        vault.fund(OTHER_TASK, poster, 5);
        vault.fund(TASK, poster, 100);
        vm.expectEmit(address(vault));
        emit IEscrowVault.Released(TASK, worker, 30, false);
        vault.release(TASK, worker, 30);
        vm.assertEq(tok.balanceOf(worker), 30);
        vm.assertEq(vault.withdrawableOf(worker), 0);
        _assertAccount(TASK, 100, 30, 0);
        _assertAccount(OTHER_TASK, 5, 0, 0);
        _assertTotals(75, 0);

        vault.release(TASK, worker, 70);
        _assertAccount(TASK, 100, 100, 0);
        _assertTotals(5, 0);
    }

    function test_KeepsWhatReceiverCannotTake() external {
        vault.fund(TASK, poster, 100);
        tok.setBlocked(worker, true);
        vm.expectEmit(address(vault));
        emit IEscrowVault.Released(TASK, worker, 30, true);
        vault.release(TASK, worker, 30);

        vm.assertEq(tok.balanceOf(worker), 0);
        vm.assertEq(vault.withdrawableOf(worker), 30);
        _assertAccount(TASK, 100, 30, 0);
        _assertTotals(70, 30);
    }

    function test_AddsUpDeferredPayments() external {
        _defer(TASK, worker, 30);
        _defer(OTHER_TASK, worker, 12);
        _defer(OTHER_TASK, stranger, 4);

        vm.assertEq(vault.withdrawableOf(worker), 42);
        vm.assertEq(vault.withdrawableOf(stranger), 4);
        _assertTotals(0, 46);
    }

    function testFuzz_HoldsRest(uint128 funded, uint128 first, uint128 second, bool blocked) external {
        first = uint128(bound(first, 0, funded));
        second = uint128(bound(second, 0, funded - first));
        vault.fund(TASK, poster, funded);
        vault.release(TASK, worker, first);
        tok.setBlocked(worker, blocked);
        vault.release(TASK, worker, second);

        uint256 deferred = blocked ? second : 0;
        vm.assertEq(tok.balanceOf(worker), uint256(first) + second - deferred);
        vm.assertEq(vault.withdrawableOf(worker), deferred);
        _assertAccount(TASK, funded, uint256(first) + second, 0);
        _assertTotals(uint256(funded) - first - second, deferred);
    }

    function testFuzz_RevertWhen_MoreThanHeld(uint128 funded, uint256 asked) external {
        asked = bound(asked, uint256(funded) + 1, type(uint256).max);
        vault.fund(TASK, poster, funded);
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.InsufficientHeld.selector, TASK, funded, asked));
        vault.release(TASK, worker, asked);
    }
}
