// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Agreements } from "../../src/Agreements.sol";
import { TaskRegistry } from "../../src/TaskRegistry.sol";
import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { Signature, Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Deployment } from "../Deployment.sol";
import { Signing } from "../Signing.sol";
import { readTerms, readVectors, rowOf } from "./Columns.sol";
import { vm } from "../Vm.sol";

/// @dev The vectors of packages/protocol/vectors, computed again by the contracts and by Solidity alone.
contract VectorsTest is Deployment, Signing {
    mapping(address registry => Agreements) private _agreements;
    /// @dev Where the task of the vector at hand stands.
    uint8 private _phase;

    function setUp() public {
        vm.chainId(8453);
        string memory json = readVectors("terms");
        string[] memory markets = vm.parseJsonStringArray(json, ".markets");
        address[] memory registries = vm.parseJsonAddressArray(json, ".registries");
        address[] memory assets = vm.parseJsonAddressArray(json, ".assets");
        _deploy("standard");
        for (uint256 i = 0; i < markets.length; ++i) {
            if (address(_agreements[registries[i]]) != address(0)) continue;
            _deployMarket(markets[i], assets[i]);
            // Its code carries market and asset, and the registry in whose name everything is signed.
            contracts_.taskRegistry = registries[i];
            _agreements[registries[i]] = new Agreements(contracts_, params);
        }
        // Before any expiry.
        vm.warp(0);
    }

    function test_NoFileIsEmpty() public view {
        vm.assertGe(vm.parseJsonStringArray(readVectors("ids"), ".ids").length, 10);
        vm.assertGe(vm.parseJsonStringArray(readVectors("texts"), ".texts").length, 30);
        vm.assertGe(vm.parseJsonAddressArray(readVectors("terms"), ".posters").length, 30);
        string memory json = readVectors("typedData");
        vm.assertGe(vm.parseJsonBytesArray(json, ".acceptances.signatures").length, 8);
        vm.assertGe(vm.parseJsonBytesArray(json, ".permits.signatures").length, 6);
        vm.assertGe(vm.parseJsonBytesArray(json, ".cancels.signatures").length, 12);
        vm.assertGe(vm.parseJsonBytesArray(json, ".receipts.signatures").length, 6);
    }

    function test_IdsAreMarketAndNumber() public view {
        string memory json = readVectors("ids");
        string[] memory ids = vm.parseJsonStringArray(json, ".ids");
        string[] memory markets = vm.parseJsonStringArray(json, ".markets");
        uint256[] memory numbers = vm.parseJsonUintArray(json, ".numbers");
        for (uint256 i = 0; i < ids.length; ++i) {
            vm.assertEq(ids[i], string.concat("v2:", markets[i], ":", vm.toString(numbers[i])));
        }
    }

    function test_TextsHashToTheirCriteria() public view {
        string memory json = readVectors("texts");
        string[] memory names = vm.parseJsonStringArray(json, ".names");
        string[] memory texts = vm.parseJsonStringArray(json, ".texts");
        bytes32[] memory hashes = vm.parseJsonBytes32Array(json, ".criteriaHashes");
        vm.assertEq(hashes.length, texts.length);
        for (uint256 i = 0; i < texts.length; ++i) {
            vm.assertEq(keccak256(bytes(texts[i])), hashes[i], names[i]);
        }
    }

    function test_TheLongestTextCanBePublished() public {
        string memory json = readVectors("texts");
        string[] memory texts = vm.parseJsonStringArray(json, ".texts");
        bytes32[] memory hashes = vm.parseJsonBytes32Array(json, ".criteriaHashes");
        uint256 longest = 0;
        for (uint256 i = 0; i < texts.length; ++i) {
            vm.prank(address(registry));
            scopes.publish(i, hashes[i], texts[i]);
            if (bytes(texts[i]).length > longest) longest = bytes(texts[i]).length;
        }
        vm.assertEq(longest, 8192);
    }

    function test_AgreementsComputesTheSameDigests() public view {
        string memory json = readVectors("terms");
        TaskTerms[] memory terms = readTerms(json);
        string[] memory names = vm.parseJsonStringArray(json, ".names");
        address[] memory registries = vm.parseJsonAddressArray(json, ".registries");
        address[] memory workers = vm.parseJsonAddressArray(json, ".workers");
        bytes32[] memory termsHashes = vm.parseJsonBytes32Array(json, ".termsHashes");
        bytes32[] memory unclaimed = vm.parseJsonBytes32Array(json, ".unclaimedDigests");
        bytes32[] memory claimed = vm.parseJsonBytes32Array(json, ".claimedDigests");
        vm.assertEq(claimed.length, terms.length);
        for (uint256 i = 0; i < terms.length; ++i) {
            Agreements target = _agreements[registries[i]];
            vm.assertEq(target.hashTerms(terms[i]), termsHashes[i], names[i]);
            vm.assertEq(target.settlementDigest(termsHashes[i], address(0)), unclaimed[i], names[i]);
            vm.assertEq(target.settlementDigest(termsHashes[i], workers[i]), claimed[i], names[i]);
        }
    }

    function test_TermsCarryTheHashOfTheirText() public view {
        string memory json = readVectors("terms");
        TaskTerms[] memory terms = readTerms(json);
        string[] memory texts = vm.parseJsonStringArray(json, ".texts");
        for (uint256 i = 0; i < terms.length; ++i) {
            vm.assertEq(terms[i].criteriaHash, keccak256(bytes(texts[i])));
        }
    }

    function test_WalletsComputeTheSameDigests() public view {
        string memory json = readVectors("terms");
        TaskTerms[] memory terms = readTerms(json);
        string[] memory markets = vm.parseJsonStringArray(json, ".markets");
        address[] memory assets = vm.parseJsonAddressArray(json, ".assets");
        address[] memory registries = vm.parseJsonAddressArray(json, ".registries");
        address[] memory workers = vm.parseJsonAddressArray(json, ".workers");
        bytes32[] memory claimed = vm.parseJsonBytes32Array(json, ".claimedDigests");
        for (uint256 i = 0; i < terms.length; ++i) {
            bytes32 termsHash = _termsHash(terms[i], markets[i], assets[i]);
            vm.assertEq(_settlementDigest(TaskRegistry(registries[i]), termsHash, workers[i]), claimed[i]);
        }
    }

    function test_DomainSeparators() public view {
        string memory json = readVectors("typedData");
        address[] memory registries = vm.parseJsonAddressArray(json, ".registries");
        bytes32[] memory separators = vm.parseJsonBytes32Array(json, ".domainSeparators");
        for (uint256 i = 0; i < registries.length; ++i) {
            vm.assertEq(_domain(registries[i]), separators[i]);
        }
    }

    function test_Acceptances() public view {
        string memory json = readVectors("typedData");
        string memory termsJson = readVectors("terms");
        address[] memory registries = vm.parseJsonAddressArray(termsJson, ".registries");
        bytes32[] memory termsHashes = vm.parseJsonBytes32Array(termsJson, ".termsHashes");
        uint256[] memory rows = vm.parseJsonUintArray(json, ".acceptances.terms");
        address[] memory workers = vm.parseJsonAddressArray(json, ".acceptances.workers");
        Signed[] memory signed = _signedOf(json, ".acceptances");
        for (uint256 i = 0; i < signed.length; ++i) {
            (address target, Signed memory it) = (registries[rows[i]], signed[i]);
            bytes32 termsHash = termsHashes[rows[i]];
            _assertSigned(it, target, _acceptanceHash(termsHash, workers[i], it.signer, it.nonce, it.expiry));
            _agreements[target].checkAcceptance(termsHash, workers[i], it.signer, _signatureOf(it));
        }
        _assertSigners(signed, vm.parseJsonAddressArray(json, ".acceptances.parties"));
    }

    function test_Permits() public view {
        string memory json = readVectors("typedData");
        address[] memory registries = vm.parseJsonAddressArray(json, ".permits.registries");
        uint256[] memory taskIds = vm.parseJsonUintArray(json, ".permits.taskIds");
        bytes32[] memory digests = vm.parseJsonBytes32Array(json, ".permits.settlementDigests");
        address[] memory workers = vm.parseJsonAddressArray(json, ".permits.workers");
        bytes32 typeHash = keccak256(
            "ClaimPermit(uint256 taskId,bytes32 settlementDigest,address worker,uint256 nonce,uint64 expiry)"
        );
        Signed[] memory signed = _signedOf(json, ".permits");
        for (uint256 i = 0; i < signed.length; ++i) {
            Signed memory it = signed[i];
            bytes memory message = abi.encode(typeHash, taskIds[i], digests[i], workers[i], it.nonce, it.expiry);
            _assertSigned(it, registries[i], keccak256(message));
            _agreements[registries[i]].checkClaimPermit(taskIds[i], digests[i], it.signer, workers[i], _signatureOf(it));
        }
        _assertSigners(signed, vm.parseJsonAddressArray(json, ".permits.posters"));
    }

    function test_Cancels() public {
        string memory json = readVectors("typedData");
        string memory termsJson = readVectors("terms");
        address[] memory registries = vm.parseJsonAddressArray(termsJson, ".registries");
        uint256[] memory rows = vm.parseJsonUintArray(json, ".cancels.terms");
        Signed[] memory signed = _signedOf(json, ".cancels");
        for (uint256 i = 0; i < signed.length; ++i) {
            TaskRegistry target = TaskRegistry(registries[rows[i]]);
            Signed memory it = signed[i];
            IAgreements.MutualCancel memory cancel = _cancelOf(json, i);
            Task memory task = _mockTask(termsJson, cancel, rows[i]);
            vm.mockCall(address(target), abi.encodeCall(target.taskOf, (cancel.taskId)), abi.encode(task));
            _phase = uint8(cancel.disputePhase);
            bytes32 structHash = _cancelHash(target, cancel.taskId, cancel.workerBps, it.signer, it.nonce, it.expiry);
            _assertSigned(it, address(target), structHash);
            _agreements[address(target)].checkMutualCancel(cancel, it.signer, _signatureOf(it));
        }
        _assertSigners(signed, vm.parseJsonAddressArray(json, ".cancels.parties"));
        _assertCancelsNameTheAgreement(json, termsJson, rows);
    }

    function test_Receipts() public view {
        string memory json = readVectors("typedData");
        address[] memory registries = vm.parseJsonAddressArray(json, ".receipts.registries");
        bytes32[] memory digests = vm.parseJsonBytes32Array(json, ".receipts.digests");
        bytes[] memory signatures = vm.parseJsonBytesArray(json, ".receipts.signatures");
        address[] memory stores = vm.parseJsonAddressArray(json, ".receipts.stores");
        bytes32 typeHash = keccak256(
            "StorageReceipt(uint256 taskId,uint256 milestone,uint256 revision,address worker,bytes32 proofHash,uint64 size,uint64 until)"
        );
        for (uint256 i = 0; i < digests.length; ++i) {
            IAgreements.StorageReceipt memory receipt = _receiptOf(json, i);
            bytes32 structHash = keccak256(abi.encode(typeHash, receipt));
            vm.assertEq(_typedData(_domain(registries[i]), structHash), digests[i]);
            _agreements[registries[i]].checkReceipt(stores[i], receipt, signatures[i]);
        }
    }

    struct Signed {
        uint256 nonce;
        uint64 expiry;
        bytes32 digest;
        uint256 key;
        bytes signature;
        address signer;
    }

    function _signedOf(string memory json, string memory kind) private pure returns (Signed[] memory signed) {
        uint256[] memory nonces = vm.parseJsonUintArray(json, string.concat(kind, ".nonces"));
        uint256[] memory expiries = vm.parseJsonUintArray(json, string.concat(kind, ".expiries"));
        bytes32[] memory digests = vm.parseJsonBytes32Array(json, string.concat(kind, ".digests"));
        uint256[] memory keyIndices = vm.parseJsonUintArray(json, string.concat(kind, ".keyIndices"));
        bytes[] memory signatures = vm.parseJsonBytesArray(json, string.concat(kind, ".signatures"));
        address[] memory signers = vm.parseJsonAddressArray(json, string.concat(kind, ".signers"));
        string memory mnemonic = vm.parseJsonString(json, ".mnemonic");
        signed = new Signed[](nonces.length);
        for (uint256 i = 0; i < signed.length; ++i) {
            signed[i] = Signed({
                nonce: nonces[i],
                expiry: uint64(expiries[i]),
                digest: digests[i],
                key: vm.deriveKey(mnemonic, uint32(keyIndices[i])),
                signature: signatures[i],
                signer: signers[i]
            });
        }
    }

    function _cancelOf(string memory json, uint256 row) private pure returns (IAgreements.MutualCancel memory) {
        return IAgreements.MutualCancel({
            taskId: vm.parseJsonUint(json, rowOf(".cancels.taskIds", row)),
            settlementDigest: vm.parseJsonBytes32(json, rowOf(".cancels.settlementDigests", row)),
            milestone: vm.parseJsonUint(json, rowOf(".cancels.milestones", row)),
            state: TaskState(vm.parseJsonUint(json, rowOf(".cancels.states", row))),
            reviewEnd: vm.parseJsonUint(json, rowOf(".cancels.reviewEnds", row)),
            disputePhase: IArbitration.DisputePhase(vm.parseJsonUint(json, rowOf(".cancels.disputePhases", row))),
            workerBps: vm.parseJsonUint(json, rowOf(".cancels.workerBps", row))
        });
    }

    function _receiptOf(string memory json, uint256 row) private pure returns (IAgreements.StorageReceipt memory) {
        return IAgreements.StorageReceipt({
            taskId: vm.parseJsonUint(json, rowOf(".receipts.taskIds", row)),
            milestone: vm.parseJsonUint(json, rowOf(".receipts.milestones", row)),
            revision: vm.parseJsonUint(json, rowOf(".receipts.revisions", row)),
            worker: vm.parseJsonAddress(json, rowOf(".receipts.workers", row)),
            proofHash: vm.parseJsonBytes32(json, rowOf(".receipts.proofHashes", row)),
            size: uint64(vm.parseJsonUint(json, rowOf(".receipts.sizes", row))),
            until: uint64(vm.parseJsonUint(json, rowOf(".receipts.untils", row)))
        });
    }

    /// @dev A task whose terms and worker are those of the vector, where the vector says it stands.
    function _mockTask(string memory termsJson, IAgreements.MutualCancel memory cancel, uint256 termsRow)
        private
        pure
        returns (Task memory task)
    {
        task.termsHash = vm.parseJsonBytes32(termsJson, rowOf(".termsHashes", termsRow));
        task.worker = vm.parseJsonAddress(termsJson, rowOf(".workers", termsRow));
        task.current = uint8(cancel.milestone);
        task.state = cancel.state;
        task.reviewEnd = uint40(cancel.reviewEnd);
    }

    function _signatureOf(Signed memory it) private pure returns (Signature memory) {
        return Signature({ nonce: it.nonce, expiry: it.expiry, data: it.signature });
    }

    /// @dev Signing is deterministic (RFC 6979): the same key and digest give the same bytes everywhere.
    function _assertSigned(Signed memory vector, address registry_, bytes32 structHash) private view {
        vm.assertEq(_typedData(_domain(registry_), structHash), vector.digest);
        vm.assertEq(_signed(registry_, vector.key, structHash, vector.nonce, vector.expiry).data, vector.signature);
    }

    function _assertSigners(Signed[] memory signed, address[] memory expected) private pure {
        vm.assertEq(signed.length, expected.length);
        for (uint256 i = 0; i < signed.length; ++i) {
            vm.assertEq(signed[i].signer, expected[i]);
            vm.assertEq(signed[i].signer, vm.addr(signed[i].key));
        }
    }

    function _assertCancelsNameTheAgreement(string memory json, string memory termsJson, uint256[] memory rows)
        private
        pure
    {
        bytes32[] memory digests = vm.parseJsonBytes32Array(json, ".cancels.settlementDigests");
        bytes32[] memory claimed = vm.parseJsonBytes32Array(termsJson, ".claimedDigests");
        for (uint256 i = 0; i < rows.length; ++i) {
            vm.assertEq(digests[i], claimed[rows[i]]);
        }
    }

    function _hashTerms(TaskTerms memory terms) internal view override returns (bytes32) {
        return agreements.hashTerms(terms);
    }

    function _disputePhase(uint256) internal view override returns (uint8) {
        return _phase;
    }
}
