// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Signature, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Meter } from "./Meter.sol";

/// @dev Every call of arbitration at its dearest.
/// forge-config: default.isolate = true
/// forge-config: ci.isolate = true
/// forge-config: deep.isolate = true
/// forge-config: lite.isolate = true
contract DisputeGasTest is Meter {
    function test_Register() external {
        bytes memory call = abi.encodeCall(IArbitration.register, (10_000e18));
        _measure("register", ARBITRATOR, address(arbitration), call);
        _measure("register-more", ARBITRATOR, address(arbitration), call);
    }

    function test_Unbond() external {
        _register(ARBITRATOR, 10_000e18);
        _measure("requestUnbond", ARBITRATOR, address(arbitration), abi.encodeCall(IArbitration.requestUnbond, ()));
        _after(arbitration.arbitratorOf(ARBITRATOR).unbondAt);
        _measure("unbond", ARBITRATOR, address(arbitration), abi.encodeCall(IArbitration.unbond, ()));
    }

    function test_OpenDispute() external {
        TaskTerms memory terms = _terms();
        terms.arbitrator = ARBITRATOR;
        uint256 taskId = _activeWith(terms, TOTAL);
        _deliver(taskId);
        _measure("openDispute", POSTER, abi.encodeCall(ITaskRegistry.openDispute, (taskId, 0, PROOF, 1)));
    }

    function test_OpenDisputeByWorker() external {
        uint256 taskId = _unreceipted();
        _after(_task(taskId).reviewEnd);
        bytes memory call = abi.encodeCall(ITaskRegistry.openDispute, (taskId, 0, PROOF, 10_000));
        _measure("openDispute-by-worker", WORKER, call);
    }

    function test_OpenDisputeAgain() external {
        uint256 taskId = _seated();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _deliver(taskId);
        _measure("openDispute-again", POSTER, abi.encodeCall(ITaskRegistry.openDispute, (taskId, 1, PROOF, 1)));
    }

    function test_Propose() external {
        _register(ARBITRATOR, 10_000e18);
        uint256 taskId = _disputed();
        bytes memory call = abi.encodeCall(IArbitration.propose, (taskId, ARBITRATOR));
        vm.prank(POSTER);
        arbitration.propose(taskId, ARBITRATOR);
        _measure("propose", WORKER, address(arbitration), call);
        _measure("propose-accepting", ARBITRATOR, address(arbitration), call);
    }

    function test_StepDown() external {
        uint256 taskId = _seated();
        _after(arbitration.disputeOf(taskId).consentEnd);
        _measure("stepDown", ARBITRATOR, address(arbitration), abi.encodeCall(IArbitration.stepDown, (taskId)));
    }

    function test_SubmitEvidence() external {
        uint256 taskId = _seated();
        bytes memory call = abi.encodeCall(IArbitration.submitEvidence, (taskId, PROOF, 9_000));
        _measure("submitEvidence", WORKER, address(arbitration), call);
        _measure("submitEvidence-meeting", POSTER, address(arbitration), call);
        _assertClosed(taskId);
    }

    function test_SubmitEvidenceForNothing() external {
        uint256 taskId = _seated();
        bytes memory call = abi.encodeCall(IArbitration.submitEvidence, (taskId, PROOF, 0));
        _measure("submitEvidence-for-nothing", WORKER, address(arbitration), call);
        _assertClosed(taskId);
    }

    function test_Resolve() external {
        uint256 taskId = _heard();
        bytes memory call = abi.encodeCall(IArbitration.resolve, (taskId, 1, true, PROOF));
        _measure("resolve", ARBITRATOR, address(arbitration), call);
        call = abi.encodeCall(IArbitration.escalate, (taskId));
        _measure("escalate", POSTER, address(arbitration), call);
    }

    function test_DecideOverturning() external {
        uint256 taskId = _appealed();
        bytes memory call = abi.encodeCall(IArbitration.decide, (taskId, 1, false, PROOF));
        _measure("decide-overturning", COURT, address(arbitration), call);
        _assertClosed(taskId);
    }

    function test_DecideUpholding() external {
        uint256 taskId = _appealed();
        bytes memory call = abi.encodeCall(IArbitration.decide, (taskId, 1, true, PROOF));
        _measure("decide-upholding", COURT, address(arbitration), call);
        _assertClosed(taskId);
    }

    function test_Finalize() external {
        uint256 taskId = _heard();
        vm.prank(ARBITRATOR);
        arbitration.resolve(taskId, 1, false, PROOF);
        _after(arbitration.disputeOf(taskId).appealEnd);
        _measure("finalize", STRANGER, address(arbitration), abi.encodeCall(IArbitration.finalize, (taskId)));
        _assertClosed(taskId);
    }

    function test_ResolveTimedOut() external {
        uint256 taskId = _heard();
        bytes memory call = abi.encodeCall(IArbitration.resolveTimedOut, (taskId));
        _after(arbitration.disputeOf(taskId).rulingEnd);
        _measure("resolveTimedOut-slashing", STRANGER, address(arbitration), call);
        _after(arbitration.disputeOf(taskId).courtEnd);
        _measure("resolveTimedOut-of-court", STRANGER, address(arbitration), call);
        _assertClosed(taskId);
    }

    function test_ResolveTimedOutOfOpen() external {
        uint256 taskId = _disputed();
        _after(arbitration.disputeOf(taskId).consentEnd);
        bytes memory call = abi.encodeCall(IArbitration.resolveTimedOut, (taskId));
        _measure("resolveTimedOut-of-open", STRANGER, address(arbitration), call);
    }

    function test_ResolveTimedOutOfAppeal() external {
        uint256 taskId = _appealed();
        _after(arbitration.disputeOf(taskId).courtEnd);
        bytes memory call = abi.encodeCall(IArbitration.resolveTimedOut, (taskId));
        _measure("resolveTimedOut-of-appeal", STRANGER, address(arbitration), call);
        _assertClosed(taskId);
    }

    function test_ReleaseConceding() external {
        uint256 taskId = _heard();
        _measure("release-conceding", POSTER, abi.encodeCall(ITaskRegistry.release, (taskId, 0)));
    }

    function test_MutualCancelOfDispute() external {
        uint256 taskId = _heard();
        Signature memory byPoster = _cancelSignature(registry, taskId, 5000, POSTER_KEY, _nonce(), type(uint64).max);
        Signature memory byWorker = _cancelSignature(registry, taskId, 5000, WORKER_KEY, _nonce(), type(uint64).max);
        bytes memory call = abi.encodeCall(ITaskRegistry.mutualCancel, (taskId, 5000, byPoster, byWorker));
        _measure("mutualCancel-of-dispute", STRANGER, call);
    }

    function _heard() private returns (uint256 taskId) {
        taskId = _seated();
        vm.prank(WORKER);
        arbitration.submitEvidence(taskId, PROOF, 10_000);
        _after(arbitration.disputeOf(taskId).evidenceEnd);
    }

    /// @dev The poster appeals a ruling over everything.
    function _appealed() private returns (uint256 taskId) {
        taskId = _heard();
        vm.prank(ARBITRATOR);
        arbitration.resolve(taskId, 1, true, PROOF);
        vm.prank(POSTER);
        arbitration.escalate(taskId);
    }

    function _assertClosed(uint256 taskId) private view {
        vm.assertEq(uint256(arbitration.phaseOf(taskId)), uint256(IArbitration.DisputePhase.CLOSED));
    }
}
