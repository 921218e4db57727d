// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { TaskState, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Economics } from "./Economics.sol";

/// @dev Reputation, Action Credits and deposits that cost less than they promise.
contract RecordsTest is Economics {
    /// @dev Exploit 7. Before: 500,000,000 TOK "earned" in one block for USD 5.
    function test_OneBlockRecordsNothing_LosesUsd5() external {
        uint256 loan = 500_000_000e18;
        _give(STRANGER, loan);
        Worth memory before = _worthOf(STRANGER, ARBITRATOR);
        TaskTerms memory terms = _single(loan);
        terms.poster = STRANGER;
        uint256 taskId = _post(terms, loan);
        _claim(taskId, ARBITRATOR);
        vm.startPrank(STRANGER);
        registry.activate(taskId);
        registry.complete(taskId);
        vm.stopPrank();
        vm.assertEq(reputation.reputationOf(ARBITRATOR).earned, 0);
        vm.assertEq(reputation.reputationOf(ARBITRATOR).completedAsWorker, 0);
        vm.assertEq(reputation.reputationOf(ARBITRATOR).distinctCounterparties, 0);
        int256 gain = _value(_gain(before, _worthOf(STRANGER, ARBITRATOR)), PRICE);
        _assertPayoff("7 earns 500,000,000 TOK of its own in one block", gain, -5e6);
    }

    /// @dev Exploit 9. Before: a stake of USD 25 paid fees of 30,000 TOK in 30 days: USD +75.
    function test_CreditsOfAMonth_PayUsd0() external {
        _stake(10_000e18);
        vm.warp(block.timestamp + 30 days);
        uint256 fees = staking.creditsOf(STRANGER) * 1_000;
        _assertPayoff("9 credits of 10,000 TOK in 30 days", int256(fees * PRICE / 1e18), 0.1875e6);
        vm.assertLt(staking.creditsOf(STRANGER), 1e18);
    }

    /// @dev Exploit 14. Before: ten claims of five unfunded offers, paid by credits, farmed USD 25.
    function test_ClaimingUnfundedOffers_LosesUsd12() external {
        uint256[] memory offers = new uint256[](5);
        Worth memory before = _worthOf(STRANGER);
        for (uint256 i = 0; i < 5; ++i) {
            offers[i] = _posted();
            _claim(offers[i], STRANGER);
            _after(_task(offers[i]).claimedAt + params.fundingWindow);
            registry.expire(offers[i]);
            // An offer that was not funded ends: it catches nobody twice.
            _assertState(offers[i], TaskState.EXPIRED);
        }
        _assertPayoff("14 claims five unfunded offers and waits", _payoff(STRANGER, before), -12.5e6);
    }

    /// @dev The same with fees paid by credits: nothing is won either.
    function test_ClaimingUnfundedOffersWithCredits_Usd0() external {
        _stake(1_000_000e18 - 10_000e18);
        vm.warp(block.timestamp + 30 days);
        Worth memory before = _worthOf(STRANGER);
        for (uint256 i = 0; i < 5; ++i) {
            uint256 taskId = _posted();
            _claim(taskId, STRANGER);
            _after(_task(taskId).claimedAt + params.fundingWindow);
            registry.expire(taskId);
        }
        _assertPayoff("14 the same, fees paid with credits", _payoff(STRANGER, before), 0);
    }

    /// @dev Exploit 18. Before: five claims allowed and never reached; three reserved all of USD 25.
    function test_EachLiveTaskNeedsItsOwnDeposit_Usd41ForThree() external {
        vm.prank(WORKER);
        deposits.withdraw(75e6, WORKER);
        _claimNew();
        _assertNoClaim(17e6);
        _addDeposit(8e6);
        _claimNew();
        _assertNoClaim(17e6);
        _addDeposit(8e6);
        _claimNew();
        _assertNoClaim(17e6);
        vm.assertEq(deposits.balanceOf(WORKER), 41e6);
        _report("18 deposit behind three live claims", 41e6);
    }

    /// @dev Exploit 19. Before: USD 25 in, claim, 17 out again: 8 behind the claim.
    function test_TheEntryDepositStays_Usd25() external {
        vm.prank(WORKER);
        deposits.withdraw(75e6, WORKER);
        _claimNew();
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, WORKER, 0, 1));
        vm.prank(WORKER);
        deposits.withdraw(1, WORKER);
        _assertPayoff("19 deposit behind one live claim", int256(deposits.balanceOf(WORKER)), 25e6);
    }

    function _stake(uint256 amount) private {
        vm.prank(OWNER);
        staking.activateStaking();
        vm.prank(STRANGER);
        staking.stake(amount);
    }

    function _claimNew() private {
        _claim(_posted(), WORKER);
    }

    function _addDeposit(uint256 amount) private {
        vm.prank(WORKER);
        deposits.topUp(amount);
    }

    function _assertNoClaim(uint256 free) private {
        uint256 taskId = _posted();
        bytes32 digest = _digestFor(taskId, WORKER);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.DepositTooLow.selector, WORKER, free, 25e6));
        vm.prank(WORKER);
        registry.claim(taskId, digest);
    }
}
