// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Economics } from "./Economics.sol";

/// @dev A poster has got good work for USD 500 and wants it for nothing. Its payoff is counted against paying for it.
contract CaptureTest is Economics {
    uint256 private constant AMOUNT = 500 * DOLLAR;
    uint256 private constant DRAWS = 64;

    /// @dev Exploit 1. Before: about USD +513 a dispute, 194 of 200 won; the bond came back whole.
    function test_LateBondsAreNeverDrawn_LosesUsd60() external {
        _bondHonest(20, 300_000e18);
        _age();
        Worth memory before = _worthOf(POSTER);
        uint256 taskId = _contested(_single(AMOUNT));
        _after(_case(taskId).consentEnd);
        for (uint256 i = 0; i < 10; ++i) {
            _bond(_bought(i), 6_000_000e18);
        }
        _scheduleDraw(taskId);
        uint256 undrawn = vm.snapshotState();
        uint256 toCourt;
        for (uint256 i = 0; i < DRAWS; ++i) {
            _drawWith(taskId, keccak256(abi.encode(i)));
            address judge = _case(taskId).judge;
            vm.assertFalse(_isBought(judge), "a late bond was drawn");
            if (judge == address(0)) ++toCourt;
            vm.revertToState(undrawn);
        }
        // Those passed over use up tries, so that some draws find nobody. The final court sits then, not a bought judge.
        vm.assertLt(toCourt, DRAWS / 8);

        _drawWith(taskId, keccak256("honest"));
        _rule(taskId, true);
        _finalize(taskId);
        _assertPayoff("1 late bonds, 91 % of all", _payoff(POSTER, before) + _price(AMOUNT), -60.5e6);
    }

    /// @dev Exploit 3. Before: a member of a panel of appeal got 3.75 to uphold and 1.25 to overturn.
    function test_AppealIsPaidTheSameEitherWay_Usd15() external {
        (uint256 taskId, address judge) = _ruledWrongly();
        uint256 ruled = vm.snapshotState();
        int256[2] memory toCourt;
        int256[2] memory toJudge;
        for (uint256 i = 0; i < 2; ++i) {
            Worth memory court = _worthOf(COURT);
            Worth memory first = _worthOf(judge);
            _decide(taskId, i == 1, false);
            toCourt[i] = _payoff(COURT, court);
            toJudge[i] = _payoff(judge, first);
            vm.revertToState(ruled);
        }
        _assertPayoff("3 final court upholds", toCourt[0], 15e6);
        _assertPayoff("3 final court overturns", toCourt[1], 15e6);
        _assertPayoff("3 judge upheld", toJudge[0], 5e6);
        _assertPayoff("3 judge overturned", toJudge[1], -50e6);
    }

    /// @dev Exploit 16. Before: one judge overturned another and nobody was left above it: USD +500.
    function test_OneJudgeIsNeverTheLastWord_LosesUsd685() external {
        _bond(_bought(0), 300_000e18);
        _age();
        Worth memory before = _worthOf(POSTER, _bought(0));
        uint256 taskId = _contested(_single(AMOUNT));
        _scheduleDraw(taskId);
        _drawWith(taskId, keccak256("only one"));
        _rule(taskId, false);
        _appeal(taskId, WORKER);
        _assertPhase(taskId, IArbitration.DisputePhase.COURT);
        _decide(taskId, true, true);
        int256 gain = _value(_gain(before, _worthOf(POSTER, _bought(0))), PRICE) + _price(AMOUNT);
        _assertPayoff("16 the only judge is the poster's, the worker appeals", gain, -685.5e6);
    }

    /// @dev Exploit 17. Before: a bond of USD 25 ruled on USD 250,000: USD +250,005.
    function test_SmallBondTakesNoLargeCase_LosesUsd25010() external {
        uint256 amount = 250_000 * DOLLAR;
        _bond(_bought(0), 10_000e18);
        _age();
        _give(POSTER, 2 * amount);
        TaskTerms memory terms = _single(amount);
        terms.arbitrator = _bought(0);
        Worth memory before = _worthOf(POSTER, _bought(0));
        uint256 taskId = _contested(terms);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotEligible.selector, _bought(0)));
        vm.prank(_bought(0));
        arbitration.propose(taskId, _bought(0));
        _scheduleDraw(taskId);
        _drawWith(taskId, keccak256("too small"));
        _assertPhase(taskId, IArbitration.DisputePhase.COURT);
        _decide(taskId, true, false);
        int256 gain = _value(_gain(before, _worthOf(POSTER, _bought(0))), PRICE) + _price(amount);
        _assertPayoff("17 bond of USD 25, case of USD 250,000", gain, -25_010.5e6);
        vm.assertTrue(arbitration.isEligible(_bought(0), 20 * DOLLAR), "USD 20");
        vm.assertFalse(arbitration.isEligible(_bought(0), 20 * DOLLAR + 1), "more than USD 20");
    }

    function _ruledWrongly() private returns (uint256 taskId, address judge) {
        _bondHonest(20, 300_000e18);
        _age();
        taskId = _contested(_single(AMOUNT));
        _scheduleDraw(taskId);
        _drawWith(taskId, keccak256("a"));
        judge = _case(taskId).judge;
        _rule(taskId, false);
        _appeal(taskId, WORKER);
    }

    function _bondHonest(uint256 count, uint256 amount) private {
        for (uint256 i = 0; i < count; ++i) {
            _bond(_honest(i), amount);
        }
    }

    /// @dev What paying for the work would have cost: the milestone and the fee for posting.
    function _price(uint256 amount) private pure returns (int256) {
        return int256(amount / DOLLAR * 1e6) + 2.5e6;
    }
}

/// @dev The same in the market with short windows.
contract MicroCaptureTest is Economics {
    uint256 private constant AMOUNT = 20 * DOLLAR;

    function setUp() public override {
        super.setUp();
        _deploy("micro");
        _enrich(POSTER);
        _enrich(WORKER);
    }

    /// @dev Exploit 21. Before: no second between bonding and ruling, twelve hours to the whole milestone.
    function test_BondsOfTheSameDayAreNeverDrawn_LosesUsd12() external {
        for (uint256 i = 0; i < 5; ++i) {
            _bond(_honest(i), 20_000e18);
        }
        _age();
        Worth memory before = _worthOf(POSTER);
        uint256 taskId = _contested(_single(AMOUNT));
        _after(_case(taskId).consentEnd);
        _bond(_bought(0), 1_000_000e18);
        _scheduleDraw(taskId);
        uint256 undrawn = vm.snapshotState();
        for (uint256 i = 0; i < 64; ++i) {
            _drawWith(taskId, keccak256(abi.encode(i)));
            vm.assertFalse(_isBought(_case(taskId).judge), "a late bond was drawn");
            vm.revertToState(undrawn);
        }
        _drawWith(taskId, keccak256("h"));
        _rule(taskId, true);
        _finalize(taskId);
        _assertPayoff("21 micro, bonded at the draw", _payoff(POSTER, before) + 22.5e6, -12.5e6);
    }
}
