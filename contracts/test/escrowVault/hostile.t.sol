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

    function test_DefersWhenTokenLies() external {
        vault.fund(TASK, poster, 100);
        tok.setStill(true);
        _releaseDeferred(worker);
    }

    function test_DefersWhenTokenSaysFalse() external {
        vault.fund(TASK, poster, 100);
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

    function test_DefersWhenReceiverIsTheVault() external {
        vault.fund(TASK, poster, 100);
        _releaseDeferred(address(vault));
    }

    function test_RevertWhen_TokenCallsBackDuringFund() external {
        _forEveryEntry(this.fundCaptive);
    }

    function test_RevertWhen_TokenCallsBackDuringRelease() external {
        _forEveryEntry(this.releaseCaptive);
    }

    function test_RevertWhen_TokenCallsBackDuringRefund() external {
        _forEveryEntry(this.refundCaptive);
    }

    function test_RevertWhen_TokenCallsBackDuringLockExitDeposit() external {
        _forEveryEntry(this.lockCaptive);
    }

    function test_RevertWhen_TokenCallsBackDuringReturnExitDeposit() external {
        _forEveryEntry(this.returnCaptive);
    }

    function test_RevertWhen_TokenCallsBackDuringSpendExitDeposit() external {
        _forEveryEntry(this.spendCaptive);
    }

    function test_RevertWhen_TokenCallsBackDuringWithdraw() external {
        _forEveryEntry(this.withdrawCaptive);
    }

    function test_RevertWhen_TokenCallsBackAsAStranger() external {
        tok.setCallback(address(vault), abi.encodeCall(vault.refund, (TASK, address(tok))));
        vault.fund(TASK, poster, 100);
        vm.assertEq(tok.callbackResult(), abi.encodeWithSelector(IEscrowVault.Unauthorized.selector, address(tok)));
        _assertAccount(TASK, 100, 0, 0);
    }

    function fundCaptive() external {
        vm.prank(address(tok));
        captive.fund(TASK, poster, 10);
    }

    function releaseCaptive() external {
        vm.prank(address(tok));
        captive.release(TASK, worker, 10);
    }

    function refundCaptive() external {
        vm.prank(address(tok));
        captive.refund(TASK, worker);
    }

    function lockCaptive() external {
        vm.prank(address(tok));
        captive.lockExitDeposit(TASK, poster);
    }

    function returnCaptive() external {
        vm.prank(address(tok));
        captive.returnExitDeposit(TASK, poster);
    }

    function spendCaptive() external {
        vm.prank(address(tok));
        captive.spendExitDeposit(TASK, poster, IPaymentGateway.AccessAction.LEAVE);
    }

    function withdrawCaptive() external {
        vm.prank(worker);
        captive.withdraw(worker);
    }

    /// @dev Runs `operation` once per entry of the vault, each time with a token that calls that entry back.
    function _forEveryEntry(function() external operation) private {
        bytes[7] memory entries = [
            abi.encodeCall(captive.fund, (TASK, poster, 10)),
            abi.encodeCall(captive.release, (TASK, worker, 10)),
            abi.encodeCall(captive.refund, (TASK, worker)),
            abi.encodeCall(captive.lockExitDeposit, (TASK, poster)),
            abi.encodeCall(captive.returnExitDeposit, (TASK, poster)),
            abi.encodeCall(captive.spendExitDeposit, (TASK, poster, IPaymentGateway.AccessAction.LEAVE)),
            abi.encodeCall(captive.withdraw, (worker))
        ];
        for (uint256 i = 0; i < entries.length; i++) {
            uint256 snapshot = vm.snapshotState();
            _prepareCaptive();
            tok.setCallback(address(captive), entries[i]);

            operation();

            vm.assertEq(tok.callbackTarget(), address(0), "called back");
            vm.assertFalse(tok.callbackSucceeded());
            vm.assertEq(
                tok.callbackResult(),
                abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
            );
            vm.revertToState(snapshot);
        }
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
