// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { StakingVault } from "../../src/StakingVault.sol";
import { TokToken } from "../../src/TokToken.sol";
import { Contracts } from "../../src/types/Market.sol";
import { vm } from "../Vm.sol";

/// @dev The test is the payment gateway. 1,000 staked TOK earn one credit in ten days; the cap is 1,000 credits.
abstract contract StakingVaultBase {
    uint256 internal constant NOW = 1_800_000_000;
    uint256 internal constant WEALTH = 100_000_000e18;
    uint128 internal constant CAP = 1_000e18;
    uint64 internal constant RATE = 1e14;
    address internal constant OWNER = address(0x0123);
    address internal constant STRANGER = address(0x666);
    address internal constant ALICE = address(0xA11CE);
    address internal constant BOB = address(0xB0B);

    TokToken internal tok;
    StakingVault internal vault;
    /// What the gateway keeps of every pull, and what it adds.
    uint256 internal skim;
    uint256 internal extra;

    function setUp() public virtual {
        vm.warp(NOW);
        tok = new TokToken(address(this));
        _deploy(CAP, RATE);
        _activate();
        tok.transfer(ALICE, WEALTH);
        tok.transfer(BOB, WEALTH);
    }

    function pull(address from, uint256 amount) external {
        vm.assertEq(msg.sender, address(vault));
        vm.prank(from);
        tok.transfer(msg.sender, amount - skim + extra);
    }

    function _deploy(uint128 cap, uint64 rate) internal {
        Contracts memory contracts;
        contracts.tok = address(tok);
        contracts.paymentGateway = address(this);
        vault = new StakingVault(contracts, OWNER, cap, rate);
    }

    function _activate() internal {
        vm.prank(OWNER);
        vault.activateStaking();
    }

    function _stake(address account, uint256 amount) internal {
        vm.prank(account);
        vault.stake(amount);
    }

    function _unstake(address account, uint256 amount) internal {
        vm.prank(account);
        vault.unstake(amount);
    }

    function _claim(address account) internal returns (uint256) {
        vm.prank(account);
        return vault.claimRewards();
    }

    function _reward(uint256 amount) internal {
        tok.transfer(address(vault), amount);
        vault.addReward(amount);
    }

    function _assertIssuance(uint256 issued, uint256 remaining, bool closed) internal view {
        vm.assertEq(vault.totalCreditsIssued(), issued, "issued");
        vm.assertEq(vault.creditsRemaining(), remaining, "remaining");
        vm.assertEq(vault.creditIssuanceClosed(), closed, "closed");
    }
}
