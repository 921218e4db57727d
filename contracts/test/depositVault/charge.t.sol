// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { bound } from "../bound.sol";
import { vm } from "../Vm.sol";
import { DepositVaultBase } from "./DepositVaultBase.sol";

contract DepositVaultChargeTest is DepositVaultBase {
    function setUp() public override {
        super.setUp();
        _topUp(agent, 25e6);
        _topUp(other, 30e6);
        vault.reserve(TASK, agent, 8e6);
    }

    function testFuzz_RevertWhen_CallerIsAnyoneElse(address caller) external {
        vm.assume(caller != address(this) && caller != arbitration);
        _expectUnauthorized(caller);
        vault.charge(TASK, agent, caller, 5e6);
    }

    function test_MovesFreeDepositAndNoToken() external {
        vm.recordLogs();
        vm.prank(arbitration);
        vm.assertEq(vault.charge(TASK, agent, treasury, 5e6), 5e6);
        vm.assertEq(vm.getRecordedLogs().length, 1);
        vm.assertEq(vault.reserveOf(TASK, agent), 8e6);
        _assertDeposit(agent, 20e6, 8e6);
        _assertDeposit(treasury, 5e6, 0);
        _assertTotal(55e6);
    }

    function test_EmitsCharged() external {
        vm.expectEmit(address(vault));
        emit IDepositVault.Charged(TASK, agent, other, 5e6);
        vault.charge(TASK, agent, other, 5e6);
    }

    /// @dev What the agent may not withdraw can be charged all the same: that is what it stays for.
    function test_TakesWhatCannotBeWithdrawn() external {
        vm.assertEq(vault.withdrawableOf(agent), 0);
        vm.assertEq(vault.charge(TASK, agent, other, 17e6), 17e6);
        _assertDeposit(agent, 8e6, 8e6);
    }

    function test_LeavesReserves() external {
        vm.assertEq(vault.charge(TASK, agent, other, 17e6 + 1), 17e6);
        vm.recordLogs();
        vm.assertEq(vault.charge(TASK, agent, other, 1), 0);
        vm.assertEq(vm.getRecordedLogs().length, 0);
        _assertDeposit(agent, 8e6, 8e6);
        _assertDeposit(other, 47e6, 0);
    }

    function test_DoesNothingWhenAmountIsZero() external {
        vm.recordLogs();
        vm.assertEq(vault.charge(TASK, agent, other, 0), 0);
        vm.assertEq(vm.getRecordedLogs().length, 0);
    }

    function testFuzz_TakesAtMostWhatIsFree(uint256 reserved, uint256 amount) external {
        reserved = bound(reserved, 8e6, 25e6);
        vault.reserve(TASK, agent, reserved);
        uint256 free = 25e6 - reserved;
        uint256 paid = amount < free ? amount : free;
        vm.assertEq(vault.charge(TASK, agent, other, amount), paid);
        _assertDeposit(agent, 25e6 - paid, reserved);
        _assertDeposit(other, 30e6 + paid, 0);
        _assertTotal(55e6);
    }
}
