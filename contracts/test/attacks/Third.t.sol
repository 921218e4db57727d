// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Receipt, Signature, TaskScope, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Attack } from "./Attack.sol";

/// @dev What the attacks of the third audit share. Each says what the attacker gains and what the victim loses. Where an
/// attack pays, the test holds its figure.
abstract contract ThirdAttack is Attack {
    uint256 internal constant AMOUNT = 500 * DOLLAR;
    /// @dev How often the final court is right, of 100.
    int256 internal constant RIGHT = 98;

    function _assertVictim(string memory attack, address victim, Worth memory before, int256 expected) internal {
        _assertPayoff(string.concat(attack, ", victim"), "none", _gainOf(victim, before), expected);
    }

    /// @dev What the court's errors make of a right and a wrong decision.
    function _mix(int256 right, int256 wrong) internal pure returns (int256) {
        return (RIGHT * right + (100 - RIGHT) * wrong) / 100;
    }

    /// @dev The share of victims, in %, below which an attack pays that wins `stands` without an appeal.
    function _breakEven(int256 stands, int256 appealed) internal pure returns (uint256) {
        return uint256(stands * 100 / (stands - appealed));
    }

    function _storeTerms(uint256[] memory amounts) internal returns (TaskTerms memory terms) {
        terms = _many(amounts);
        terms.store = vm.addr(STORE_KEY);
    }

    function _storeTerms(uint256 amount) internal returns (TaskTerms memory terms) {
        terms = _single(amount);
        terms.store = vm.addr(STORE_KEY);
    }

    /// @dev Delivered without a receipt, and taken to arbitration by the worker.
    function _openByWorker(uint256 taskId) internal {
        _deliver(taskId);
        _after(_task(taskId).reviewEnd);
        _dispute(taskId, WORKER);
    }
}

