// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IPricingPolicy } from "../../../src/interfaces/IPricingPolicy.sol";
import { World } from "../World.sol";

/// @dev Everything the owner, the guardian, the price feed and the token's issuer can do to a market.
abstract contract Admin is World {
    address private constant OTHER_GUARDIAN = address(0x6A4E);

    address private frozen;

    /// @dev A pause or a freeze seldom lasts.
    function _admin(Rng memory r) internal {
        uint256 choice = _next(r, 10);
        if (choice < 1 || (choice < 6 && registry.paused())) _pause();
        else if (choice < 3 || (choice < 5 && frozen != address(0))) _freeze(_somebody(r));
        else if (choice < 4) _setGuardian();
        else if (choice < 6) _setPlan(r);
        else _feed(r);
    }

    /// @dev Often the poster of the task that moved last, so that it is owed something while it is frozen.
    function _somebody(Rng memory r) private view returns (address) {
        address poster = ghosts[focus].terms.poster;
        return poster == address(0) || _next(r, 2) == 0 ? parties[_next(r, PARTIES)] : poster;
    }

    function _pause() private {
        bool paused = registry.paused();
        uint256 gas = _as(registry.guardian());
        if (paused) registry.unpauseEntries();
        else registry.pauseEntries();
        _did(paused ? "unpauseEntries" : "pauseEntries", gas);
    }

    function _setGuardian() private {
        address next = registry.guardian() == GUARDIAN ? OTHER_GUARDIAN : GUARDIAN;
        uint256 gas = _as(OWNER);
        registry.setGuardian(next);
        _did("setGuardian", gas);
    }

    /// @dev Sometimes the plan is not for sale, or not for TOK.
    function _setPlan(Rng memory r) private {
        uint64 price = _next(r, 4) == 0 ? 0 : uint64(_between(r, 1, 100e6));
        bool tokAllowed = _next(r, 4) != 0;
        IPricingPolicy.Plan memory plan = IPricingPolicy.Plan(price, uint16(_next(r, 5001)), tokAllowed);
        uint256 gas = _as(OWNER);
        pricing.setPlan("basic", plan);
        _did("setPlan", gas);
    }

    /// @dev A dead feed says nothing of use; a live one a new price.
    function _feed(Rng memory r) private {
        bool dead = _next(r, 3) == 0;
        uint256 gas = gasleft();
        feed.set(dead ? int256(0) : int256(_between(r, 1_000, 1e8)), block.timestamp, block.timestamp);
        _did(dead ? "kill the feed" : "revive the feed", gas);
    }

    /// @dev One wallet at a time cannot send or receive TOK.
    function _freeze(address party) private {
        bool freeze = frozen == address(0);
        uint256 gas = gasleft();
        token.setBlocked(freeze ? party : frozen, freeze);
        _did(freeze ? "freeze a wallet" : "unfreeze a wallet", gas);
        frozen = freeze ? party : address(0);
    }
}
