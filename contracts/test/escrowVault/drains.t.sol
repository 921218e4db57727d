// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { vm } from "../Vm.sol";
import { EscrowVaultBase } from "./EscrowVaultBase.sol";

/// @dev Two published task escrows were drained this way: one refunded a job that was never funded out of other jobs'
/// money, the other let the expiry refund be called again and again.
contract EscrowVaultDrainsTest is EscrowVaultBase {
    address private thief = address(0xBAD);

    function setUp() public override {
        super.setUp();
        vault.fund(OTHER_TASK, poster, 1000);
    }

    function test_NeverFundedTaskRefundsNothing() external {
        vm.assertEq(vault.refund(TASK, thief), 0);

        vm.assertEq(tok.balanceOf(thief), 0);
        vm.assertEq(vault.withdrawableOf(thief), 0);
        _assertAccount(OTHER_TASK, 1000, 0, 0);
        _assertTotals(1000, 0);
    }

    function test_RevertGiven_NeverFundedTaskIsReleased() external {
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.InsufficientHeld.selector, TASK, 0, 1000));
        vault.release(TASK, thief, 1000);
    }

    function test_RefundPaysOnce() external {
        vm.prank(poster);
        tok.transfer(thief, 100);
        vm.prank(thief);
        tok.approve(address(gateway), 100);
        vault.fund(TASK, thief, 100);

        vm.assertEq(vault.refund(TASK, thief), 100);
        for (uint256 i = 0; i < 10; i++) {
            vm.assertEq(vault.refund(TASK, thief), 0);
        }

        vm.assertEq(tok.balanceOf(thief), 100);
        _assertAccount(TASK, 100, 0, 100);
        _assertTotals(1000, 0);
    }

    function test_DeferredRefundCreditsOnce() external {
        vault.fund(TASK, poster, 100);
        tok.setBlocked(thief, true);

        vm.assertEq(vault.refund(TASK, thief), 100);
        vm.assertEq(vault.refund(TASK, thief), 0);

        vm.assertEq(vault.withdrawableOf(thief), 100);
        _assertTotals(1000, 100);
    }
}
