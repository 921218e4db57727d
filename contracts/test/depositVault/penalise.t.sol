// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { bound } from "../bound.sol";
import { vm } from "../Vm.sol";
import { DepositVaultBase } from "./DepositVaultBase.sol";

contract DepositVaultPenaliseTest is DepositVaultBase {
    function setUp() public override {
        super.setUp();
        _topUp(agent, 25e6);
        _topUp(other, 30e6);
        vault.reserve(TASK, agent, 8e6);
        vault.reserve(OTHER_TASK, agent, 9e6);
    }

    function testFuzz_RevertWhen_CallerIsAnyoneElse(address caller) external {
        vm.assume(caller != address(this) && caller != arbitration);
        _expectUnauthorized(caller);
        vault.penalise(TASK, agent, caller, 2.5e6);
    }

    /// @dev A part, exactly the reserve, more than that, nothing, and of a task without reserve. No token moves.
    function test_MovesReserveIntoDeposit() external {
        uint256[5] memory amounts = [uint256(2.5e6), 8e6, 8e6 + 1, 0, 8e6];
        uint256[5] memory paid = [uint256(2.5e6), 8e6, 8e6, 0, 0];
        for (uint256 i = 0; i < 5; ++i) {
            uint256 snapshot = vm.snapshotState();
            if (paid[i] != 0) {
                vm.expectEmit(address(vault));
                emit IDepositVault.Penalised(TASK, agent, other, paid[i]);
            }
            vm.recordLogs();
            if (i % 2 == 0) vm.prank(arbitration);
            vm.assertEq(vault.penalise(i == 4 ? 99 : TASK, agent, other, amounts[i]), paid[i]);
            vm.assertEq(vm.getRecordedLogs().length, paid[i] == 0 ? 0 : 1);
            vm.assertEq(vault.reserveOf(TASK, agent), 8e6 - paid[i]);
            vm.assertEq(vault.reserveOf(OTHER_TASK, agent), 9e6);
            _assertDeposit(agent, 25e6 - paid[i], 17e6 - paid[i]);
            _assertDeposit(other, 30e6 + paid[i], 0);
            _assertTotal(55e6);
            vm.revertToState(snapshot);
        }
    }

    function test_ReceiverCannotRefuse() external {
        usdc.setBlocked(other, true);
        vm.assertEq(vault.penalise(TASK, agent, other, 2.5e6), 2.5e6);
        _assertDeposit(other, 32.5e6, 0);
    }

    function test_ToOneselfOnlyFrees() external {
        vm.assertEq(vault.penalise(TASK, agent, agent, 2.5e6), 2.5e6);
        _assertDeposit(agent, 25e6, 14.5e6);
        _assertTotal(55e6);
    }

    /// @dev Each byte of `script` is one operation of one of two agents on one of two tasks.
    function testFuzz_SumsHold(bytes32 script, uint32[32] calldata amounts) external {
        for (uint256 i = 0; i < 32; i++) {
            uint256 code = uint8(script[i]);
            uint256 taskId = code & 1 == 0 ? TASK : OTHER_TASK;
            (address from, address to) = code & 2 == 0 ? (agent, other) : (other, agent);
            uint256 operation = (code / 4) % 5;
            if (operation == 0) _topUp(from, uint256(amounts[i]) + 1);
            else if (operation == 1) vault.unreserve(taskId, from);
            else if (operation == 2) vault.penalise(taskId, from, to, amounts[i]);
            else if (operation == 3) vault.reserve(taskId, from, bound(amounts[i], 0, vault.freeOf(from)));
            else if (vault.withdrawableOf(from) != 0) _withdraw(from, bound(amounts[i], 1, vault.withdrawableOf(from)));

            _assertSums();
        }
    }

    function _withdraw(address account, uint256 amount) private {
        vm.prank(account);
        vault.withdraw(amount, stranger);
    }

    function _assertSums() private view {
        _assertTotal(vault.balanceOf(agent) + vault.balanceOf(other));
        _assertReserves(agent);
        _assertReserves(other);
    }

    function _assertReserves(address account) private view {
        uint256 reserved = vault.reserveOf(TASK, account) + vault.reserveOf(OTHER_TASK, account);
        vm.assertEq(vault.reservedOf(account), reserved, "reserves");
        vm.assertLe(reserved, vault.balanceOf(account));
    }
}
