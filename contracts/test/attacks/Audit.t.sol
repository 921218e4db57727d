// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Receipt, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Attack } from "./Attack.sol";

/// @dev The twenty attacks of the second audit. "Before" is the draft that it attacked. Where the rules accept an attack, the
/// test holds the figure that the documents admit.
contract AuditTest is Attack {
    uint256 private constant AMOUNT = 500 * DOLLAR;

    /// @dev The poster's judge and a worker that sleeps.
    function test_R1_OwnJudgeOfAnOpenTask_Loses() external {
        _assertSleeperIsSafe(500, "513.00", "-5.00");
        _micro();
        _assertSleeperIsSafe(20, "33.00", "-0.20");
    }

    function _assertSleeperIsSafe(uint256 usd, string memory before, string memory awake) private {
        uint256 amount = usd * DOLLAR;
        _give(POSTER, 2 * amount);
        _bond(_bought(), 2 * amount + 10_000e18);
        _attackers(POSTER, _bought());
        int256 paid = int256(usd * 1e6) + 2.5e6;
        uint256 taskId = _begin(_single(amount, _bought()));
        _deliver(taskId);
        _open(taskId, 0);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotProposed.selector, taskId, _bought()));
        _accept(taskId, _bought());
        uint256 opened = vm.snapshotState();
        _answer(taskId, WORKER, 10_000);
        _release(taskId);
        _assertLoss(_named("R1 the worker answers, the poster concedes", usd), awake, _payoff() + paid);
        vm.revertToState(opened);
        // Even if the worker named the judge before it fell asleep, nobody but the court decides.
        vm.prank(WORKER);
        arbitration.propose(taskId, _bought());
        _accept(taskId, _bought());
        _endEvidence(taskId);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.PartySilent.selector, taskId));
        vm.prank(_bought());
        arbitration.resolve(taskId, 1, false, REASON);
        arbitration.resolveTimedOut(taskId);
        _decide(taskId, true);
        _assertLoss(_named("R1 the worker sleeps", usd), before, _payoff() + paid);
    }

    function test_R2_RulingBeforeTheEvidence_IsRefused() external {
        _bond(_bought(), 2 * AMOUNT);
        uint256 taskId = _tryBefore(_bought(), AMOUNT, 0, 10_000);
        uint256 end = _case(taskId).evidenceEnd;
        vm.warp(end);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.EvidenceWindowOpen.selector, taskId, end));
        vm.prank(_bought());
        arbitration.resolve(taskId, 1, false, REASON);
        _answer(taskId, WORKER, 10_000);
        emit log("payoff R2 hours from the first word to a ruling: before 0 after 72");
    }

    function test_R3_CourtAndAJunkWorker_Lose() external {
        uint256[4] memory sums = [uint256(500), 2_000, 5_000, 50_000];
        string[4] memory before = ["-8.00", "7.00", "37.00", "487.00"];
        for (uint256 i = 0; i < 4; ++i) {
            uint256 start = vm.snapshotState();
            _give(POSTER, 2 * sums[i] * DOLLAR);
            _attackers(WORKER, COURT);
            Worth memory poster = _worthOf(POSTER);
            uint256 taskId = _begin(_single(sums[i] * DOLLAR));
            _contest(taskId, 0, 10_000);
            _toCourt(taskId);
            _decide(taskId, false);
            _assertPayoff(_named("R3 court and junk worker", sums[i]), before[i], _payoff(), -10.5e6);
            // Without the fee to post.
            vm.assertEq(_format(_gainOf(POSTER, poster) + 2.5e6), "5.50");
            vm.revertToState(start);
        }
    }

    /// @dev After a revision the worker has seven days. A worker that is away longer loses work in progress: documented.
    function test_R4_RevisionThenNotice_LeavesSevenDays() external {
        TaskTerms memory terms = _single(AMOUNT);
        terms.durations[0] = 20 days;
        _attackers(POSTER);
        uint256 taskId = _begin(terms);
        _deliver(taskId);
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, REASON);
        _dismiss(taskId);
        vm.assertEq(_task(taskId).deadline, block.timestamp + 7 days);
        uint256 noticed = vm.snapshotState();
        vm.warp(_task(taskId).deadline);
        _deliver(taskId);
        _after(_task(taskId).reviewEnd);
        registry.releaseLapsed(taskId, 0);
        _assertLoss("R4 the worker answers within 7 days, before 48 h", "497.50", _payoff() + 502.5e6);
        vm.revertToState(noticed);
        _after(_task(taskId).deadline);
        registry.expire(taskId);
        _assertPayoff("R4 the worker is away for 7 days", "497.50", _payoff() + 502.5e6, 497.5e6);
    }

    /// @dev Pays if more than 47, 37, 36 % of workers take nine tenths: documented.
    function test_R5_Haircut_PaysOnlyIfMoreThanAThirdAccept() external {
        uint256[3] memory sums = [uint256(500), 5_000, 50_000];
        string[3] memory before = ["-20.50", "-65.50", "-515.50"];
        uint256[3] memory breakEven = [uint256(47), 37, 35];
        for (uint256 i = 0; i < 3; ++i) {
            uint256 start = vm.snapshotState();
            _give(POSTER, 2 * sums[i] * DOLLAR);
            _attackers(POSTER);
            int256 paid = int256(sums[i] * 1e6) + 2.5e6;
            uint256 taskId = _begin(_single(sums[i] * DOLLAR));
            _deliver(taskId);
            _open(taskId, 9_000);
            uint256 opened = vm.snapshotState();
            _answer(taskId, WORKER, 9_000);
            int256 accepted = _payoff() + paid;
            vm.revertToState(opened);
            _answer(taskId, WORKER, 10_000);
            _toCourt(taskId);
            _decide(taskId, true);
            int256 fought = _payoff() + paid;
            _assertLoss(_named("R5 nine tenths, the worker fights", sums[i]), before[i], fought);
            vm.assertEq(_format(accepted), _format(int256(sums[i] * 9e4)));
            vm.assertEq(uint256(fought * -100 / (accepted - fought)), breakEven[i], "break-even in %");
            vm.revertToState(start);
        }
    }

    /// @dev 38 carry two disputes and one appeal.
    function test_R6_TwoDisputes_LeaveOneAppeal() external {
        _give(POSTER, 4 * AMOUNT);
        _bond(_bought(), 4 * AMOUNT);
        vm.prank(WORKER);
        deposits.withdraw(62e6, WORKER);
        uint256 one = _tryBefore(_bought(), AMOUNT, 0, 10_000);
        uint256 two = _tryBefore(_bought(), AMOUNT, 0, 10_000);
        _rule(one, false);
        _rule(two, false);
        _appeal(one, WORKER);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, WORKER, 4e6, 8e6));
        _appeal(two, WORKER);
        // What the first appeal brings pays for the second.
        _decide(one, true);
        _appeal(two, WORKER);
        emit log("payoff R6 appeals that the least deposit for two tasks carries: before 0 after 1");
    }

    /// @dev After a notice the poster has 12 h to dispute junk. Silence pays where the terms name no store: documented.
    function test_R7a_JunkAfterANotice_LosesWhileThePosterWakes() external {
        _micro();
        TaskTerms memory terms = _single(20 * DOLLAR);
        terms.durations[0] = 10 days;
        _attackers(WORKER);
        uint256 taskId = _begin(terms);
        _dismiss(taskId);
        vm.warp(block.timestamp + 7 hours);
        _deliver(taskId);
        vm.assertEq((_task(taskId).reviewEnd - block.timestamp) / 1 minutes, 720, "minutes to dispute, before 60");
        uint256 delivered = vm.snapshotState();
        vm.warp(_task(taskId).reviewEnd);
        _open(taskId, 0);
        _toCourt(taskId);
        _decide(taskId, false);
        _assertLoss("R7a junk after a notice, the poster wakes within 12 h", "17.50", _payoff());
        vm.revertToState(delivered);
        _after(_task(taskId).reviewEnd);
        registry.releaseLapsed(taskId, 0);
        _assertPayoff("R7a junk after a notice, the poster sleeps for 12 h", "17.50", _payoff(), 17.5e6);
    }

    /// @dev A delivery without a receipt under notice is a missed duty.
    function test_R7b_HoldTheMoneyAfterANotice_Loses() external {
        uint256[2] memory reviews = [uint256(params.minReviewWindow), params.maxReviewWindow];
        uint256[2] memory held = [uint256(144), 504];
        for (uint256 i = 0; i < 2; ++i) {
            uint256 start = vm.snapshotState();
            TaskTerms memory terms = _single(AMOUNT);
            terms.store = vm.addr(STORE_KEY);
            terms.reviewWindow = uint64(reviews[i]);
            terms.durations[0] = 300 days;
            _attackers(WORKER);
            uint256 taskId = _begin(terms);
            uint256 noticed = block.timestamp;
            _dismiss(taskId);
            vm.warp(_task(taskId).deadline);
            _deliver(taskId);
            uint256 notice = reviews[i] < 48 hours ? 48 hours : reviews[i];
            _after(_task(taskId).reviewEnd + notice);
            registry.expire(taskId);
            vm.assertEq((block.timestamp - noticed) / 1 hours, held[i], "hours held");
            // With the fee to claim.
            _assertPayoff("R7b holds the money after a notice", "-2.50", _payoff(), -7.5e6);
            vm.assertEq(reputation.reputationOf(WORKER).lapses, 1);
            vm.revertToState(start);
        }
    }

    /// @dev The Union gets TOK only; what treasury and stakers earn from a lapse is in attack 9.
    function test_R8_LapsesLeaveNoUsdcInTheUnion() external {
        uint256 taskId = _begin(_single(AMOUNT));
        uint256 union = tok.balanceOf(address(staking));
        _after(_task(taskId).deadline);
        registry.expire(taskId);
        vm.assertEq(tok.balanceOf(address(staking)) - union, 1_000e18);
        vm.assertEq(deposits.balanceOf(address(staking)), 0);
        vm.assertEq(deposits.balanceOf(TREASURY), 2.5e6);
        emit log("payoff R8 poster with all stakes: before 4.50 after 2.00 (see 09)");
    }

    function test_R9_SignedDurationsHold() external {
        TaskTerms memory terms = _terms();
        terms.durations[1] = 6 hours;
        terms.reviewWindow = params.maxReviewWindow;
        uint256 taskId = _begin(terms);
        _release(taskId);
        vm.assertEq(_task(taskId).deadline, block.timestamp + 6 hours);
        _dismiss(taskId);
        vm.assertEq(_task(taskId).deadline, block.timestamp + 6 hours);
        emit log("payoff R9 hours for a milestone signed with 6: before 168 after 6");
    }

    /// @dev Choosing a worker is spending the escrow, so the limits of a key count the task's total: documented. What it
    /// chose is gone with the claim.
    function test_R10_StolenKeyThatMayChoose_TakesTheTotal() external {
        TaskTerms memory terms = _permitTerms();
        (terms.amounts[0], terms.amounts[1]) = (AMOUNT / 2, AMOUNT / 2);
        uint256 taskId = _post(terms, AMOUNT);
        _attackers(STRANGER);
        vm.prank(POSTER);
        registry.allowWorker(taskId, STRANGER);
        _claim(taskId, STRANGER);
        vm.prank(POSTER);
        registry.dismiss(taskId);
        bytes32 digest = _digestFor(taskId, STRANGER);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ClaimPermitRequired.selector, taskId));
        vm.prank(STRANGER);
        registry.claim(taskId, digest);
        _assertLoss("R10 chosen, dismissed, comes back", "one fee each", _payoff());
        vm.prank(POSTER);
        registry.allowWorker(taskId, STRANGER);
        _claim(taskId, STRANGER);
        _activate(taskId);
        vm.prank(POSTER);
        registry.complete(taskId);
        _assertPayoff("R10 chosen by a stolen key that also pays", "500 for 2.50", _payoff(), 495e6);
    }

    function test_R11_NobodyLeavesForNothing() external {
        uint256 taskId = _begin(_single(AMOUNT));
        _attackers(WORKER);
        _dismiss(taskId);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.UnderNotice.selector, taskId));
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        vm.prank(WORKER);
        registry.expire(taskId);
        // Its exit deposit is back.
        _assertPayoff("R11 worker under notice ends the task", "0.00", _payoff() - 2.5e6, 0);
        vm.assertEq(reputation.reputationOf(WORKER).leaves, 0);
    }

    /// @dev The store is down for the review and nearly 12 h more.
    function test_R12_StoreOutage_CostsNothing() external {
        _micro();
        TaskTerms memory terms = _single(20 * DOLLAR);
        terms.store = vm.addr(STORE_KEY);
        Worth memory worker = _worthOf(WORKER);
        uint256 taskId = _begin(terms);
        _deliver(taskId);
        vm.warp(uint256(_task(taskId).reviewEnd) + 12 hours);
        Receipt memory receipt = _receipt(registry, taskId, PROOF, type(uint64).max, STORE_KEY);
        vm.prank(WORKER);
        registry.markDelivered(taskId, 0, PROOF, receipt);
        _after(_task(taskId).reviewEnd);
        registry.releaseLapsed(taskId, 0);
        _assertPayoff("R12 good work, the store is down for 13 h", "-7.50", _gainOf(WORKER, worker), 17.5e6);
    }

    /// @dev A case costs its owner 5 if the court is late, and who did not open wins then: documented. The court works by sum.
    function test_R13_FloodedCourt_PaysJunk() external {
        _give(POSTER, 50_000 * DOLLAR);
        _give(POSTER, 50_000 * DOLLAR);
        uint256 start = vm.snapshotState();
        _attackers(POSTER, WORKER);
        uint256 taskId = _begin(_single(1));
        _contest(taskId, 0, 10_000);
        _toCourt(taskId);
        _timeOut(taskId, _case(taskId).courtEnd);
        int256 flood = _payoff();
        _assertLoss("R13 one case of a flood", "-5.00", flood);
        vm.revertToState(start);
        _attackers(WORKER);
        taskId = _begin(_single(50_000 * DOLLAR));
        _contest(taskId, 0, 10_000);
        _toCourt(taskId);
        _timeOut(taskId, _case(taskId).courtEnd);
        _assertPayoff("R13 junk of 50,000 behind a flood of 1,000", "45000.00", _payoff() + 1_000 * flood, 44_997.5e6);
    }

    /// @dev An honest judge that is always appealed before a court that is right 98 % of the time loses above a gap of 196.
    function test_R14_JudgesTakeSmallCasesOnly() external {
        uint256[3] memory sums = [uint256(190), 200, 500];
        for (uint256 i = 0; i < 3; ++i) {
            uint256 start = vm.snapshotState();
            _bond(_honest(0), 2 * sums[i] * DOLLAR + 10_000e18);
            uint256 taskId = _tryBefore(_honest(0), sums[i] * DOLLAR, 0, 10_000);
            _attackers(_honest(0));
            _rule(taskId, true);
            _appeal(taskId, POSTER);
            uint256 appealed = vm.snapshotState();
            _decide(taskId, true);
            int256 upheld = _payoff();
            vm.revertToState(appealed);
            _decide(taskId, false);
            int256 expected = (upheld * 98 + _payoff() * 2) / 100;
            _report(_named("R14 honest judge, always appealed", sums[i]), "the same", expected);
            vm.assertEq(expected > 0, i == 0);
            vm.revertToState(start);
        }
    }

    function test_R15_BuyARecordAsAJudge_Costs() external {
        _bond(_bought(), 10_000e18);
        _attackers(POSTER, WORKER, _bought());
        uint256 taskId = _tryBefore(_bought(), 1, 0, 10_000);
        _rule(taskId, true);
        _finalize(taskId);
        _assertPayoff("R15 one ruling on record", "-7.50", _payoff(), -7.5e6);
        vm.assertEq(arbitration.arbitratorOf(_bought()).resolved, 1);
    }

    /// @dev The worker loses its claim, or nothing with a credit; the poster its exit deposit and a mark.
    function test_R16_IdleWorker_GainsNothing() external {
        vm.prank(OWNER);
        staking.activateStaking();
        vm.prank(WORKER);
        staking.stake(900_000e18);
        vm.warp(block.timestamp + 30 days);
        _attackers(WORKER);
        uint256 taskId = _begin(_single(AMOUNT));
        _dismiss(taskId);
        _after(_task(taskId).deadline);
        registry.expire(taskId);
        _assertPayoff("R16 idle worker with a credit", "0.00", _payoff(), 0);
        vm.assertEq(reputation.reputationOf(POSTER).dismissals, 1);
        vm.assertEq(reputation.reputationOf(WORKER).lapses, 0);
    }

    /// @dev Work of 60 %: the worker says so early, the poster moves to 45 % in the last second. At most that difference and
    /// the loser's 8 are won: documented.
    function test_R17_NumberMovedInTheLastSecond_WinsTheDifference() external {
        _give(POSTER, 2 * AMOUNT);
        _bond(_honest(0), 2 * AMOUNT);
        _attackers(POSTER);
        uint256 taskId = _tryBefore(_honest(0), AMOUNT, 0, 6_000);
        vm.warp(_case(taskId).evidenceEnd);
        _answer(taskId, POSTER, 4_500);
        _rule(taskId, false);
        _finalize(taskId);
        // Against paying 60 % and the fee to post.
        _assertPayoff("R17 poster moves last and wins", "75.00", _payoff() + 302.5e6, 83e6);
    }

    /// @dev An offer is money: 1 % of the milestone goes with an agreement. Documented.
    function test_R18_JunkTakesAnOffer() external {
        uint256[3] memory sums = [uint256(500), 5_000, 50_000];
        string[3] memory before = ["2.55", "48.00", "502.50"];
        int256[3] memory expected = [int256(2.55e6), 48e6, 502.5e6];
        for (uint256 i = 0; i < 3; ++i) {
            uint256 start = vm.snapshotState();
            _give(POSTER, 2 * sums[i] * DOLLAR);
            _attackers(WORKER);
            uint256 taskId = _begin(_single(sums[i] * DOLLAR));
            _contest(taskId, 1, 1);
            _assertPayoff(_named("R18 junk takes an offer of 1 bps", sums[i]), before[i], _payoff(), expected[i]);
            vm.revertToState(start);
        }
    }

    /// @dev R19 is attack S7. Moving the sunset holds nobody, and who burns loses what it burns.
    function test_R20_SunsetAndBurn_BringNothing() external {
        uint256 taskId = _begin(_single(AMOUNT));
        vm.startPrank(OWNER);
        registry.sunset(block.timestamp + 30 days);
        registry.sunset(block.timestamp + 60 days);
        vm.stopPrank();
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        _assertState(taskId, TaskState.CANCELLED);
        _attackers(STRANGER);
        vm.prank(STRANGER);
        tok.burn(400e18);
        _assertPayoff("R20 burns TOK of one US dollar", "0.00", _payoff(), -1e6);
    }
}
