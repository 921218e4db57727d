// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { StakingVault } from "../../src/StakingVault.sol";
import { TokToken } from "../../src/TokToken.sol";
import { vm } from "../Vm.sol";
import { StakingVaultHandler } from "./StakingVaultHandler.sol";

contract StakingVaultInvariantsTest {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    StakingVaultHandler private handler;
    StakingVault private vault;
    TokToken private tok;

    function setUp() external {
        vm.warp(1_800_000_000);
        handler = new StakingVaultHandler();
        vault = handler.vault();
        tok = handler.tok();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function targetSelectors() external view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0].addr = address(handler);
        targets[0].selectors = new bytes4[](6);
        targets[0].selectors[0] = handler.stake.selector;
        targets[0].selectors[1] = handler.unstake.selector;
        targets[0].selectors[2] = handler.claim.selector;
        targets[0].selectors[3] = handler.spend.selector;
        targets[0].selectors[4] = handler.reward.selector;
        targets[0].selectors[5] = handler.wait_.selector;
    }

    function invariant_HoldsWhatItOwes() external view {
        uint256 staked = 0;
        uint256 rewards = 0;
        for (uint256 i = 0; i < handler.ACTORS(); ++i) {
            address actor = handler.actor(i);
            vm.assertEq(vault.stakedOf(actor), handler.stakeOf(actor), "a stake moved by itself");
            staked += vault.stakedOf(actor);
            rewards += vault.rewardsOf(actor);
        }
        vm.assertEq(vault.totalStakedTok(), staked, "total is not the sum of stakes");

        uint256 owed = staked + vault.rewardReserve() + rewards;
        uint256 dust = (handler.calls() + 1) * (handler.ACTORS() + 1);
        vm.assertGe(tok.balanceOf(address(vault)), owed, "owes more than it holds");
        vm.assertLe(tok.balanceOf(address(vault)), owed + dust, "loses more than rounding");
        vm.assertLe(handler.claimed() + rewards + vault.rewardReserve(), handler.rewarded(), "rewards from nowhere");
    }

    function invariant_IssuesNoMoreThanTheCap() external view {
        uint256 credits = 0;
        for (uint256 i = 0; i < handler.ACTORS(); ++i) {
            credits += vault.creditsOf(handler.actor(i));
        }
        uint256 issued = vault.totalCreditsIssued();
        vm.assertLe(credits + handler.spent(), issued, "spendable above issued");
        vm.assertLe(issued, vault.creditCap(), "issued above the cap");
        vm.assertEq(vault.creditsRemaining(), vault.creditCap() - issued);
        vm.assertEq(vault.creditIssuanceClosed(), issued == vault.creditCap());
        vm.assertGe(issued, handler.issuedBefore(), "issuance went back");
        if (handler.closedBefore()) vm.assertTrue(vault.creditIssuanceClosed(), "issuance opened again");
    }

    /// @dev Called by forge after each run.
    function afterInvariant() external {
        for (uint256 i = 0; i < handler.ACTORS(); ++i) {
            address actor = handler.actor(i);
            uint256 expected = tok.balanceOf(actor) + vault.stakedOf(actor) + vault.rewardsOf(actor);
            if (vault.rewardsOf(actor) > 0) handler.claim(i);
            handler.unstake(i, vault.stakedOf(actor));
            vm.assertEq(tok.balanceOf(actor), expected, "left something behind");
        }
        vm.assertEq(vault.totalStakedTok(), 0);
    }
}
