// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { ITaskScopeRegistry } from "../../src/interfaces/ITaskScopeRegistry.sol";
import { ClaimPolicy, Milestone, Task, TaskScope, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { bound } from "../bound.sol";
import { vm } from "../Vm.sol";
import { Bookkeeping } from "./Bookkeeping.sol";

contract TaskRegistryPostTest is Bookkeeping {
    function test_RevertWhen_TheTermsNameAnotherPoster() external {
        TaskTerms memory terms = _terms();
        vm.prank(STRANGER);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.PosterMismatch.selector, POSTER, STRANGER));
        registry.post(terms, TEXT, 0);
    }

    function test_RevertWhen_TheTermsArePrivate() external {
        TaskTerms memory terms = _terms();
        terms.scope = TaskScope.PRIVATE;
        vm.expectRevert(ITaskRegistry.WrongScope.selector);
        _post(terms, 0);
    }

    function test_RevertGiven_TheFreeDepositIsAUnitTooLow() external {
        TaskTerms memory terms = _terms();
        _setDeposit(POSTER, 25e6 - 1);
        _expectDepositTooLow(POSTER, 25e6 - 1, 25e6);
        _post(terms, 0);
        // Reserves do not count.
        _setDeposit(POSTER, 38e6 - 1);
        _posted();
        _expectDepositTooLow(POSTER, 25e6 - 1, 25e6);
        _post(terms, 0);
    }

    function test_RevertWhen_TheTextIsNotWhatTheTermsHash() external {
        TaskTerms memory terms = _terms();
        bytes32 textHash = keccak256("Translate the handbook.");
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(ITaskScopeRegistry.TextMismatch.selector, terms.criteriaHash, textHash));
        registry.post(terms, "Translate the handbook.", 0);
    }

    /// @dev The fee comes last, and its larger part last of all.
    function test_RevertGiven_TheWalletOrItsAllowanceIsAWeiShortOfFeeAndExitDeposit() external {
        TaskTerms memory terms = _terms();
        vm.prank(POSTER);
        tok.approve(address(gateway), 2_000e18 - 1);
        _expectAllowanceShort(600e18 - 1, 600e18);
        _post(terms, 0);
        vm.prank(POSTER);
        tok.approve(address(gateway), type(uint256).max);
        _setTok(POSTER, 3_000e18 - 1);
        _mark();
        _expectTokShort(POSTER, 600e18 - 1, 600e18);
        _post(terms, 1_000e18);
        _assertNoGains();
        vm.assertEq(registry.taskCount(), 0);
        vm.assertFalse(registry.isNonceUsed(POSTER, terms.nonce));
        _post(terms, 1_000e18 - 1);
        vm.assertEq(tok.balanceOf(POSTER), 0);
    }

    function test_StoresEveryField() external {
        TaskTerms memory terms = _terms();
        terms.maxRevisions = 3;
        terms.arbitrator = ARBITRATOR;
        terms.store = STRANGER;
        terms.claimPolicy = ClaimPolicy.PERMIT;
        terms.reviewWindow = 72 hours + 1;
        uint256 taskId = _post(terms, 0);

        Task memory task;
        task.poster = POSTER;
        task.state = TaskState.POSTED;
        task.claimPolicy = ClaimPolicy.PERMIT;
        task.milestoneCount = 2;
        task.maxRevisions = 3;
        task.reviewWindow = 72 hours + 1;
        task.total = 1_000e18;
        task.claimDeadline = uint40(1_800_000_000 + 7 days);
        task.arbitrator = ARBITRATOR;
        task.postedAt = 1_800_000_000;
        task.postedBlock = 1_000_000;
        task.store = STRANGER;
        task.termsHash = _termsHash(terms, "standard", address(tok));
        _assertTask(taskId, task);
    }

    function testFuzz_StoresAnyValidTerms(uint256 seed, uint256 count) external {
        count = bound(count, 1, 16);
        TaskTerms memory terms = _terms();
        terms.amounts = new uint256[](count);
        terms.durations = new uint64[](count);
        uint256 total = 0;
        for (uint256 i = 0; i < count; ++i) {
            uint256 random = uint256(keccak256(abi.encode(seed, i)));
            terms.amounts[i] = bound(random, 1, type(uint128).max / 16);
            terms.durations[i] = uint64(bound(random >> 128, params.minDuration, params.maxDuration));
            total += terms.amounts[i];
        }
        terms.reviewWindow = uint64(bound(seed, params.minReviewWindow, params.maxReviewWindow));
        terms.claimDeadline = uint64(block.timestamp + bound(seed, params.claimCutoff, params.maxClaimDeadline));
        terms.maxRevisions = uint8(seed % 4);
        terms.nonce = seed;
        uint256 taskId = _post(terms, 0);

        Task memory task = _task(taskId);
        vm.assertEq(task.total, total);
        vm.assertEq(task.milestoneCount, count);
        vm.assertEq(task.reviewWindow, terms.reviewWindow);
        vm.assertEq(task.claimDeadline, terms.claimDeadline);
        vm.assertEq(task.maxRevisions, terms.maxRevisions);
        vm.assertEq(task.termsHash, _termsHash(terms, "standard", address(tok)));
        vm.assertTrue(registry.isNonceUsed(POSTER, seed));
        Milestone[] memory milestones = registry.milestonesOf(taskId);
        vm.assertEq(milestones.length, count);
        for (uint256 i = 0; i < count; ++i) {
            vm.assertEq(milestones[i].amount, terms.amounts[i]);
            vm.assertEq(milestones[i].duration, terms.durations[i]);
        }
    }

    function test_NumbersTasksFromOne() external {
        vm.assertEq(registry.taskCount(), 0);
        vm.assertEq(_posted(), 1);
        vm.assertEq(_posted(), 2);
        vm.assertEq(registry.taskCount(), 2);
        vm.assertEq(uint256(_state(0)), uint256(TaskState.NONE));
        vm.assertEq(uint256(_state(3)), uint256(TaskState.NONE));
        vm.assertEq(registry.milestonesOf(3).length, 0);
    }

    function test_TakesAnActionCreditInsteadOfTok() external {
        _giveCredit(POSTER, STRANGER);
        // A credit pays the fee, never the exit deposit.
        Gains memory gains;
        gains.posterTok = -EXIT;
        _mark();
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(1, POSTER, IPaymentGateway.AccessAction.POST, 0, 1e18);
        _posted();
        _assertGains(gains);
        vm.assertEq(staking.creditsOf(POSTER), 0);
    }

    function test_EntersAndEscrowsWhatItFunds() external {
        uint256[3] memory amounts = [uint256(0), 7, 1_000e18];
        for (uint256 i = 0; i < amounts.length; ++i) {
            uint256 snapshot = vm.snapshotState();
            _assertPosts(amounts[i]);
            vm.revertToState(snapshot);
        }
    }

    function testFuzz_EscrowsExactlyTheAmount(uint256 amount) external {
        _assertPosts(bound(amount, 1, 1_000e18));
    }

    function _assertPosts(uint256 amount) private {
        TaskTerms memory terms = _terms();
        Gains memory gains = _entry(true, false);
        gains.posterTok -= int256(amount);
        _mark();
        _expectEvents(terms, amount);
        vm.recordLogs();
        _post(terms, amount);
        // The nonce, TaskPosted, and TaskFunded if it was.
        vm.assertEq(_logsOfRegistry(), amount == 0 ? 2 : 3);
        _assertGains(gains);
        _assertReserves(1, 13e6, 0);
        _assertExits(1, 1_000e18, 0);
        _assertAccount(1, amount, 0, 0);
    }

    function _expectEvents(TaskTerms memory terms, uint256 amount) private {
        bytes32 digest = _settlementDigest(registry, _termsHash(terms, "standard", address(tok)), address(0));
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskPosted(1, POSTER, 1_000e18, digest, terms);
        vm.expectEmit(address(scopes));
        emit ITaskScopeRegistry.TaskScopeSet(1, TaskScope.OPEN);
        vm.expectEmit(address(scopes));
        emit ITaskScopeRegistry.TaskTextPublished(1, keccak256(bytes(TEXT)), TEXT);
        if (amount != 0) {
            vm.expectEmit(address(registry));
            emit ITaskRegistry.TaskFunded(1, POSTER, amount);
            vm.expectEmit(address(escrow));
            emit IEscrowVault.Funded(1, POSTER, amount);
        }
        vm.expectEmit(address(deposits));
        emit IDepositVault.Reserved(1, POSTER, 13e6);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.ExitDepositLocked(1, POSTER, 1_000e18);
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(1, POSTER, IPaymentGateway.AccessAction.POST, 1_000e18, 0);
    }
}
