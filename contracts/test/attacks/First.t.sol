// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Receipt, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Attack } from "./Attack.sol";

/// @dev Attacks 1 to 6: on the bonds of honest judges. One owner is poster and worker, and both sign a judge.
contract JudgeAttacksTest is Attack {
    uint256[3] private _sums = [uint256(500), 5_000, 50_000];

    /// @dev Evidence that the judge cannot open and the final court can.
    function test_01_TrapAJudge_Loses() external {
        string[3] memory before = ["29.99", "434.91", "4484.10"];
        string[3] memory beforeUpheld = ["-24.99", "-69.99", "-519.90"];
        for (uint256 i = 0; i < 3; ++i) {
            uint256 amount = _sums[i] * DOLLAR;
            for (uint256 ending = 0; ending < 3; ++ending) {
                uint256 start = vm.snapshotState();
                uint256 taskId = _stage(amount);
                Worth memory judge = _worthOf(_honest(0));
                if (ending == 2) {
                    _stepDown(taskId);
                    _mutualCancel(taskId, 5_000);
                    _assertLoss(_named("01 trap, the judge steps down", _sums[i]), "none", _payoff());
                    vm.assertTrue(_gainOf(_honest(0), judge) == 0, "stepping down costs");
                } else {
                    _rule(taskId, false);
                    _appeal(taskId, WORKER);
                    _decide(taskId, ending == 0);
                    string memory name = ending == 0 ? "01 trap, overturned" : "01 trap, upheld";
                    _assertLoss(_named(name, _sums[i]), ending == 0 ? before[i] : beforeUpheld[i], _payoff());
                }
                vm.revertToState(start);
            }
        }
    }

    function test_02_HuntAbsentJudges_Loses() external {
        string[3] memory before = ["45.00", "495.00", "4995.00"];
        for (uint256 i = 0; i < 3; ++i) {
            uint256 start = vm.snapshotState();
            uint256 taskId = _stage(_sums[i] * DOLLAR);
            Worth memory judge = _worthOf(_honest(0));
            _timeOut(taskId, _case(taskId).rulingEnd);
            _mutualCancel(taskId, 5_000);
            _assertLoss(_named("02 an absent judge", _sums[i]), before[i], _payoff());
            vm.assertEq(_format(_gainOf(_honest(0), judge)), "-5.00");
            vm.revertToState(start);
        }
    }

    function test_03_SixteenDustCases_Lose() external {
        _bond(_honest(0), 45_000e18);
        vm.prank(POSTER);
        deposits.topUp(200e6);
        _attackers(POSTER, WORKER);
        uint256[] memory amounts = new uint256[](16);
        for (uint256 i = 0; i < 16; ++i) {
            amounts[i] = 1;
        }
        TaskTerms memory terms = _many(amounts);
        terms.arbitrator = _honest(0);
        uint256 taskId = _beginPrivate(terms);
        for (uint256 i = 0; i < 16; ++i) {
            _contest(taskId, 1, 9_999);
            _accept(taskId, _honest(0));
            _timeOut(taskId, _case(taskId).rulingEnd);
            _release(taskId);
        }
        _assertLoss("03 sixteen cases of one wei, the judge took all and slept", "75.00", _payoff());
        vm.assertEq(reputation.reputationOf(WORKER).disputesWon, 0);
    }

    /// @dev The key of the final court, alone and with the treasury.
    function test_04_CourtKeyAgainstFiveJudges_Loses() external {
        uint256 amount = 500 * DOLLAR;
        _give(POSTER, 20 * amount);
        for (uint256 i = 0; i < 5; ++i) {
            _bond(_honest(i), amount * 5 / 4);
        }
        _attackers(POSTER, WORKER, COURT);
        Worth memory treasury = _worthOf(TREASURY);
        uint256 supply = tok.totalSupply();
        for (uint256 i = 0; i < 5; ++i) {
            uint256 taskId = _tryBefore(_honest(i), amount, 0, 10_000);
            _rule(taskId, true);
            _appeal(taskId, POSTER);
            _decide(taskId, false);
        }
        _assertLoss("04 court key against five judges", "187.50", _payoff());
        _assertLoss("04 the same with the treasury", "3110.00", _payoff() + _gainOf(TREASURY, treasury));
        vm.assertEq(supply - tok.totalSupply(), 5 * amount * 5 / 4, "what judges lose is burnt");
    }

    /// @dev Neither in the judge's block nor after the evidence.
    function test_05_MoveTheNumberUnderARuling_IsRefused() external {
        uint256 amount = 500 * DOLLAR;
        _bond(_honest(0), 2 * amount);
        uint256 taskId = _tryBefore(_honest(0), amount, 0, 6_000);
        Worth memory judge = _worthOf(_honest(0));
        uint256 evidenceEnd = _case(taskId).evidenceEnd;
        vm.expectRevert(abi.encodeWithSelector(IArbitration.EvidenceWindowOpen.selector, taskId, evidenceEnd));
        vm.prank(_honest(0));
        arbitration.resolve(taskId, 1, true, REASON);
        vm.warp(evidenceEnd);
        _answer(taskId, POSTER, 3_900);
        _after(evidenceEnd);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.EvidenceWindowClosed.selector, taskId, evidenceEnd));
        _answer(taskId, POSTER, 3_901);
        _rule(taskId, false);
        _finalize(taskId);
        _assertPayoff("05 honest judge, number moved under its ruling", "-10.50", _gainOf(_honest(0), judge), 5e6);
    }

    /// @dev Naming a judge locks nothing of it.
    function test_06_BookOutAJudge_IsRefused() external {
        _bond(_honest(0), 500 * DOLLAR * 5 / 4);
        _attackers(POSTER, WORKER);
        for (uint256 i = 0; i < 3; ++i) {
            _contest(_beginPrivate(_single(1, _honest(0))), 0, 10_000);
        }
        vm.assertEq(arbitration.arbitratorOf(_honest(0)).locked, 0);
        vm.assertTrue(arbitration.isEligible(_honest(0), 500 * DOLLAR));
        _assertLoss("06 three dust cases that name a judge", "-120.00 for twelve", _payoff());
    }

    function _stage(uint256 amount) private returns (uint256) {
        _give(POSTER, 2 * amount);
        _bond(_honest(0), 2 * amount);
        _attackers(POSTER, WORKER);
        return _tryBefore(_honest(0), amount, 1, 9_999);
    }
}

