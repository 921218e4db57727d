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

/// @dev What signatures must say is in forgery.t.sol and nonces.t.sol.
contract TaskRegistryMutualCancelTest is Books {
    function test_RevertWhen_SignedForAnotherWorker() external {
        uint256 taskId = _claimed();
        (Signature memory byPoster, Signature memory byWorker) = _both(taskId);
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        _claim(taskId, STRANGER);
        _expectInvalid(taskId, byPoster, byWorker, POSTER);
        _expectInvalid(taskId, byPoster, _sign(taskId, 5000, STRANGER_KEY), POSTER);
        _expectInvalid(taskId, _sign(taskId, 5000, POSTER_KEY), byWorker, STRANGER);
    }

    /// @dev What a party gave away in one place of the task is worth nothing in the next.
    function test_RevertWhen_SignedBeforeTheLastStep() external {
        uint256 taskId = _post(_storeTerms(), TOTAL);
        _claim(taskId, WORKER);
        for (uint256 i = 0; i < 6; ++i) {
            (Signature memory byPoster, Signature memory byWorker) = _both(taskId);
            if (i == 0) _activate(taskId);
            if (i == 1 || i == 3) _deliver(taskId);
            vm.startPrank(POSTER);
            if (i == 2) registry.requestRevision(taskId, 0, PROOF);
            vm.warp(block.timestamp + 1 hours);
            if (i == 5) registry.openDispute(taskId, 0, EVIDENCE, 0);
            vm.stopPrank();
            if (i == 4) _deliver(taskId, 0, PROOF, _receiptNow(taskId, PROOF));
            _expectStale(taskId, byPoster, byWorker);
        }
    }

    function test_RevertGiven_AJudgeHasRuled() external {
        uint256 taskId = _seated();
        _rule(taskId, true);
        _expectRuled(taskId, IArbitration.DisputePhase.RULED);
        vm.prank(POSTER);
        arbitration.escalate(taskId);
        _expectRuled(taskId, IArbitration.DisputePhase.COURT);
    }

    function test_SplitsWhatTheTaskHolds() external {
        uint256 taskId = _claimed();
        _assertSplit(taskId, 10_000, 0, 0);
        taskId = _claimed();
        vm.prank(POSTER);
        registry.fund(taskId, 100e18);
        _assertSplit(taskId, 2000, 100e18, 20e18);
        taskId = _created(_terms());
        _fund(taskId);
        _assertSplit(taskId, 5000, TOTAL, 500e18);
        _assertSplit(_active(), 0, TOTAL, 0);
        _assertSplit(_delivered(), 10_000, TOTAL, TOTAL);
        taskId = _delivered();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _assertSplit(taskId, 2500, SECOND, 100e18);
    }

    function test_ResolvesDispute() external {
        uint256 taskId = _disputed();
        _vet(taskId);
        Task memory expected = _task(taskId);
        // The poster opened: 1 % of the milestone out of its stake is the worker's.
        Gains memory gains = _exitsReturned();
        gains.workerTok += 250e18 + 6e18;
        gains.posterTok += 750e18 + 54e18;
        Signature memory byPoster = _sign(taskId, 2500, POSTER_KEY);
        Signature memory byWorker = _sign(taskId, 2500, WORKER_KEY);
        _mark();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskMutuallyCancelled(taskId, 2500, 250e18, TaskState.RESOLVED);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CaseClosed(taskId, 0, IArbitration.Ending.CANCELLED);
        registry.mutualCancel(taskId, 2500, byPoster, byWorker);

        _assertGains(gains);
        _assertSettled(taskId, TaskState.RESOLVED);
        expected.state = TaskState.RESOLVED;
        expected.workerBps = 2500;
        _assertTask(taskId, expected);
        IReputationRegistry.Reputation memory records;
        records.paid = 250e18;
        _assertReputation(POSTER, records);
        records.paid = 0;
        records.earned = 250e18;
        _assertReputation(WORKER, records);
    }

    function test_AcceptsContractWallets() external {
        uint256 taskId = _active();
        vm.etch(POSTER, address(new ContractWallet(POSTER)).code);
        vm.etch(WORKER, address(new ContractWallet(WORKER)).code);
        _expectInvalid(taskId, _sign(taskId, 4000, POSTER_KEY), _sign(taskId, 5000, WORKER_KEY), POSTER);
        _assertSplit(taskId, 5000, TOTAL, 500e18);
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
        _assertSplit(taskId, workerBps, held, held * workerBps / 10_000);
    }

    /// @dev A stranger submits; the split moves these amounts and nothing else, and each party spends its own nonce.
    function _assertSplit(uint256 taskId, uint256 workerBps, uint256 held, uint256 toWorker) private {
        Signature memory byPoster = _sign(taskId, workerBps, POSTER_KEY);
        Signature memory byWorker = _sign(taskId, workerBps, WORKER_KEY);
        Task memory expected = _task(taskId);
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(toWorker);
        gains.posterTok += int256(held - toWorker);
        _mark();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskMutuallyCancelled(taskId, workerBps, toWorker, TaskState.CANCELLED);
        vm.prank(STRANGER);
        registry.mutualCancel(taskId, workerBps, byPoster, byWorker);

        _assertGains(gains);
        _assertSettled(taskId, TaskState.CANCELLED);
        expected.state = TaskState.CANCELLED;
        expected.workerBps = uint16(workerBps);
        _assertTask(taskId, expected);
        vm.assertTrue(registry.isNonceUsed(POSTER, byPoster.nonce));
        vm.assertTrue(registry.isNonceUsed(WORKER, byWorker.nonce));
        vm.assertFalse(registry.isNonceUsed(POSTER, byWorker.nonce));
        vm.assertFalse(registry.isNonceUsed(WORKER, byPoster.nonce));
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

    function _expectRuled(uint256 taskId, IArbitration.DisputePhase phase) private {
        (Signature memory byPoster, Signature memory byWorker) = _both(taskId);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.WrongPhase.selector, taskId, phase));
        registry.mutualCancel(taskId, 5000, byPoster, byWorker);
    }

    function _expectInvalid(uint256 taskId, Signature memory byPoster, Signature memory byWorker, address signer)
        private
    {
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, signer));
        registry.mutualCancel(taskId, 5000, byPoster, byWorker);
    }

    function _sign(uint256 taskId, uint256 workerBps, uint256 key) private returns (Signature memory) {
        return _cancelSignature(registry, taskId, workerBps, key, _nonce(), 1_800_000_000 + 30 days);
    }
}
