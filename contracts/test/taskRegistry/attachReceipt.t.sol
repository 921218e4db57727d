// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Receipt, Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { ContractWallet } from "../mocks/ContractWallet.sol";
import { vm } from "../Vm.sol";

contract TaskRegistryAttachReceiptTest is Books {
    bytes32 private constant RECEIPT_TYPEHASH = keccak256(
        "StorageReceipt(uint256 taskId,uint256 milestone,uint256 revision,address worker,bytes32 proofHash,uint64 size,uint64 until)"
    );

    function test_RevertGiven_TaskIsNotActive() external {
        bytes memory tail = abi.encode(0, 96, 0, 0, 96, 0);
        _assertOnlyIn(TaskState.ACTIVE, TaskState.ACTIVE, STRANGER, ITaskRegistry.attachReceipt.selector, tail);
    }

    function test_RevertWhen_MilestoneIsNotCurrent() external {
        uint256 taskId = _unreceipted();
        Receipt memory receipt = _receiptNow(taskId, PROOF);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotCurrentMilestone.selector, taskId, 1, 0));
        registry.attachReceipt(taskId, 1, receipt);
    }

    function test_RevertGiven_NothingIsInReview() external {
        uint256 taskId = _activeWith(_storeTerms(), TOTAL);
        Receipt memory receipt = _receiptNow(taskId, PROOF);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotDelivered.selector, taskId, 0));
        registry.attachReceipt(taskId, 0, receipt);
    }

    /// @dev Nobody puts a payment off with a second receipt.
    function test_RevertGiven_SilencePays() external {
        uint256[2] memory taskIds = [_delivered(), _receipted()];
        for (uint256 i = 0; i < 2; ++i) {
            Receipt memory receipt = _receiptNow(taskIds[i], PROOF);
            vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReceiptNotNeeded.selector, taskIds[i], 0));
            registry.attachReceipt(taskIds[i], 0, receipt);
        }
    }

    function test_RevertWhen_GraceHasEnded() external {
        uint256 taskId = _unreceipted();
        uint256 end = _graceEnd(taskId);
        _after(end);
        Receipt memory receipt = _receiptNow(taskId, PROOF);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.GraceEnded.selector, taskId, end));
        registry.attachReceipt(taskId, 0, receipt);
    }

    function test_RevertWhen_ReceiptEndsBeforeNewReview() external {
        uint256 taskId = _unreceipted();
        Receipt memory old = _receiptNow(taskId, PROOF);
        vm.warp(block.timestamp + 1);
        vm.expectRevert(
            abi.encodeWithSelector(
                ITaskRegistry.ReceiptTooShort.selector, taskId, old.until, block.timestamp + 72 hours
            )
        );
        registry.attachReceipt(taskId, 0, old);
    }

    function test_StartsReviewAgain() external {
        uint256 taskId = _unreceipted();
        Task memory expected = _task(taskId);
        vm.warp(_graceEnd(taskId));
        Receipt memory receipt = _receiptNow(taskId, PROOF);
        uint256 reviewEnd = block.timestamp + 72 hours;
        _mark();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DeliveryReceipted(taskId, 0, STORE, receipt.size, receipt.until, reviewEnd);
        vm.prank(STRANGER);
        registry.attachReceipt(taskId, 0, receipt);

        expected.reviewEnd = uint40(reviewEnd);
        expected.receipted = true;
        _assertTask(taskId, expected);
        _assertNoGains();
        _after(reviewEnd);
        registry.releaseLapsed(taskId, 0);
        _assertAccount(taskId, TOTAL, FIRST, 0);
    }

    function test_GivesPosterTheWordBack() external {
        uint256 taskId = _unreceipted();
        _after(_task(taskId).reviewEnd);
        registry.attachReceipt(taskId, 0, _receiptNow(taskId, PROOF));
        _dispute(taskId, POSTER);
        _assertState(taskId, TaskState.DISPUTED);
    }

    function test_AcceptsStoreThatIsAContract() external {
        TaskTerms memory terms = _terms();
        terms.store = address(new ContractWallet(STORE));
        uint256 taskId = _activeWith(terms, TOTAL);
        _deliver(taskId);
        Receipt memory forged = _receipt(registry, taskId, PROOF, uint64(block.timestamp + 72 hours), WORKER_KEY);
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, terms.store));
        registry.attachReceipt(taskId, 0, forged);
        registry.attachReceipt(taskId, 0, _receiptNow(taskId, PROOF));
        vm.assertTrue(_task(taskId).receipted);
    }

    function test_RevertWhen_AnyFieldWasSignedOtherwise() external {
        uint256 taskId = _unreceipted();
        uint64 until = uint64(block.timestamp + 72 hours);
        bytes32 here = _domain(address(registry));
        _expectInvalid(taskId, here, abi.encode(taskId + 1, 0, 0, WORKER, PROOF, 1, until));
        _expectInvalid(taskId, here, abi.encode(taskId, 1, 0, WORKER, PROOF, 1, until));
        _expectInvalid(taskId, here, abi.encode(taskId, 0, 1, WORKER, PROOF, 1, until));
        _expectInvalid(taskId, here, abi.encode(taskId, 0, 0, STRANGER, PROOF, 1, until));
        _expectInvalid(taskId, here, abi.encode(taskId, 0, 0, WORKER, keccak256("other"), 1, until));
        _expectInvalid(taskId, here, abi.encode(taskId, 0, 0, WORKER, bytes32(0), 1, until));
        _expectInvalid(taskId, here, abi.encode(taskId, 0, 0, WORKER, PROOF, 2, until));
        _expectInvalid(taskId, here, abi.encode(taskId, 0, 0, WORKER, PROOF, 1, until + 1));
        bytes memory honest = abi.encode(taskId, 0, 0, WORKER, PROOF, 1, until);
        _expectInvalid(taskId, _domain(address(agreements)), honest);
        vm.chainId(1);
        bytes32 elsewhere = _domain(address(registry));
        vm.chainId(8453);
        _expectInvalid(taskId, elsewhere, honest);
        registry.attachReceipt(taskId, 0, _signedReceipt(here, honest, until));
        vm.assertTrue(_task(taskId).receipted);
    }

    /// @dev The receipt of one delivery is worth nothing for the next.
    function test_RevertWhen_ReceiptIsOfAnEarlierDelivery() external {
        uint256 taskId = _activeWith(_storeTerms(), TOTAL);
        Receipt memory old = _receipt(registry, taskId, PROOF, type(uint64).max, STORE_KEY);
        _deliver(taskId, 0, PROOF, old);
        vm.prank(POSTER);
        registry.requestRevision(taskId, 0, keccak256("reason"));
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, STORE));
        _deliver(taskId, 0, PROOF, old);
        _deliver(taskId);
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, STORE));
        registry.attachReceipt(taskId, 0, old);

        vm.prank(POSTER);
        registry.release(taskId, 0);
        _deliver(taskId);
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, STORE));
        registry.attachReceipt(taskId, 1, old);
    }

    function test_RevertWhen_ReceiptIsOfAnotherTask() external {
        uint256 other = _receipted();
        uint256 taskId = _unreceipted();
        Receipt memory receipt = _receiptNow(other, PROOF);
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, STORE));
        registry.attachReceipt(taskId, 0, receipt);
    }

    function _expectInvalid(uint256 taskId, bytes32 domain, bytes memory message) private {
        Receipt memory receipt = _signedReceipt(domain, message, uint64(block.timestamp + 72 hours));
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, STORE));
        registry.attachReceipt(taskId, 0, receipt);
    }

    function _signedReceipt(bytes32 domain, bytes memory message, uint64 until) private pure returns (Receipt memory) {
        bytes32 structHash = keccak256(bytes.concat(RECEIPT_TYPEHASH, message));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(STORE_KEY, _typedData(domain, structHash));
        return Receipt({ size: 1, until: until, signature: abi.encodePacked(r, s, v) });
    }
}
