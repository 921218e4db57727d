// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Receipt, Signature, TaskScope, TaskTerms } from "../../src/types/Task.sol";
import { ContractWallet } from "../mocks/ContractWallet.sol";
import { vm } from "../Vm.sol";
import { Meter } from "./Meter.sol";

/// @dev Every call of the registry at its dearest.
/// forge-config: default.isolate = true
/// forge-config: ci.isolate = true
/// forge-config: deep.isolate = true
/// forge-config: lite.isolate = true
contract GasTest is Meter {
    function test_Post() external {
        (TaskTerms memory terms, uint256 total) = _largest();
        bytes memory text = new bytes(8192);
        for (uint256 i = 0; i < text.length; ++i) {
            text[i] = bytes1(uint8(33 + i % 90));
        }
        terms.criteriaHash = keccak256(text);
        _measure("post", POSTER, abi.encodeCall(ITaskRegistry.post, (terms, string(text), total)));
    }

    function test_Create() external {
        (TaskTerms memory terms,) = _largest();
        terms.scope = TaskScope.PRIVATE;
        _becomeContracts();
        Signature memory byPoster = _acceptance(registry, terms, WORKER, POSTER_KEY, _nonce(), type(uint64).max);
        Signature memory byWorker = _acceptance(registry, terms, WORKER, WORKER_KEY, _nonce(), type(uint64).max);
        _measure("create", STRANGER, abi.encodeCall(ITaskRegistry.create, (terms, WORKER, byPoster, byWorker)));
    }

    function test_Fund() external {
        uint256 taskId = _claimed();
        _measure("fund", POSTER, abi.encodeCall(ITaskRegistry.fund, (taskId, TOTAL)));
    }

    function test_Claim() external {
        uint256 taskId = _posted();
        bytes32 digest = _digestFor(taskId, WORKER);
        _measure("claim", WORKER, abi.encodeCall(ITaskRegistry.claim, (taskId, digest)));
    }

    function test_ClaimWithPermit() external {
        uint256 taskId = _post(_permitTerms(), 0);
        bytes32 digest = _digestFor(taskId, WORKER);
        _becomeContracts();
        Signature memory permit = _permit(registry, taskId, WORKER, POSTER_KEY, _nonce(), type(uint64).max);
        bytes memory call = abi.encodeCall(ITaskRegistry.claimWithPermit, (taskId, digest, permit));
        _measure("claimWithPermit", WORKER, call);
    }

    function test_Activate() external {
        uint256 taskId = _funded();
        _measure("activate", POSTER, abi.encodeCall(ITaskRegistry.activate, (taskId)));
    }

    function test_Dismiss() external {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        vm.warp(block.timestamp + 7 hours);
        _measure("dismiss", POSTER, abi.encodeCall(ITaskRegistry.dismiss, (taskId)));
    }

    function test_DismissFromOpenTask() external {
        uint256 taskId = _funded();
        vm.warp(block.timestamp + 7 hours);
        _measure("dismiss-reopening", POSTER, abi.encodeCall(ITaskRegistry.dismiss, (taskId)));
    }

    function test_Notice() external {
        uint256 taskId = _active();
        _measure("dismiss-with-notice", POSTER, abi.encodeCall(ITaskRegistry.dismiss, (taskId)));
    }

    function test_AllowWorker() external {
        uint256 taskId = _post(_permitTerms(), 0);
        _measure("allowWorker", POSTER, abi.encodeCall(ITaskRegistry.allowWorker, (taskId, WORKER)));
    }

    function test_LeaveTask() external {
        uint256 taskId = _active();
        vm.warp(block.timestamp + 1 hours);
        _measure("leaveTask", WORKER, abi.encodeCall(ITaskRegistry.leaveTask, (taskId)));
    }

    function test_MarkDelivered() external {
        uint256 taskId = _active();
        bytes memory call = abi.encodeCall(ITaskRegistry.markDelivered, (taskId, 0, PROOF, _noReceipt()));
        _measure("markDelivered", WORKER, call);
    }

    function test_MarkDeliveredWithReceipt() external {
        uint256 taskId = _activeWith(_storeTerms(), TOTAL);
        vm.etch(STORE, address(new ContractWallet(STORE)).code);
        Receipt memory receipt = _receiptNow(taskId, PROOF);
        bytes memory call = abi.encodeCall(ITaskRegistry.markDelivered, (taskId, 0, PROOF, receipt));
        _measure("markDelivered-with-receipt", WORKER, call);
    }

    function test_RequestRevision() external {
        uint256 taskId = _delivered();
        _measure("requestRevision", POSTER, abi.encodeCall(ITaskRegistry.requestRevision, (taskId, 0, PROOF)));
    }

    function test_Release() external {
        uint256 taskId = _largestActive();
        _deliver(taskId);
        _measure("release", POSTER, abi.encodeCall(ITaskRegistry.release, (taskId, 0)));
    }

    function test_ReleaseLast() external {
        TaskTerms memory terms = _terms();
        terms.amounts = new uint256[](1);
        terms.amounts[0] = TOTAL;
        terms.durations = new uint64[](1);
        terms.durations[0] = 2 days;
        uint256 taskId = _activeWith(terms, TOTAL);
        _deliver(taskId);
        _measure("release-last", POSTER, abi.encodeCall(ITaskRegistry.release, (taskId, 0)));
    }

    function test_Complete() external {
        uint256 taskId = _largestActive();
        _measure("complete", POSTER, abi.encodeCall(ITaskRegistry.complete, (taskId)));
    }

    function test_ReleaseLapsed() external {
        uint256 taskId = _largestActive();
        _deliver(taskId);
        _after(_task(taskId).reviewEnd);
        _measure("releaseLapsed", STRANGER, abi.encodeCall(ITaskRegistry.releaseLapsed, (taskId, 0)));
    }

    function test_Cancel() external {
        uint256 taskId = _post(_terms(), TOTAL);
        _measure("cancel", POSTER, abi.encodeCall(ITaskRegistry.cancel, (taskId)));
    }

    function test_ExpirePosted() external {
        uint256 taskId = _post(_terms(), TOTAL);
        _after(_task(taskId).claimDeadline);
        _measure("expire-posted", STRANGER, abi.encodeCall(ITaskRegistry.expire, (taskId)));
    }

    function test_ExpireClaimed() external {
        uint256 taskId = _created(_terms());
        vm.prank(POSTER);
        registry.fund(taskId, 1);
        _after(_claimEnd(taskId));
        _measure("expire-claimed", STRANGER, abi.encodeCall(ITaskRegistry.expire, (taskId)));
    }

    function test_ExpireActive() external {
        uint256 taskId = _largestActive();
        _after(_task(taskId).deadline);
        _measure("expire-active", STRANGER, abi.encodeCall(ITaskRegistry.expire, (taskId)));
    }

    function test_MutualCancel() external {
        uint256 taskId = _largestActive();
        _becomeContracts();
        Signature memory byPoster = _cancelSignature(registry, taskId, 5000, POSTER_KEY, _nonce(), type(uint64).max);
        Signature memory byWorker = _cancelSignature(registry, taskId, 5000, WORKER_KEY, _nonce(), type(uint64).max);
        bytes memory call = abi.encodeCall(ITaskRegistry.mutualCancel, (taskId, 5000, byPoster, byWorker));
        _measure("mutualCancel", STRANGER, call);
    }

    function test_InvalidateNonce() external {
        _measure("invalidateNonce", POSTER, abi.encodeCall(ITaskRegistry.invalidateNonce, (1 << 200)));
    }

    function _becomeContracts() private {
        vm.etch(POSTER, address(new ContractWallet(POSTER)).code);
        vm.etch(WORKER, address(new ContractWallet(WORKER)).code);
    }
}
