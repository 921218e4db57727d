// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { vm } from "../../Vm.sol";
import { hashTerms } from "../../fold/TermsHash.sol";
import { World } from "../World.sol";

/// @dev Properties 11, 12, 13, 8 and 14, and the attacks: what was signed, what was logged, what it cost.
abstract contract Signatures is World {
    uint256 private constant MAX_GAS = 2_000_000;
    /// @dev What a transaction pays before the first opcode, with the longest text there is.
    uint256 private constant INTRINSIC = 21_000 + 16 * 10_000;

    /// @dev 11. A nonce that was used stays used and has worked once; the attacks try each again. Others stay free.
    function checkNonces() public view {
        for (uint256 i = 0; i < usedNonces.length; ++i) {
            vm.assertTrue(registry.isNonceUsed(usedNonces[i].account, usedNonces[i].nonce), "11: a used nonce is free");
        }
        vm.assertEq(reusedNonces, 0, "11: a nonce worked twice");
        for (uint256 i = 0; i < PARTIES; ++i) {
            vm.assertFalse(registry.isNonceUsed(parties[i], nextNonce), "11: a nonce is used that nobody used");
        }
    }

    /// @dev 12. The digest on chain is the digest of the terms the parties saw, with today's worker.
    function checkDigests() public view {
        uint256 count = registry.taskCount();
        for (uint256 id = 1; id <= count; ++id) {
            bytes32 termsHash = hashTerms(ghosts[id].terms, params.market, address(token));
            vm.assertEq(registry.taskOf(id).termsHash, termsHash, "12: the hash of the terms");
            bytes32 digest = _settlementDigest(registry, termsHash, ghosts[id].worker);
            vm.assertEq(registry.settlementDigestOf(id), digest, "12: the settlement digest");
        }
    }

    /// @dev 8. By the events, each milestone is settled once at most and each task ends once at most.
    function checkSettledOnce() public view {
        uint256 count = registry.taskCount();
        for (uint256 id = 1; id <= count; ++id) {
            vm.assertLe(fold.endingsOf(id), 1, "8: a task ended twice");
            for (uint256 i = 0; i < ghosts[id].terms.amounts.length; ++i) {
                bool accepted = i < ghosts[id].current;
                vm.assertEq(fold.settledOf(id, i), accepted ? 1 : 0, "8: how often a milestone was settled");
            }
        }
        vm.assertEq(fold.afterlives(), 0, "8: an event after the end of a task");
    }

    /// @dev 13. The events alone rebuild the state.
    function checkEvents() public view {
        fold.checkMarket();
        uint256 count = registry.taskCount();
        for (uint256 id = 1; id <= count; ++id) {
            fold.checkTask(id);
        }
        for (uint256 i = 0; i < holders.length; ++i) {
            fold.checkAccount(holders[i]);
        }
        for (uint256 i = 0; i < usedNonces.length; ++i) {
            vm.assertTrue(fold.nonceUsed(usedNonces[i].account, usedNonces[i].nonce), "13: a nonce used in silence");
        }
        vm.assertEq(fold.nonceCount(), usedNonces.length, "13: events of nonces");
    }

    /// @dev 14. No call of the walk came near 2M gas.
    function checkGas() public view {
        vm.assertLe(costliest + INTRINSIC, MAX_GAS, string.concat("14: gas of ", costliestAction));
    }

    /// @dev Nothing that must fail went through.
    function checkAttacks() public view {
        vm.assertEq(breaches, 0, string.concat("an attack went through: ", lastBreach));
    }
}