/// @dev Attacks with a judge, a store or the court of one's own.
contract ThirdJudgesTest is ThirdAttack {
    /// @dev The worker delivers junk and asks for almost nothing. A poster that loses forfeits at least 5 % of the milestone.
    /// An overturned judge answers for that too: else it would pay unless nearly all victims appeal.
    function test_T1_OwnJudgeOverATinyGap_LosesIfHalfOfTheVictimsAppeal() external {
        uint256[3] memory sums = [uint256(500), 5_000, 50_000];
        int256[3] memory stands = [int256(35.55e6), 261e6, 2_515.5e6];
        int256[3] memory overturned = [int256(-49.31e6), -331.12e6, -3_149.25e6];
        uint256[3] memory breakEven = [uint256(42), 44, 45];
        for (uint256 i = 0; i < 3; ++i) {
            uint256 start = vm.snapshotState();
            _give(POSTER, 2 * sums[i] * DOLLAR);
            _bond(_bought(), 2 * sums[i] * DOLLAR);
            _attackers(WORKER, _bought());
            uint256 taskId = _tryBefore(_bought(), sums[i] * DOLLAR, 0, 1);
            _rule(taskId, true);
            uint256 ruled = vm.snapshotState();
            _finalize(taskId);
            int256 won = _payoff();
            _assertPayoff(_named("T1 own judge over 1 bps, nobody appeals", sums[i]), "none", won, stands[i]);
            vm.revertToState(ruled);
            _appeal(taskId, POSTER);
            uint256 appealed = vm.snapshotState();
            _decide(taskId, true);
            int256 upheld = _payoff();
            vm.revertToState(appealed);
            _decide(taskId, false);
            _assertPayoff(_named("T1 own judge over 1 bps, overturned", sums[i]), "none", _payoff(), overturned[i]);
            vm.assertEq(_breakEven(won, _mix(_payoff(), upheld)), breakEven[i], "break-even in %");
            vm.revertToState(start);
        }
    }

    /// @dev Parties that cancel after a ruling would free the judge: a victim could be bought off with all that the court
    /// would give it. They no longer can. Documented: a promise outside of the contracts still does that.
    function test_T2_BoughtJudgePaysTheVictimOff_NeedsAPromiseOutside() external {
        _give(POSTER, 2 * AMOUNT);
        _bond(_bought(), 2 * AMOUNT);
        _attackers(POSTER, _bought());
        Worth memory worker = _worthOf(WORKER);
        int256 paid = 502.5e6;
        uint256 taskId = _tryBefore(_bought(), AMOUNT, 0, 10_000);
        _rule(taskId, false);
        uint256 ruled = vm.snapshotState();
        _finalize(taskId);
        int256 stands = _payoff() + paid;
        vm.revertToState(ruled);
        _appeal(taskId, WORKER);
        uint256 appealed = vm.snapshotState();
        _decide(taskId, true);
        int256 due = _gainOf(WORKER, worker);
        _assertPayoff("T2 bought judge, overturned", "none", _payoff() + paid, -690.5e6);
        vm.revertToState(appealed);
        uint64 expiry = uint64(block.timestamp);
        Signature memory byPoster = _cancelSignature(registry, taskId, 10_000, POSTER_KEY, 901, expiry);
        Signature memory byWorker = _cancelSignature(registry, taskId, 10_000, WORKER_KEY, 902, expiry);
        vm.expectRevert(
            abi.encodeWithSelector(IArbitration.WrongPhase.selector, taskId, IArbitration.DisputePhase.COURT)
        );
        registry.mutualCancel(taskId, 10_000, byPoster, byWorker);
        vm.revertToState(ruled);
        _finalize(taskId);
        int256 missing = due - _gainOf(WORKER, worker);
        vm.prank(POSTER);
        tok.transfer(WORKER, uint256(missing) * 1e18 / PRICE);
        _assertPayoff("T2 bought judge, the victim is paid for its silence", "none", _payoff() + paid, -55e6);
        _assertVictim("T2 as after a right decision", WORKER, worker, due);
        vm.assertEq(_breakEven(stands, _payoff() + paid), 90, "break-even in %");
    }

    /// @dev Three cases of one wei would move the poster's reserve to its own judge, so that the court's errors pay at USD
    /// 500 already. Whoever concedes and goes on raises its reserve first.
    function test_T3_ReserveMovedToTheOwnJudge_LeavesEnoughForTheWinner() external {
        uint256[] memory amounts = new uint256[](4);
        (amounts[0], amounts[1], amounts[2], amounts[3]) = (1, 1, 1, AMOUNT);
        TaskTerms memory terms = _storeTerms(amounts);
        terms.arbitrator = _bought();
        _bond(_bought(), 20_000e18);
        _attackers(POSTER, _bought());
        Worth memory worker = _worthOf(WORKER);
        uint256 taskId = _beginPrivate(terms);
        for (uint256 i = 0; i < 3; ++i) {
            _openByWorker(taskId);
            _accept(taskId, _bought());
            _release(taskId);
        }
        vm.assertEq(deposits.reserveOf(taskId, POSTER), 20e6, "the reserve");
        _openByWorker(taskId);
        _toCourt(taskId);
        int256 paid = 502.5e6;
        uint256 called = vm.snapshotState();
        _decide(taskId, false);
        int256 wrong = _payoff() + paid;
        vm.revertToState(called);
        _decide(taskId, true);
        _assertPayoff("T3 reserve moved first, the court is right", "-2.50", _payoff() + paid, -15.5e6);
        // Its pay, 8 and the fee to claim, less the court's share.
        _assertVictim("T3 worker that wins", WORKER, worker, 503e6);
        _assertPayoff("T3 on average, USD 500", "7.66", _mix(_payoff() + paid, wrong), -5.08e6);
    }

    /// @dev The same with the court in place of the judge: it would be paid for less than three of sixteen cases.
    function test_T4_SixteenConcededCases_PayTheCourtForEach() external {
        uint256[] memory amounts = new uint256[](16);
        for (uint256 i = 0; i < 16; ++i) {
            amounts[i] = 1;
        }
        _attackers(POSTER, WORKER);
        Worth memory court = _worthOf(COURT);
        uint256 taskId = _begin(_storeTerms(amounts));
        for (uint256 i = 0; i < 16; ++i) {
            _openByWorker(taskId);
            _toCourt(taskId);
            _release(taskId);
        }
        _assertPayoff("T4 sixteen cases that the poster concedes in court", "-18.00", _payoff(), -85e6);
        _assertPayoff("T4 final court, sixteen cases", "13.00", _gainOf(COURT, court), 80e6);
    }

    /// @dev Whoever knows a decision first, from the approvals of a court with several keys, concedes or waits. When nothing
    /// more can be said, conceding costs almost what losing costs.
    function test_T5_ConcedeInFrontOfTheDecision_Loses() external {
        uint256[2] memory sums = [uint256(500), 5_000];
        int256[2] memory conceded = [int256(-63e6), -513e6];
        int256[2] memory expected = [int256(-51.63e6), -402.63e6];
        for (uint256 i = 0; i < 2; ++i) {
            uint256 start = vm.snapshotState();
            _give(POSTER, 2 * sums[i] * DOLLAR);
            _attackers(POSTER);
            int256 paid = int256(sums[i] * 1e6) + 2.5e6;
            uint256 taskId = _begin(_single(sums[i] * DOLLAR));
            _contest(taskId, 0, 10_000);
            _toCourt(taskId);
            _endEvidence(taskId);
            uint256 heard = vm.snapshotState();
            _decide(taskId, true);
            _assertLoss(_named("T5 waits for the decision and loses", sums[i]), "none", _payoff() + paid);
            vm.revertToState(heard);
            _decide(taskId, false);
            int256 won = _payoff() + paid;
            vm.revertToState(heard);
            _release(taskId);
            _assertPayoff(_named("T5 concedes in front of it", sums[i]), "none", _payoff() + paid, conceded[i]);
            int256 average = _mix(_payoff() + paid, won);
            _assertPayoff(_named("T5 on average", sums[i]), "none", average, expected[i]);
            vm.revertToState(start);
        }
    }

    /// @dev A judge asks for its bond back the moment it sits, and drags the case out.
    function test_T6_UnbondDuringTheCase_DoesNotSaveTheBond() external {
        _give(POSTER, 2 * AMOUNT);
        _bond(_bought(), AMOUNT * 5 / 4);
        _attackers(POSTER, _bought());
        Worth memory worker = _worthOf(WORKER);
        uint256 taskId = _tryBefore(_bought(), AMOUNT, 0, 10_000);
        vm.prank(_bought());
        arbitration.requestUnbond();
        vm.warp(_case(taskId).rulingEnd);
        _rule(taskId, false);
        vm.warp(_case(taskId).appealEnd);
        _appeal(taskId, WORKER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.BondInUse.selector, _bought(), 1));
        vm.prank(_bought());
        arbitration.unbond();
        _decide(taskId, true);
        _assertPayoff("T6 judge that unbonds during its case", "none", _payoff() + 502.5e6, -690.5e6);
        // Its pay, a tenth as the stake and 5, less the court's share and the fee to claim.
        _assertVictim("T6 right appeal", WORKER, worker, 550e6);
    }

    /// @dev The bond covers two cases and not a third; it is lost in both.
    function test_T7_TwoCasesOnOneBond_LoseBoth() external {
        _give(POSTER, 4 * AMOUNT);
        _bond(_bought(), AMOUNT * 5 / 2);
        _attackers(POSTER, _bought());
        Worth memory worker = _worthOf(WORKER);
        uint256 one = _tryBefore(_bought(), AMOUNT, 0, 10_000);
        uint256 two = _tryBefore(_bought(), AMOUNT, 0, 10_000);
        vm.assertFalse(arbitration.isEligible(_bought(), 1), "a third case");
        _rule(one, false);
        _rule(two, false);
        _appeal(one, WORKER);
        _appeal(two, WORKER);
        _decide(one, true);
        _decide(two, true);
        vm.assertEq(arbitration.arbitratorOf(_bought()).bond, 0);
        vm.assertEq(arbitration.arbitratorOf(_bought()).locked, 0);
        _assertPayoff("T7 two bought rulings on one bond", "none", _payoff() + 1_005e6, -1_381e6);
        _assertVictim("T7 two right appeals", WORKER, worker, 1_100e6);
    }

    /// @dev One wallet is the store and the judge of the terms, and belongs to the worker.
    function test_T8_JudgeIsAlsoTheStore_LosesIfHalfOfTheVictimsAppeal() external {
        address judge = vm.addr(STORE_KEY);
        _give(POSTER, 2 * AMOUNT);
        _bond(judge, 2 * AMOUNT);
        _attackers(WORKER, judge);
        Worth memory poster = _worthOf(POSTER);
        TaskTerms memory terms = _storeTerms(AMOUNT);
        terms.arbitrator = judge;
        uint256 taskId = _beginPrivate(terms);
        Receipt memory receipt = _receipt(registry, taskId, PROOF, type(uint64).max, STORE_KEY);
        vm.prank(WORKER);
        registry.markDelivered(taskId, 0, PROOF, receipt);
        _open(taskId, 0);
        _answer(taskId, WORKER, 10_000);
        _accept(taskId, judge);
        _rule(taskId, true);
        uint256 ruled = vm.snapshotState();
        _finalize(taskId);
        int256 stands = _payoff();
        vm.revertToState(ruled);
        _appeal(taskId, POSTER);
        uint256 appealed = vm.snapshotState();
        _decide(taskId, true);
        int256 upheld = _payoff();
        vm.revertToState(appealed);
        _decide(taskId, false);
        _assertVictim("T8 right appeal, without the fee to post", POSTER, poster, 0);
        _assertLoss(
            "T8 junk with an own store that judges, half appeal", "none", (stands + _mix(_payoff(), upheld)) / 2
        );
    }

    /// @dev A silent party speaks in the last second, so that a judge that counted on the court must rule after all.
    function test_T9_LastWord_CostsAJudgeThatSleeps5() external {
        _bond(_honest(0), 2 * AMOUNT);
        _attackers(POSTER, WORKER);
        Worth memory judge = _worthOf(_honest(0));
        uint256 taskId = _beginPrivate(_single(AMOUNT, _honest(0)));
        _deliver(taskId);
        _open(taskId, 0);
        _accept(taskId, _honest(0));
        vm.warp(_case(taskId).evidenceEnd);
        _answer(taskId, WORKER, 10_000);
        vm.assertEq((_case(taskId).rulingEnd - block.timestamp) / 1 hours, 48, "hours to rule or to step down");
        uint256 spoken = vm.snapshotState();
        _timeOut(taskId, _case(taskId).rulingEnd);
        _mutualCancel(taskId, 5_000);
        _assertPayoff("T9 last word, the judge sleeps", "none", _payoff(), -10e6);
        _assertVictim("T9 judge that sleeps for 48 h", _honest(0), judge, -5e6);
        vm.revertToState(spoken);
        vm.warp(_case(taskId).rulingEnd);
        _stepDown(taskId);
        _assertVictim("T9 judge that steps down", _honest(0), judge, 0);
    }

    /// @dev The judge rules wrongly to bring the case before its owner's court, which upholds it: an appeal pays more than a
    /// ruling. Documented: nothing stands above the court.
    function test_T10_CourtAndJudgeOfOneOwner_EarnAnAppeal() external {
        _give(POSTER, 2 * AMOUNT);
        _bond(_bought(), 2 * AMOUNT);
        _attackers(_bought(), COURT);
        Worth memory worker = _worthOf(WORKER);
        uint256 taskId = _tryBefore(_bought(), AMOUNT, 0, 10_000);
        _rule(taskId, false);
        _appeal(taskId, WORKER);
        _decide(taskId, false);
        _assertPayoff("T10 court and judge, a wrong ruling upheld", "5.00", _payoff(), 15.5e6);
        // Besides its work: 13, the appeal, the exit deposit and the fee to claim.
        _assertVictim("T10 worker, besides its work", WORKER, worker, -26e6);
    }

    /// @dev A right decision pays the court a share of the milestone and the Union the loser's exit deposit. One owner of
    /// both, and of a junk worker, gains above about USD 0.02 a TOK.
    function test_T11_CourtJunkWorkerAndAllStakes_GainAtHighPrices() external {
        uint256[4] memory prices = [uint256(2_500), 10_000, 250_000, 1_000_000];
        int256[4] memory expected = [int256(-7e6), -4e6, 92e6, 392e6];
        uint256 amount = 200_000e18;
        _give(POSTER, 2 * amount);
        uint256 taskId = _post(_single(amount), amount);
        _attackers(WORKER, COURT, address(staking));
        Worth memory poster = _worthOf(POSTER);
        _claim(taskId, WORKER);
        _activate(taskId);
        _contest(taskId, 0, 10_000);
        _toCourt(taskId);
        _decide(taskId, false);
        for (uint256 i = 0; i < 4; ++i) {
            string memory name = string.concat("T11 right decision, 100 TOK at ", _format(int256(prices[i] * 100)));
            _assertPayoff(name, "none", _payoff(prices[i]), expected[i]);
        }
        // It won: 8 USDC, its escrow and its exit deposit, less 1,000 TOK for the court.
        Worth memory gain = _minus(_worthOf(POSTER), poster);
        gain.tok -= int256(amount) + 1_000e18;
        _assertPayoff("T11 poster that wins, 100 TOK at 25.00", "none", _value(gain, 250_000), -242e6);
    }
}

