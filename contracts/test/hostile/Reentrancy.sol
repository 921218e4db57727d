// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Receipt, Settlement, Signature, Task, TaskState } from "../../src/types/Task.sol";
import { Vm, vm } from "../Vm.sol";
import { HostileMarket } from "./HostileMarket.sol";

/// @dev The token hands control to anyone in the middle of every transfer of an operation. Whatever is called then, on the
/// task that is moving or on its neighbour, the books stay whole.
abstract contract Reentrancy is HostileMarket {
    struct Inner {
        address caller;
        address target;
        bytes data;
    }

    event log_named_uint(string, uint256);

    uint256 private _skip;
    Inner private _inner;
    bool private _entered;
    uint256 private _neighbour;
    bytes private _neighbourBefore;

    function setUp() public override {
        super.setUp();
        _neighbour = _delivered();
        _neighbourBefore = _seen(_neighbour);
    }

    /// @dev What the token calls: waits for its transfer, then makes the inner call.
    function onTransfer() external {
        if (_skip != 0) {
            --_skip;
            return _arm();
        }
        _entered = true;
        vm.prank(_inner.caller);
        (bool success,) = _inner.target.call(_inner.data);
        success;
    }

    function _assertSoundAfter(uint256 taskId, address caller, bytes memory call, uint256 transfers) internal {
        _assertSoundAfter(taskId, caller, address(registry), call, transfers);
    }

    /// @param transfers How many transfers the operation makes when nobody interferes.
    function _assertSoundAfter(uint256 taskId, address caller, address target, bytes memory call, uint256 transfers)
        internal
    {
        Inner[] memory inners = _inners(taskId);
        for (uint256 i = 0; i < inners.length; ++i) {
            for (uint256 skip = 0; skip <= transfers; ++skip) {
                emit log_named_uint("inner call", i);
                emit log_named_uint("transfers before it", skip);
                uint256 calm = vm.snapshotState();
                _inner = inners[i];
                _skip = skip;
                _arm();
                vm.recordLogs();
                vm.prank(caller);
                (bool success,) = target.call(call);
                if (skip == transfers) vm.assertTrue(success, "the operation itself");
                vm.assertEq(_entered, success ? skip < transfers : false, "the moment of the inner call");
                _assertSound(taskId, success);
                vm.assertTrue(vm.revertToState(calm));
            }
        }
    }

    function _arm() private {
        hostile.setCallback(address(this), abi.encodeCall(this.onTransfer, ()));
    }

    function _assertSound(uint256 taskId, bool success) private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        hostile.setCallback(address(0), "");
        _assertBacked();
        vm.assertGe(tok.balanceOf(address(staking)), staking.rewardReserve());
        if (success) _assertNothingAfterEnd(logs, taskId);
        for (uint256 id = 1; id <= registry.taskCount(); ++id) {
            Task memory task = _task(id);
            bool engaged = task.state >= TaskState.CLAIMED && task.state <= TaskState.DISPUTED;
            if (!engaged) {
                vm.assertEq(deposits.reserveOf(id, WORKER), 0, "reserve of a worker without work");
                vm.assertEq(escrow.exitDepositOf(id, WORKER), 0, "exit deposit of a worker without work");
            }
            if (task.state >= TaskState.POSTED && task.state <= TaskState.DISPUTED) {
                // A notice in the middle has spent it.
                uint256 exit = task.underNotice ? 0 : uint256(EXIT);
                vm.assertEq(escrow.exitDepositOf(id, POSTER), exit, "exit deposit of a poster");
            }
            if (task.state > TaskState.DISPUTED) _assertSettled(id, task.state);
            if (task.state == TaskState.COMPLETED) vm.assertEq(escrow.accountOf(id).released, task.total, "paid");
        }
        if (_state(_neighbour) != TaskState.COMPLETED) {
            vm.assertEq(_seen(_neighbour), _neighbourBefore);
            vm.prank(POSTER);
            registry.complete(_neighbour);
        }
        vm.assertEq(escrow.accountOf(_neighbour).released, TOTAL, "the neighbour is paid");
    }

    /// @dev After its end nothing more is told of a task.
    function _assertNothingAfterEnd(Vm.Log[] memory logs, uint256 taskId) private view {
        bool ended = false;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter != address(registry) || uint256(logs[i].topics[1]) != taskId) continue;
            vm.assertFalse(ended, "an event after the end");
            ended = _isEnd(logs[i]);
        }
    }

    function _isEnd(Vm.Log memory entry) private pure returns (bool) {
        bytes32 topic = entry.topics[0];
        if (topic == ITaskRegistry.WorkerLeft.selector || topic == ITaskRegistry.WorkerDismissed.selector) {
            return abi.decode(entry.data, (TaskState)) != TaskState.POSTED;
        }
        if (topic == ITaskRegistry.TaskExpired.selector) {
            (, TaskState next) = abi.decode(entry.data, (TaskState, TaskState));
            return next != TaskState.POSTED;
        }
        return topic == ITaskRegistry.TaskCompleted.selector || topic == ITaskRegistry.TaskCancelled.selector
            || topic == ITaskRegistry.TaskResolved.selector || topic == ITaskRegistry.TaskMutuallyCancelled.selector;
    }

    /// @dev All that could be called in the middle: on the task itself, on its neighbour, on the vault.
    function _inners(uint256 taskId) private returns (Inner[] memory inners) {
        bytes memory cancelCall = _cancelCall(taskId);
        Settlement memory settlement;
        settlement.workerBps = 10_000;
        Receipt memory receipt = _receiptNow(taskId, PROOF);
        inners = new Inner[](29);
        uint256 n = 0;
        inners[n++] = _byPoster(abi.encodeCall(ITaskRegistry.cancel, (taskId)));
        inners[n++] = _byPoster(abi.encodeCall(ITaskRegistry.fund, (taskId, 1)));
        inners[n++] = _byPoster(abi.encodeCall(ITaskRegistry.activate, (taskId)));
        inners[n++] = _byPoster(abi.encodeCall(ITaskRegistry.dismiss, (taskId)));
        inners[n++] = _byPoster(abi.encodeCall(ITaskRegistry.requestRevision, (taskId, 0, PROOF)));
        inners[n++] = _byPoster(abi.encodeCall(ITaskRegistry.release, (taskId, 0)));
        inners[n++] = _byPoster(abi.encodeCall(ITaskRegistry.release, (taskId, 1)));
        inners[n++] = _byPoster(abi.encodeCall(ITaskRegistry.complete, (taskId)));
        inners[n++] = _byPoster(abi.encodeCall(ITaskRegistry.openDispute, (taskId, 0, PROOF, 0)));
        inners[n++] = _byWorker(abi.encodeCall(ITaskRegistry.leaveTask, (taskId)));
        inners[n++] = _byWorker(abi.encodeCall(ITaskRegistry.markDelivered, (taskId, 0, PROOF, _noReceipt())));
        inners[n++] = _byWorker(abi.encodeCall(ITaskRegistry.markDelivered, (taskId, 1, PROOF, _noReceipt())));
        inners[n++] = _byWorker(abi.encodeCall(ITaskRegistry.openDispute, (taskId, 1, PROOF, 10_000)));
        inners[n++] = _byWorker(abi.encodeCall(ITaskRegistry.activate, (taskId)));
        inners[n++] = _byStranger(abi.encodeCall(ITaskRegistry.claim, (taskId, _claimDigest(taskId))));
        inners[n++] = _byStranger(abi.encodeCall(ITaskRegistry.expire, (taskId)));
        inners[n++] = _byStranger(abi.encodeCall(ITaskRegistry.releaseLapsed, (taskId, 0)));
        inners[n++] = _byStranger(abi.encodeCall(ITaskRegistry.releaseLapsed, (taskId, 1)));
        inners[n++] = _byStranger(abi.encodeCall(ITaskRegistry.settleDispute, (taskId, settlement)));
        inners[n++] = _byStranger(cancelCall);
        inners[n++] = Inner(STRANGER, address(arbitration), abi.encodeCall(IArbitration.finalize, (taskId)));
        inners[n++] = Inner(STRANGER, address(arbitration), abi.encodeCall(IArbitration.resolveTimedOut, (taskId)));
        inners[n++] = Inner(COURT, address(arbitration), abi.encodeCall(IArbitration.decide, (taskId, 1, true, PROOF)));
        inners[n++] = Inner(POSTER, address(arbitration), _speech(taskId, 10_000));
        inners[n++] = Inner(WORKER, address(arbitration), _speech(taskId, 0));
        inners[n++] = Inner(WORKER, address(arbitration), abi.encodeCall(IArbitration.withdraw, (WORKER)));
        inners[n++] = _byWorker(abi.encodeCall(ITaskRegistry.markDelivered, (taskId, 0, PROOF, receipt)));
        inners[n++] = Inner(WORKER, address(escrow), abi.encodeCall(IEscrowVault.withdraw, (WORKER)));
        inners[n++] = _byPoster(_neighbourCall());
    }

    function _speech(uint256 taskId, uint256 shareBps) private pure returns (bytes memory) {
        return abi.encodeCall(IArbitration.submitEvidence, (taskId, EVIDENCE, shareBps));
    }

    function _neighbourCall() private view returns (bytes memory) {
        return abi.encodeCall(ITaskRegistry.complete, (_neighbour));
    }

    function _byPoster(bytes memory data) private view returns (Inner memory) {
        return Inner(POSTER, address(registry), data);
    }

    function _byWorker(bytes memory data) private view returns (Inner memory) {
        return Inner(WORKER, address(registry), data);
    }

    function _byStranger(bytes memory data) private view returns (Inner memory) {
        return Inner(STRANGER, address(registry), data);
    }

    function _claimDigest(uint256 taskId) private view returns (bytes32) {
        return registry.taskCount() < taskId ? bytes32(0) : _digestFor(taskId, STRANGER);
    }

    function _cancelCall(uint256 taskId) internal returns (bytes memory) {
        uint64 expiry = uint64(block.timestamp + 1 hours);
        Signature memory byPoster = _cancelSignature(registry, taskId, 5000, POSTER_KEY, _nonce(), expiry);
        Signature memory byWorker = _cancelSignature(registry, taskId, 5000, WORKER_KEY, _nonce(), expiry);
        return abi.encodeCall(ITaskRegistry.mutualCancel, (taskId, 5000, byPoster, byWorker));
    }

    function _secondDelivered() internal returns (uint256 taskId) {
        taskId = _delivered();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _deliver(taskId);
    }

    function _seen(uint256 taskId) private view returns (bytes memory) {
        return abi.encode(
            _task(taskId),
            escrow.accountOf(taskId),
            deposits.reserveOf(taskId, WORKER),
            escrow.exitDepositOf(taskId, WORKER)
        );
    }
}