/// @dev Attacks 8 to 17: exits, records, receipts. Attack 7 is in Bought.t.sol, 11 in Order.t.sol too.
contract ExitAttacksTest is Attack {
    uint256 private constant AMOUNT = 500 * DOLLAR;

    function test_08_HoldALargeSum_EndsByNotice() external {
        uint256 amount = 50_000 * DOLLAR;
        _give(POSTER, 2 * amount);
        TaskTerms memory terms = _single(amount);
        terms.durations[0] = 365 days;
        uint256 taskId = _post(terms, amount);
        _attackers(WORKER);
        _claim(taskId, WORKER);
        _after(_task(taskId).claimedAt + params.vetWindow);
        vm.prank(WORKER);
        registry.activate(taskId);
        uint256 begun = block.timestamp;
        _dismiss(taskId);
        _after(_task(taskId).deadline);
        registry.expire(taskId);
        vm.assertEq((block.timestamp - begun) / 1 hours, 48, "hours that the sum is held");
        _assertPayoff("08 worker that starts and does nothing, bought off", "997.50", _payoff(), -2.5e6);
    }

    /// @dev The worker has 12 h instead of 15 minutes. What is left is documented: treasury and stakers earn from lapses.
    function test_09_SurpriseStart_LeavesTimeToAnswer() external {
        _micro();
        TaskTerms memory terms = _single(20 * DOLLAR);
        terms.durations[0] = 15 minutes;
        _attackers(POSTER, TREASURY);
        Worth memory union = _worthOf(address(staking));
        Worth memory worker = _worthOf(WORKER);
        uint256 taskId = _post(terms, 20 * DOLLAR);
        _claim(taskId, WORKER);
        vm.warp(_task(taskId).claimedAt + params.fundingWindow);
        _activate(taskId);
        vm.assertEq(_task(taskId).deadline, block.timestamp + 12 hours);
        uint256 started = vm.snapshotState();
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        // By the specification: three fees, of which the treasury has 60 %.
        _assertPayoff("09 poster and treasury, the worker wakes and leaves", "4.50", _payoff(), 2e6);
        _assertPayoff("09 worker that wakes and leaves", "-13.00", _gainOf(WORKER, worker), -5e6);
        vm.revertToState(started);
        _after(_task(taskId).deadline);
        registry.expire(taskId);
        _assertPayoff("09 poster and treasury, the worker sleeps for 12 h", "10.00", _payoff(), 3e6);
        int256 stakers = _gainOf(address(staking), union) - 2.5e6;
        _assertPayoff("09 poster that has all stakes, the worker sleeps for 12 h", "-0.50", stakers, 2e6);
        _assertPayoff("09 worker that sleeps for 12 h", "-13.00", _gainOf(WORKER, worker), -7.5e6);
    }

    function test_10_DisputesWonInOneBlock_AreNotOnRecord() external {
        uint256[] memory amounts = new uint256[](16);
        for (uint256 i = 0; i < 16; ++i) {
            amounts[i] = 1;
        }
        _attackers(POSTER, WORKER);
        uint256 taskId = _begin(_many(amounts));
        for (uint256 i = 0; i < 16; ++i) {
            _deliver(taskId);
            _open(taskId, 0);
            _release(taskId);
        }
        _assertLoss("10 sixteen disputes won in one block", "-5.00 and 16 wins", _payoff());
        vm.assertEq(reputation.reputationOf(WORKER).disputesWon, 0);
        vm.assertEq(reputation.reputationOf(POSTER).disputesLost, 16);
    }

    /// @dev Whoever has the case is paid when the parties withdraw it. After a ruling they no longer can.
    function test_12_WithdrawnCases_PayTheCourt() external {
        _attackers(POSTER, WORKER);
        Worth memory court = _worthOf(COURT);
        uint256 taskId = _begin(_single(1));
        _contest(taskId, 0, 10_000);
        _toCourt(taskId);
        _mutualCancel(taskId, 5_000);
        _assertPayoff("12 final court, a case of one wei withdrawn", "0.00", _gainOf(COURT, court), 5e6);
        _assertPayoff("12 both wallets, at USD 0.000025", "-0.05", _payoff(25), -5.05e6);
    }

    /// @dev Only the worker presents a receipt, and none of nothing.
    function test_13_OwnStore_CannotRestartTheReview() external {
        TaskTerms memory terms = _single(AMOUNT);
        terms.store = vm.addr(STORE_KEY);
        terms.reviewWindow = params.maxReviewWindow;
        uint256 taskId = _begin(terms);
        _attackers(POSTER);
        _deliver(taskId);
        uint256 delivered = block.timestamp;
        Receipt memory receipt = _receipt(registry, taskId, PROOF, type(uint64).max, STORE_KEY);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotWorker.selector, taskId, POSTER));
        vm.prank(POSTER);
        registry.markDelivered(taskId, 0, PROOF, receipt);
        receipt.size = 0;
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReceiptEmpty.selector, taskId, 0));
        vm.prank(WORKER);
        registry.markDelivered(taskId, 0, PROOF, receipt);
        _after(_task(taskId).reviewEnd);
        _dispute(taskId, WORKER);
        vm.assertEq((block.timestamp - delivered) / 1 days, 7, "days to the worker's dispute, before 56");
        _assertLoss("13 own store", "0.00", _payoff());
    }

    /// @dev Ending what has not begun costs any poster its exit deposit; a dust dispute is no cheaper while the court answers.
    function test_14_DustDispute_CostsMoreThanANotice() external {
        uint256 amount = 50_000 * DOLLAR;
        _give(POSTER, 2 * amount);
        uint256[] memory amounts = new uint256[](2);
        (amounts[0], amounts[1]) = (1, amount);
        uint256 taskId = _begin(_many(amounts));
        _attackers(POSTER);
        // Back are the escrow and, if it is not spent, the exit deposit.
        int256 back = 50_000e6 + 2.5e6;
        uint256 begun = vm.snapshotState();
        _dismiss(taskId);
        vm.prank(WORKER);
        registry.expire(taskId);
        _assertPayoff("14 notice", "impossible", _payoff() - back, -2.5e6);
        vm.revertToState(begun);
        _contest(taskId, 0, 10_000);
        _toCourt(taskId);
        uint256 called = vm.snapshotState();
        _decide(taskId, true);
        _assertPayoff("14 dust dispute, the court decides", "0.00", _payoff() - back, -15.5e6);
        vm.revertToState(called);
        _timeOut(taskId, _case(taskId).courtEnd);
        _assertPayoff("14 dust dispute, the court is silent", "0.00", _payoff() - back, 0);
    }

    function test_15_OwnJudgeAgainstOneself_Loses() external {
        _give(POSTER, 2 * AMOUNT);
        _bond(_bought(), 2 * AMOUNT);
        vm.prank(OWNER);
        staking.activateStaking();
        vm.prank(WORKER);
        staking.stake(900_000e18);
        vm.warp(block.timestamp + 30 days);
        _attackers(WORKER, _bought());
        uint256 taskId = _tryBefore(_bought(), AMOUNT, 1, 10_000);
        vm.assertLt(staking.creditsOf(WORKER), 30e18);
        _rule(taskId, false);
        _finalize(taskId);
        uint256[4] memory prices = [uint256(2_500), 10_000, 250_000, 1_000_000];
        string[4] memory before = ["-0.45", "7.19", "251.97", "1016.90"];
        for (uint256 i = 0; i < 4; ++i) {
            string memory name = string.concat("15 own judge, a credit, 100 TOK at ", _format(int256(prices[i] * 100)));
            _assertLoss(name, before[i], _payoff(prices[i]));
        }
    }

    function test_16_FastHonestWork_IsOnRecord() external {
        uint256 taskId = _begin(_single(AMOUNT));
        vm.warp(block.timestamp + 1 hours);
        _deliver(taskId);
        _release(taskId);
        vm.assertEq(reputation.reputationOf(WORKER).completedAsWorker, 1);
        vm.assertEq(reputation.reputationOf(WORKER).distinctCounterparties, 1);
        vm.assertEq(reputation.reputationOf(WORKER).earned, 0);
        emit log("payoff 16 completed, counterparties, earned: before 0, 0, 0 after 1, 1, 0");
    }

    function test_17_ClaimUnfundedAtNight_Loses() external {
        uint256 taskId = _post(_single(AMOUNT), 0);
        _attackers(STRANGER);
        Worth memory poster = _worthOf(POSTER);
        poster.tok += 1_000e18;
        _claim(taskId, STRANGER);
        _after(_task(taskId).claimedAt + params.fundingWindow);
        registry.expire(taskId);
        _assertPayoff("17 griefer, at USD 0.000025", "-0.02", _payoff(25), -0.025e6);
        _assertPayoff("17 griefer", "-2.50", _payoff(), -2.5e6);
        _assertPayoff("17 poster that slept 24 h", "-10.50", _gainOf(POSTER, poster), -5e6);
        vm.assertEq(_format(_value(_minus(_worthOf(POSTER), poster), 25)), "-2.52");
    }
}
