// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { vm } from "../Vm.sol";
import { Market } from "./Market.sol";

/// @dev Invariants that hold on walks where nothing happens prove nothing: here every move is seen to happen.
contract WalkTest {
    uint256 private constant WALKS = 200;
    uint256 private constant STEPS = 100;
    uint256 private constant AT_LEAST = 3;

    event log_named_uint(string key, uint256 val);

    Market private market;

    function setUp() external {
        vm.warp(1_800_000_000);
        vm.roll(1_000_000);
        vm.chainId(8453);
        market = new Market("standard", 0, false);
    }

    /// @dev As many steps as a small campaign takes, drawn as forge draws them. `-vv` prints how often each move was made.
    function test_everyMoveOfTheWalkHappens() external {
        vm.pauseGasMetering();
        string[] memory moves = _moves();
        uint256[] memory counts = new uint256[](moves.length);
        uint256 attempts = 0;
        uint256 start = vm.snapshotState();
        for (uint256 walk = 0; walk < WALKS; ++walk) {
            _walk(walk);
            for (uint256 i = 0; i < moves.length; ++i) {
                counts[i] += market.countOf(moves[i]);
            }
            for (uint256 i = 0; i < market.actionCount(); ++i) {
                _assertListed(moves, market.actions(i));
            }
            attempts += market.attempts();
            vm.revertToState(start);
        }
        for (uint256 i = 0; i < moves.length; ++i) {
            emit log_named_uint(moves[i], counts[i]);
        }
        for (uint256 i = 0; i < moves.length; ++i) {
            vm.assertGe(counts[i], AT_LEAST, string.concat("hardly ever happens: ", moves[i]));
        }
        emit log_named_uint("attacks tried", attempts);
        vm.assertGe(attempts, WALKS * STEPS / 10, "hardly any attacks");
    }

    function _walk(uint256 walk) private {
        bytes4[] memory list = market.moves();
        for (uint256 i = 0; i < STEPS; ++i) {
            uint256 seed = uint256(keccak256(abi.encode(walk, i)));
            (bool ok, bytes memory reason) =
                address(market).call(abi.encodeWithSelector(list[seed % list.length], seed / list.length));
            vm.assertTrue(ok, string(reason));
        }
    }

    function _assertListed(string[] memory moves, string memory action) private pure {
        for (uint256 i = 0; i < moves.length; ++i) {
            if (keccak256(bytes(moves[i])) == keccak256(bytes(action))) return;
        }
        vm.assertTrue(false, string.concat("not in the list: ", action));
    }

    function _moves() private pure returns (string[] memory moves) {
        string[81] memory all = [
            "post",
            "create",
            "claim",
            "claimWithPermit",
            "allowWorker",
            "claim as allowed",
            "fund",
            "activate",
            "activate by worker",
            "cancel",
            "dismiss",
            "dismiss late",
            "give notice",
            "go free under notice",
            "leave a claim",
            "leave work",
            "leave a delivery",
            "markDelivered",
            "markDelivered with a receipt",
            "deliver again",
            "requestRevision",
            "release",
            "concede",
            "complete",
            "openDispute",
            "openDispute by worker",
            "submitEvidence",
            "settle",
            "offer everything",
            "give up",
            "propose",
            "accept what both proposed",
            "accept as named",
            "escalate",
            "expire a posting",
            "expire an offer not kept",
            "expire a claim never started",
            "expire late work",
            "expire under notice",
            "expire a delivery without a receipt",
            "releaseLapsed",
            "mutualCancel",
            "mutualCancel of a dispute",
            "stepDown",
            "resolve",
            "decide",
            "uphold",
            "overturn",
            "finalize",
            "resolveTimedOut",
            "call the court",
            "remove a silent judge",
            "call the court for a silent side",
            "close by time",
            "close by a ruling nobody heard again",
            "register",
            "requestUnbond",
            "unbond",
            "withdraw a payment of arbitration",
            "withdraw a deferred payment",
            "topUp",
            "topUpFor",
            "withdraw a deposit",
            "stake",
            "unstake",
            "claimRewards",
            "buyPlan in TOK",
            "buyPlan in USDC",
            "invalidateNonce",
            "pauseEntries",
            "unpauseEntries",
            "setGuardian",
            "setPlan",
            "kill the feed",
            "revive the feed",
            "freeze a wallet",
            "unfreeze a wallet",
            "let time pass",
            "let blocks pass",
            "go to the nearest boundary",
            "go to a boundary"
        ];
        moves = new string[](all.length);
        for (uint256 i = 0; i < all.length; ++i) {
            moves[i] = all[i];
        }
    }
}
