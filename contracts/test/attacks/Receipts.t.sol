// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Receipt, Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { bound } from "../bound.sol";
import { Attack } from "./Attack.sol";

/// @dev Silence pays only for work that the poster could have opened.
contract ReceiptsTest is Attack {
    uint256 private constant STEPS = 16;

    /// @dev Whether the store signed for the delivery in review, as this test knows it.
    bool private _hasReceipt;
    bytes32 private _proof;
    /// @dev Every receipt the store ever signed, for replays.
    Receipt[] private _issued;
    /// @dev The delivery that each of them names.
    bytes32[] private _issuedFor;

    /// @dev The hash of nothing. Where the terms name no store, a poster that sleeps pays for it: documented.
    function test_TheHashOfNothing_LosesWhereTheTermsNameAStore() external {
        TaskTerms memory terms = _single(450 * DOLLAR);
        terms.store = vm.addr(STORE_KEY);
        _attackers(WORKER);
        uint256 taskId = _begin(terms);
        _deliver(taskId);
        uint256 reviewEnd = _task(taskId).reviewEnd;
        _after(reviewEnd);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReceiptMissing.selector, taskId, 0));
        registry.releaseLapsed(taskId, 0);
        _after(reviewEnd + params.minRevisionTime);
        registry.expire(taskId);
        _assertPayoff("hash of nothing, store in the terms", "-13.00", _payoff(), -7.5e6);
        _attackers(WORKER);
        taskId = _begin(_single(450 * DOLLAR));
        _deliver(taskId);
        _after(_task(taskId).reviewEnd);
        registry.releaseLapsed(taskId, 0);
        _assertPayoff("hash of nothing, no store, the poster sleeps", "447.50", _payoff(), 447.5e6);
    }

    /// @dev Property 17: whatever the parties do, a milestone that silence paid had a receipt of its store for this very
    /// delivery, or no store in its terms.
    /// forge-config: default.fuzz.runs = 32
    /// forge-config: ci.fuzz.runs = 64
    /// forge-config: deep.fuzz.runs = 2000
    function testFuzz_SilencePaysOnlyWithAReceipt(uint256 seed, bool withStore) external {
        TaskTerms memory terms = _terms();
        terms.maxRevisions = 3;
        if (withStore) terms.store = vm.addr(STORE_KEY);
        uint256 taskId = _begin(terms);
        for (uint256 step = 0; step < STEPS && _state(taskId) == TaskState.ACTIVE; ++step) {
            _step(taskId, uint256(keccak256(abi.encode(seed, step))));
        }
    }

    /// @dev Mostly moves that the state allows, so that a walk of few steps gets far.
    function _step(uint256 taskId, uint256 random) private {
        Task memory task = _task(taskId);
        uint256 choice = random % 6;
        random >>= 8;
        if (task.reviewEnd == 0) {
            _deliverSomehow(taskId, task, random);
        } else if (choice == 0) {
            if (_deliverWith(taskId, task.current, _proof, _newReceipt(taskId, _proof))) _hasReceipt = true;
        } else if (choice == 1) {
            Receipt memory forged = _forgedReceipt(taskId, random);
            vm.assertFalse(_deliverWith(taskId, task.current, _proof, forged), "a forged receipt");
        } else if (choice == 2) {
            _deliverOld(taskId, task, random);
        } else if (choice == 3) {
            bytes memory call = abi.encodeCall(registry.requestRevision, (taskId, task.current, REASON));
            vm.prank(POSTER);
            (bool asked,) = address(registry).call(call);
            if (asked) _hasReceipt = false;
        } else if (choice == 4) {
            _deliverSomehow(taskId, task, random);
        } else {
            _waitForSilence(taskId, task, random);
        }
    }

    function _deliverSomehow(uint256 taskId, Task memory task, uint256 random) private {
        // Every third delivery is the last one again.
        bytes32 proof = random % 3 == 0 && _proof != 0 ? _proof : keccak256(abi.encode(random));
        bool signed = random % 2 == 0;
        Receipt memory receipt = signed ? _newReceipt(taskId, proof) : _noReceipt();
        if (_deliverWith(taskId, task.current, proof, receipt)) (_proof, _hasReceipt) = (proof, signed);
    }

    /// @dev An old receipt counts only for the delivery that it names.
    function _deliverOld(uint256 taskId, Task memory task, uint256 random) private {
        if (_issued.length == 0) return;
        uint256 old = random % _issued.length;
        if (!_deliverWith(taskId, task.current, _proof, _issued[old])) return;
        vm.assertEq(_issuedFor[old], _nameDelivery(taskId, _proof), "an old receipt for another delivery");
        _hasReceipt = true;
    }

    function _waitForSilence(uint256 taskId, Task memory task, uint256 random) private {
        vm.warp(bound(random, block.timestamp, uint256(task.reviewEnd) + params.minRevisionTime));
        (bool paid,) = address(registry).call(abi.encodeCall(registry.releaseLapsed, (taskId, task.current)));
        if (!paid) return;
        vm.assertTrue(_hasReceipt || task.store == address(0), "paid by silence without a receipt");
        _hasReceipt = false;
    }

    function _deliverWith(uint256 taskId, uint256 milestone, bytes32 proof, Receipt memory receipt)
        private
        returns (bool done)
    {
        bytes memory call = abi.encodeCall(registry.markDelivered, (taskId, milestone, proof, receipt));
        vm.prank(WORKER);
        (done,) = address(registry).call(call);
    }

    function _newReceipt(uint256 taskId, bytes32 proof) private returns (Receipt memory receipt) {
        receipt = _receipt(registry, taskId, proof, type(uint64).max, STORE_KEY);
        _issued.push(receipt);
        _issuedFor.push(_nameDelivery(taskId, proof));
    }

    /// @dev By nobody's store, or for another delivery.
    function _forgedReceipt(uint256 taskId, uint256 random) private view returns (Receipt memory) {
        return random % 2 == 0
            ? _receipt(registry, taskId, _proof, type(uint64).max, STRANGER_KEY)
            : _receipt(registry, taskId, bytes32(random), type(uint64).max, STORE_KEY);
    }

    function _nameDelivery(uint256 taskId, bytes32 proof) private view returns (bytes32) {
        Task memory task = _task(taskId);
        return keccak256(abi.encode(task.current, task.revisions, proof));
    }
}
