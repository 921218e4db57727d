// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { bound } from "../bound.sol";
import { HostileToken } from "../mocks/HostileToken.sol";
import { vm } from "../Vm.sol";
import { DepositVaultBase } from "./DepositVaultBase.sol";

contract DepositVaultWithdrawTest is DepositVaultBase {
    address private cold = address(0xC01D);

    function setUp() public override {
        super.setUp();
        _topUp(agent, 37e6);
        vault.reserve(TASK, agent, 8e6);
        _topUp(other, 100e6);
    }

    function test_RevertWhen_AmountIsZero() external {
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.ZeroAmount.selector));
        vault.withdraw(0, cold);
    }

    /// @dev The event comes before the money moves.
    function test_SendsAllThatIsWithdrawableToTheNamedAddress() external {
        uint256 before = usdc.balanceOf(agent);
        vm.assertEq(vault.withdrawableOf(agent), 17e6);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, agent, 17e6, 17e6 + 1));
        vault.withdraw(17e6 + 1, cold);
        vm.expectEmit(address(vault));
        emit IDepositVault.Withdrawn(agent, cold, 17e6);
        vm.recordLogs();
        vm.prank(agent);
        vault.withdraw(17e6, cold);
        vm.assertEq(vm.getRecordedLogs()[0].emitter, address(vault));

        vm.assertEq(usdc.balanceOf(cold), 17e6);
        vm.assertEq(usdc.balanceOf(agent), before);
        vm.assertEq(vault.reserveOf(TASK, agent), 8e6);
        _assertDeposit(agent, 20e6, 8e6);
        _assertDeposit(other, 100e6, 0);
        _assertTotal(120e6);
    }

    /// @dev USD 12 stay for an appeal while anything is reserved, and nothing once it is not.
    function test_KeepsTwelveDollarsWhileAnythingIsReserved() external {
        vault.reserve(OTHER_TASK, agent, 9e6);
        vm.assertEq(vault.withdrawableOf(agent), 8e6);
        vault.unreserve(TASK, agent);
        vm.assertEq(vault.withdrawableOf(agent), 16e6);
        vault.penalise(OTHER_TASK, agent, other, 9e6 - 1);
        vm.assertEq(vault.withdrawableOf(agent), 16e6);
        vault.unreserve(OTHER_TASK, agent);
        vm.assertEq(vault.withdrawableOf(agent), 28e6 + 1);
        vm.prank(agent);
        vault.withdraw(28e6 + 1, cold);
        _assertDeposit(agent, 0, 0);
    }

    function test_NothingIsWithdrawableBelowTwelveDollars() external {
        uint256[3] memory targets = [uint256(25e6 - 1), 25e6, 37e6];
        uint256[3] memory withdrawable = [uint256(1), 0, 0];
        for (uint256 i = 0; i < 3; ++i) {
            vault.reserve(TASK, agent, targets[i]);
            vm.assertEq(vault.withdrawableOf(agent), withdrawable[i]);
        }
    }

    function test_RevertWhen_AddressCannotBePaid() external {
        usdc.setBlocked(cold, true);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(HostileToken.Blocked.selector, cold));
        vault.withdraw(5e6, cold);
        _assertDeposit(agent, 37e6, 8e6);
        _assertTotal(137e6);
    }

    function test_RevertWhen_TokenSaysFalse() external {
        usdc.setAnswer(HostileToken.Answer.FALSE);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(usdc)));
        vault.withdraw(5e6, cold);
    }

    /// @dev The token takes more than asked, the address is the vault itself, and the token moves nothing.
    function test_RevertWhen_AnotherAmountLeaves() external {
        usdc.setCallback(address(usdc), abi.encodeCall(usdc.vanish, (address(vault), 1)));
        _expectUnexpected(cold, 5e6 + 1);
        usdc.setCallback(address(0), "");
        _expectUnexpected(address(vault), 0);
        usdc.setStill(true);
        _expectUnexpected(cold, 0);
    }

    function _expectUnexpected(address to, uint256 sent) private {
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.UnexpectedAmount.selector, 5e6, sent));
        vault.withdraw(5e6, to);
    }

    function testFuzz_SendsOnlyWhatIsWithdrawable(uint128 deposit, uint128 reserved, uint256 asked) external {
        deposit = uint128(bound(deposit, 37e6, type(uint128).max));
        reserved = uint128(bound(reserved, 8e6, deposit));
        asked = bound(asked, 1, deposit);
        if (deposit > 37e6) _topUp(agent, deposit - 37e6);
        vault.reserve(TASK, agent, reserved);

        uint256 free = uint256(deposit) - reserved > 12e6 ? uint256(deposit) - reserved - 12e6 : 0;
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
