// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Signature, Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { ContractWallet } from "../mocks/ContractWallet.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryMutualCancelTest is Books {
    uint64 private immutable EXPIRY = 1_800_000_000 + 30 days;

    function test_RevertGiven_NoWorkerOrEnded() external {
        TaskState[5] memory states =
            [TaskState.POSTED, TaskState.COMPLETED, TaskState.CANCELLED, TaskState.EXPIRED, TaskState.RESOLVED];
        for (uint256 i = 0; i < states.length; ++i) {
            uint256 taskId = _inState(states[i]);
            _expectCancel(taskId, 0, abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, states[i]));
        }
        _expectCancel(9999, 0, abi.encodeWithSelector(ITaskRegistry.TaskNotFound.selector, 9999));
    }

    function test_RevertWhen_ShareIsAboveEverything() external {
        uint256 taskId = _active();
        _expectCancel(taskId, 10_001, abi.encodeWithSelector(ITaskRegistry.InvalidShare.selector, 10_001));
    }

    function test_RevertWhen_PosterSignatureHasExpired() external {
        uint256 taskId = _active();
        Signature memory byPoster = _sign(taskId, 5000, POSTER_KEY, uint64(block.timestamp - 1));
        Signature memory byWorker = _sign(taskId, 5000, WORKER_KEY);
        vm.expectRevert(abi.encodeWithSelector(IAgreements.SignatureExpired.selector, POSTER, block.timestamp - 1));
        registry.mutualCancel(taskId, 5000, byPoster, byWorker);
    }

    function test_RevertWhen_WorkerSignatureHasExpired() external {
        uint256 taskId = _active();
        Signature memory byPoster = _sign(taskId, 5000, POSTER_KEY);
        Signature memory byWorker = _sign(taskId, 5000, WORKER_KEY, uint64(block.timestamp - 1));
        vm.expectRevert(abi.encodeWithSelector(IAgreements.SignatureExpired.selector, WORKER, block.timestamp - 1));
        registry.mutualCancel(taskId, 5000, byPoster, byWorker);
    }

    function test_RevertWhen_PosterNonceIsUsed() external {
        uint256 first = _active();
        uint256 second = _active();
        Signature memory used = _sign(first, 5000, POSTER_KEY);
        registry.mutualCancel(first, 5000, used, _sign(first, 5000, WORKER_KEY));

        Signature memory byPoster = _cancelSignature(registry, second, 5000, POSTER_KEY, used.nonce, EXPIRY);
        Signature memory byWorker = _sign(second, 5000, WORKER_KEY);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NonceUsed.selector, POSTER, used.nonce));
        registry.mutualCancel(second, 5000, byPoster, byWorker);
    }

    function test_RevertWhen_WorkerNonceIsUsed() external {
        uint256 first = _active();
        uint256 second = _active();
        Signature memory used = _sign(first, 5000, WORKER_KEY);
        registry.mutualCancel(first, 5000, _sign(first, 5000, POSTER_KEY), used);

        Signature memory byPoster = _sign(second, 5000, POSTER_KEY);
        Signature memory byWorker = _cancelSignature(registry, second, 5000, WORKER_KEY, used.nonce, EXPIRY);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NonceUsed.selector, WORKER, used.nonce));
        registry.mutualCancel(second, 5000, byPoster, byWorker);
    }

    function test_RevertWhen_SignatureWasWithdrawn() external {
        uint256 taskId = _active();
        Signature memory byPoster = _sign(taskId, 5000, POSTER_KEY);
        Signature memory byWorker = _sign(taskId, 5000, WORKER_KEY);
        vm.prank(WORKER);
        registry.invalidateNonce(byWorker.nonce);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NonceUsed.selector, WORKER, byWorker.nonce));
        registry.mutualCancel(taskId, 5000, byPoster, byWorker);
    }

    function test_RevertWhen_PosterDidNotSign() external {
        uint256 taskId = _active();
        Signature memory byStranger = _sign(taskId, 5000, STRANGER_KEY);
        _expectInvalid(taskId, byStranger, _sign(taskId, 5000, WORKER_KEY), POSTER);
        _expectInvalid(taskId, _sign(taskId, 5000, WORKER_KEY), _sign(taskId, 5000, POSTER_KEY), POSTER);
    }

    function test_RevertWhen_WorkerDidNotSign() external {
        uint256 taskId = _active();
        Signature memory byStranger = _sign(taskId, 5000, STRANGER_KEY);
        _expectInvalid(taskId, _sign(taskId, 5000, POSTER_KEY), byStranger, WORKER);
        _expectInvalid(taskId, _sign(taskId, 5000, POSTER_KEY), _sign(taskId, 5000, POSTER_KEY), WORKER);
    }

    function test_RevertWhen_AnotherShareWasSigned() external {
        uint256 taskId = _active();
        _expectInvalid(taskId, _sign(taskId, 4999, POSTER_KEY), _sign(taskId, 5000, WORKER_KEY), POSTER);
        _expectInvalid(taskId, _sign(taskId, 5000, POSTER_KEY), _sign(taskId, 5001, WORKER_KEY), WORKER);
    }

    function test_RevertWhen_AnotherTaskWasSigned() external {
        uint256 other = _active();
        uint256 taskId = _active();
        _expectInvalid(taskId, _sign(other, 5000, POSTER_KEY), _sign(taskId, 5000, WORKER_KEY), POSTER);
        _expectInvalid(taskId, _sign(taskId, 5000, POSTER_KEY), _sign(other, 5000, WORKER_KEY), WORKER);
    }

    function test_RevertWhen_SignedOnAnotherChain() external {
        uint256 taskId = _active();
        vm.chainId(1);
        Signature memory byPoster = _sign(taskId, 5000, POSTER_KEY);
        Signature memory byWorker = _sign(taskId, 5000, WORKER_KEY);
        vm.chainId(8453);
        _expectInvalid(taskId, byPoster, byWorker, POSTER);
    }

    function test_RevertWhen_SignedForAnotherRegistry() external {
        uint256 taskId = _active();
        bytes32 hash = _cancelHash(registry, taskId, 5000, POSTER, 500, EXPIRY);
        Signature memory byPoster = _signed(address(escrow), POSTER_KEY, hash, 500, EXPIRY);
        _expectInvalid(taskId, byPoster, _sign(taskId, 5000, WORKER_KEY), POSTER);
    }

    function test_RevertWhen_SignedByWorkerBefore() external {
        uint256 taskId = _claimed();
        Signature memory byPoster = _sign(taskId, 5000, POSTER_KEY);
        Signature memory byWorker = _sign(taskId, 5000, WORKER_KEY);
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        _claim(taskId, STRANGER);
        _expectInvalid(taskId, byPoster, byWorker, POSTER);
        _expectInvalid(taskId, byPoster, _sign(taskId, 5000, STRANGER_KEY), POSTER);
        _expectInvalid(taskId, _sign(taskId, 5000, POSTER_KEY), byWorker, STRANGER);
    }

    function test_RevertWhen_SignedForMilestoneBefore() external {
        uint256 taskId = _active();
        (Signature memory byPoster, Signature memory byWorker) = _both(taskId);
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _expectStale(taskId, byPoster, byWorker);
    }

    /// @dev What a party gave away in one place of the task is worth nothing in another.
    function test_RevertWhen_SignedBeforeTheStart() external {
        uint256 taskId = _funded();
        (Signature memory byPoster, Signature memory byWorker) = _both(taskId);
        _activate(taskId);
        _expectStale(taskId, byPoster, byWorker);
    }

    function test_RevertWhen_SignedBeforeTheDelivery() external {
        uint256 taskId = _active();
        (Signature memory byPoster, Signature memory byWorker) = _both(taskId);
        _deliver(taskId);
        _expectStale(taskId, byPoster, byWorker);
        // Nor after a revision, for which nothing is in review again.
        (byPoster, byWorker) = _both(taskId);
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, PROOF);
        _expectStale(taskId, byPoster, byWorker);
    }

    function test_RevertWhen_SignedBeforeTheReceipt() external {
        uint256 taskId = _unreceipted();
        (Signature memory byPoster, Signature memory byWorker) = _both(taskId);
        vm.warp(block.timestamp + 1 hours);
        registry.attachReceipt(taskId, 0, _receiptNow(taskId, PROOF));
        _expectStale(taskId, byPoster, byWorker);
    }

    function test_RevertWhen_SignedBeforeTheDispute() external {
        uint256 taskId = _delivered();
        (Signature memory byPoster, Signature memory byWorker) = _both(taskId);
        _dispute(taskId, POSTER);
        _expectStale(taskId, byPoster, byWorker);
    }

    function test_RevertWhen_SignedBeforeTheRuling() external {
        uint256 taskId = _seated();
        (Signature memory byPoster, Signature memory byWorker) = _both(taskId);
        _rule(taskId, true);
        _expectStale(taskId, byPoster, byWorker);
        (byPoster, byWorker) = _both(taskId);
        vm.prank(POSTER);
        arbitration.escalate(taskId);
        _expectStale(taskId, byPoster, byWorker);
    }

    function test_SplitsPartlyFundedClaim() external {
        uint256 taskId = _claimed();
        vm.prank(POSTER);
        registry.fund(taskId, 100e18);
        _assertSplit(taskId, 2000, 20e18, 80e18, TaskState.CANCELLED);
        _assertAccount(taskId, 100e18, 20e18, 80e18);
    }

    function test_MovesNoMoneyOfUnfundedClaim() external {
        uint256 taskId = _claimed();
        _assertSplit(taskId, 10_000, 0, 0, TaskState.CANCELLED);
        _assertAccount(taskId, 0, 0, 0);
    }

    function test_CancelsPrivateTask() external {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        _assertSplit(taskId, 5000, 500e18, 500e18, TaskState.CANCELLED);
    }

    function test_SplitsActive() external {
        uint256 taskId = _delivered();
        Task memory expected = _task(taskId);
        _assertSplit(taskId, 2500, 250e18, 750e18, TaskState.CANCELLED);
        expected.state = TaskState.CANCELLED;
        expected.workerBps = 2500;
        _assertTask(taskId, expected);
    }

    function test_SplitsRest() external {
        uint256 taskId = _delivered();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _assertSplit(taskId, 2500, 100e18, 300e18, TaskState.CANCELLED);
        _assertAccount(taskId, TOTAL, FIRST + 100e18, 300e18);
    }

    function test_ResolvesDispute() external {
        uint256 taskId = _disputed();
        Task memory expected = _task(taskId);
        // The poster opened: 1 % of the milestone out of its stake is the worker's.
        Gains memory gains = _exitsReturned();
        gains.workerTok += 500e18 + 6e18;
        gains.posterTok += 500e18 + 54e18;
        _mark();
        _mutualCancel(taskId, 5000);

        _assertGains(gains);
        _assertSettled(taskId, TaskState.RESOLVED);
        expected.state = TaskState.RESOLVED;
        expected.workerBps = 5000;
        _assertTask(taskId, expected);
        vm.assertEq(uint256(arbitration.phaseOf(taskId)), uint256(IArbitration.DisputePhase.CLOSED));
    }

    function test_ResolvesDisputeBeforeAndAfterRuling() external {
        for (uint256 i = 0; i < 2; ++i) {
            uint256 taskId = _seated();
            if (i == 1) _rule(taskId, true);
            Gains memory gains = _exitsReturned();
            gains.workerTok += 100e18 + 6e18;
            gains.posterTok += 900e18 + 54e18;
            gains.posterUsd = -2.5e6;
            gains.workerUsd = -2.5e6;
            gains.arbitratorUsd = 5e6;
            _mark();
            _mutualCancel(taskId, 1000);

            _assertGains(gains);
            _assertSettled(taskId, TaskState.RESOLVED);
            vm.assertEq(arbitration.arbitratorOf(ARBITRATOR).openCases, 0);
        }
    }

    function test_RefundsEverything() external {
        uint256 taskId = _active();
        _assertSplit(taskId, 0, 0, TOTAL, TaskState.CANCELLED);
        _assertAccount(taskId, TOTAL, 0, TOTAL);
    }

    function test_PaysEverything() external {
        uint256 taskId = _active();
        _assertSplit(taskId, 10_000, TOTAL, 0, TaskState.CANCELLED);
        _assertAccount(taskId, TOTAL, TOTAL, 0);
        vm.assertEq(_task(taskId).current, 0);
    }

    function test_FreesReservesOfThisTask() external {
        _active();
        uint256 taskId = _active();
        _mutualCancel(taskId, 5000);
        _assertSettled(taskId, TaskState.CANCELLED);
        vm.assertEq(deposits.reservedOf(POSTER), 8e6);
        vm.assertEq(deposits.reservedOf(WORKER), 8e6);
    }

    function test_EmitsTaskMutuallyCancelled() external {
        uint256 taskId = _active();
        Signature memory byPoster = _sign(taskId, 2500, POSTER_KEY);
        Signature memory byWorker = _sign(taskId, 2500, WORKER_KEY);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskMutuallyCancelled(taskId, 2500, 250e18, TaskState.CANCELLED);
        registry.mutualCancel(taskId, 2500, byPoster, byWorker);
    }

    function test_EmitsTaskMutuallyCancelledFromDispute() external {
        uint256 taskId = _disputed();
        Signature memory byPoster = _sign(taskId, 2500, POSTER_KEY);
        Signature memory byWorker = _sign(taskId, 2500, WORKER_KEY);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskMutuallyCancelled(taskId, 2500, 250e18, TaskState.RESOLVED);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(taskId, 0, IArbitration.Ending.CANCELLED);
        registry.mutualCancel(taskId, 2500, byPoster, byWorker);
    }

    function test_RecordsPayment() external {
        uint256 taskId = _disputed();
        _vet(taskId);
        _mutualCancel(taskId, 2500);
        IReputationRegistry.Reputation memory expected;
        expected.distinctCounterparties = 1;
        expected.paid = 250e18;
        _assertReputation(POSTER, expected);
        expected.paid = 0;
        expected.earned = 250e18;
        _assertReputation(WORKER, expected);
    }

    function test_SpendsNonces() external {
        uint256 taskId = _active();
        Signature memory byPoster = _sign(taskId, 5000, POSTER_KEY);
        Signature memory byWorker = _sign(taskId, 5000, WORKER_KEY);
        vm.assertFalse(registry.isNonceUsed(POSTER, byPoster.nonce));
        vm.assertFalse(registry.isNonceUsed(WORKER, byWorker.nonce));
        registry.mutualCancel(taskId, 5000, byPoster, byWorker);
        vm.assertTrue(registry.isNonceUsed(POSTER, byPoster.nonce));
        vm.assertTrue(registry.isNonceUsed(WORKER, byWorker.nonce));
        vm.assertFalse(registry.isNonceUsed(POSTER, byWorker.nonce));
        vm.assertFalse(registry.isNonceUsed(WORKER, byPoster.nonce));
    }

    function test_AcceptsSignaturesAtExpiry() external {
        uint256 taskId = _active();
        uint64 expiry = uint64(block.timestamp);
        Signature memory byPoster = _sign(taskId, 5000, POSTER_KEY, expiry);
        registry.mutualCancel(taskId, 5000, byPoster, _sign(taskId, 5000, WORKER_KEY, expiry));
        _assertState(taskId, TaskState.CANCELLED);
    }

    function test_AcceptsContractWallets() external {
        uint256 taskId = _active();
        vm.etch(POSTER, address(new ContractWallet(POSTER)).code);
        vm.etch(WORKER, address(new ContractWallet(WORKER)).code);
        _expectInvalid(taskId, _sign(taskId, 4000, POSTER_KEY), _sign(taskId, 5000, WORKER_KEY), POSTER);
        _assertSplit(taskId, 5000, 500e18, 500e18, TaskState.CANCELLED);
    }

    function test_RevertWhen_CalledAgain() external {
        uint256 taskId = _active();
        _mutualCancel(taskId, 5000);
        bytes memory reason = abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, TaskState.CANCELLED);
        _expectCancel(taskId, 5000, reason);
    }

    function testFuzz_LosesNothing(uint96 first, uint96 second, uint16 workerBps, bool firstPaid) external {
        TaskTerms memory terms = _terms();
        terms.amounts[0] = uint256(first) % 400_000e18 + 1;
        terms.amounts[1] = uint256(second) % 400_000e18 + 1;
        workerBps = workerBps % 10_001;
        uint256 held = terms.amounts[0] + terms.amounts[1];
        uint256 taskId = _activeWith(terms, held);
        if (firstPaid) {
            vm.prank(POSTER);
            registry.release(taskId, 0);
            held = terms.amounts[1];
        }
        uint256 share = held * workerBps / 10_000;
        _assertSplit(taskId, workerBps, share, held - share, TaskState.CANCELLED);
    }

    /// @dev A stranger submits; the split moves these amounts and nothing else.
    function _assertSplit(uint256 taskId, uint256 workerBps, uint256 toWorker, uint256 toPoster, TaskState next)
        private
    {
        Signature memory byPoster = _sign(taskId, workerBps, POSTER_KEY);
        Signature memory byWorker = _sign(taskId, workerBps, WORKER_KEY);
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(toWorker);
        gains.posterTok += int256(toPoster);
        _mark();
        vm.prank(STRANGER);
        registry.mutualCancel(taskId, workerBps, byPoster, byWorker);

        _assertGains(gains);
        _assertSettled(taskId, next);
        vm.assertEq(_task(taskId).workerBps, workerBps);
        vm.assertFalse(_task(taskId).ruled);
    }

    function _both(uint256 taskId) private returns (Signature memory byPoster, Signature memory byWorker) {
        byPoster = _sign(taskId, 5000, POSTER_KEY);
        byWorker = _sign(taskId, 5000, WORKER_KEY);
    }

    /// @dev Neither signature goes with a fresh one of the other party, and two fresh ones do.
    function _expectStale(uint256 taskId, Signature memory byPoster, Signature memory byWorker) private {
        (Signature memory freshPoster, Signature memory freshWorker) = _both(taskId);
        _expectInvalid(taskId, byPoster, freshWorker, POSTER);
        _expectInvalid(taskId, freshPoster, byWorker, WORKER);
        uint256 snapshot = vm.snapshotState();
        registry.mutualCancel(taskId, 5000, freshPoster, freshWorker);
        vm.revertToState(snapshot);
    }

    function _expectCancel(uint256 taskId, uint256 workerBps, bytes memory reason) private {
        Signature memory byPoster = _sign(taskId, workerBps, POSTER_KEY);
        Signature memory byWorker = _sign(taskId, workerBps, WORKER_KEY);
        vm.expectRevert(reason);
        registry.mutualCancel(taskId, workerBps, byPoster, byWorker);
    }

    function _expectInvalid(uint256 taskId, Signature memory byPoster, Signature memory byWorker, address signer)
        private
    {
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, signer));
        registry.mutualCancel(taskId, 5000, byPoster, byWorker);
    }

    function _sign(uint256 taskId, uint256 workerBps, uint256 key) private returns (Signature memory) {
        return _sign(taskId, workerBps, key, EXPIRY);
    }

    function _sign(uint256 taskId, uint256 workerBps, uint256 key, uint64 expiry) private returns (Signature memory) {
        return _cancelSignature(registry, taskId, workerBps, key, _nonce(), expiry);
    }
}
