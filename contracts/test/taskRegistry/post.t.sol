// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { Pausable } from "@openzeppelin/contracts/utils/Pausable.sol";
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
    function test_RevertGiven_EntriesArePaused() external {
        vm.prank(GUARDIAN);
        registry.pauseEntries();
        TaskTerms memory terms = _terms();
        vm.expectRevert(Pausable.EnforcedPause.selector);
        _post(terms, 0);
    }

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

    function test_RevertWhen_TheCallerIsTheFinalCourt() external {
        _enrich(COURT);
        TaskTerms memory terms = _terms();
        terms.poster = COURT;
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.CourtCannotEnter.selector, COURT));
        _post(terms, 0);
    }

    function test_RevertGiven_TheFreeDepositIsAUnitTooLow() external {
        TaskTerms memory terms = _terms();
        _setDeposit(POSTER, 25e6 - 1);
        _expectDepositTooLow(POSTER, 25e6 - 1, 25e6);
        _post(terms, 0);
        // Reserves do not count.
        _setDeposit(POSTER, 33e6 - 1);
        _posted();
        _expectDepositTooLow(POSTER, 25e6 - 1, 25e6);
        _post(terms, 0);
    }

    function test_EightMoreDollarsCarryOneMoreTask() external {
        for (uint256 i = 0; i < 3; ++i) {
            _setDeposit(POSTER, 25e6 + i * 8e6);
            _posted();
            vm.assertEq(deposits.freeOf(POSTER), 17e6);
            vm.assertEq(deposits.withdrawableOf(POSTER), 0);
        }
    }

    function test_RevertWhen_TheNonceWasUsedByATask() external {
        TaskTerms memory terms = _terms();
        _post(terms, 0);
        terms.amounts[0] += 1;
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NonceUsed.selector, POSTER, terms.nonce));
        _post(terms, 0);
    }

    function test_RevertWhen_TheNonceWasInvalidated() external {
        TaskTerms memory terms = _terms();
        vm.prank(POSTER);
        registry.invalidateNonce(terms.nonce);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NonceUsed.selector, POSTER, terms.nonce));
        _post(terms, 0);
    }

    function test_RevertWhen_TheTextIsNotWhatTheTermsHash() external {
        TaskTerms memory terms = _terms();
        bytes32 textHash = keccak256("Translate the handbook.");
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(ITaskScopeRegistry.TextMismatch.selector, terms.criteriaHash, textHash));
        registry.post(terms, "Translate the handbook.", 0);
    }

    function test_RevertWhen_TheTextIsAByteTooLong() external {
        string memory text = string(new bytes(8_193));
        TaskTerms memory terms = _terms();
        terms.criteriaHash = keccak256(bytes(text));
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(ITaskScopeRegistry.TextTooLong.selector, 8_193, 8_192));
        registry.post(terms, text, 0);
    }

    function test_PublishesTheLongestText() external {
        string memory text = string(new bytes(8_192));
        TaskTerms memory terms = _terms();
        terms.criteriaHash = keccak256(bytes(text));
        vm.expectEmit(address(scopes));
        emit ITaskScopeRegistry.TaskTextPublished(1, terms.criteriaHash, text);
        vm.prank(POSTER);
        registry.post(terms, text, 0);
    }

    function test_RevertGiven_TheWalletIsAWeiShortOfFeeAndExitDeposit() external {
        _setTok(POSTER, 2_000e18 - 1);
        TaskTerms memory terms = _terms();
        _expectTokShort(POSTER, 600e18 - 1, 600e18);
        _post(terms, 0);
    }

    function test_RevertGiven_TheAllowanceIsAWeiShortOfFeeAndExitDeposit() external {
        vm.prank(POSTER);
        tok.approve(address(gateway), 2_000e18 - 1);
        TaskTerms memory terms = _terms();
        vm.expectRevert(
            abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientAllowance.selector, address(gateway), 600e18 - 1, 600e18
            )
        );
        _post(terms, 0);
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

    function test_StoresEachMilestone() external {
        TaskTerms memory terms = _terms();
        terms.durations[1] = 3 days;
        Milestone[] memory milestones = registry.milestonesOf(_post(terms, 0));
        vm.assertEq(milestones.length, 2);
        vm.assertEq(milestones[0].amount, FIRST);
        vm.assertEq(milestones[0].duration, 2 days);
        vm.assertEq(milestones[1].amount, SECOND);
        vm.assertEq(milestones[1].duration, 3 days);
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

    function test_UsesThePostersNonceAlone() external {
        TaskTerms memory terms = _terms();
        vm.assertFalse(registry.isNonceUsed(POSTER, terms.nonce));
        _post(terms, 0);
        vm.assertTrue(registry.isNonceUsed(POSTER, terms.nonce));
        vm.assertFalse(registry.isNonceUsed(POSTER, terms.nonce + 1));
        vm.assertFalse(registry.isNonceUsed(WORKER, terms.nonce));
    }

    function test_MarksTheTaskAsOpen() external {
        vm.assertEq(uint256(scopes.scopeOf(_posted())), uint256(TaskScope.OPEN));
    }

    function test_EmitsItsEventsInOrder() external {
        TaskTerms memory terms = _terms();
        bytes32 digest = _settlementDigest(registry, _termsHash(terms, "standard", address(tok)), address(0));
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskPosted(1, POSTER, 1_000e18, digest, terms);
        vm.expectEmit(address(scopes));
        emit ITaskScopeRegistry.TaskScopeSet(1, TaskScope.OPEN);
        vm.expectEmit(address(scopes));
        emit ITaskScopeRegistry.TaskTextPublished(1, keccak256(bytes(TEXT)), TEXT);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Reserved(1, POSTER, 8e6);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.ExitDepositLocked(1, POSTER, 1_000e18);
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(1, POSTER, IPaymentGateway.AccessAction.POST, 1_000e18, 0);
        _post(terms, 0);
    }

    function test_TakesFeeExitDepositAndReserve() external {
        Books memory books = _books();
        uint256 taskId = _posted();
        _entered(books, books.poster);
        _assertBooks(books);
        _assertReserves(taskId, 8e6, 0);
        _assertExits(taskId, 1_000e18, 0);
    }

    function test_TakesAnActionCreditInsteadOfTok() external {
        _giveCredit(POSTER, STRANGER);
        Books memory books = _books();
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(1, POSTER, IPaymentGateway.AccessAction.POST, 0, 1e18);
        _posted();
        books.poster.credits -= 1e18;
        books.poster.reserved += 8e6;
        // A credit pays the fee, never the exit deposit.
        _locked(books, books.poster);
        _assertBooks(books);
    }

    function test_EscrowsNothingWhenItFundsNothing() external {
        vm.recordLogs();
        uint256 taskId = _posted();
        _assertAccount(taskId, 0, 0, 0);
        vm.assertEq(_logsOf(ITaskRegistry.TaskFunded.selector), 0);
    }

    function test_EscrowsAPart() external {
        _assertFunds(400e18);
    }

    function test_EscrowsAll() external {
        _assertFunds(1_000e18);
    }

    function test_RevertWhen_ItFundsAWeiMoreThanAll() external {
        TaskTerms memory terms = _terms();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.AmountNotMissing.selector, 1, 1_000e18 + 1, 1_000e18));
        _post(terms, 1_000e18 + 1);
    }

    function test_RevertWhen_ItFundsMoreThanTheWalletHas() external {
        _setTok(POSTER, 1_000e18 - 1);
        TaskTerms memory terms = _terms();
        Books memory books = _books();
        _expectTokShort(POSTER, 1_000e18 - 1, 1_000e18);
        _post(terms, 1_000e18);
        _assertBooks(books);
        vm.assertEq(registry.taskCount(), 0);
        vm.assertFalse(registry.isNonceUsed(POSTER, terms.nonce));
    }

    function test_RevertWhen_ItFundsWhatTheFeeNeeds() external {
        _setTok(POSTER, 3_000e18 - 1);
        TaskTerms memory terms = _terms();
        _expectTokShort(POSTER, 600e18 - 1, 600e18);
        _post(terms, 1_000e18);
        _post(terms, 1_000e18 - 1);
        vm.assertEq(tok.balanceOf(POSTER), 0);
    }

    function test_EmitsFunded() external {
        TaskTerms memory terms = _terms();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskFunded(1, POSTER, 7);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.Funded(1, POSTER, 7);
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(1, POSTER, IPaymentGateway.AccessAction.POST, 1_000e18, 0);
        _post(terms, 7);
    }

    function testFuzz_EscrowsExactlyTheAmount(uint256 amount) external {
        _assertFunds(bound(amount, 1, 1_000e18));
    }

    function _assertFunds(uint256 amount) private {
        TaskTerms memory terms = _terms();
        Books memory books = _books();
        uint256 taskId = _post(terms, amount);
        _entered(books, books.poster);
        _escrowed(books, books.poster, amount);
        _assertBooks(books);
        _assertAccount(taskId, amount, 0, 0);
    }
}
