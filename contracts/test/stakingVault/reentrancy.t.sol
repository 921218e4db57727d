// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ERC20 } from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import { StakingVault } from "../../src/StakingVault.sol";
import { IStakingVault } from "../../src/interfaces/IStakingVault.sol";
import { Contracts } from "../../src/types/Market.sol";
import { vm } from "../Vm.sol";

/// @dev TOK has no hooks; this one calls a contract that receives it.
contract CallbackToken is ERC20("Callback", "CB") {
    constructor() {
        _mint(msg.sender, 1e27);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from != address(0) && to.code.length > 0) {
            (bool ok,) = to.call(abi.encodeWithSignature("tokensReceived()"));
            ok;
        }
    }
}

contract StakingVaultReentrancyTest {
    CallbackToken private tok;
    StakingVault private vault;
    /// The call to make from within, and the error it met.
    bytes private again;
    bytes private refusal;

    function setUp() external {
        vm.warp(1_800_000_000);
        tok = new CallbackToken();
        Contracts memory contracts;
        contracts.tok = address(tok);
        contracts.paymentGateway = address(this);
        vault = new StakingVault(contracts, address(this), 1_000e18, 1e14);
        vault.activateStaking();
        tok.transfer(address(vault), 10_000e18);
        vault.stake(1_000e18);
        vault.addReward(700e18);
    }

    function pull(address, uint256 amount) external {
        tok.transfer(address(vault), amount);
    }

    function tokensReceived() external {
        if (again.length == 0) return;
        bytes memory call = again;
        again = "";
        bool ok;
        (ok, refusal) = address(vault).call(call);
        vm.assertFalse(ok);
    }

    function test_PaysEachStakeOnce() external {
        again = abi.encodeCall(vault.unstake, (600e18));
        vault.unstake(600e18);
        vm.assertEq(
            refusal, abi.encodeWithSelector(IStakingVault.InsufficientStake.selector, address(this), 400e18, 600e18)
        );
        vm.assertEq(tok.balanceOf(address(vault)), 10_400e18);
    }

    function test_PaysEachRewardOnce() external {
        vm.warp(1_800_000_000 + 7 days);
        again = abi.encodeCall(vault.claimRewards, ());
        vm.assertEq(vault.claimRewards(), 700e18);
        vm.assertEq(refusal, abi.encodeWithSelector(IStakingVault.ZeroAmount.selector));
        vm.assertEq(tok.balanceOf(address(vault)), 10_300e18);
    }
}
