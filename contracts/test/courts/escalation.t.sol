// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { CourtBase } from "./CourtBase.sol";

/// @dev What whole escalations bring everybody, in ETH. `forge test -vv` prints `payoff <who>: <milliether>`, which
/// docs/court.md quotes. Nobody overrules the answers, so all that counts is who is right and who still bonds.
contract EscalationTest is CourtBase {
    event log(string);

    /// @dev Right, wrong with twice as much, right again with twice that.
    function test_ThreeAnswers() external {
        uint256 taskId = _appealed();
        bytes32 question = _ask(taskId);
        uint256[3] memory before = _balances();
        _answer(taskId, FIRST_ANSWERER, true, MIN_BOND);
        vm.warp(block.timestamp + 20 hours);
        _answerThere(question, GRIEFER, NO, 2 * MIN_BOND);
        vm.warp(block.timestamp + 20 hours);
        _answer(taskId, LAST_ANSWERER, true, 4 * MIN_BOND);
        vm.warp(block.timestamp + TIMEOUT - 1);
        vm.expectRevert("question must be finalized");
        court.carry(arbitration, taskId);
        _finish(question);
        court.carry(arbitration, taskId);
        _claimAll(question);

        vm.assertEq(arbitration.disputeOf(taskId).workerBps, 10_000);
        // 2.5 % of every bond but the last burn. The first right answer is paid its bond again by the one that took over.
        _assertPayoffs("three answers", before, [int256(19.5 ether), -40 ether, 29 ether]);
        vm.assertEq(usdc.balanceOf(LAST_ANSWERER), 8e6);
    }

    /// @dev More money alone wins only if nobody answers it: then the wrong side wins, as with any court that errs.
    function test_Griefer_UnansweredWins() external {
        uint256 taskId = _appealed();
        bytes32 question = _ask(taskId);
        uint256[3] memory before = _balances();
        _answer(taskId, FIRST_ANSWERER, true, MIN_BOND);
        _answerThere(question, GRIEFER, NO, 2 * MIN_BOND);
        _finish(question);
        court.carry(arbitration, taskId);
        _claimAll(question);
        vm.assertEq(arbitration.disputeOf(taskId).workerBps, 0);
        _assertPayoffs("a wrong answer that stands", before, [int256(-20 ether), 29.5 ether, 0]);
    }

    /// @dev A griefer answers in the last second of each timeout, to be past the window. It works once it has bonded
    /// 1,365 times the least bond in six answers, and loses what it bonded before the end.
    function test_Griefer_PlaysForTime() external {
        uint256 taskId = _appealed();
        bytes32 question = _ask(taskId);
        uint256[3] memory before = _balances();
        uint256 courtEnd = arbitration.disputeOf(taskId).courtEnd;
        _answer(taskId, LAST_ANSWERER, true, MIN_BOND);
        uint256 bond = MIN_BOND;
        uint256 rounds = 0;
        while (reality.getFinalizeTS(question) <= courtEnd) {
            vm.warp(reality.getFinalizeTS(question) - 1);
            _answerThere(question, GRIEFER, NO, bond *= 2);
            _answer(taskId, LAST_ANSWERER, true, bond *= 2);
            ++rounds;
        }
        vm.assertEq(rounds, ANSWER_TIME / TIMEOUT);
        _finish(question);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.CourtWindowClosed.selector, taskId, courtEnd));
        court.carry(arbitration, taskId);
        // The ruling under appeal stands, as with a court that says nothing.
        arbitration.resolveTimedOut(taskId);
        vm.assertEq(arbitration.disputeOf(taskId).workerBps, 0);
        _claimAll(question);
        // 2 + 8 + 32 + 128 + 512 + 2,048 least bonds.
        vm.assertEq(2 * MIN_BOND * (4 ** rounds - 1) / 3, 2_730 * MIN_BOND);
        vm.assertEq(before[1] - GRIEFER.balance, 2_730 * MIN_BOND);
        vm.assertGt(LAST_ANSWERER.balance, before[2]);
        _print("a delay past the window", before);
    }

    /// @dev Whoever ends a dispute is the same whatever the griefer pays: the bonds stay outside the market.
    function testFuzz_BondsNeverTouchTheMarket(uint8 answers, uint256 seed) external {
        uint256 taskId = _appealed();
        bytes32 question = _ask(taskId);
        uint256 bond = MIN_BOND;
        bool forWorker;
        uint256 count = uint256(answers) % 8 + 1;
        for (uint256 i = 0; i < count; ++i) {
            forWorker = (seed >> i) & 1 == 1;
            _answerThere(question, i % 2 == 0 ? FIRST_ANSWERER : GRIEFER, forWorker ? YES : NO, bond);
            bond *= 2;
            vm.warp(block.timestamp + (seed >> 16) % 12 hours);
        }
        uint256 courtEnd = arbitration.disputeOf(taskId).courtEnd;
        _finish(question);
        bool late = block.timestamp > courtEnd;
        if (late) arbitration.resolveTimedOut(taskId);
        else court.carry(arbitration, taskId);
        // The ruling under appeal was for the poster.
        vm.assertEq(arbitration.disputeOf(taskId).workerBps, !late && forWorker ? 10_000 : 0);
        vm.assertEq(address(court).balance, 0);
    }

    function _balances() private view returns (uint256[3] memory) {
        return [FIRST_ANSWERER.balance, GRIEFER.balance, LAST_ANSWERER.balance];
    }

    /// @param expected In thousandths of what they are.
    function _assertPayoffs(string memory name, uint256[3] memory before, int256[3] memory expected) private {
        uint256[3] memory now_ = _balances();
        for (uint256 i = 0; i < 3; ++i) {
            vm.assertEq(uint256(int256(now_[i]) - int256(before[i])), uint256(expected[i] / 1_000), name);
        }
        _print(name, before);
    }

    function _print(string memory name, uint256[3] memory before) private {
        uint256[3] memory now_ = _balances();
        string[3] memory who = ["first answerer", "griefer", "last answerer"];
        for (uint256 i = 0; i < 3; ++i) {
            bool lost = now_[i] < before[i];
            uint256 amount = (lost ? before[i] - now_[i] : now_[i] - before[i]) / 1e14;
            emit log(string.concat(
                    "payoff of ", name, ", ", who[i], ": ", lost ? "-" : "", vm.toString(amount), " ETH/10,000"
                ));
        }
    }
}
