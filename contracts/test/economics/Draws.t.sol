// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Economics } from "./Economics.sol";

/// @dev Choosing the moment of a draw, emptying the bench, and what an empty bench means.
contract DrawsTest is Economics {
    uint256 private constant AMOUNT = 500 * DOLLAR;

    /// @dev Exploit 2. Before: 158 free rolls a window; 5 % of the bonds sat after 8: USD +505.
    function test_AForgottenDrawGoesToTheCourt_LosesUsd60() external {
        for (uint256 i = 0; i < 19; ++i) {
            _bond(_honest(i), 300_000e18);
        }
        _bond(_bought(0), 300_000e18);
        _age();
        Worth memory before = _worthOf(POSTER);
        uint256 taskId = _contested(_single(AMOUNT));
        _scheduleDraw(taskId);
        // The poster sees an honest judge in the hash and waits until the chain has forgotten it.
        uint256 drawBlock = _case(taskId).drawBlock;
        vm.roll(drawBlock + 8_200);
        arbitration.seat(taskId);
        vm.assertEq(_case(taskId).drawBlock, drawBlock, "a second draw");
        _assertPhase(taskId, IArbitration.DisputePhase.COURT);
        _decide(taskId, true, false);
        _assertPayoff("2 let the draw pass", _payoff(POSTER, before) + 502.5e6, -60.5e6);
    }

    /// @dev Exploit 6. Before: 20 cases of one wei, USD 100 in fees, took every judge from the victim's case.
    function test_NamingJudgesBooksNobody_LosesUsd100() external {
        for (uint256 i = 0; i < 2; ++i) {
            _bond(_honest(i), 300_000e18);
        }
        _age();
        uint256 victims = _contested(_single(AMOUNT));
        _topUp(STRANGER);
        _topUp(ARBITRATOR);
        Worth memory before = _worthOf(STRANGER, ARBITRATOR);
        uint256[] memory taskIds = new uint256[](20);
        for (uint256 i = 0; i < 20; ++i) {
            taskIds[i] = _ownCase(_honest(i % 2));
        }
        for (uint256 i = 0; i < 2; ++i) {
            vm.assertTrue(arbitration.isEligible(_honest(i), AMOUNT), "booked without its consent");
        }
        _scheduleDraw(victims);
        _drawWith(victims, keccak256("h"));
        _assertPhase(victims, IArbitration.DisputePhase.EVIDENCE);
        _rule(victims, true);
        for (uint256 i = 0; i < 20; ++i) {
            vm.prank(STRANGER);
            registry.release(taskIds[i], 0);
        }
        int256 gain = _value(_gain(before, _worthOf(STRANGER, ARBITRATOR)), PRICE);
        _assertPayoff("6 twenty cases that name the judges", gain, -100e6);
    }

    /// @dev Exploit 5. Before: with nobody bonded, junk got half: USD +247.50.
    function test_NobodyBonded_JunkLosesUsd18() external {
        Worth memory before = _worthOf(WORKER);
        uint256 taskId = _contested(_single(AMOUNT));
        _after(_case(taskId).consentEnd);
        arbitration.seat(taskId);
        _assertPhase(taskId, IArbitration.DisputePhase.COURT);
        _decide(taskId, false, false);
        _assertPayoff("5 junk, nobody bonded", _payoff(WORKER, before), -18e6);
    }

    /// @dev Exploit 13. Before: half of every delivery for nothing and without a mark: USD +375 from three of USD 250.
    function test_ThreeDisputesOfGoodWork_LoseUsd106AndThreeMarks() external {
        int256 gain;
        for (uint256 i = 0; i < 3; ++i) {
            Worth memory before = _worthOf(POSTER);
            uint256 taskId = _contested(_single(250 * DOLLAR));
            _after(_case(taskId).consentEnd);
            arbitration.seat(taskId);
            _decide(taskId, true, false);
            gain += _payoff(POSTER, before) + 252.5e6;
        }
        _assertPayoff("13 three disputes of good work of USD 250", gain, -106.5e6);
        vm.assertEq(reputation.reputationOf(POSTER).disputesLost, 3);
    }

    /// @dev A case of one wei between two wallets of one owner.
    function _ownCase(address named) private returns (uint256 taskId) {
        TaskTerms memory terms = _single(1);
        terms.poster = STRANGER;
        terms.arbitrator = named;
        taskId = _post(terms, 1);
        _claim(taskId, ARBITRATOR);
        vm.prank(STRANGER);
        registry.activate(taskId);
        vm.prank(ARBITRATOR);
        registry.markDelivered(taskId, 0, PROOF, _noReceipt());
        vm.prank(STRANGER);
        registry.openDispute(taskId, 0, PROOF, 0);
    }

    function _topUp(address account) private {
        vm.prank(account);
        deposits.topUp(500e6);
    }
}
