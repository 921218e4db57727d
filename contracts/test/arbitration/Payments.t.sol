// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { TaskTerms } from "../../src/types/Task.sol";
import { Base } from "../Base.sol";
import { bound } from "../bound.sol";
import { vm } from "../Vm.sol";

/// @dev The rules of money written a second time, as gains of six accounts, against the deployed market.
/// Each run plays a whole task, so there are fewer of them.
/// forge-config: ci.fuzz.runs = 256
/// forge-config: deep.fuzz.runs = 2500
contract PaymentsTest is Base {
    uint256 private constant EMPTY = 0;
    uint256 private constant SITS = 1;
    uint256 private constant SILENT = 2;

    uint256 private _amount;
    uint256 private _offer;
    uint256 private _ask;
    bool private _byPoster;
    uint256 private _taskId;
    uint256 private _burnt;
    uint256 private _supply;

    address[6] private _accounts;
    mapping(address account => int256) private _tokGain;
    mapping(address account => int256) private _usdGain;
    mapping(address account => uint256) private _tokBefore;
    mapping(address account => uint256) private _usdBefore;

    function setUp() public override {
        super.setUp();
        _accounts = [POSTER, WORKER, ARBITRATOR, COURT, TREASURY, address(staking)];
    }

    function testFuzz_RulingStands(uint256 amount, uint256 shares, bool byPoster, bool forWorker, bool appealed)
        external
    {
        _open(amount, shares, byPoster, SITS);
        _rule(forWorker);
        if (appealed) {
            _escalate(forWorker);
            _after(_dispute().courtEnd);
            arbitration.resolveTimedOut(_taskId);
        } else {
            _after(_dispute().appealEnd);
            arbitration.finalize(_taskId);
        }
        _ruling(forWorker, ARBITRATOR, false);
        _assertPaid();
    }

    function testFuzz_CourtHearsAnAppeal(uint256 amount, uint256 shares, bool byPoster, bool ruledFor, bool forWorker)
        external
    {
        _open(amount, shares, byPoster, SITS);
        _rule(ruledFor);
        _escalate(ruledFor);
        _decide(forWorker);

        address appellant = ruledFor ? POSTER : WORKER;
        _moveUsd(appellant, COURT, 8e6);
        uint256 moved = _gap() + _lostStake();
        if (ruledFor != forWorker) _burn(_atLeast2000((moved < _amount ? moved : _amount) * 5 / 4));
        _ruling(forWorker, ruledFor == forWorker ? ARBITRATOR : appellant, true);
        _assertPaid();
    }

    function testFuzz_CourtRulesWithoutAJudge(
        uint256 amount,
        uint256 shares,
        bool byPoster,
        bool silent,
        bool forWorker
    ) external {
        _open(amount, shares, byPoster, silent ? SILENT : EMPTY);
        _callCourt(silent);
        _decide(forWorker);
        _ruling(forWorker, COURT, true);
        _assertPaid();
    }

    function testFuzz_NobodyRules(uint256 amount, uint256 shares, bool byPoster, bool silent) external {
        _open(amount, shares, byPoster, silent ? SILENT : EMPTY);
        _callCourt(silent);
        _after(_dispute().courtEnd);
        arbitration.resolveTimedOut(_taskId);
        _milestone(byPoster ? _ask : _offer, 0);
        _assertPaid();
    }

    function testFuzz_SharesMeet(uint256 amount, uint256 shares, bool byPoster, bool sits, bool workerGivesIn)
        external
    {
        _open(amount, shares, byPoster, sits ? SITS : EMPTY);
        uint256 share = workerGivesIn ? _offer : _ask;
        _speak(workerGivesIn ? WORKER : POSTER, share);
        if (share == 0) {
            _moveUsd(WORKER, sits ? ARBITRATOR : POSTER, 5e6);
            _forfeit(WORKER);
        } else {
            if (share == 10_000 && sits) _moveUsd(POSTER, ARBITRATOR, 5e6);
            else if (sits) _splitFee(ARBITRATOR);
            if (share == 10_000) _forfeit(POSTER);
            _settlement();
        }
        _milestone(share, 0);
        _assertPaid();
    }

    function testFuzz_PosterReleases(uint256 amount, uint256 shares, bool byPoster, uint256 bench) external {
        bench = bench % 3;
        _open(amount, shares, byPoster, bench);
        if (bench == SILENT) _callCourt(true);
        vm.prank(POSTER);
        registry.release(_taskId, 0);
        if (bench != EMPTY) _moveUsd(POSTER, bench == SITS ? ARBITRATOR : COURT, 5e6);
        if (bench == SILENT) {
            // Nothing more could be said.
            _moveUsd(POSTER, WORKER, 8e6);
            _moveTok(POSTER, WORKER, _lostStake());
        } else {
            _settlement();
        }
        _milestone(10_000, 0);
        _assertPaid();
    }

    /// @dev In OPEN, EVIDENCE and COURT without a ruling.
    function testFuzz_BothCancel(uint256 amount, uint256 shares, bool byPoster, uint256 phase, uint256 workerBps)
        external
    {
        phase = phase % 3;
        workerBps = bound(workerBps, 0, 10_000);
        _open(amount, shares, byPoster, phase);
        if (phase == SILENT) _callCourt(true);
        _mutualCancel(_taskId, workerBps);
        if (phase != EMPTY) _splitFee(phase == SILENT ? COURT : ARBITRATOR);
        _settlement();
        _milestone(workerBps, 0);
        _assertPaid();
    }

    /// @dev A case where both named their share, and the balances before it was opened.
    function _open(uint256 amount, uint256 shares, bool byPoster, uint256 bench) private {
        _amount = bound(amount, 1, 600_000e18);
        // The ends are the special cases, so they come often.
        _offer = (shares >> 8) % 3 == 0 ? 0 : (shares >> 16) % 10_000;
        _ask = shares % 3 == 0 ? 10_000 : _offer + 1 + (shares >> 32) % (10_000 - _offer);
        _byPoster = byPoster;
        TaskTerms memory terms = _terms();
        terms.amounts = new uint256[](1);
        terms.amounts[0] = _amount;
        terms.durations = new uint64[](1);
        terms.durations[0] = 2 days;
        terms.arbitrator = ARBITRATOR;
        // A delivery without the receipt that the terms ask for: the only case that a worker opens.
        if (!byPoster) terms.store = STRANGER;
        if (bench != EMPTY) _register(ARBITRATOR, 10_000e18 + arbitration.lockFor(_amount));
        _taskId = _post(terms, _amount);
        _claim(_taskId, WORKER);
        _activate(_taskId);
        _deliver(_taskId);
        if (!byPoster) _after(_task(_taskId).reviewEnd);
        for (uint256 i = 0; i < 6; ++i) {
            _tokBefore[_accounts[i]] = _tokOf(_accounts[i]);
            _usdBefore[_accounts[i]] = deposits.balanceOf(_accounts[i]);
        }

        _supply = tok.totalSupply();
        vm.prank(byPoster ? POSTER : WORKER);
        registry.openDispute(_taskId, 0, PROOF, byPoster ? _offer : _ask);
        if (bench != EMPTY) {
            // An open task: the judge of the terms sits once the worker names it too.
            vm.prank(WORKER);
            arbitration.propose(_taskId, ARBITRATOR);
            vm.prank(ARBITRATOR);
            arbitration.propose(_taskId, ARBITRATOR);
        }
        _speak(byPoster ? WORKER : POSTER, byPoster ? _ask : _offer);
        // Every ending gives the exit deposits back, unless it says otherwise.
        _tokGain[POSTER] += 1_000e18;
        _tokGain[WORKER] += 1_000e18;
    }

    function _speak(address party, uint256 share) private {
        vm.prank(party);
        arbitration.submitEvidence(_taskId, PROOF, share);
    }

    function _rule(bool forWorker) private {
        _after(_dispute().evidenceEnd);
        vm.prank(ARBITRATOR);
        arbitration.resolve(_taskId, 1, forWorker, PROOF);
    }

    function _escalate(bool ruledFor) private {
        vm.prank(ruledFor ? POSTER : WORKER);
        arbitration.escalate(_taskId);
    }

    function _decide(bool forWorker) private {
        if (block.timestamp <= _dispute().evidenceEnd) _after(_dispute().evidenceEnd);
        vm.prank(COURT);
        arbitration.decide(_taskId, 1, forWorker, PROOF);
    }

    /// @dev Lets the bench time out, and books what a silent judge pays.
    function _callCourt(bool silent) private {
        _after(silent ? _dispute().rulingEnd : _dispute().consentEnd);
        arbitration.resolveTimedOut(_taskId);
        if (silent) _burn(2_000e18);
    }

    function _ruling(bool forWorker, address feeTo, bool byCourt) private {
        (address loser, address winner) = forWorker ? (POSTER, WORKER) : (WORKER, POSTER);
        uint256 share = forWorker ? _ask : _offer;
        _moveUsd(loser, feeTo, 5e6);
        _moveUsd(loser, winner, 8e6);
        _forfeit(loser);
        if (forWorker) _moveTok(POSTER, WORKER, _lostStake());
        uint256 courtShare = _gap() / 100;
        _milestone(share, !byCourt ? 0 : courtShare < 1_000e18 ? courtShare : 1_000e18);
    }

    function _milestone(uint256 workerBps, uint256 courtShare) private {
        uint256 toWorker = (_amount - courtShare) * workerBps / 10_000;
        _tokGain[WORKER] += int256(toWorker);
        _tokGain[POSTER] += int256(_amount - courtShare - toWorker);
        _tokGain[COURT] += int256(courtShare);
    }

    function _settlement() private {
        if (_byPoster) _moveTok(POSTER, WORKER, _amount / 100);
    }

    function _splitFee(address to) private {
        _moveUsd(POSTER, to, 2.5e6);
        _moveUsd(WORKER, to, 2.5e6);
    }

    function _forfeit(address agent) private {
        _moveTok(agent, address(staking), 1_000e18);
    }

    /// @dev Out of the judge's bond, to nobody.
    function _burn(uint256 amount) private {
        _tokGain[ARBITRATOR] -= int256(amount);
        _burnt += amount;
    }

    function _moveTok(address from, address to, uint256 amount) private {
        _tokGain[from] -= int256(amount);
        _tokGain[to] += int256(amount);
    }

    function _moveUsd(address from, address to, uint256 amount) private {
        _usdGain[from] -= int256(amount);
        _usdGain[to] += int256(amount);
    }

    function _assertPaid() private view {
        int256 tokSum = 0;
        int256 usdSum = 0;
        for (uint256 i = 0; i < 6; ++i) {
            address account = _accounts[i];
            int256 gained = int256(_tokOf(account)) - int256(_tokBefore[account]);
            int256 earned = int256(deposits.balanceOf(account)) - int256(_usdBefore[account]);
            vm.assertEq(uint256(gained), uint256(_tokGain[account]), "TOK");
            vm.assertEq(uint256(earned), uint256(_usdGain[account]), "USD");
            tokSum += gained;
            usdSum += earned;
        }
        vm.assertEq(uint256(tokSum + int256(_burnt)), _amount + 2_000e18, "what the task held");
        vm.assertEq(tok.totalSupply(), _supply - _burnt, "supply");
        vm.assertEq(uint256(usdSum), 0, "deposits");

        vm.assertEq(uint256(_dispute().phase), uint256(IArbitration.DisputePhase.CLOSED), "phase");
        vm.assertEq(_dispute().stake, 0, "stake");
        vm.assertEq(arbitration.totalStakes(), 0, "stakes");
        vm.assertEq(arbitration.totalWithdrawable(), 0, "deferred");
        vm.assertEq(arbitration.arbitratorOf(ARBITRATOR).locked, 0, "locked");
        vm.assertEq(arbitration.arbitratorOf(ARBITRATOR).openCases, 0, "open cases");
        vm.assertEq(tok.balanceOf(address(arbitration)), arbitration.totalBonded(), "arbitration keeps only bonds");
        vm.assertEq(arbitration.totalBonded(), arbitration.arbitratorOf(ARBITRATOR).bond, "bonds");
        vm.assertEq(tok.balanceOf(address(escrow)), 0, "escrow is empty");
        vm.assertEq(tok.balanceOf(address(gateway)), 0, "gateway is empty");
        vm.assertEq(deposits.reservedOf(POSTER) + deposits.reservedOf(WORKER), 0, "reserves");
    }

    function _dispute() private view returns (IArbitration.Dispute memory) {
        return arbitration.disputeOf(_taskId);
    }

    /// @dev The wallet, and for a judge its bond.
    function _tokOf(address account) private view returns (uint256) {
        return tok.balanceOf(account) + arbitration.arbitratorOf(account).bond;
    }

    function _gap() private view returns (uint256) {
        return _amount * (_ask - _offer) / 10_000;
    }

    /// @dev What a ruling takes of the stake, if there is one. What was put up is rounded down too.
    function _lostStake() private view returns (uint256) {
        if (!_byPoster) return 0;
        (uint256 ofGap, uint256 least) = (_gap() * 1_000 / 10_000, _amount * 500 / 10_000);
        uint256 lost = ofGap < least ? least : ofGap;
        return lost < _amount / 10 ? lost : _amount / 10;
    }

    function _atLeast2000(uint256 amount) private pure returns (uint256) {
        return amount < 2_000e18 ? 2_000e18 : amount;
    }
}
