// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { ReentrancyGuardTransient } from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { bound } from "../bound.sol";
import { HostileToken } from "../mocks/HostileToken.sol";
import { vm } from "../Vm.sol";
import { DepositVaultBase } from "./DepositVaultBase.sol";

contract DepositVaultWithdrawTest is DepositVaultBase {
    address private cold = address(0xC01D);

    function setUp() public override {
        super.setUp();
        _topUp(agent, 42e6);
        vault.reserve(TASK, agent, 8e6);
        _topUp(other, 100e6);
    }

    function test_RevertWhen_AmountIsZero() external {
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.ZeroAmount.selector));
        vault.withdraw(0, cold);
    }

    function test_SendsAllThatIsWithdrawable() external {
        vm.assertEq(vault.withdrawableOf(agent), 17e6);
        vm.prank(agent);
        vault.withdraw(17e6, cold);
        vm.assertEq(usdc.balanceOf(cold), 17e6);
        _assertDeposit(agent, 25e6, 8e6);
    }

    /// @dev USD 17 stay for an appeal while anything is reserved, and nothing once it is not.
    function test_KeepsSeventeenDollarsWhileAnythingIsReserved() external {
        vault.reserve(OTHER_TASK, agent, 9e6);
        vm.assertEq(vault.withdrawableOf(agent), 8e6);
        vault.unreserve(TASK, agent);
        vm.assertEq(vault.withdrawableOf(agent), 16e6);
        vault.penalise(OTHER_TASK, agent, other, 9e6 - 1);
        vm.assertEq(vault.withdrawableOf(agent), 16e6);
        vault.unreserve(OTHER_TASK, agent);
        vm.assertEq(vault.withdrawableOf(agent), 33e6 + 1);
        vm.prank(agent);
        vault.withdraw(33e6 + 1, cold);
        _assertDeposit(agent, 0, 0);
    }

    function test_NothingIsWithdrawableBelowSeventeenDollars() external {
        uint256[3] memory targets = [uint256(25e6 - 1), 25e6, 42e6];
        uint256[3] memory withdrawable = [uint256(1), 0, 0];
        for (uint256 i = 0; i < 3; ++i) {
            vault.reserve(TASK, agent, targets[i]);
            vm.assertEq(vault.withdrawableOf(agent), withdrawable[i]);
        }
    }

    function test_RevertWhen_OneUnitMoreThanWithdrawable() external {
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, agent, 17e6, 17e6 + 1));
        vault.withdraw(17e6 + 1, cold);
    }

    function test_RevertGiven_NothingDeposited() external {
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, stranger, 0, 1));
        vault.withdraw(1, cold);
    }

    function test_SendsToTheNamedAddress() external {
        uint256 before = usdc.balanceOf(agent);
        vm.prank(agent);
        vault.withdraw(5e6, cold);
        vm.assertEq(usdc.balanceOf(cold), 5e6);
        vm.assertEq(usdc.balanceOf(agent), before);
    }

    function test_LowersDepositAndKeepsReserve() external {
        vm.prank(agent);
        vault.withdraw(5e6, cold);
        _assertDeposit(agent, 37e6, 8e6);
        vm.assertEq(vault.reserveOf(TASK, agent), 8e6);
        _assertDeposit(other, 100e6, 0);
        _assertTotal(137e6);
    }

    function test_EmitsWithdrawn() external {
        vm.prank(agent);
        vm.expectEmit(address(vault));
        emit IDepositVault.Withdrawn(agent, cold, 5e6);
        vault.withdraw(5e6, cold);
    }

    function test_EmitsWithdrawnBeforeTheMoneyMoves() external {
        vm.recordLogs();
        vm.prank(agent);
        vault.withdraw(5e6, cold);
        vm.assertEq(vm.getRecordedLogs()[0].emitter, address(vault));
    }

    function test_SendsAReceivedPenalty() external {
        vault.penalise(TASK, agent, treasury, 2.5e6);
        vm.prank(treasury);
        vault.withdraw(2.5e6, cold);
        vm.assertEq(usdc.balanceOf(cold), 2.5e6);
        _assertDeposit(treasury, 0, 0);
        _assertTotal(139.5e6);
    }

    function test_RevertWhen_AddressCannotBePaid() external {
        usdc.setBlocked(cold, true);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(HostileToken.Blocked.selector, cold));
        vault.withdraw(5e6, cold);
        _assertDeposit(agent, 42e6, 8e6);
        _assertTotal(142e6);
    }

    function test_RevertWhen_TokenSaysFalse() external {
        usdc.setAnswer(HostileToken.Answer.FALSE);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(usdc)));
        vault.withdraw(5e6, cold);
    }

    function test_RevertWhen_TokenLies() external {
        usdc.setStill(true);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.UnexpectedAmount.selector, 5e6, 0));
        vault.withdraw(5e6, cold);
    }

    function test_RevertWhen_MoreLeavesThanAsked() external {
        usdc.setCallback(address(usdc), abi.encodeCall(usdc.burn, (address(vault), 1)));
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.UnexpectedAmount.selector, 5e6, 5e6 + 1));
        vault.withdraw(5e6, cold);
    }

    function test_RevertWhen_AddressIsTheVault() external {
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.UnexpectedAmount.selector, 5e6, 0));
        vault.withdraw(5e6, address(vault));
    }

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
        for (uint256 i = 0; i < entries.length; i++) {
            usdc.setCallback(address(vault), entries[i]);
            vm.prank(agent);
            vault.withdraw(1e6, cold);
            vm.assertEq(
                usdc.callbackResult(),
                abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
            );
        }
        _assertDeposit(agent, 39e6, 8e6);
        _assertTotal(139e6 + 50);
    }

    function testFuzz_SendsOnlyWhatIsWithdrawable(uint128 deposit, uint128 reserved, uint256 asked) external {
        deposit = uint128(bound(deposit, 42e6, type(uint128).max));
        reserved = uint128(bound(reserved, 8e6, deposit));
        asked = bound(asked, 1, deposit);
        if (deposit > 42e6) _topUp(agent, deposit - 42e6);
        vault.reserve(TASK, agent, reserved);

        uint256 free = uint256(deposit) - reserved > 17e6 ? uint256(deposit) - reserved - 17e6 : 0;
        if (asked > free) {
            vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, agent, free, asked));
        }
        vm.prank(agent);
        vault.withdraw(asked, cold);

        uint256 sent = asked > free ? 0 : asked;
        vm.assertEq(usdc.balanceOf(cold), sent);
        _assertDeposit(agent, deposit - sent, reserved);
        _assertTotal(deposit - sent + 100e6);
    }
}
