// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { ReentrancyGuardTransient } from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { bound } from "../bound.sol";
import { HostileToken } from "../mocks/HostileToken.sol";
import { vm } from "../Vm.sol";
import { DepositVaultBase } from "./DepositVaultBase.sol";

contract DepositVaultTopUpTest is DepositVaultBase {
    function test_RevertWhen_AmountIsZero() external {
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.ZeroAmount.selector));
        vault.topUp(0);
    }

    function test_RevertWhen_ForNobody() external {
        vm.prank(other);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, address(0)));
        vault.topUpFor(address(0), 25e6);
    }

    /// @dev Also from a token that answers nothing. The event comes before the money moves.
    function test_AddsToOwnDeposit() external {
        usdc.setAnswer(HostileToken.Answer.NOTHING);
        uint256 before = usdc.balanceOf(agent);
        vm.expectEmit(address(vault));
        emit IDepositVault.ToppedUp(agent, agent, 25e6);
        vm.recordLogs();
        _topUp(agent, 25e6);
        vm.assertEq(vm.getRecordedLogs()[0].emitter, address(vault));

        vm.assertEq(usdc.balanceOf(agent), before - 25e6);
        _assertDeposit(agent, 25e6, 0);
        _assertTotal(25e6);
    }

    function test_AddsToAnothersDeposit() external {
        _topUp(agent, 25e6);
        vault.reserve(TASK, agent, 8e6);
        uint256 before = usdc.balanceOf(other);
        uint256 agentBefore = usdc.balanceOf(agent);
        vm.expectEmit(address(vault));
        emit IDepositVault.ToppedUp(agent, other, 10e6);
        vm.prank(other);
        vault.topUpFor(agent, 10e6);

        vm.assertEq(usdc.balanceOf(other), before - 10e6);
        vm.assertEq(usdc.balanceOf(agent), agentBefore);
        _assertDeposit(agent, 35e6, 8e6);
        _assertDeposit(other, 0, 0);
        _assertTotal(35e6);
    }

    function test_RevertWhen_TokenSaysFalse() external {
        usdc.setAnswer(HostileToken.Answer.FALSE);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(usdc)));
        vault.topUp(25e6);
    }

    /// @dev It takes a fee, brings more than asked, or moves nothing.
    function test_RevertWhen_AnotherAmountArrives() external {
        _topUp(other, 5000);
        usdc.setFee(100);
        _expectUnexpected(990);
        usdc.setFee(0);
        usdc.setCallback(address(usdc), abi.encodeCall(usdc.mint, (address(vault), 1)));
        _expectUnexpected(1001);
        usdc.setCallback(address(0), "");
        usdc.setStill(true);
        _expectUnexpected(0);
    }

    function _expectUnexpected(uint256 received) private {
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.UnexpectedAmount.selector, 1000, received));
        vault.topUp(1000);
    }

    /// @dev Neither while money comes in nor while it goes out.
    function test_RevertWhen_TokenCallsBack() external {
        usdc.mint(address(usdc), 100);
        vm.prank(address(usdc));
        usdc.approve(address(vault), 100);
        vm.prank(address(usdc));
        vault.topUp(50);

        bytes[3] memory entries = [
            abi.encodeCall(vault.topUp, (1)),
            abi.encodeCall(vault.topUpFor, (agent, 1)),
            abi.encodeCall(vault.withdraw, (1, agent))
        ];
        for (uint256 i = 0; i < 2 * entries.length; i++) {
            usdc.setCallback(address(vault), entries[i / 2]);
            vm.prank(agent);
            if (i % 2 == 0) vault.topUp(10);
            else vault.withdraw(1, stranger);
            vm.assertEq(
                usdc.callbackResult(),
                abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
            );
        }
        _assertDeposit(agent, 27, 0);
        _assertTotal(77);
    }

    function testFuzz_TotalIsSum(uint128 mine, uint128 theirs, uint128 gift) external {
        mine = uint128(bound(mine, 1, type(uint128).max));
        theirs = uint128(bound(theirs, 1, type(uint128).max - 1));
        gift = uint128(bound(gift, 1, type(uint128).max - theirs));
        _topUp(agent, mine);
        _topUp(other, theirs);
        vm.prank(other);
        vault.topUpFor(agent, gift);

        _assertDeposit(agent, uint256(mine) + gift, 0);
        _assertDeposit(other, theirs, 0);
        _assertTotal(uint256(mine) + theirs + gift);
    }
}
