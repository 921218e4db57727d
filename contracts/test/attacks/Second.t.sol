// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { TaskState, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Attack } from "./Attack.sol";

/// @dev Attacks on the rules that stopped the first seventeen. "Before" is the first draft of those rules.
contract SecondTest is Attack {
    uint256 private constant AMOUNT = 500 * DOLLAR;

    /// @dev One owner is poster and worker; an honest judge takes the case. Every way it can end, at every price: the best
    /// costs the two fees of entering, and no book is left open.
    function test_S1_OneOwnerOnBothSides_LosesItsFees() external {
        uint256[3] memory prices = [uint256(100), 2_500, 250_000];
        uint256[4] memory sums = [uint256(20), 500, 5_000, 50_000];
        int256[3] memory fees = [int256(-0.2e6), -5e6, -500e6];
        string[3] memory before = ["-0.20", "-5.00", "-500.00"];
        for (uint256 p = 0; p < 3; ++p) {
            for (uint256 i = 0; i < 4; ++i) {
                if (p == 0 && i == 3) continue;
                int256 best = type(int256).min;
                for (uint256 k = 0; k < 30; ++k) {
                    int256 gain = _play(sums[i] * 1e24 / prices[p], prices[p], k % 2, k / 2);
                    if (gain > best) best = gain;
                }
                string memory name = string.concat(
                    _named("S1 best of 30 endings", sums[i]), ", 100 TOK at ", _format(int256(prices[p] * 100))
                );
                _assertPayoff(name, before[p], best, fees[p]);
            }
        }
    }

    function _play(uint256 amount, uint256 price, uint256 offer, uint256 ending) private returns (int256 gain) {
        uint256 start = vm.snapshotState();
        _give(POSTER, amount * 6 / 5);
        _bond(_honest(0), amount * 5 / 4 + 10_000e18);
        _attackers(POSTER, WORKER);
        uint256 taskId = _beginPrivate(_single(amount, _honest(0)));
        _contest(taskId, offer, 10_000 - offer);
        if (ending < 11) _accept(taskId, _honest(0));
        else _toCourt(taskId);
        _end(taskId, offer, ending);
        uint256 owed = arbitration.totalBonded() + arbitration.totalStakes() + arbitration.totalWithdrawable();
        vm.assertEq(tok.balanceOf(address(arbitration)), owed, "TOK of the arbitration");
        vm.assertEq(usdc.balanceOf(address(deposits)), deposits.totalDeposits(), "USDC of the deposits");
        vm.assertEq(tok.balanceOf(address(escrow)), 0, "the escrow is empty");
        vm.assertEq(arbitration.arbitratorOf(_honest(0)).locked, 0, "the judge is free");
        vm.assertEq(deposits.reservedOf(POSTER) + deposits.reservedOf(WORKER), 0, "nothing is reserved");
        gain = _payoff(price);
        vm.revertToStateAndDelete(start);
    }

    /// @dev 0 to 5: a ruling for either side stands, is upheld, is overturned. 6: a silent judge. 7: agreed before it. 8: an
    /// appeal that nobody hears. 9: conceded. 10: the judge steps down. 11 to 14: the court, either way, silent, agreed.
    function _end(uint256 taskId, uint256 offer, uint256 ending) private {
        bool forWorker = ending % 2 == 0;
        if (ending < 6) {
            _rule(taskId, forWorker);
            if (ending < 2) return _finalize(taskId);
            _appeal(taskId, forWorker ? POSTER : WORKER);
            _decide(taskId, ending < 4 ? forWorker : !forWorker);
        } else if (ending == 6) {
            _timeOut(taskId, _case(taskId).rulingEnd);
            _mutualCancel(taskId, 5_000);
        } else if (ending == 7) {
            _mutualCancel(taskId, 5_000);
        } else if (ending == 8) {
            _rule(taskId, true);
            _appeal(taskId, POSTER);
            _timeOut(taskId, _case(taskId).courtEnd);
        } else if (ending == 9) {
            _release(taskId);
        } else if (ending == 10) {
            _stepDown(taskId);
            _mutualCancel(taskId, 5_000);
        } else if (ending < 13) {
            _decide(taskId, ending == 11);
        } else if (ending == 13) {
            _timeOut(taskId, _case(taskId).courtEnd);
        } else {
            _answer(taskId, WORKER, offer);
        }
    }

    function test_S2_OwnJudgeDelays_72HoursAtMost() external {
        _bond(_bought(), 2 * AMOUNT);
        uint256 taskId = _tryBefore(_bought(), AMOUNT, 0, 10_000);
        uint256 opened = block.timestamp;
        _attackers(_bought());
        _stepDown(taskId);
        _accept(taskId, _bought());
        vm.warp(_case(taskId).rulingEnd);
        _stepDown(taskId);
        vm.assertEq((block.timestamp - opened) / 1 hours, 120, "hours to the court, 48 without the judge");
        bytes memory closed =
            abi.encodeWithSelector(IArbitration.WrongPhase.selector, taskId, IArbitration.DisputePhase.COURT);
        vm.expectRevert(closed);
        _accept(taskId, _bought());
        _assertPayoff("S2 own judge gives the case back in the last second", "0.00", _payoff(), 0);
    }

    /// @dev The poster saw a draft and ends the work an hour before the deadline.
    function test_S3_NoticeForNearlyFinishedWork_Loses() external {
        _attackers(POSTER);
        Worth memory worker = _worthOf(WORKER);
        uint256 taskId = _begin(_single(AMOUNT));
        vm.warp(block.timestamp + 47 hours);
        _dismiss(taskId);
        vm.assertEq(_task(taskId).deadline, block.timestamp + 1 hours);
        uint256 noticed = vm.snapshotState();
        _deliver(taskId);
        _after(_task(taskId).reviewEnd);
        registry.releaseLapsed(taskId, 0);
        _assertPayoff("S3 the worker delivers, against paying", "-2.50", _payoff() + 502.5e6, -2.5e6);
        vm.assertEq(_format(_gainOf(WORKER, worker)), "497.50");
        vm.revertToState(noticed);
        _after(_task(taskId).deadline);
        registry.expire(taskId);
        _assertPayoff("S3 the worker delivers nothing, besides the fee to post", "-2.50", _payoff() + 2.5e6, -2.5e6);
        vm.assertEq(reputation.reputationOf(WORKER).lapses, 0);
        vm.assertEq(reputation.reputationOf(POSTER).dismissals, 1);
    }

    function test_S4_NoticeAtOnce_Loses() external {
        TaskTerms memory terms = _single(AMOUNT);
        terms.durations[0] = 10 days;
        _attackers(POSTER, TREASURY);
        Worth memory worker = _worthOf(WORKER);
        uint256 taskId = _begin(terms);
        _dismiss(taskId);
        vm.assertEq(_task(taskId).deadline, block.timestamp + 48 hours);
        vm.prank(WORKER);
        registry.expire(taskId);
        _assertLoss("S4 poster and treasury, notice at once", "-0.50", _payoff());
        vm.assertEq(_format(_gainOf(WORKER, worker)), "-2.50");
        vm.assertEq(reputation.reputationOf(WORKER).leaves, 0);
    }

    function test_S5_NoticeEndsLaterMilestones() external {
        _attackers(POSTER);
        uint256 taskId = _begin(_terms());
        _dismiss(taskId);
        _deliver(taskId);
        _release(taskId);
        _assertState(taskId, TaskState.COMPLETED);
        vm.assertEq(escrow.accountOf(taskId).refunded, SECOND);
        // The first milestone, the fee to post and the exit deposit.
        _assertPayoff("S5 poster, besides the milestone and the fee", "-2.50", _payoff() + 1.5e6 + 2.5e6, -2.5e6);
    }

    /// @dev Raising the offer to almost everything before losing saves at most half of the stake; conceding stays cheaper.
    function test_S6_RaiseTheOfferBeforeLosing_CostsMoreThanConceding() external {
        uint256[3] memory sums = [uint256(500), 5_000, 50_000];
        string[3] memory before = ["-20.50", "-65.50", "-515.50"];
        int256[3] memory after_ = [int256(-40.5e6), -265.5e6, -2_515.5e6];
        for (uint256 i = 0; i < 3; ++i) {
            uint256 start = vm.snapshotState();
            _give(POSTER, 2 * sums[i] * DOLLAR);
            _attackers(POSTER);
            uint256 taskId = _begin(_single(sums[i] * DOLLAR));
            _contest(taskId, 0, 10_000);
            int256 paid = int256(sums[i] * 1e6) + 2.5e6;
            uint256 contested = vm.snapshotState();
            _release(taskId);
            int256 conceded = _payoff() + paid;
            vm.revertToState(contested);
            _answer(taskId, POSTER, 9_999);
            _toCourt(taskId);
            _decide(taskId, true);
            _assertPayoff(_named("S6 offers 99.99 % and loses", sums[i]), before[i], _payoff() + paid, after_[i]);
            vm.assertTrue(_payoff() + paid < conceded, "losing is cheaper than conceding");
            vm.revertToState(start);
        }
    }

    function test_S7_OwnRecordOfOneBlock_Loses() external {
        uint256 loan = 500_000_000e18;
        _give(POSTER, loan);
        _attackers(POSTER, WORKER);
        uint256 taskId = _begin(_single(loan));
        _release(taskId);
        _assertPayoff("S7 one completion and one counterparty, in one block", "-5.00", _payoff(), -5e6);
        vm.assertEq(reputation.reputationOf(WORKER).completedAsWorker, 1);
        vm.assertEq(reputation.reputationOf(WORKER).distinctCounterparties, 1);
        vm.assertEq(reputation.reputationOf(WORKER).earned, 0);
    }

    /// @dev A wrong appeal costs 8 more, a right one brings the loser's 13; the court has the same either way.
    function test_S8_AppealForDelay_Loses() external {
        _give(POSTER, 2 * AMOUNT);
        _bond(_honest(0), 2 * AMOUNT);
        _attackers(WORKER);
        uint256 taskId = _tryBefore(_honest(0), AMOUNT, 0, 10_000);
        _rule(taskId, false);
        _appeal(taskId, WORKER);
        Worth memory court = _worthOf(COURT);
        uint256 appealed = vm.snapshotState();
        vm.warp(_case(taskId).courtEnd);
        _decide(taskId, false);
        _assertPayoff("S8 wrong appeal", "-26.00", _payoff(), -26e6);
        int256 upheld = _gainOf(COURT, court);
        vm.revertToState(appealed);
        _decide(taskId, true);
        // 500 less the court's share, a tenth as the poster's stake, 5 and the fee to claim.
        _assertPayoff("S8 right appeal, besides the pay, the stake and the claim", "5.00", _payoff() - 545e6, 5e6);
        vm.assertTrue(_gainOf(COURT, court) == upheld, "the court is paid for a side");
        _assertPayoff("S8 final court, either way", "13.00", upheld, 10.5e6);
    }

    function test_S9_ClaimToBeGivenNotice_CostsBothTheSame() external {
        uint256[3] memory prices = [uint256(100), 2_500, 250_000];
        string[3] memory before = ["-0.10", "-2.50", "-250.00"];
        TaskTerms memory terms = _single(AMOUNT);
        uint256 taskId = _post(terms, AMOUNT);
        Worth memory poster = _worthOf(POSTER);
        _attackers(WORKER);
        _claim(taskId, WORKER);
        _activate(taskId);
        _dismiss(taskId);
        vm.prank(WORKER);
        registry.expire(taskId);
        Worth memory lost = _minus(_worthOf(POSTER), poster);
        lost.tok -= int256(AMOUNT);
        for (uint256 i = 0; i < 3; ++i) {
            string memory name = string.concat("S9 worker, 100 TOK at ", _format(int256(prices[i] * 100)));
            _assertLoss(name, before[i], _payoff(prices[i]));
            // The exit deposit was in the task.
            vm.assertTrue(_value(lost, prices[i]) == 0);
            vm.assertEq(escrow.exitDepositOf(taskId, POSTER), 0);
        }
    }

    /// @dev Four live tasks need 64, and then no loser is short.
    function test_S10_FourLostDisputes_AllPayInFull() external {
        _give(POSTER, 4 * AMOUNT);
        vm.prank(POSTER);
        deposits.topUp(200e6);
        vm.prank(WORKER);
        deposits.withdraw(36e6, WORKER);
        uint256[4] memory ids;
        for (uint256 i = 0; i < 4; ++i) {
            ids[i] = _begin(_single(AMOUNT));
            _contest(ids[i], 0, 10_000);
        }
        for (uint256 i = 0; i < 4; ++i) {
            Worth memory worker = _worthOf(WORKER);
            _toCourt(ids[i]);
            _decide(ids[i], false);
            vm.assertTrue(_minus(_worthOf(WORKER), worker).usd == -13e6, "a loser is short");
        }
        emit log("payoff S10 fourth lost dispute on the least deposit, USDC: before -10.00 after -13.00");
    }
}
