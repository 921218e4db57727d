// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { vm } from "../../Vm.sol";
import { World } from "../World.sol";

/// @dev The Union's books.
abstract contract Stakes is World {
    /// @dev What rounding may leave behind in a whole walk, in wei.
    uint256 private constant DUST = 10_000;

    /// @dev Stakes, reserve and rewards are there, and nothing but dust beside them.
    function checkStakes() public view {
        uint256 staked = 0;
        uint256 rewards = 0;
        for (uint256 i = 0; i < holders.length; ++i) {
            staked += staking.stakedOf(holders[i]);
            rewards += staking.rewardsOf(holders[i]);
        }
        vm.assertEq(staking.totalStakedTok(), staked, "sum of stakes");
        uint256 owed = staked + staking.rewardReserve() + rewards;
        uint256 balance = token.balanceOf(address(staking));
        vm.assertGe(balance, owed, "the Union owes more than it has");
        vm.assertLe(balance, owed + DUST, "the Union has TOK that belongs to nobody");
    }

    /// @dev Never more credits than the cap, never more spent and spendable than issued, and closed is closed.
    function checkCredits() public view {
        uint256 issued = staking.totalCreditsIssued();
        uint256 spendable = 0;
        for (uint256 i = 0; i < holders.length; ++i) {
            spendable += staking.creditsOf(holders[i]);
        }
        vm.assertLe(issued, creditCap, "more credits than the cap");
        vm.assertLe(spendable + creditsSpent, issued, "more credits in use than issued");
        vm.assertEq(staking.creditsRemaining(), creditCap - issued, "credits remaining");
        vm.assertEq(staking.creditIssuanceClosed(), issued == creditCap, "issuance closed");
    }
}
