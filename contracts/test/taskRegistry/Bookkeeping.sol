// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Books } from "../Books.sol";
import { Vm, vm } from "../Vm.sol";

/// @dev What entering costs, and wallets with just enough or a little less.
abstract contract Bookkeeping is Books {
    /// @dev Earns one Action Credit in a tenth of a day.
    uint256 private constant CREDIT_STAKE = 40_000_000e18;

    /// @dev These parties pay the access fee in TOK and lock an exit deposit.
    function _entry(bool ofPoster, bool ofWorker) internal pure returns (Gains memory gains) {
        int256 entries = (ofPoster ? int256(1) : int256(0)) + (ofWorker ? int256(1) : int256(0));
        gains.posterTok = ofPoster ? -2 * EXIT : int256(0);
        gains.workerTok = ofWorker ? -2 * EXIT : int256(0);
        gains.treasuryTok = entries * EXIT * 6 / 10;
        gains.unionTok = entries * EXIT * 4 / 10;
    }

    /// @dev Brings a user's whole deposit to `amount`, as a case that it lost would.
    function _setDeposit(address user, uint256 amount) internal {
        uint256 balance = deposits.balanceOf(user);
        if (balance > amount) {
            vm.startPrank(address(arbitration));
            deposits.reserve(0, user, balance - amount);
            deposits.penalise(0, user, HOLDER, balance - amount);
            vm.stopPrank();
        } else if (balance < amount) {
            vm.prank(user);
            deposits.topUp(amount - balance);
        }
        vm.assertEq(deposits.balanceOf(user), amount, "deposit");
    }

    /// @dev Leaves a user with `amount` TOK.
    function _setTok(address user, uint256 amount) internal {
        uint256 spare = tok.balanceOf(user) - amount;
        vm.prank(user);
        tok.transfer(HOLDER, spare);
    }

    /// @dev Gives users exactly one Action Credit each, by staking a little while before the test begins.
    function _giveCredit(address one, address two) internal {
        vm.prank(OWNER);
        staking.activateStaking();
        _stake(one, CREDIT_STAKE);
        _stake(two, CREDIT_STAKE);
        vm.warp(block.timestamp + 0.1 days);
        _unstake(one, CREDIT_STAKE);
        _unstake(two, CREDIT_STAKE);
        vm.assertEq(staking.creditsOf(one), 1e18, "one credit");
        vm.assertEq(staking.creditsOf(two), 1e18, "one credit");
    }

    /// @dev From here on the test runs in the other market, with the same token.
    function _moveToMicro() internal {
        _deployMarket("micro", address(tok));
        _enrich(POSTER);
        _enrich(WORKER);
        _enrich(STRANGER);
    }

    /// @dev How many of the recorded logs are the registry's.
    function _logsOfRegistry() internal returns (uint256 count) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter == address(registry)) ++count;
        }
    }

    function _expectDepositTooLow(address agent, uint256 balance, uint256 needed) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.DepositTooLow.selector, agent, balance, needed));
    }

    function _expectTokShort(address wallet, uint256 balance, uint256 needed) internal {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, wallet, balance, needed));
    }

    function _expectAllowanceShort(uint256 allowance, uint256 needed) internal {
        bytes4 selector = IERC20Errors.ERC20InsufficientAllowance.selector;
        vm.expectRevert(abi.encodeWithSelector(selector, address(gateway), allowance, needed));
    }

    function _stake(address user, uint256 amount) private {
        vm.prank(HOLDER);
        tok.transfer(user, amount);
        vm.prank(user);
        staking.stake(amount);
    }

    function _unstake(address user, uint256 amount) private {
        vm.startPrank(user);
        staking.unstake(amount);
        tok.transfer(HOLDER, amount);
        vm.stopPrank();
    }
}
