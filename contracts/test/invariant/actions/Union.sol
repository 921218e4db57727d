// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IPricingPolicy } from "../../../src/interfaces/IPricingPolicy.sol";
import { ENTRY_DEPOSIT } from "../../../src/types/Market.sol";
import { Entries } from "./Entries.sol";

/// @dev What has to do with no task: stakes and rewards, deposits, plans, nonces.
abstract contract Union is Entries {
    function _union(Rng memory r) internal {
        address party = parties[_next(r, PARTIES)];
        uint256 choice = _next(r, 12);
        if (deposits.balanceOf(party) < ENTRY_DEPOSIT && choice < 9) choice = 7;
        if (choice < 3) _stake(_next(r, 8) == 0 ? HOLDER : party, r);
        else if (choice < 5) _unstake(_next(r, 8) == 0 ? HOLDER : party, r);
        else if (choice < 7) _claimRewards(r);
        else if (choice < 8) _topUp(party, party, _between(r, 1, 30e6));
        else if (choice < 10) _withdrawDeposit(party, r);
        else if (choice < 11) _buyPlan(party, r);
        else _invalidate(party);
    }

    /// @dev The great holder stakes enough to reach the cap of credits within a few weeks.
    function _stake(address account, Rng memory r) private {
        uint256 most = account == HOLDER ? 400_000_000e18 : 20_000e18;
        uint256 amount = _between(r, 1, most);
        if (amount > _spendable(account)) return;
        uint256 gas = _as(account);
        staking.stake(amount);
        _did("stake", gas);
        _spendTok(account, amount);
    }

    function _unstake(address account, Rng memory r) private {
        uint256 staked = staking.stakedOf(account);
        if (staked == 0 || token.blocked(account)) return;
        uint256 amount = _next(r, 2) == 0 ? staked : _between(r, 1, staked);
        uint256 gas = _as(account);
        staking.unstake(amount);
        _did("unstake", gas);
        tokOf[account] += amount;
    }

    function _claimRewards(Rng memory r) private {
        uint256 first = _next(r, PARTIES);
        for (uint256 i = 0; i < PARTIES; ++i) {
            address account = parties[(first + i) % PARTIES];
            uint256 rewards = staking.rewardsOf(account);
            if (rewards == 0 || token.blocked(account)) continue;
            uint256 gas = _as(account);
            staking.claimRewards();
            _did("claimRewards", gas);
            tokOf[account] += rewards;
            return;
        }
    }

    /// @dev Now and then everything, so that the account is paused.
    function _withdrawDeposit(address party, Rng memory r) private {
        uint256 free = deposits.withdrawableOf(party);
        if (free == 0) return;
        uint256 amount = _next(r, 3) == 0 ? free : _between(r, 1, free);
        uint256 gas = _as(party);
        deposits.withdraw(amount, party);
        _did("withdraw a deposit", gas);
    }

    function _buyPlan(address party, Rng memory r) private {
        bool inTok = _next(r, 2) == 0;
        // A feed that works is never old.
        if (feed.answer() > 0 && _next(r, 4) != 0) feed.set(feed.answer(), block.timestamp, block.timestamp);
        if (!_wouldSucceed(party, address(pricing), abi.encodeCall(pricing.quote, ("basic", inTok)))) return;
        IPricingPolicy.Quote memory price = pricing.quote("basic", inTok);
        if (price.amount > (inTok ? _spendable(party) : usdc.balanceOf(party))) return;
        address beneficiary = parties[_next(r, PARTIES)];
        uint256 gas = _as(party);
        gateway.buyPlan("basic", beneficiary, inTok ? address(token) : address(usdc), price.amount);
        _did(inTok ? "buyPlan in TOK" : "buyPlan in USDC", gas);
        if (!inTok) return;
        _spendTok(party, price.amount);
        tokOf[TREASURY] += price.amount;
    }

    function _invalidate(address party) private {
        uint256 nonce = _freshNonce();
        uint256 gas = _as(party);
        registry.invalidateNonce(nonce);
        _did("invalidateNonce", gas);
        _useNonce(party, nonce);
    }
}
