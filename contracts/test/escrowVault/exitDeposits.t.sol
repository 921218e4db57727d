// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { vm } from "../Vm.sol";
import { EscrowVaultBase } from "./EscrowVaultBase.sol";

contract EscrowVaultExitDepositsTest is EscrowVaultBase {
    uint256 private constant EXIT = 1_000e18;
    IPaymentGateway.AccessAction private constant LEAVE = IPaymentGateway.AccessAction.LEAVE;

    function setUp() public override {
        super.setUp();
        vault.fund(OTHER_TASK, poster, 77);
    }

    function test_RevertWhen_CallerIsNotRegistry() external {
        vault.lockExitDeposit(TASK, poster);
        address[3] memory callers = [stranger, poster, address(gateway)];
        for (uint256 i = 0; i < callers.length; ++i) {
            bytes memory reason = abi.encodeWithSelector(IEscrowVault.Unauthorized.selector, callers[i]);
            vm.startPrank(callers[i]);
            vm.expectRevert(reason);
            vault.lockExitDeposit(TASK, poster);
            vm.expectRevert(reason);
            vault.returnExitDeposit(TASK, poster);
            vm.expectRevert(reason);
            vault.spendExitDeposit(TASK, poster, LEAVE);
            vm.stopPrank();
        }
    }

    function test_Lock_PullsThroughGateway() external {
        uint256 before = tok.balanceOf(poster);
        vm.expectCall(address(gateway), abi.encodeCall(IPaymentGateway.pull, (poster, EXIT)));
        vm.expectEmit(address(vault));
        emit IEscrowVault.ExitDepositLocked(TASK, poster, EXIT);
        vault.lockExitDeposit(TASK, poster);

        vm.assertEq(tok.balanceOf(poster), before - EXIT);
        _assertExit(TASK, poster, EXIT, EXIT);
        // It is not the task's money.
        _assertAccount(TASK, 0, 0, 0);
        _assertTotals(77, 0);
    }

    function test_Lock_KeepsTasksAndAgentsApart() external {
        tok.mint(worker, EXIT);
        vm.prank(worker);
        tok.approve(address(gateway), EXIT);
        vault.lockExitDeposit(TASK, poster);
        vault.lockExitDeposit(OTHER_TASK, poster);
        vault.lockExitDeposit(TASK, worker);
        vault.returnExitDeposit(TASK, poster);
        _assertExit(TASK, poster, 0, 2 * EXIT);
        _assertExit(OTHER_TASK, poster, EXIT, 2 * EXIT);
        _assertExit(TASK, worker, EXIT, 2 * EXIT);
    }

    function test_Lock_RevertWhen_TokenTakesFeeOrLies() external {
        tok.setFee(100);
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.UnexpectedAmount.selector, EXIT, EXIT - EXIT / 100));
        vault.lockExitDeposit(TASK, poster);
        tok.setFee(0);
        tok.setStill(true);
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.UnexpectedAmount.selector, EXIT, 0));
        vault.lockExitDeposit(TASK, poster);
    }

    function test_Return_PaysOnce() external {
        vault.lockExitDeposit(TASK, poster);
        uint256 before = tok.balanceOf(poster);
        vm.expectEmit(address(vault));
        emit IEscrowVault.ExitDepositReturned(TASK, poster, EXIT, false);
        vault.returnExitDeposit(TASK, poster);
        vm.assertEq(tok.balanceOf(poster), before + EXIT);
        _assertExit(TASK, poster, 0, 0);

        vm.recordLogs();
        vault.returnExitDeposit(TASK, poster);
        vault.spendExitDeposit(TASK, poster, LEAVE);
        vm.assertEq(vm.getRecordedLogs().length, 0);
        _assertTotals(77, 0);
    }

    function test_Return_WaitsForBlockedAgent() external {
        vault.lockExitDeposit(TASK, poster);
        tok.setBlocked(poster, true);
        vm.expectEmit(address(vault));
        emit IEscrowVault.ExitDepositReturned(TASK, poster, EXIT, true);
        vault.returnExitDeposit(TASK, poster);
        _assertExit(TASK, poster, 0, 0);
        _assertTotals(77, EXIT);
        vm.prank(poster);
        vm.assertEq(vault.withdraw(stranger), EXIT);
        _assertTotals(77, 0);
    }

    function test_Spend_SharesOutThroughGateway() external {
        vault.lockExitDeposit(TASK, poster);
        vm.expectEmit(address(vault));
        emit IEscrowVault.ExitDepositSpent(TASK, poster, EXIT, false);
        vault.spendExitDeposit(TASK, poster, LEAVE);
        vm.assertEq(gateway.shared(), abi.encode(TASK, poster, LEAVE, EXIT));
        _assertExit(TASK, poster, 0, 0);
        _assertTotals(77, 0);
    }

    function test_Spend_WaitsForBlockedGateway() external {
        vault.lockExitDeposit(TASK, poster);
        tok.setBlocked(address(gateway), true);
        vm.expectEmit(address(vault));
        emit IEscrowVault.ExitDepositSpent(TASK, poster, EXIT, true);
        vault.spendExitDeposit(TASK, poster, LEAVE);
        vm.assertEq(gateway.shared(), "");
        vm.assertEq(vault.withdrawableOf(address(gateway)), EXIT);
        _assertTotals(77, EXIT);
    }

    /// @dev No exit waits for the treasury or the Union.
    function test_Spend_GoesThroughWhenSharingFails() external {
        vault.lockExitDeposit(TASK, poster);
        gateway.setStuck(true);
        vault.spendExitDeposit(TASK, poster, LEAVE);
        vm.assertEq(tok.balanceOf(address(gateway)), EXIT);
        _assertExit(TASK, poster, 0, 0);
        _assertTotals(77, 0);
    }

    /// @dev Each byte of `script` is one operation of one of two agents on one of two tasks.
    function testFuzz_BalanceIsHeldPlusExitDepositsPlusWithdrawable(bytes32 script) external {
        address[2] memory agents = [poster, worker];
        tok.mint(worker, 100 * EXIT);
        vm.prank(worker);
        tok.approve(address(gateway), type(uint256).max);
        for (uint256 i = 0; i < 32; ++i) {
            uint256 code = uint8(script[i]);
            uint256 taskId = code & 1 == 0 ? TASK : OTHER_TASK;
            address agent = agents[(code >> 1) & 1];
            uint256 operation = (code >> 2) % 4;
            tok.setBlocked(operation == 1 ? agent : address(gateway), code & 0x80 != 0 && operation != 0);
            if (operation == 0) vault.lockExitDeposit(taskId, agent);
            else if (operation == 1) vault.returnExitDeposit(taskId, agent);
            else if (operation == 2) vault.spendExitDeposit(taskId, agent, LEAVE);
            else vault.refund(taskId, agent);
            tok.setBlocked(agent, false);
            tok.setBlocked(address(gateway), false);

            uint256 exits = vault.exitDepositOf(TASK, poster) + vault.exitDepositOf(TASK, worker)
                + vault.exitDepositOf(OTHER_TASK, poster) + vault.exitDepositOf(OTHER_TASK, worker);
            uint256 waiting =
                vault.withdrawableOf(poster) + vault.withdrawableOf(worker) + vault.withdrawableOf(address(gateway));
            vm.assertEq(vault.totalExitDeposits(), exits);
            _assertTotals(vault.heldOf(TASK) + vault.heldOf(OTHER_TASK), waiting);
        }
    }

    function _assertExit(uint256 taskId, address agent, uint256 amount, uint256 total) private view {
        vm.assertEq(vault.exitDepositOf(taskId, agent), amount, "exit deposit");
        vm.assertEq(vault.totalExitDeposits(), total, "all exit deposits");
    }
}
