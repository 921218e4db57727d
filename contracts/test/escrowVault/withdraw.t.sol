// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { HostileToken } from "../mocks/HostileToken.sol";
import { bound } from "../bound.sol";
import { vm } from "../Vm.sol";
import { EscrowVaultBase } from "./EscrowVaultBase.sol";

contract EscrowVaultWithdrawTest is EscrowVaultBase {
    address private cold = address(0xC01D);

    function test_RevertGiven_Nothing() external {
        vault.fund(TASK, poster, 100);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.NothingToWithdraw.selector, stranger));
        vault.withdraw(stranger);
    }

    /// @dev Once. The event comes before the money moves, and nobody else's money does.
    function test_SendsAllToTheNamedAddress() external {
        vault.fund(OTHER_TASK, poster, 100);
        _defer(TASK, stranger, 4);
        _defer(TASK, worker, 30);
        _defer(TASK, worker, 12);
        vm.startPrank(worker);
        vm.expectEmit(address(vault));
        emit IEscrowVault.Withdrawn(worker, cold, 42);
        vm.recordLogs();
        vm.assertEq(vault.withdraw(cold), 42);
        vm.assertEq(vm.getRecordedLogs()[0].emitter, address(vault));
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.NothingToWithdraw.selector, worker));
        vault.withdraw(cold);

        vm.assertEq(tok.balanceOf(cold), 42);
        vm.assertEq(tok.balanceOf(worker), 0);
        vm.assertEq(vault.withdrawableOf(worker), 0);
        vm.assertEq(vault.withdrawableOf(stranger), 4);
        _assertAccount(OTHER_TASK, 100, 0, 0);
        _assertTotals(100, 4);
    }

    function test_RevertWhen_NamedAddressCannotBePaid() external {
        _defer(TASK, worker, 30);
        tok.setBlocked(cold, true);
        vm.prank(worker);
        vm.expectRevert(abi.encodeWithSelector(HostileToken.Blocked.selector, cold));
        vault.withdraw(cold);

        vm.assertEq(vault.withdrawableOf(worker), 30);
        _assertTotals(0, 30);
    }

    function test_RevertWhen_TokenSaysFalse() external {
        _defer(TASK, worker, 30);
        tok.setAnswer(HostileToken.Answer.FALSE);
        vm.prank(worker);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(tok)));
        vault.withdraw(cold);
    }

    /// @dev The token takes more than asked, the address is the vault itself, and the token moves nothing.
    function test_RevertWhen_AnotherAmountLeaves() external {
        vault.fund(OTHER_TASK, poster, 100);
        _defer(TASK, worker, 30);
        tok.setCallback(address(tok), abi.encodeCall(tok.vanish, (address(vault), 1)));
        _expectUnexpected(cold, 31);
        tok.setCallback(address(0), "");
        _expectUnexpected(address(vault), 0);
        tok.setStill(true);
        _expectUnexpected(cold, 0);
    }

    function _expectUnexpected(address to, uint256 sent) private {
        vm.prank(worker);
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.UnexpectedAmount.selector, 30, sent));
        vault.withdraw(to);
    }

    function testFuzz_SendsExactlyWhatWaits(uint128 mine, uint128 others) external {
        mine = uint128(bound(mine, 1, type(uint128).max));
        others = uint128(bound(others, 1, type(uint128).max));
        _defer(TASK, worker, mine);
        _defer(OTHER_TASK, stranger, others);

        vm.prank(worker);
        vm.assertEq(vault.withdraw(cold), mine);

        vm.assertEq(tok.balanceOf(cold), mine);
        _assertTotals(0, others);
    }
}
