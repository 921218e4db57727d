// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { Economics } from "./Economics.sol";

/// @dev What each way out costs. The honest one must be the cheapest at any price of TOK, counted from the claim on.
contract ExitsTest is Economics {
    uint256 private constant AMOUNT = 500 * DOLLAR;

    /// @dev From USD 0.0001 to USD 1 a TOK, in USDC units.
    uint256[6] private prices = [uint256(100), 1_000, PRICE, 10_000, 100_000, 1_000_000];

    /// @dev Exploit 4. Before: leaving cost 7.50, silence 2.50, losing with junk 5.00.
    function test_Worker_LeaveUsd5_SilenceUsd10_GiveUpUsd13_LoseUsd15() external {
        uint256 taskId = _activeWith(_single(AMOUNT));
        Worth memory before = _worthWithin(taskId, WORKER);
        uint256 active = vm.snapshotState();
        Worth[4] memory costs;

        vm.prank(WORKER);
        registry.leaveTask(taskId);
        costs[0] = _gain(before, _worthOf(WORKER));
        vm.revertToState(active);

        _after(_task(taskId).deadline);
        registry.expire(taskId);
        costs[1] = _gain(before, _worthOf(WORKER));
        vm.revertToState(active);

        _deliver(taskId);
        _dispute(taskId, POSTER);
        uint256 disputed = vm.snapshotState();
        _answer(taskId, WORKER, 0);
        costs[2] = _gain(before, _worthOf(WORKER));
        vm.revertToState(disputed);

        _toCourt(taskId);
        _decide(taskId, false, false);
        costs[3] = _gain(before, _worthOf(WORKER));

        _assertPayoff("4 worker leaves", _value(costs[0], PRICE), -5e6);
        _assertPayoff("4 worker says nothing", _value(costs[1], PRICE), -10.5e6);
        _assertPayoff("4 worker gives up in a dispute", _value(costs[2], PRICE), -13e6);
        _assertPayoff("4 worker loses with junk", _value(costs[3], PRICE), -15.5e6);
        _assertDearer(costs[0], costs[1], "silence is cheaper than leaving");
        _assertDearer(costs[1], costs[2], "giving up is cheaper than silence");
        _assertDearer(costs[2], costs[3], "losing is cheaper than giving up");
    }

    /// @dev The poster of an unfunded offer that somebody claimed.
    function test_Poster_DismissUsd2_DismissLateUsd5_SilenceUsd10() external {
        uint256 taskId = _post(_single(AMOUNT), 0);
        Worth memory before = _worthWithin(taskId, POSTER);
        _claim(taskId, WORKER);
        uint256 claimed = vm.snapshotState();
        Worth[3] memory costs;

        costs[0] = _dismissAndCancel(taskId, before);
        vm.revertToState(claimed);

        _after(_task(taskId).claimedAt + params.vetWindow);
        costs[1] = _dismissAndCancel(taskId, before);
        vm.revertToState(claimed);

        _after(_task(taskId).claimedAt + params.fundingWindow);
        registry.expire(taskId);
        costs[2] = _gain(before, _worthOf(POSTER));

        _assertPayoff("poster dismisses in the vet window", _value(costs[0], PRICE), -2.5e6);
        _assertPayoff("poster dismisses later", _value(costs[1], PRICE), -5e6);
        _assertPayoff("poster neither funds nor starts", _value(costs[2], PRICE), -10.5e6);
        _assertDearer(costs[0], costs[1], "dismissing late is cheaper");
        _assertDearer(costs[1], costs[2], "silence is cheaper than dismissing");
    }

    /// @dev The poster of a delivery that it disputes, good as it is.
    function test_Poster_PayUsd0_ConcedeUsd5_LoseUsd60() external {
        uint256 taskId = _activeWith(_single(AMOUNT));
        _deliver(taskId);
        Worth memory before = _worthWithin(taskId, POSTER);
        uint256 delivered = vm.snapshotState();
        Worth[3] memory costs;

        vm.prank(POSTER);
        registry.release(taskId, 0);
        costs[0] = _gain(before, _worthOf(POSTER));
        vm.revertToState(delivered);

        _dispute(taskId, POSTER);
        uint256 disputed = vm.snapshotState();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        costs[1] = _gain(before, _worthOf(POSTER));
        vm.revertToState(disputed);

        _toCourt(taskId);
        _decide(taskId, true, false);
        costs[2] = _gain(before, _worthOf(POSTER));

        _assertPayoff("poster pays for good work", _value(costs[0], PRICE), 0);
        _assertPayoff("poster disputes it and concedes", _value(costs[1], PRICE), -5e6);
        _assertPayoff("poster disputes it and loses", _value(costs[2], PRICE), -60.5e6);
        _assertDearer(costs[0], costs[1], "conceding is cheaper than paying");
        _assertDearer(costs[1], costs[2], "losing is cheaper than conceding");
    }

    /// @dev With the exit deposit that the task holds: most ways out return it.
    function _worthWithin(uint256 taskId, address account) private view returns (Worth memory worth) {
        worth = _worthOf(account);
        worth.tok += int256(escrow.exitDepositOf(taskId, account));
    }

    function _dismissAndCancel(uint256 taskId, Worth memory before) private returns (Worth memory cost) {
        vm.startPrank(POSTER);
        registry.dismiss(taskId);
        registry.cancel(taskId);
        vm.stopPrank();
        cost = _gain(before, _worthOf(POSTER));
    }

    function _toCourt(uint256 taskId) private {
        _after(_case(taskId).evidenceEnd);
        arbitration.resolveTimedOut(taskId);
        _assertPhase(taskId, IArbitration.DisputePhase.COURT);
    }

    function _assertDearer(Worth memory cheap, Worth memory dear, string memory otherwise) private view {
        for (uint256 i = 0; i < prices.length; ++i) {
            vm.assertTrue(_value(dear, prices[i]) < _value(cheap, prices[i]), otherwise);
        }
    }
}
