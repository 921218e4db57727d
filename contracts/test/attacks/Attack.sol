// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { TaskTerms } from "../../src/types/Task.sol";
import { Base } from "../Base.sol";
import { vm } from "../Vm.sol";

/// @dev Measures what a plan brings everybody who is in on it. Each result is a log line
/// `payoff <attack>: before <n> after <n>` in USD, which `forge test -vv` prints; docs/economics.md quotes them. "Before" is
/// the same attack on the rules before these, or on their first draft.
abstract contract Attack is Base {
    /// @dev What the tables count a TOK at, in USDC units: USD 0.0025.
    uint256 internal constant PRICE = 2_500;
    /// @dev One US dollar in TOK at that price.
    uint256 internal constant DOLLAR = 400e18;
    uint256 internal constant STORE_KEY = 0xE5;
    bytes32 internal constant REASON = keccak256("reason");

    event log(string);

    /// @dev TOK and USD apart, because their price may be anything.
    struct Worth {
        int256 tok;
        int256 usd;
    }

    address[] private _team;
    Worth private _before;

    /// @dev From here on counts what these wallets gain together.
    function _attackers(address one, address two, address three) internal {
        delete _team;
        _team.push(one);
        if (two != address(0)) _team.push(two);
        if (three != address(0)) _team.push(three);
        _before = _worthOfTeam();
    }

    function _attackers(address one, address two) internal {
        _attackers(one, two, address(0));
    }

    function _attackers(address one) internal {
        _attackers(one, address(0), address(0));
    }

    function _gain() internal view returns (Worth memory) {
        return _minus(_worthOfTeam(), _before);
    }

    /// @dev In USDC units, with TOK at `price` USDC units.
    function _payoff(uint256 price) internal view returns (int256) {
        return _value(_gain(), price);
    }

    function _payoff() internal view returns (int256) {
        return _payoff(PRICE);
    }

    function _gainOf(address account, Worth memory before) internal view returns (int256) {
        return _value(_minus(_worthOf(account), before), PRICE);
    }

    /// @dev Everything an account owns that no task holds: wallet, deposit, bond, stake, rewards, and what waits.
    function _worthOf(address account) internal view returns (Worth memory worth) {
        worth.tok = int256(
            tok.balanceOf(account) + arbitration.arbitratorOf(account).bond + arbitration.withdrawableOf(account)
                + escrow.withdrawableOf(account) + staking.stakedOf(account)
        );
        worth.usd = int256(usdc.balanceOf(account) + deposits.balanceOf(account));
    }

    function _value(Worth memory worth, uint256 price) internal pure returns (int256) {
        return worth.usd + worth.tok * int256(price) / 1e18;
    }

    function _minus(Worth memory a, Worth memory b) internal pure returns (Worth memory) {
        return Worth({ tok: a.tok - b.tok, usd: a.usd - b.usd });
    }

    /// @dev The attack must not pay.
    function _assertLoss(string memory attack, string memory before, int256 usd) internal {
        _report(attack, before, usd);
        vm.assertTrue(usd <= 0, string.concat(attack, " pays USD ", _format(usd)));
    }

    /// @dev A figure that the documents promise or admit.
    function _assertPayoff(string memory attack, string memory before, int256 usd, int256 expected) internal {
        _report(attack, before, usd);
        vm.assertEq(_format(usd), _format(expected));
    }

    function _report(string memory attack, string memory before, int256 usd) internal {
        emit log(string.concat("payoff ", attack, ": before ", before, " after ", _format(usd)));
    }

    /// @dev Two decimals, rounded towards zero.
    function _format(int256 usd) internal pure returns (string memory) {
        uint256 cents = uint256(usd < 0 ? -usd : usd) / 1e4;
        uint256 rest = cents % 100;
        return string.concat(usd < 0 ? "-" : "", vm.toString(cents / 100), rest < 10 ? ".0" : ".", vm.toString(rest));
    }

    function _named(string memory attack, uint256 usd) internal pure returns (string memory) {
        return string.concat(attack, ", USD ", vm.toString(usd));
    }

    /// @dev From here on in the market with short windows.
    function _micro() internal {
        _deploy("micro");
        _enrich(POSTER);
        _enrich(WORKER);
        _enrich(STRANGER);
    }

    /// @dev Terms of one milestone that name this judge, or none.
    function _single(uint256 amount, address judge) internal returns (TaskTerms memory terms) {
        uint256[] memory amounts = new uint256[](1);
        amounts[0] = amount;
        terms = _many(amounts);
        terms.arbitrator = judge;
    }

    function _single(uint256 amount) internal returns (TaskTerms memory) {
        return _single(amount, address(0));
    }

    function _many(uint256[] memory amounts) internal returns (TaskTerms memory terms) {
        terms = _terms();
        terms.amounts = amounts;
        terms.durations = new uint64[](amounts.length);
        for (uint256 i = 0; i < amounts.length; ++i) {
            terms.durations[i] = 2 days;
        }
        terms.reviewWindow = params.minReviewWindow;
        terms.claimDeadline = uint64(block.timestamp + params.maxClaimDeadline);
    }

    /// @dev An open task, funded and started. The poster gets the TOK for it, and for a stake, first.
    function _begin(TaskTerms memory terms) internal returns (uint256 taskId) {
        taskId = _post(terms, _sum(terms));
        _claim(taskId, WORKER);
        _activate(taskId);
    }

    /// @dev The same, of which both have signed the terms and with them the judge.
    function _beginPrivate(TaskTerms memory terms) internal returns (uint256 taskId) {
        taskId = _created(terms);
        _fund(taskId);
        _activate(taskId);
    }

    function _sum(TaskTerms memory terms) internal pure returns (uint256 total) {
        for (uint256 i = 0; i < terms.amounts.length; ++i) {
            total += terms.amounts[i];
        }
    }

    /// @dev Delivered, disputed by the poster with an offer, and answered with an ask.
    function _contest(uint256 taskId, uint256 offerBps, uint256 askBps) internal {
        _deliver(taskId);
        _open(taskId, offerBps);
        _answer(taskId, WORKER, askBps);
    }

    /// @dev The same in a private task before the judge that both signed.
    function _tryBefore(address judge, uint256 amount, uint256 offerBps, uint256 askBps)
        internal
        returns (uint256 taskId)
    {
        taskId = _beginPrivate(_single(amount, judge));
        _contest(taskId, offerBps, askBps);
        _accept(taskId, judge);
    }

    function _open(uint256 taskId, uint256 offerBps) internal {
        uint256 current = _task(taskId).current;
        vm.prank(POSTER);
        registry.openDispute(taskId, current, REASON, offerBps);
    }

    function _answer(uint256 taskId, address party, uint256 shareBps) internal {
        vm.prank(party);
        arbitration.submitEvidence(taskId, keccak256("answer"), shareBps);
    }

    function _accept(uint256 taskId, address judge) internal {
        vm.prank(judge);
        arbitration.propose(taskId, judge);
    }

    function _stepDown(uint256 taskId) internal {
        vm.prank(_case(taskId).judge);
        arbitration.stepDown(taskId);
    }

    function _endEvidence(uint256 taskId) internal {
        if (block.timestamp <= _case(taskId).evidenceEnd) _after(_case(taskId).evidenceEnd);
    }

    /// @dev The judge that sits rules.
    function _rule(uint256 taskId, bool forWorker) internal {
        _endEvidence(taskId);
        IArbitration.Dispute memory dispute = _case(taskId);
        vm.prank(dispute.judge);
        arbitration.resolve(taskId, dispute.number, forWorker, REASON);
    }

    function _appeal(uint256 taskId, address loser) internal {
        vm.prank(loser);
        arbitration.escalate(taskId);
    }

    function _decide(uint256 taskId, bool forWorker) internal {
        _endEvidence(taskId);
        uint256 number = _case(taskId).number;
        vm.prank(COURT);
        arbitration.decide(taskId, number, forWorker, REASON);
    }

    function _finalize(uint256 taskId) internal {
        _after(_case(taskId).appealEnd);
        arbitration.finalize(taskId);
    }

    /// @dev Nobody was seated in time.
    function _toCourt(uint256 taskId) internal {
        if (block.timestamp <= _case(taskId).consentEnd) _after(_case(taskId).consentEnd);
        arbitration.resolveTimedOut(taskId);
    }

    function _timeOut(uint256 taskId, uint256 until) internal {
        _after(until);
        arbitration.resolveTimedOut(taskId);
    }

    function _release(uint256 taskId) internal {
        uint256 current = _task(taskId).current;
        vm.prank(POSTER);
        registry.release(taskId, current);
    }

    function _dismiss(uint256 taskId) internal {
        vm.prank(POSTER);
        registry.dismiss(taskId);
    }

    function _case(uint256 taskId) internal view returns (IArbitration.Dispute memory) {
        return arbitration.disputeOf(taskId);
    }

    function _give(address to, uint256 amount) internal {
        vm.prank(HOLDER);
        tok.transfer(to, amount);
    }

    /// @dev Bonds TOK that the account gets for it.
    function _bond(address account, uint256 amount) internal {
        _give(account, amount);
        vm.startPrank(account);
        tok.approve(address(gateway), type(uint256).max);
        arbitration.register(amount);
        vm.stopPrank();
    }

    function _honest(uint256 i) internal pure returns (address) {
        return address(uint160(0xAB0000 + i));
    }

    function _bought() internal pure returns (address) {
        return address(0xBAD000);
    }

    function _worthOfTeam() private view returns (Worth memory worth) {
        for (uint256 i = 0; i < _team.length; ++i) {
            Worth memory one = _worthOf(_team[i]);
            worth.tok += one.tok;
            worth.usd += one.usd;
        }
    }
}
