// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { Signature, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Base } from "../Base.sol";
import { ContractWallet } from "../mocks/ContractWallet.sol";
import { vm } from "../Vm.sol";

/// @dev Each check by itself, against typed data built apart. What the registry asks it for is tested with the registry.
contract AgreementsSignaturesTest is Base {
    enum Check {
        ACCEPTANCE,
        PERMIT,
        CANCEL
    }

    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("ClaimPermit(uint256 taskId,bytes32 settlementDigest,address worker,uint256 nonce,uint64 expiry)");
    bytes32 private constant RECEIPT_TYPEHASH = keccak256(
        "StorageReceipt(uint256 taskId,uint256 milestone,uint256 revision,address worker,bytes32 proofHash,uint64 size,uint64 until)"
    );
    bytes32 private constant TERMS_HASH = keccak256("terms");
    bytes32 private constant DIGEST = keccak256("digest");
    uint256 private constant NONCE = 7;

    function test_TakesHonestSignatures() external view {
        for (uint256 i = 0; i < 3; ++i) {
            _check(Check(i), POSTER, _honest(Check(i), POSTER_KEY));
        }
    }

    function test_TakesSignaturesOfContractWallets() external {
        address wallet = address(new ContractWallet(STRANGER));
        for (uint256 i = 0; i < 3; ++i) {
            bytes32 message = _message(Check(i), wallet, NONCE, _now());
            Signature memory signature = _signed(address(registry), STRANGER_KEY, message, NONCE, _now());
            _check(Check(i), wallet, signature);
            signature = _signed(address(registry), POSTER_KEY, message, NONCE, _now());
            vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, wallet));
            _check(Check(i), wallet, signature);
        }
    }

    function test_RevertWhen_AnotherSigned() external {
        for (uint256 i = 0; i < 3; ++i) {
            Signature memory signature = _honest(Check(i), POSTER_KEY);
            vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, WORKER));
            _check(Check(i), WORKER, signature);
            bytes32 message = _message(Check(i), POSTER, NONCE, _now());
            signature = _signed(address(registry), WORKER_KEY, message, NONCE, _now());
            vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, POSTER));
            _check(Check(i), POSTER, signature);
        }
    }

    function test_RevertWhen_Expired() external {
        for (uint256 i = 0; i < 3; ++i) {
            Signature memory signature = _honest(Check(i), POSTER_KEY);
            vm.warp(signature.expiry);
            _check(Check(i), POSTER, signature);
            _after(signature.expiry);
            vm.expectRevert(abi.encodeWithSelector(IAgreements.SignatureExpired.selector, POSTER, signature.expiry));
            _check(Check(i), POSTER, signature);
        }
    }

    function test_RevertWhen_NonceOrExpiryDiffers() external {
        for (uint256 i = 0; i < 3; ++i) {
            Signature memory signature = _honest(Check(i), POSTER_KEY);
            signature.nonce += 1;
            _expectInvalid(Check(i), signature);
            signature.nonce -= 1;
            signature.expiry += 1;
            _expectInvalid(Check(i), signature);
        }
    }

    function test_RevertWhen_SignedForAgreementsItself() external {
        for (uint256 i = 0; i < 3; ++i) {
            bytes32 message = _message(Check(i), POSTER, NONCE, _now());
            _expectInvalid(Check(i), _signed(address(agreements), POSTER_KEY, message, NONCE, _now()));
        }
    }

    function test_Acceptance_RevertWhen_TermsOrWorkerDiffer() external {
        Signature memory signature = _honest(Check.ACCEPTANCE, POSTER_KEY);
        bytes memory reason = abi.encodeWithSelector(IAgreements.InvalidSignature.selector, POSTER);
        vm.expectRevert(reason);
        agreements.checkAcceptance(keccak256("other terms"), WORKER, POSTER, signature);
        vm.expectRevert(reason);
        agreements.checkAcceptance(TERMS_HASH, STRANGER, POSTER, signature);
    }

    function test_Permit_RevertWhen_AnyFieldDiffers() external {
        Signature memory signature = _honest(Check.PERMIT, POSTER_KEY);
        bytes memory reason = abi.encodeWithSelector(IAgreements.InvalidSignature.selector, POSTER);
        vm.expectRevert(reason);
        agreements.checkClaimPermit(2, DIGEST, POSTER, WORKER, signature);
        vm.expectRevert(reason);
        agreements.checkClaimPermit(1, keccak256("other digest"), POSTER, WORKER, signature);
        vm.expectRevert(reason);
        agreements.checkClaimPermit(1, DIGEST, POSTER, STRANGER, signature);
    }

    function test_Cancel_RevertWhen_AnyFieldDiffers() external {
        Signature memory signature = _honest(Check.CANCEL, POSTER_KEY);
        for (uint256 i = 0; i < 7; ++i) {
            IAgreements.MutualCancel memory cancel = _cancel();
            if (i == 0) cancel.taskId += 1;
            if (i == 1) cancel.settlementDigest = keccak256("other digest");
            if (i == 2) cancel.milestone += 1;
            if (i == 3) cancel.state = TaskState.ACTIVE;
            if (i == 4) cancel.reviewEnd += 1;
            if (i == 5) cancel.disputePhase = IArbitration.DisputePhase.COURT;
            if (i == 6) cancel.workerBps += 1;
            vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, POSTER));
            agreements.checkMutualCancel(cancel, POSTER, signature);
        }
    }

    function test_Receipt_TakesStoresSignature() external {
        agreements.checkReceipt(STRANGER, _storageReceipt(), _signReceipt(address(registry), STRANGER_KEY));
        address store = address(new ContractWallet(STRANGER));
        agreements.checkReceipt(store, _storageReceipt(), _signReceipt(address(registry), STRANGER_KEY));
    }

    function test_Receipt_RevertWhen_AnyFieldDiffers() external {
        bytes memory signature = _signReceipt(address(registry), STRANGER_KEY);
        for (uint256 i = 0; i < 7; ++i) {
            IAgreements.StorageReceipt memory receipt = _storageReceipt();
            if (i == 0) receipt.taskId += 1;
            if (i == 1) receipt.milestone += 1;
            if (i == 2) receipt.revision += 1;
            if (i == 3) receipt.worker = STRANGER;
            if (i == 4) receipt.proofHash = keccak256("other proof");
            if (i == 5) receipt.size += 1;
            if (i == 6) receipt.until += 1;
            _expectReceiptInvalid(STRANGER, receipt, signature);
        }
    }

    function test_Receipt_RevertWhen_AnotherSignedOrElsewhere() external {
        IAgreements.StorageReceipt memory receipt = _storageReceipt();
        _expectReceiptInvalid(STRANGER, receipt, _signReceipt(address(registry), WORKER_KEY));
        _expectReceiptInvalid(STRANGER, receipt, _signReceipt(address(agreements), STRANGER_KEY));
        _expectReceiptInvalid(STRANGER, receipt, "");
        _expectReceiptInvalid(address(0), receipt, new bytes(65));
        bytes memory signature = _signReceipt(address(registry), STRANGER_KEY);
        vm.chainId(1);
        _expectReceiptInvalid(STRANGER, receipt, signature);
    }

    function testFuzz_SettlementDigest(bytes32 termsHash, address worker, uint32 chainId) external {
        vm.chainId(uint256(chainId) + 1);
        vm.assertEq(agreements.settlementDigest(termsHash, worker), _settlementDigest(registry, termsHash, worker));
    }

    function test_HashTermsOfOtherMarketAndAsset() external {
        TaskTerms memory terms = _terms();
        vm.assertEq(agreements.hashTerms(terms), _termsHash(terms, "standard", address(tok)));
        _deployMarket("micro", address(usdc));
        vm.assertEq(agreements.hashTerms(terms), _termsHash(terms, "micro", address(usdc)));
    }

    function test_ParamsHash() external view {
        vm.assertEq(agreements.paramsHash(), keccak256(abi.encode(params)));
    }

    function _check(Check check, address party, Signature memory signature) private view {
        if (check == Check.ACCEPTANCE) agreements.checkAcceptance(TERMS_HASH, WORKER, party, signature);
        else if (check == Check.PERMIT) agreements.checkClaimPermit(1, DIGEST, party, WORKER, signature);
        else agreements.checkMutualCancel(_cancel(), party, signature);
    }

    function _message(Check check, address party, uint256 nonce, uint64 expiry) private view returns (bytes32) {
        if (check == Check.ACCEPTANCE) return _acceptanceHash(TERMS_HASH, WORKER, party, nonce, expiry);
        if (check == Check.PERMIT) return keccak256(abi.encode(PERMIT_TYPEHASH, 1, DIGEST, WORKER, nonce, expiry));
        bytes memory place = abi.encode(CANCEL_TYPEHASH, 1, DIGEST, 2, 4, 1_800_000_000, 3, 2_500);
        return keccak256(bytes.concat(place, abi.encode(party, nonce, expiry)));
    }

    function _cancel() private pure returns (IAgreements.MutualCancel memory) {
        return IAgreements.MutualCancel({
            taskId: 1,
            settlementDigest: DIGEST,
            milestone: 2,
            state: TaskState.DISPUTED,
            reviewEnd: 1_800_000_000,
            disputePhase: IArbitration.DisputePhase.RULED,
            workerBps: 2_500
        });
    }

    function _storageReceipt() private view returns (IAgreements.StorageReceipt memory) {
        return IAgreements.StorageReceipt({
            taskId: 1, milestone: 2, revision: 3, worker: WORKER, proofHash: PROOF, size: 4, until: 5
        });
    }

    function _signReceipt(address registry_, uint256 key) private view returns (bytes memory) {
        bytes32 structHash = keccak256(abi.encode(RECEIPT_TYPEHASH, 1, 2, 3, WORKER, PROOF, 4, 5));
        return _signed(registry_, key, structHash, 0, 0).data;
    }

    function _honest(Check check, uint256 key) private view returns (Signature memory) {
        return _signed(address(registry), key, _message(check, vm.addr(key), NONCE, _now()), NONCE, _now());
    }

    function _expectInvalid(Check check, Signature memory signature) private {
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, POSTER));
        _check(check, POSTER, signature);
    }

    function _expectReceiptInvalid(address store, IAgreements.StorageReceipt memory receipt, bytes memory signature)
        private
    {
        vm.expectRevert(abi.encodeWithSelector(IAgreements.InvalidSignature.selector, store));
        agreements.checkReceipt(store, receipt, signature);
    }

    function _now() private view returns (uint64) {
        return uint64(block.timestamp);
    }
}