/// @dev Attacks with exits, signatures, receipts and the keys of the operator.
contract ThirdExitsTest is ThirdAttack {
    /// @dev Conceding by words ends the whole task. A small milestone in dispute so ends a large one that has not begun, for
    /// the 2.50 of a notice.
    function test_T12_ConcedeByWords_EndsALargeTaskAsANoticeDoes() external {
        uint256 amount = 50_000 * DOLLAR;
        _give(POSTER, 2 * amount);
        uint256[] memory amounts = new uint256[](2);
        (amounts[0], amounts[1]) = (1, amount);
        uint256 taskId = _begin(_many(amounts));
        _attackers(POSTER);
        Worth memory worker = _worthOf(WORKER);
        _deliver(taskId);
        _open(taskId, 9_999);
        _answer(taskId, POSTER, 10_000);
        _assertState(taskId, TaskState.RESOLVED);
        // Back are the escrow and the exit deposit.
        _assertPayoff("T12 ends a task of 50,000", "0.00", _payoff() - 50_000e6 - 2.5e6, -2.5e6);
        // Its exit deposit.
        _assertVictim("T12 worker, besides its claim", WORKER, worker, 2.5e6);
        vm.assertEq(reputation.reputationOf(POSTER).dismissals, 0);
        vm.assertEq(reputation.reputationOf(POSTER).disputesLost, 1);
    }

    /// @dev A notice lengthens the review. A receipt must last as if it had been given: else one in the last second makes a
    /// receipt of the least length too short.
    function test_T13_NoticeInFrontOfADelivery_LeavesTheReceiptGood() external {
        _attackers(POSTER);
        uint256 taskId = _begin(_storeTerms(AMOUNT));
        vm.warp(_task(taskId).deadline);
        uint64 until = uint64(block.timestamp + params.minRevisionTime + 360 hours);
        Receipt memory receipt = _receipt(registry, taskId, PROOF, until - 1, STORE_KEY);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReceiptTooShort.selector, taskId, until - 1, until));
        vm.prank(WORKER);
        registry.markDelivered(taskId, 0, PROOF, receipt);
        receipt = _receipt(registry, taskId, PROOF, until, STORE_KEY);
        _dismiss(taskId);
        vm.prank(WORKER);
        registry.markDelivered(taskId, 0, PROOF, receipt);
        _after(_task(taskId).reviewEnd);
        registry.releaseLapsed(taskId, 0);
        _assertPayoff("T13 notice in front of a delivery", "497.50", _payoff() + 502.5e6, -2.5e6);
    }

    /// @dev A worker that does not present its receipt takes a sleeping poster to court instead of being paid by silence.
    function test_T14_WithheldReceipt_Wins8FromAPosterThatSleeps() external {
        Worth memory poster = _worthOf(POSTER);
        _attackers(WORKER);
        uint256 taskId = _begin(_storeTerms(AMOUNT));
        _openByWorker(taskId);
        uint256 opened = vm.snapshotState();
        _toCourt(taskId);
        _decide(taskId, true);
        _assertPayoff("T14 withheld receipt, besides its pay", "none", _payoff() - 497.5e6, 5.5e6);
        _assertVictim("T14 poster that sleeps for 96 h", POSTER, poster, -502.5e6 - 15.5e6);
        vm.revertToState(opened);
        _release(taskId);
        _assertPayoff("T14 withheld receipt, the poster wakes within 72 h", "none", _payoff() - 497.5e6, 0);
    }

    /// @dev The operator posts an offer and dismisses everybody within the vet window. By the price list: three of five
    /// parts of each fee are the treasury's.
    function test_T15_OperatorDismissesEverybody_GainsHalfADollarEach() external {
        _attackers(POSTER, TREASURY);
        Worth memory worker = _worthOf(WORKER);
        uint256 taskId = _post(_single(AMOUNT), AMOUNT);
        for (uint256 i = 0; i < 10; ++i) {
            _claim(taskId, WORKER);
            _dismiss(taskId);
        }
        vm.prank(POSTER);
        registry.cancel(taskId);
        _assertPayoff("T15 operator dismisses ten workers", "none", _payoff(), 4e6);
        _assertVictim("T15 ten claims", WORKER, worker, -25e6);
        vm.assertEq(reputation.reputationOf(POSTER).dismissals, 0);
    }

    /// @dev A signed offer is an option until it expires: the worker takes it when the poster sleeps.
    function test_T16_AcceptanceHeldBack_CostsASleepingPoster() external {
        TaskTerms memory terms = _single(AMOUNT);
        terms.scope = TaskScope.PRIVATE;
        uint64 expiry = uint64(block.timestamp + 7 days);
        Signature memory byPoster = _acceptance(registry, terms, WORKER, POSTER_KEY, 901, expiry);
        Signature memory byWorker = _acceptance(registry, terms, WORKER, WORKER_KEY, 902, expiry);
        _attackers(WORKER);
        Worth memory poster = _worthOf(POSTER);
        vm.warp(expiry);
        uint256 start = vm.snapshotState();
        uint256 taskId = registry.create(terms, WORKER, byPoster, byWorker);
        _after(_task(taskId).claimedAt + params.fundingWindow);
        registry.expire(taskId);
        _assertPayoff("T16 acceptance held back", "none", _payoff(), -2.5e6);
        _assertPayoff("T16 acceptance held back, at USD 0.000025", "none", _payoff(25), -0.025e6);
        _assertVictim("T16 poster that sleeps for 24 h", POSTER, poster, -7.5e6);
        vm.revertToState(start);
        vm.prank(POSTER);
        registry.invalidateNonce(901);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NonceUsed.selector, POSTER, 901));
        registry.create(terms, WORKER, byPoster, byWorker);
    }

    /// @dev A mutual cancel that both signed in court waits until the decision is known. It gives what the victim signed, and
    /// not after the victim takes its signature back, nor in another phase.
    function test_T17_CancelHeldBackInCourt_GivesWhatWasSigned() external {
        _give(POSTER, 2 * AMOUNT);
        _attackers(WORKER);
        uint256 taskId = _begin(_single(AMOUNT));
        _contest(taskId, 0, 10_000);
        uint64 expiry = uint64(block.timestamp + 30 days);
        Signature memory early = _cancelSignature(registry, taskId, 5_000, POSTER_KEY, 900, expiry);
        _toCourt(taskId);
        Signature memory byPoster = _cancelSignature(registry, taskId, 5_000, POSTER_KEY, 901, expiry);
        Signature memory byWorker = _cancelSignature(registry, taskId, 5_000, WORKER_KEY, 902, expiry);
        vm.expectRevert();
        registry.mutualCancel(taskId, 5_000, early, byWorker);
        _endEvidence(taskId);
        uint256 called = vm.snapshotState();
        registry.mutualCancel(taskId, 5_000, byPoster, byWorker);
        // Half, 1 % of the milestone, half of the court's fee, and the fee to claim.
        _assertPayoff("T17 junk, a cancel of 50 % in front of the decision", "none", _payoff(), 250e6);
        vm.revertToState(called);
        vm.prank(POSTER);
        registry.invalidateNonce(901);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NonceUsed.selector, POSTER, 901));
        registry.mutualCancel(taskId, 5_000, byPoster, byWorker);
        _decide(taskId, false);
        _assertPayoff("T17 junk, the cancel was taken back", "none", _payoff(), -18e6);
    }

    /// @dev The poster chose another worker; the first one claims in front of that.
    function test_T18_ReplacedWorkerClaimsFirst_CostsBothAFee() external {
        TaskTerms memory terms = _permitTerms();
        uint256 taskId = _post(terms, FIRST + SECOND);
        _attackers(STRANGER);
        Worth memory poster = _worthOf(POSTER);
        vm.prank(POSTER);
        registry.allowWorker(taskId, STRANGER);
        _claim(taskId, STRANGER);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, TaskState.CLAIMED));
        vm.prank(POSTER);
        registry.allowWorker(taskId, WORKER);
        _dismiss(taskId);
        vm.prank(POSTER);
        registry.allowWorker(taskId, WORKER);
        _claim(taskId, WORKER);
        _assertPayoff("T18 replaced worker claims first", "none", _payoff(), -2.5e6);
        _assertVictim("T18 poster dismisses it", POSTER, poster, -2.5e6);
    }

    /// @dev The operator sells an entry and closes the market behind it. Nothing that runs is held.
    function test_T19_PauseAfterAPost_EarnsTheFee() external {
        uint256 running = _begin(_single(AMOUNT));
        _attackers(GUARDIAN, TREASURY);
        Worth memory poster = _worthOf(POSTER);
        uint256 taskId = _post(_single(AMOUNT), AMOUNT);
        vm.prank(GUARDIAN);
        registry.pauseEntries();
        bytes32 digest = _digestFor(taskId, STRANGER);
        vm.expectRevert();
        vm.prank(STRANGER);
        registry.claim(taskId, digest);
        vm.prank(POSTER);
        registry.cancel(taskId);
        _assertPayoff("T19 operator pauses after a post", "none", _payoff(), 1.5e6);
        _assertVictim("T19 poster that cancels", POSTER, poster, -2.5e6);
        _contest(running, 0, 10_000);
        _toCourt(running);
        _decide(running, true);
        _assertState(running, TaskState.RESOLVED);
    }

    /// @dev Fees from before the Union opens wait for its first stakers. Who stakes 1 TOK alone gets a seventh of them a day.
    function test_T20_FirstStakerAlone_GetsASeventhADay() external {
        vm.prank(POSTER);
        deposits.topUp(200e6);
        vm.prank(WORKER);
        deposits.topUp(200e6);
        for (uint256 i = 0; i < 10; ++i) {
            _claimed();
        }
        uint256 reserve = staking.rewardReserve();
        vm.prank(OWNER);
        staking.activateStaking();
        _attackers(STRANGER);
        vm.prank(STRANGER);
        staking.stake(1e18);
        vm.warp(block.timestamp + 1 days);
        vm.prank(STRANGER);
        staking.claimRewards();
        // 20 fees of 1,000 TOK, of which 40 % are the Union's.
        _assertPayoff("T20 first staker, one day, of USD 20", "none", _payoff(), 2.85e6);
        vm.assertLe(staking.rewardReserve(), reserve * 6 / 7 + 1);
    }

    /// @dev Shares of a few wei round down, to nobody's gain: whatever the two ask for, the escrow is empty in the end.
    function test_T21_DustRoundsAgainstWhoeverAsks() external {
        for (uint256 wei_ = 1; wei_ < 10; ++wei_) {
            uint256 start = vm.snapshotState();
            uint256 taskId = _begin(_single(wei_));
            _contest(taskId, 1, 9_999);
            _toCourt(taskId);
            uint256 worker = tok.balanceOf(WORKER);
            _decide(taskId, true);
            // Its exit deposit is back; of the milestone it has one wei less than it asked for.
            vm.assertEq(tok.balanceOf(WORKER) - worker - 1_000e18, wei_ - 1, "wei for the worker");
            vm.assertEq(tok.balanceOf(address(escrow)), 0, "the escrow is empty");
            vm.assertEq(tok.balanceOf(address(arbitration)), arbitration.totalBonded(), "no stake is left");
            vm.revertToState(start);
        }
        emit log("payoff T21 a case of a few wei, wei gained by rounding: before none after 0");
    }

    /// @dev At the last second of the grace period a delivery is cured, one second later it is a missed duty: never both.
    function test_T22_CureAgainstExpiry_LeavesNoGap() external {
        uint256 taskId = _begin(_storeTerms(AMOUNT));
        _attackers(POSTER);
        Worth memory worker = _worthOf(WORKER);
        _deliver(taskId);
        uint256 end = uint256(_task(taskId).reviewEnd) + 48 hours;
        vm.warp(end);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotExpired.selector, taskId, end));
        registry.expire(taskId);
        Receipt memory receipt = _receipt(registry, taskId, PROOF, type(uint64).max, STORE_KEY);
        uint256 last = vm.snapshotState();
        vm.prank(WORKER);
        registry.markDelivered(taskId, 0, PROOF, receipt);
        _after(_task(taskId).reviewEnd);
        registry.releaseLapsed(taskId, 0);
        _assertVictim("T22 cured in the last second, pay and exit deposit", WORKER, worker, 502.5e6);
        vm.revertToState(last);
        _after(end);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.GraceEnded.selector, taskId, end));
        vm.prank(WORKER);
        registry.markDelivered(taskId, 0, PROOF, receipt);
        registry.expire(taskId);
        // The poster has its escrow and its exit deposit back, and the work. The worker lost 2.50 and its exit deposit.
        _assertPayoff("T22 one second late, poster with the work", "none", _payoff(), 502.5e6);
        _assertVictim("T22 one second late", WORKER, worker, -2.5e6);
    }

    /// @dev A poster with its own silent store asks for changes in the last second of each review.
    function test_T23_RevisionsBeforeTheDispute_TakeFourReviews() external {
        TaskTerms memory terms = _storeTerms(AMOUNT);
        terms.maxRevisions = 3;
        terms.reviewWindow = params.maxReviewWindow;
        uint256 taskId = _begin(terms);
        _attackers(POSTER);
        uint256 begun = block.timestamp;
        for (uint256 i = 0; i < 3; ++i) {
            _deliver(taskId);
            vm.warp(_task(taskId).reviewEnd);
            vm.prank(POSTER);
            registry.requestRevision(taskId, 0, REASON);
        }
        _openByWorker(taskId);
        vm.assertEq((block.timestamp - begun) / 1 days, 28, "days to the worker's dispute");
        _assertPayoff("T23 three revisions, days to a dispute 28, cost", "none", _payoff(), 0);
    }
}
