// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { bound } from "../bound.sol";
import { vm } from "../Vm.sol";
import { DepositVaultBase } from "./DepositVaultBase.sol";

contract DepositVaultReserveTest is DepositVaultBase {
    function setUp() public override {
        super.setUp();
        _topUp(agent, 25e6);
    }

    function test_Reserve_RevertWhen_CallerIsStranger() external {
        _expectUnauthorized(agent);
        vault.reserve(TASK, agent, 8e6);
    }

    function test_Reserve_ByArbitration() external {
        vm.prank(arbitration);
        vault.reserve(TASK, agent, 8e6);
        _assertDeposit(agent, 25e6, 8e6);
    }

    function test_Reserve_RaisesReserve() external {
        vault.reserve(TASK, agent, 8e6);
        vm.assertEq(vault.reserveOf(TASK, agent), 8e6);
        vm.assertEq(vault.reserveOf(OTHER_TASK, agent), 0);
        _assertDeposit(agent, 25e6, 8e6);
        _assertTotal(25e6);

        vault.reserve(OTHER_TASK, agent, 8e6);
        vm.assertEq(vault.reserveOf(OTHER_TASK, agent), 8e6);
        _assertDeposit(agent, 25e6, 16e6);
    }

    function test_Reserve_EmitsReserved() external {
        vm.expectEmit(address(vault));
        emit IDepositVault.Reserved(TASK, agent, 8e6);
        vault.reserve(TASK, agent, 8e6);
    }

    function test_Reserve_AddsOnlyTheDifference() external {
        vault.reserve(TASK, agent, 8e6);
        vm.expectEmit(address(vault));
        emit IDepositVault.Reserved(TASK, agent, 10e6);
        vault.reserve(TASK, agent, 18e6);
        vm.assertEq(vault.reserveOf(TASK, agent), 18e6);
        _assertDeposit(agent, 25e6, 18e6);
    }

    function test_Reserve_DoesNothingAtTarget() external {
        vault.reserve(TASK, agent, 8e6);
        vm.recordLogs();
        vault.reserve(TASK, agent, 8e6);
        _assertUntouched(8e6);
    }

    function test_Reserve_DoesNothingAboveTarget() external {
        vault.reserve(TASK, agent, 25e6);
        vm.recordLogs();
        vault.reserve(TASK, agent, 8e6);
        _assertUntouched(25e6);
    }

    function test_Reserve_TakesTheLastUnit() external {
        vault.reserve(TASK, agent, 25e6);
        _assertDeposit(agent, 25e6, 25e6);
    }

    function test_Reserve_RevertGiven_OneUnitShort() external {
        vault.reserve(TASK, agent, 8e6);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, agent, 17e6, 17e6 + 1));
        vault.reserve(TASK, agent, 25e6 + 1);
    }

    function test_Reserve_RevertGiven_OtherTasksTookIt() external {
        vault.reserve(OTHER_TASK, agent, 20e6);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, agent, 5e6, 8e6));
        vault.reserve(TASK, agent, 8e6);
    }

    function test_Reserve_KeepsAgentsApart() external {
        _topUp(other, 30e6);
        vault.reserve(TASK, agent, 8e6);
        vault.reserve(TASK, other, 9e6);
        vm.assertEq(vault.reserveOf(TASK, agent), 8e6);
        vm.assertEq(vault.reserveOf(TASK, other), 9e6);
        _assertDeposit(agent, 25e6, 8e6);
        _assertDeposit(other, 30e6, 9e6);
    }

    function testFuzz_Reserve_TakesOrRefuses(uint256 elsewhere, uint256 present, uint256 target) external {
        elsewhere = bound(elsewhere, 0, 25e6);
        present = bound(present, 0, 25e6 - elsewhere);
        target = bound(target, 0, 30e6);
        vault.reserve(OTHER_TASK, agent, elsewhere);
        vault.reserve(TASK, agent, present);

        uint256 missing = target > present ? target - present : 0;
        uint256 free = 25e6 - elsewhere - present;
        if (missing > free) {
            vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, agent, free, missing));
            missing = 0;
        }
        vault.reserve(TASK, agent, target);

        vm.assertEq(vault.reserveOf(TASK, agent), present + missing);
        _assertDeposit(agent, 25e6, elsewhere + present + missing);
    }

    function test_Refill_RevertWhen_CallerIsStranger() external {
        _expectUnauthorized(agent);
        vault.refill(TASK, agent, 8e6);
    }

    function test_Refill_ByRegistry() external {
        vault.refill(TASK, agent, 8e6);
        _assertDeposit(agent, 25e6, 8e6);
    }

    function test_Refill_RaisesReserve() external {
        vault.reserve(TASK, agent, 3e6);
        vm.prank(arbitration);
        vm.expectEmit(address(vault));
        emit IDepositVault.Reserved(TASK, agent, 5e6);
        vault.refill(TASK, agent, 8e6);
        vm.assertEq(vault.reserveOf(TASK, agent), 8e6);
        _assertDeposit(agent, 25e6, 8e6);
    }

    function test_Refill_TakesWhatIsThere() external {
        vault.reserve(OTHER_TASK, agent, 20e6);
        vm.prank(arbitration);
        vm.expectEmit(address(vault));
        emit IDepositVault.Reserved(TASK, agent, 5e6);
        vault.refill(TASK, agent, 8e6);
        vm.assertEq(vault.reserveOf(TASK, agent), 5e6);
        _assertDeposit(agent, 25e6, 25e6);
    }

    function test_Refill_DoesNothingWhenNothingIsFree() external {
        vault.reserve(TASK, agent, 5e6);
        vault.reserve(OTHER_TASK, agent, 20e6);
        vm.recordLogs();
        vm.prank(arbitration);
        vault.refill(TASK, agent, 8e6);
        vm.assertEq(vm.getRecordedLogs().length, 0);
        vm.assertEq(vault.reserveOf(TASK, agent), 5e6);
    }

    function test_Refill_DoesNothingAtTarget() external {
        vault.reserve(TASK, agent, 8e6);
        vm.recordLogs();
        vm.prank(arbitration);
        vault.refill(TASK, agent, 8e6);
        _assertUntouched(8e6);
    }

    function test_Refill_DoesNothingAboveTarget() external {
        vault.reserve(TASK, agent, 9e6);
        vm.recordLogs();
        vm.prank(arbitration);
        vault.refill(TASK, agent, 8e6);
        _assertUntouched(9e6);
    }

    function testFuzz_Refill_NeverRefuses(uint256 elsewhere, uint256 present, uint256 target) external {
        elsewhere = bound(elsewhere, 0, 25e6);
        present = bound(present, 0, 25e6 - elsewhere);
        vault.reserve(OTHER_TASK, agent, elsewhere);
        vault.reserve(TASK, agent, present);

        vault.refill(TASK, agent, target);

        uint256 free = 25e6 - elsewhere - present;
        uint256 missing = target > present ? target - present : 0;
        uint256 added = missing < free ? missing : free;
        vm.assertEq(vault.reserveOf(TASK, agent), present + added);
        _assertDeposit(agent, 25e6, elsewhere + present + added);
    }

    function test_Unreserve_RevertWhen_CallerIsStranger() external {
        vault.reserve(TASK, agent, 8e6);
        _expectUnauthorized(agent);
        vault.unreserve(TASK, agent);
    }

    function test_Unreserve_ByArbitration() external {
        vault.reserve(TASK, agent, 8e6);
        vm.prank(arbitration);
        vault.unreserve(TASK, agent);
        _assertDeposit(agent, 25e6, 0);
    }

    function test_Unreserve_GivesBackOnlyThisTask() external {
        vault.reserve(TASK, agent, 8e6);
        vault.reserve(OTHER_TASK, agent, 9e6);
        vault.unreserve(TASK, agent);
        vm.assertEq(vault.reserveOf(TASK, agent), 0);
        vm.assertEq(vault.reserveOf(OTHER_TASK, agent), 9e6);
        _assertDeposit(agent, 25e6, 9e6);
        _assertTotal(25e6);
    }

    function test_Unreserve_EmitsUnreserved() external {
        vault.reserve(TASK, agent, 8e6);
        vm.expectEmit(address(vault));
        emit IDepositVault.Unreserved(TASK, agent, 8e6);
        vault.unreserve(TASK, agent);
    }

    function test_Unreserve_DoesNothingWithoutReserve() external {
        vault.reserve(OTHER_TASK, agent, 9e6);
        vm.recordLogs();
        vault.unreserve(TASK, agent);
        vm.assertEq(vm.getRecordedLogs().length, 0);
        _assertDeposit(agent, 25e6, 9e6);
    }

    function _assertUntouched(uint256 reserved) private {
        vm.assertEq(vm.getRecordedLogs().length, 0);
        vm.assertEq(vault.reserveOf(TASK, agent), reserved);
        _assertDeposit(agent, 25e6, reserved);
    }
}
