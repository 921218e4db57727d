// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { StakingVault } from "../../src/StakingVault.sol";
import { TokToken } from "../../src/TokToken.sol";
import { Contracts } from "../../src/types/Market.sol";
import { vm } from "../Vm.sol";
import { bound } from "../bound.sol";

/// @dev Stakers, payers and time, in any order; it is the payment gateway and the owner too.
contract StakingVaultHandler {
    uint256 public constant ACTORS = 3;
    uint256 public constant WEALTH = 10_000_000e18;

    TokToken public immutable tok;
    StakingVault public immutable vault;

    uint256 public rewarded;
    uint256 public claimed;
    uint256 public spent;
    uint256 public calls;
    /// What had been issued before the last operation.
    uint256 public issuedBefore;
    bool public closedBefore;
    mapping(address actor => uint256) public stakeOf;

    constructor() {
        tok = new TokToken(address(this));
        Contracts memory contracts;
        contracts.tok = address(tok);
        contracts.paymentGateway = address(this);
        vault = new StakingVault(contracts, address(this), 5_000e18, 1e14);
        vault.activateStaking();
        for (uint256 i = 0; i < ACTORS; ++i) {
            tok.transfer(actor(i), WEALTH);
        }
    }

    modifier counted() {
        ++calls;
        issuedBefore = vault.totalCreditsIssued();
        closedBefore = vault.creditIssuanceClosed();
        _;
    }

    function pull(address from, uint256 amount) external {
        vm.prank(from);
        tok.transfer(address(vault), amount);
    }

    function stake(uint256 seed, uint256 amount) external counted {
        address account = actor(seed);
        if (tok.balanceOf(account) == 0) return;
        amount = bound(amount, 1, tok.balanceOf(account));
        vm.prank(account);
        vault.stake(amount);
        stakeOf[account] += amount;
    }

    function unstake(uint256 seed, uint256 amount) external counted {
        address account = actor(seed);
        if (stakeOf[account] == 0) return;
        amount = bound(amount, 1, stakeOf[account]);
        vm.prank(account);
        vault.unstake(amount);
        stakeOf[account] -= amount;
    }

    function claim(uint256 seed) external counted {
        address account = actor(seed);
        if (vault.rewardsOf(account) == 0) return;
        uint256 balance = tok.balanceOf(account);
        vm.prank(account);
        uint256 amount = vault.claimRewards();
        vm.assertEq(tok.balanceOf(account), balance + amount);
        claimed += amount;
    }

    function spend(uint256 seed) external counted {
        address account = actor(seed);
        if (vault.creditsOf(account) < 1e18) return;
        vault.spendCredit(account);
        spent += 1e18;
    }

    function reward(uint256 amount) external counted {
        amount = bound(amount, 0, 100_000e18);
        tok.transfer(address(vault), amount);
        vault.addReward(amount);
        rewarded += amount;
    }

    function wait_(uint256 time) external counted {
        vm.warp(block.timestamp + bound(time, 1, 10 days));
    }

    function actor(uint256 seed) public pure returns (address) {
        return address(uint160(0xAC7000 + seed % ACTORS));
    }
}
