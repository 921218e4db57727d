// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { ITaskScopeRegistry } from "../../src/interfaces/ITaskScopeRegistry.sol";
import { ClaimPolicy, Milestone, Signature, Task, TaskScope, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Bookkeeping } from "./Bookkeeping.sol";

contract TaskRegistryCreateTest is Bookkeeping {
    function test_RevertWhen_TheTermsAreOpen() external {
        _assertRefused(_terms(), WORKER, abi.encodeWithSelector(ITaskRegistry.WrongScope.selector));
    }

    function test_RevertWhen_ThereIsNoWorker() external {
        bytes memory reason = abi.encodeWithSelector(IAgreements.InvalidSignature.selector, address(0));
        _assertRefused(_privateTerms(), address(0), reason);
    }

    function test_RevertGiven_AFreeDepositIsAUnitTooLow() external {
        address[2] memory parties = [POSTER, WORKER];
        for (uint256 i = 0; i < 2; ++i) {
            _setDeposit(parties[i], 38e6 - 1);
            TaskTerms memory open = _terms();
            open.poster = parties[i];
            _post(open, 0);
            bytes memory reason =
                abi.encodeWithSelector(ITaskRegistry.DepositTooLow.selector, parties[i], 25e6 - 1, 25e6);
            _assertRefused(_privateTerms(), WORKER, reason);
            _setDeposit(parties[i], 38e6);
        }
        _assertState(_created(_terms()), TaskState.CLAIMED);
    }

    function test_RevertGiven_APartyIsAWeiShortOfFeeAndExitDeposit() external {
        address[2] memory parties = [POSTER, WORKER];
        for (uint256 i = 0; i < 2; ++i) {
            uint256 snapshot = vm.snapshotState();
            _setTok(parties[i], 2_000e18 - 1);
            TaskTerms memory terms = _privateTerms();
            (Signature memory byPoster, Signature memory byWorker) = _acceptances(terms, WORKER);
            _expectTokShort(parties[i], 600e18 - 1, 600e18);
            registry.create(terms, WORKER, byPoster, byWorker);
            vm.revertToState(snapshot);
        }
    }

    function test_RevertWhen_ThePosterAcceptsWithTheNonceOfTheTerms() external {
        TaskTerms memory terms = _privateTerms();
        uint64 expiry = uint64(block.timestamp);
        Signature memory byPoster = _acceptance(registry, terms, WORKER, POSTER_KEY, terms.nonce, expiry);
        Signature memory byWorker = _acceptance(registry, terms, WORKER, WORKER_KEY, terms.nonce, expiry);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NonceUsed.selector, POSTER, terms.nonce));
        registry.create(terms, WORKER, byPoster, byWorker);

        byPoster = _acceptance(registry, terms, WORKER, POSTER_KEY, _nonce(), expiry);
        _assertState(registry.create(terms, WORKER, byPoster, byWorker), TaskState.CLAIMED);
    }

    function test_StoresEveryField() external {
        TaskTerms memory terms = _privateTerms();
        terms.maxRevisions = 2;
        terms.arbitrator = ARBITRATOR;
        terms.store = STRANGER;
        terms.claimPolicy = ClaimPolicy.PERMIT;
        uint256 taskId = _created(terms);

        Task memory task;
        task.poster = POSTER;
        task.state = TaskState.CLAIMED;
        task.scope = TaskScope.PRIVATE;
        task.claimPolicy = ClaimPolicy.PERMIT;
        task.milestoneCount = 2;
        task.maxRevisions = 2;
        task.worker = WORKER;
        task.claimedAt = 1_800_000_000;
        task.reviewWindow = 72 hours;
        task.total = 1_000e18;
        task.claimDeadline = uint40(1_800_000_000 + 7 days);
        task.arbitrator = ARBITRATOR;
        task.postedAt = 1_800_000_000;
        task.postedBlock = 1_000_000;
        task.store = STRANGER;
        task.termsHash = _termsHash(terms, "standard", address(tok));
        _assertTask(taskId, task);
        vm.assertEq(taskId, 1);
        vm.assertEq(registry.taskCount(), 1);
        vm.assertEq(uint256(scopes.scopeOf(taskId)), uint256(TaskScope.PRIVATE));
        Milestone[] memory milestones = registry.milestonesOf(taskId);
        vm.assertEq(milestones.length, 2);
        vm.assertEq(milestones[0].amount, FIRST);
        vm.assertEq(milestones[1].amount, SECOND);
        vm.assertEq(milestones[1].duration, 2 days);
    }

    /// @dev A stranger submits; both parties pay, lock and reserve, and all three nonces are used.
    function test_EntersBothParties() external {
        TaskTerms memory terms = _privateTerms();
        (Signature memory byPoster, Signature memory byWorker) = _acceptances(terms, WORKER);
        _mark();
        _expectEvents(terms);
        vm.recordLogs();
        vm.prank(STRANGER);
        registry.create(terms, WORKER, byPoster, byWorker);

        // It is neither posted nor claimed: three nonces, TaskCreated, and the events that are expected above.
        vm.assertEq(_logsOfRegistry(), 4);
        _assertGains(_entry(true, true));
        _assertReserves(1, 13e6, 13e6);
        _assertExits(1, 1_000e18, 1_000e18);
        _assertAccount(1, 0, 0, 0);
        vm.assertTrue(registry.isNonceUsed(POSTER, terms.nonce));
        vm.assertTrue(registry.isNonceUsed(POSTER, byPoster.nonce));
        vm.assertTrue(registry.isNonceUsed(WORKER, byWorker.nonce));
        vm.assertFalse(registry.isNonceUsed(WORKER, terms.nonce));
        vm.assertFalse(registry.isNonceUsed(WORKER, byPoster.nonce));
        vm.assertFalse(registry.isNonceUsed(POSTER, byWorker.nonce));
    }

    function test_TakesActionCreditsInsteadOfTok() external {
        _giveCredit(POSTER, WORKER);
        Gains memory gains;
        gains.posterTok = gains.workerTok = -EXIT;
        _mark();
        _created(_terms());
        _assertGains(gains);
        vm.assertEq(staking.creditsOf(POSTER) + staking.creditsOf(WORKER), 0);
    }

    function _privateTerms() private returns (TaskTerms memory terms) {
        terms = _terms();
        terms.scope = TaskScope.PRIVATE;
    }

    function _expectEvents(TaskTerms memory terms) private {
        bytes32 digest = _settlementDigest(registry, _termsHash(terms, "standard", address(tok)), WORKER);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskCreated(1, POSTER, WORKER, 1_000e18, digest, terms);
        vm.expectEmit(address(scopes));
        emit ITaskScopeRegistry.TaskScopeSet(1, TaskScope.PRIVATE);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Reserved(1, WORKER, 13e6);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.ExitDepositLocked(1, WORKER, 1_000e18);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Reserved(1, POSTER, 13e6);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.ExitDepositLocked(1, POSTER, 1_000e18);
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(1, WORKER, IPaymentGateway.AccessAction.CLAIM, 1_000e18, 0);
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(1, POSTER, IPaymentGateway.AccessAction.POST, 1_000e18, 0);
    }

    function _acceptances(TaskTerms memory terms, address worker)
        private
        returns (Signature memory byPoster, Signature memory byWorker)
    {
        uint64 expiry = uint64(block.timestamp);
        byPoster = _acceptance(registry, terms, worker, POSTER_KEY, _nonce(), expiry);
        byWorker = _acceptance(registry, terms, worker, WORKER_KEY, _nonce(), expiry);
    }

    function _assertRefused(TaskTerms memory terms, address worker, bytes memory reason) private {
        (Signature memory byPoster, Signature memory byWorker) = _acceptances(terms, worker);
        vm.expectRevert(reason);
        registry.create(terms, worker, byPoster, byWorker);
    }
}
