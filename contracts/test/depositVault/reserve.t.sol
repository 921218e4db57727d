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
        _topUp(other, 30e6);
        vault.reserve(TASK, other, 9e6);
    }

    function testFuzz_RevertWhen_CallerIsAnyoneElse(address caller) external {
        vm.assume(caller != address(this) && caller != arbitration);
        _expectUnauthorized(caller);
        vault.reserve(TASK, agent, 8e6);
        _expectUnauthorized(caller);
        vault.unreserve(TASK, other);
    }

    /// @dev Nothing, the difference, nothing at and above the target, all that is free, and a unit more than that.
    function test_RaisesTheReserveToTheTarget() external {
        uint256[3][7] memory cases = [
            [uint256(0), 0, 8e6],
            [uint256(0), 8e6, 18e6],
            [uint256(0), 8e6, 8e6],
            [uint256(0), 25e6, 8e6],
            [uint256(0), 0, 25e6],
            [uint256(0), 8e6, 25e6 + 1],
            [uint256(20e6), 0, 8e6]
        ];
        for (uint256 i = 0; i < cases.length; ++i) {
            uint256[3] memory row = cases[i];
            uint256 snapshot = vm.snapshotState();
            _assertRaises(row[0], row[1], row[2]);
            vm.revertToState(snapshot);
        }
    }

    function testFuzz_TakesOrRefuses(uint256 elsewhere, uint256 present, uint256 target) external {
        elsewhere = bound(elsewhere, 0, 25e6);
        _assertRaises(elsewhere, bound(present, 0, 25e6 - elsewhere), bound(target, 0, 30e6));
    }

    function test_Unreserve_GivesBackOnlyThisTask() external {
        vault.reserve(TASK, agent, 8e6);
        vault.reserve(OTHER_TASK, agent, 9e6);
        vm.expectEmit(address(vault));
        emit IDepositVault.Unreserved(TASK, agent, 8e6);
        vm.prank(arbitration);
        vault.unreserve(TASK, agent);
        vm.recordLogs();
        vault.unreserve(TASK, agent);
        vm.assertEq(vm.getRecordedLogs().length, 0);
        vm.assertEq(vault.reserveOf(TASK, agent), 0);
        vm.assertEq(vault.reserveOf(OTHER_TASK, agent), 9e6);
        vm.assertEq(vault.reserveOf(TASK, other), 9e6);
        _assertDeposit(agent, 25e6, 9e6);
        _assertTotal(55e6);
    }

    /// @dev Takes all that is missing or nothing, for both callers.
    function _assertRaises(uint256 elsewhere, uint256 present, uint256 target) private {
        vault.reserve(OTHER_TASK, agent, elsewhere);
        vault.reserve(TASK, agent, present);
        uint256 missing = target > present ? target - present : 0;
        uint256 free = 25e6 - elsewhere - present;
        if (missing > free) {
            vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, agent, free, missing));
            missing = 0;
        }
        if (missing != 0) {
            vm.expectEmit(address(vault));
            emit IDepositVault.Reserved(TASK, agent, missing);
        }
        vm.recordLogs();
        if (target % 2 == 0) vm.prank(arbitration);
        vault.reserve(TASK, agent, target);

        vm.assertEq(vm.getRecordedLogs().length, missing == 0 ? 0 : 1);
        vm.assertEq(vault.reserveOf(TASK, agent), present + missing);
        vm.assertEq(vault.reserveOf(OTHER_TASK, agent), elsewhere);
        vm.assertEq(vault.reserveOf(TASK, other), 9e6);
        _assertDeposit(agent, 25e6, elsewhere + present + missing);
        _assertTotal(55e6);
    }
}
