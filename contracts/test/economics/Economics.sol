// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { TaskTerms } from "../../src/types/Task.sol";
import { Base } from "../Base.sol";
import { vm } from "../Vm.sol";

/// @dev Reads the name of the profile: the deep one draws more often.
interface Environment {
    function envOr(string calldata, string calldata) external view returns (string memory);
}

/// @dev Measures what a plan brings everybody who is in on it. Each result is a log line `payoff <name>: USD <n>`, which
/// `forge test -vv` prints; docs/economics.md quotes them.
abstract contract Economics is Base {
    /// @dev What the tables count a TOK at, in USDC units: USD 0.0025.
    uint256 internal constant PRICE = 2_500;
    /// @dev One US dollar in TOK at that price.
    uint256 internal constant DOLLAR = 400e18;
    bytes32 internal constant REASON = keccak256("reason");

    event log(string);

    /// @dev TOK and USD apart, because their price may be anything.
    struct Worth {
        int256 tok;
        int256 usd;
    }

    /// @dev One task of one milestone. Judges need a bond of five quarters of it.
    function _single(uint256 amount) internal returns (TaskTerms memory terms) {
        terms = _terms();
        terms.amounts = new uint256[](1);
        terms.amounts[0] = amount;
        terms.durations = new uint64[](1);
        terms.durations[0] = 2 days;
        terms.reviewWindow = params.minReviewWindow;
        terms.claimDeadline = uint64(block.timestamp + params.maxClaimDeadline);
    }

    function _activeWith(TaskTerms memory terms) internal returns (uint256 taskId) {
        uint256 total;
        for (uint256 i = 0; i < terms.amounts.length; ++i) {
            total += terms.amounts[i];
        }
        taskId = _post(terms, total);
        _claim(taskId, WORKER);
        _activate(taskId);
    }

    /// @dev Delivered, disputed by the poster, and both have spoken.
    function _contested(TaskTerms memory terms) internal returns (uint256 taskId) {
        taskId = _activeWith(terms);
        _deliver(taskId);
        _dispute(taskId, POSTER);
        _answer(taskId, WORKER, 10_000);
    }

    function _answer(uint256 taskId, address party, uint256 shareBps) internal {
        vm.prank(party);
        arbitration.submitEvidence(taskId, keccak256("answer"), shareBps);
    }

    function _give(address to, uint256 amount) internal {
        vm.prank(HOLDER);
        tok.transfer(to, amount);
    }

    /// @dev Bonds TOK that the account gets for it, so that its worth stays comparable from here on.
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

    function _bought(uint256 i) internal pure returns (address) {
        return address(uint160(0xBAD000 + i));
    }

    function _isBought(address account) internal pure returns (bool) {
        return uint160(account) >> 12 == 0xBAD;
    }

    /// @dev Waits until a bond is old enough to be drawn.
    function _age() internal {
        vm.warp(block.timestamp + 7 days);
    }

    /// @dev Fixes the draw of a case whose consent window is over, up to the block whose hash decides.
    function _scheduleDraw(uint256 taskId) internal {
        _after(_case(taskId).consentEnd);
        arbitration.seat(taskId);
        vm.roll(_case(taskId).drawBlock + 1);
    }

    function _drawWith(uint256 taskId, bytes32 hash) internal {
        vm.setBlockhash(_case(taskId).drawBlock, hash);
        arbitration.seat(taskId);
    }

    /// @dev The judge that sits rules.
    function _rule(uint256 taskId, bool forWorker) internal {
        vm.prank(_case(taskId).judge);
        arbitration.resolve(taskId, forWorker, REASON);
    }

    function _appeal(uint256 taskId, address loser) internal {
        vm.prank(loser);
        arbitration.escalate(taskId);
    }

    function _decide(uint256 taskId, bool forWorker, bool unfounded) internal {
        vm.prank(COURT);
        arbitration.decide(taskId, forWorker, unfounded, REASON);
    }

    function _finalize(uint256 taskId) internal {
        _after(_case(taskId).appealEnd);
        arbitration.finalize(taskId);
    }

    function _case(uint256 taskId) internal view returns (IArbitration.Dispute memory) {
        return arbitration.disputeOf(taskId);
    }

    function _assertPhase(uint256 taskId, IArbitration.DisputePhase expected) internal view {
        vm.assertEq(uint256(arbitration.phaseOf(taskId)), uint256(expected), "phase");
    }

    /// @dev Everything an account owns that no task holds: wallet, deposit, bond, stake, and what waits in the vaults.
    function _worthOf(address account) internal view returns (Worth memory worth) {
        worth.tok = int256(
            tok.balanceOf(account) + arbitration.arbitratorOf(account).bond + arbitration.withdrawableOf(account)
                + escrow.withdrawableOf(account) + staking.stakedOf(account)
        );
        worth.usd = int256(usdc.balanceOf(account) + deposits.balanceOf(account));
    }

    function _worthOf(address one, address other) internal view returns (Worth memory worth) {
        worth = _worthOf(one);
        Worth memory more = _worthOf(other);
        worth.tok += more.tok;
        worth.usd += more.usd;
    }

    function _gain(Worth memory before, Worth memory now_) internal pure returns (Worth memory) {
        return Worth({ tok: now_.tok - before.tok, usd: now_.usd - before.usd });
    }

    /// @dev In USDC units, with TOK at `price` USDC units.
    function _value(Worth memory worth, uint256 price) internal pure returns (int256) {
        return worth.usd + worth.tok * int256(price) / 1e18;
    }

    /// @dev What an account gained since `before`, in USDC units.
    function _payoff(address account, Worth memory before) internal view returns (int256) {
        return _value(_gain(before, _worthOf(account)), PRICE);
    }

    function _isDeep() internal view returns (bool) {
        string memory profile = Environment(address(vm)).envOr("FOUNDRY_PROFILE", "default");
        return keccak256(bytes(profile)) == keccak256("deep");
    }

    function _report(string memory name, int256 usd) internal {
        emit log(string.concat("payoff ", name, ": USD ", _formatUsd(usd)));
    }

    /// @dev Two decimals, rounded towards zero.
    function _formatUsd(int256 usd) internal pure returns (string memory) {
        uint256 cents = uint256(usd < 0 ? -usd : usd) / 1e4;
        uint256 rest = cents % 100;
        return string.concat(usd < 0 ? "-" : "", vm.toString(cents / 100), rest < 10 ? ".0" : ".", vm.toString(rest));
    }

    function _assertPayoff(string memory name, int256 usd, int256 expected) internal {
        _report(name, usd);
        vm.assertEq(_formatUsd(usd), _formatUsd(expected));
    }

    function _assertLoss(string memory name, int256 usd) internal {
        _report(name, usd);
        vm.assertTrue(usd < 0, string.concat(name, " pays USD ", _formatUsd(usd)));
    }
}
