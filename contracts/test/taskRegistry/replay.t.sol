// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Signature } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { Vm, vm } from "../Vm.sol";
import { EventFold } from "../fold/EventFold.sol";

/// @dev Rebuilds the state of a market from its logs alone and compares it with the contracts' storage.
contract TaskRegistryReplayTest is Books {
    EventFold private _fold;
    /// @dev How often each event was emitted.
    mapping(bytes32 topic => uint256) private _seen;

    function setUp() public override {
        vm.recordLogs();
        super.setUp();
        _fold = new EventFold(contracts_);
        _foldLogs();
    }

    function test_StoryHasEveryEvent() external {
        _tell();
        bytes32[19] memory topics = [
            ITaskRegistry.TaskPosted.selector,
            ITaskRegistry.TaskCreated.selector,
            ITaskRegistry.TaskFunded.selector,
            ITaskRegistry.TaskClaimed.selector,
            ITaskRegistry.TaskActivated.selector,
            ITaskRegistry.WorkerDismissed.selector,
            ITaskRegistry.WorkerLeft.selector,
            ITaskRegistry.MilestoneDelivered.selector,
            ITaskRegistry.DeliveryReceipted.selector,
            ITaskRegistry.RevisionRequested.selector,
            ITaskRegistry.MilestoneReleased.selector,
            ITaskRegistry.TaskCompleted.selector,
            ITaskRegistry.TaskCancelled.selector,
            ITaskRegistry.TaskExpired.selector,
            ITaskRegistry.TaskMutuallyCancelled.selector,
            ITaskRegistry.DisputeOpened.selector,
            ITaskRegistry.DisputeConceded.selector,
            ITaskRegistry.TaskResolved.selector,
            ITaskRegistry.NonceInvalidated.selector
        ];
        for (uint256 i = 0; i < topics.length; ++i) {
            vm.assertGt(_seen[topics[i]], 0);
        }
        vm.assertGt(_seen[IEscrowVault.Funded.selector], 0);
        vm.assertGt(_seen[IEscrowVault.Released.selector], 0);
        vm.assertGt(_seen[IEscrowVault.Refunded.selector], 0);
        vm.assertGt(_seen[IEscrowVault.ExitDepositLocked.selector], 0);
        vm.assertGt(_seen[IEscrowVault.ExitDepositReturned.selector], 0);
        vm.assertGt(_seen[IEscrowVault.ExitDepositSpent.selector], 0);
        vm.assertGt(_seen[IDepositVault.ToppedUp.selector], 0);
        vm.assertGt(_seen[IDepositVault.Withdrawn.selector], 0);
        vm.assertGt(_seen[IDepositVault.Reserved.selector], 0);
        vm.assertGt(_seen[IDepositVault.Unreserved.selector], 0);
        vm.assertGt(_seen[IDepositVault.Penalised.selector], 0);
    }

    function test_RebuildsWhatWaits() external {
        uint256 taskId = _active();
        // The vault's transfers, and only they, fail from here on.
        bytes4 transfer = bytes4(keccak256("transfer(address,uint256)"));
        vm.mockCallRevert(address(tok), abi.encodeWithSelector(transfer, WORKER), "");
        vm.mockCallRevert(address(tok), abi.encodeWithSelector(transfer, POSTER), "");
        _mutualCancel(taskId, 2500);
        _step();
        vm.assertEq(escrow.withdrawableOf(WORKER), 250e18 + uint256(EXIT));
        vm.prank(WORKER);
        escrow.withdraw(STRANGER);
        _step();
        vm.assertGt(_seen[IEscrowVault.Withdrawn.selector], 0);
    }

    /// @dev Two dozen calls on three tasks; many are refused, and a refused call leaves no trace.
    function testFuzz_RebuildsAnySequence(uint256 seed) external {
        _posted();
        _created(_terms());
        _post(_terms(), TOTAL);
        _step();
        for (uint256 i = 0; i < 24; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            _call(1 + seed % 3, seed >> 8);
            _foldLogs();
            if (seed >> 250 == 0) vm.roll(block.number + 1);
            vm.warp(block.timestamp + (seed >> 200) % 20 hours);
        }
        _assertRebuilt();
    }

    function _tell() private {
        _tellClaims();
        _tellWork();
        _tellDisputes();
        vm.startPrank(POSTER);
        registry.invalidateNonce(77_777);
        deposits.withdraw(1e6, POSTER);
        vm.stopPrank();
        _step();
    }

    function _tellClaims() private {
        uint256 taskId = _posted();
        _step();
        _claim(taskId, WORKER);
        _step();
        vm.prank(POSTER);
        registry.dismiss(taskId);
        _step();
        _claim(taskId, STRANGER);
        _step();
        vm.prank(STRANGER);
        registry.leaveTask(taskId);
        _step();
        _claim(taskId, WORKER);
        vm.warp(block.timestamp + 25 hours);
        _step(taskId);
        registry.expire(taskId);
        _step();
        taskId = _post(_terms(), TOTAL);
        _claim(taskId, WORKER);
        _step();
        _after(_claimEnd(taskId));
        registry.expire(taskId);
        _step();
        vm.prank(POSTER);
        registry.cancel(taskId);
        _step();
        taskId = _created(_terms());
        _fund(taskId);
        _step();
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        _step();
    }

    function _tellWork() private {
        uint256 taskId = _delivered();
        _step();
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, PROOF);
        _step();
        _deliver(taskId);
        _step();
        _after(_task(taskId).reviewEnd);
        registry.releaseLapsed(taskId, 0);
        _step();
        vm.prank(POSTER);
        registry.release(taskId, 1);
        _step();
        taskId = _delivered();
        _step();
        vm.prank(POSTER);
        registry.complete(taskId);
        _step();
        taskId = _active();
        _step();
        _after(_task(taskId).deadline);
        registry.expire(taskId);
        _step();
        taskId = _delivered();
        _mutualCancel(taskId, 1234);
        _step();
        taskId = _unreceipted();
        _step();
        vm.warp(block.timestamp + 1 hours);
        _deliver(taskId, 0, PROOF, _receiptNow(taskId, PROOF));
        _step();
        _after(_task(taskId).reviewEnd);
        registry.releaseLapsed(taskId, 0);
        _step();
        _deliver(taskId);
        _step();
        _after(_graceEnd(taskId));
        registry.expire(taskId);
        _step();
    }

    function _tellDisputes() private {
        uint256 taskId = _seated();
        _step();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _step();
        _deliver(taskId);
        _dispute(taskId, POSTER);
        _accept(taskId);
        _step();
        vm.prank(WORKER);
        arbitration.submitEvidence(taskId, EVIDENCE, 10_000);
        _after(arbitration.disputeOf(taskId).rulingEnd);
        arbitration.resolveTimedOut(taskId);
        _step();
        _after(arbitration.disputeOf(taskId).courtEnd);
        arbitration.resolveTimedOut(taskId);
        _step();
        _register(ARBITRATOR, 10_000e18);
        taskId = _seated();
        _step();
        _rule(taskId, false);
        _step();
        vm.prank(WORKER);
        arbitration.escalate(taskId);
        _step();
        vm.prank(COURT);
        arbitration.decide(taskId, 1, false, PROOF);
        _step();
        taskId = _disputed();
        _mutualCancel(taskId, 9999);
        _step();
    }

    /// @dev The fold takes time and block number from the current block, so each block must be folded before the next.
    function _foldLogs() private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            _seen[logs[i].topics[0]] += 1;
        }
        _fold.applyLogs(logs);
    }

    function _assertRebuilt() private view {
        address[6] memory agents = [POSTER, WORKER, STRANGER, ARBITRATOR, TREASURY, COURT];
        _fold.checkMarket();
        for (uint256 i = 0; i < agents.length; ++i) {
            _fold.checkAccount(agents[i]);
            // Tests number their nonces from one.
            for (uint256 nonce = 0; nonce < 64; ++nonce) {
                vm.assertEq(_fold.nonceUsed(agents[i], nonce), registry.isNonceUsed(agents[i], nonce), "nonce");
            }
        }
        for (uint256 id = 1; id <= _fold.taskCount(); ++id) {
            _fold.checkTask(id);
            for (uint256 i = 0; i < agents.length; ++i) {
                vm.assertEq(_fold.reserveOf(id, agents[i]), deposits.reserveOf(id, agents[i]), "reserve");
            }
        }
    }

    function _step() private {
        _foldLogs();
        _assertRebuilt();
        vm.roll(block.number + 1);
        vm.warp(block.timestamp + 1);
    }

    /// @dev Time has moved since the claim, which the fold must not take for the moment of the claim.
    function _step(uint256 taskId) private {
        uint256 now_ = block.timestamp;
        vm.warp(_task(taskId).claimedAt);
        _foldLogs();
        vm.warp(now_);
        _assertRebuilt();
    }

    function _call(uint256 taskId, uint256 dice) private {
        address[4] memory callers = [POSTER, WORKER, STRANGER, POSTER];
        uint256 current = _task(taskId).current;
        uint256 choice = (dice >> 8) % 16;
        bytes memory data;
        if (choice == 0) data = abi.encodeCall(ITaskRegistry.fund, (taskId, escrow.heldOf(taskId) == 0 ? TOTAL : 1));
        else if (choice == 1) data = abi.encodeCall(ITaskRegistry.claim, (taskId, _digestFor(taskId, WORKER)));
        else if (choice == 2) data = abi.encodeCall(ITaskRegistry.claim, (taskId, _digestFor(taskId, STRANGER)));
        else if (choice < 5) data = abi.encodeCall(ITaskRegistry.activate, (taskId));
        else if (choice == 5) data = abi.encodeCall(ITaskRegistry.dismiss, (taskId));
        else if (choice == 6) data = abi.encodeCall(ITaskRegistry.leaveTask, (taskId));
        else if (choice < 9) data = abi.encodeCall(ITaskRegistry.markDelivered, (taskId, current, PROOF, _noReceipt()));
        else if (choice == 9) data = abi.encodeCall(ITaskRegistry.requestRevision, (taskId, current, PROOF));
        else if (choice == 10) data = abi.encodeCall(ITaskRegistry.release, (taskId, current));
        else if (choice == 11) data = abi.encodeCall(ITaskRegistry.releaseLapsed, (taskId, current));
        else if (choice == 12) data = abi.encodeCall(ITaskRegistry.expire, (taskId));
        else if (choice == 13) data = abi.encodeCall(ITaskRegistry.openDispute, (taskId, current, PROOF, 0));
        else if (choice == 14) data = abi.encodeCall(ITaskRegistry.complete, (taskId));
        else data = _cancelCall(taskId, (dice >> 16) % 10_001);
        vm.prank(callers[dice % 4]);
        (bool success,) = address(registry).call(data);
        // The cheatcode keeps logs that a chain would have dropped.
        if (!success) vm.getRecordedLogs();
    }

    function _cancelCall(uint256 taskId, uint256 workerBps) private returns (bytes memory) {
        uint64 expiry = uint64(block.timestamp);
        Signature memory byPoster = _cancelSignature(registry, taskId, workerBps, POSTER_KEY, _nonce(), expiry);
        Signature memory byWorker = _cancelSignature(registry, taskId, workerBps, WORKER_KEY, _nonce(), expiry);
        return abi.encodeCall(ITaskRegistry.mutualCancel, (taskId, workerBps, byPoster, byWorker));
    }
}
