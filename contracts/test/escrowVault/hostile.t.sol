// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ReentrancyGuardTransient } from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import { EscrowVault } from "../../src/EscrowVault.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { HostileToken } from "../mocks/HostileToken.sol";
import { vm } from "../Vm.sol";
import { EscrowVaultBase } from "./EscrowVaultBase.sol";

contract EscrowVaultHostileTest is EscrowVaultBase {
    /// @dev A vault whose registry is the token itself, so that its callbacks pass the caller check.
    EscrowVault private captive;

    function setUp() public override {
        super.setUp();
        captive = _deploy(address(tok));
    }

    /// @dev It says yes or no and moves nothing, or the receiver is the vault itself.
    function test_DefersWhenNothingLeaves() external {
        vault.fund(TASK, poster, 100);
        uint256 snapshot = vm.snapshotState();
        _releaseDeferred(address(vault));
        vm.revertToState(snapshot);
        tok.setStill(true);
        _releaseDeferred(worker);
        vm.revertToState(snapshot);
        tok.setStill(true);
        tok.setAnswer(HostileToken.Answer.FALSE);
        _releaseDeferred(worker);
    }

    function test_DoesNotPayTwiceWhenTokenMovesAndSaysFalse() external {
        vault.fund(TASK, poster, 100);
        tok.setAnswer(HostileToken.Answer.FALSE);
        _releasePaid();
        vm.assertEq(tok.balanceOf(worker), 100);
        _assertTotals(0, 0);
    }

    function test_PaysWhenTokenSaysNothing() external {
        tok.setAnswer(HostileToken.Answer.NOTHING);
        vault.fund(TASK, poster, 100);
        _releasePaid();
        vm.assertEq(tok.balanceOf(worker), 100);
        _assertTotals(0, 0);
    }

    function test_CountsAsPaidWhenPartComesBack() external {
        vault.fund(TASK, poster, 100);
        tok.setCallback(address(tok), abi.encodeCall(tok.mint, (address(vault), 99)));
        _releasePaid();
        vm.assertEq(tok.balanceOf(worker), 100);
    }

    function test_DefersWhenMoreThanThePushComesBack() external {
        vault.fund(TASK, poster, 100);
        tok.setCallback(address(tok), abi.encodeCall(tok.mint, (address(vault), 101)));
        vm.expectEmit(address(vault));
        emit IEscrowVault.Released(TASK, worker, 100, true);
        vault.release(TASK, worker, 100);
        vm.assertEq(vault.withdrawableOf(worker), 100);
    }

    /// @dev Each entry of the vault, with a token that calls each entry back.
    function test_RevertWhen_TokenCallsBack() external {
        bytes[7] memory entries = [
            abi.encodeCall(captive.fund, (TASK, poster, 10)),
            abi.encodeCall(captive.release, (TASK, worker, 10)),
            abi.encodeCall(captive.refund, (TASK, worker)),
            abi.encodeCall(captive.lockExitDeposit, (TASK, poster)),
            abi.encodeCall(captive.returnExitDeposit, (TASK, poster)),
            abi.encodeCall(captive.spendExitDeposit, (TASK, poster, IPaymentGateway.AccessAction.LEAVE)),
            abi.encodeCall(captive.withdraw, (worker))
        ];
        _prepareCaptive();
        uint256 snapshot = vm.snapshotState();
        for (uint256 i = 0; i < entries.length * entries.length; i++) {
            tok.setCallback(address(captive), entries[i % 7]);
            vm.prank(i / 7 == 6 ? worker : address(tok));
            (bool success,) = address(captive).call(entries[i / 7]);
            vm.assertTrue(success);
            vm.assertEq(tok.callbackTarget(), address(0), "called back");
            vm.assertFalse(tok.callbackSucceeded());
            vm.assertEq(
                tok.callbackResult(),
                abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
            );
            vm.revertToState(snapshot);
        }
    }

    function test_RevertWhen_TokenCallsBackAsAStranger() external {
        tok.setCallback(address(vault), abi.encodeCall(vault.refund, (TASK, address(tok))));
        vault.fund(TASK, poster, 100);
        vm.assertEq(tok.callbackResult(), abi.encodeWithSelector(IEscrowVault.Unauthorized.selector, address(tok)));
        _assertAccount(TASK, 100, 0, 0);
    }

    /// @dev Every entry would succeed if called alone: the task holds money, the worker and the token have some waiting.
    function _prepareCaptive() private {
        vm.prank(address(tok));
        captive.lockExitDeposit(TASK, poster);
        address[2] memory creditors = [worker, address(tok)];
        for (uint256 i = 0; i < creditors.length; i++) {
            vm.prank(address(tok));
            captive.fund(TASK, poster, 50);
            tok.setBlocked(creditors[i], true);
            vm.prank(address(tok));
            captive.release(TASK, creditors[i], 20);
            tok.setBlocked(creditors[i], false);
        }
    }

    function _releasePaid() private {
        vm.expectEmit(address(vault));
        emit IEscrowVault.Released(TASK, worker, 100, false);
        vault.release(TASK, worker, 100);
        vm.assertEq(vault.withdrawableOf(worker), 0);
    }

    function _releaseDeferred(address to) private {
        vm.expectEmit(address(vault));
        emit IEscrowVault.Released(TASK, to, 100, true);
        vault.release(TASK, to, 100);
        vm.assertEq(vault.withdrawableOf(to), 100);
        _assertTotals(0, 100);
    }
}
