// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TaskRegistry } from "../../src/TaskRegistry.sol";
import { Signature, Task, TaskTerms } from "../../src/types/Task.sol";
import { Deployment } from "../Deployment.sol";
import { Signing } from "../Signing.sol";
import { readTerms, readVectors, rowOf } from "./Columns.sol";
import { vm } from "../Vm.sol";

/// @dev The vectors of packages/protocol/vectors, computed again by the contracts and by Solidity alone.
contract VectorsTest is Deployment, Signing {
    function setUp() public {
        vm.chainId(8453);
        string memory json = readVectors("terms");
        string[] memory markets = vm.parseJsonStringArray(json, ".markets");
        address[] memory registries = vm.parseJsonAddressArray(json, ".registries");
        address[] memory assets = vm.parseJsonAddressArray(json, ".assets");
        _deploy("standard");
        for (uint256 i = 0; i < markets.length; ++i) {
            if (registries[i].code.length != 0) continue;
            _deployMarket(markets[i], assets[i]);
            // The code carries market and asset; the domain it works out from where it stands.
            vm.etch(registries[i], address(registry).code);
        }
    }

    function test_NoFileIsEmpty() public view {
        vm.assertGe(vm.parseJsonStringArray(readVectors("ids"), ".ids").length, 10);
        vm.assertGe(vm.parseJsonStringArray(readVectors("texts"), ".texts").length, 30);
        vm.assertGe(vm.parseJsonAddressArray(readVectors("terms"), ".posters").length, 30);
        string memory json = readVectors("typedData");
        vm.assertGe(vm.parseJsonBytesArray(json, ".acceptances.signatures").length, 8);
        vm.assertGe(vm.parseJsonBytesArray(json, ".permits.signatures").length, 6);
        vm.assertGe(vm.parseJsonBytesArray(json, ".cancels.signatures").length, 12);
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

    function test_RegistriesComputeTheSameDigests() public view {
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
            TaskRegistry target = TaskRegistry(registries[i]);
            vm.assertEq(target.hashTerms(terms[i]), termsHashes[i], names[i]);
            vm.assertEq(target.settlementDigest(terms[i], address(0)), unclaimed[i], names[i]);
            vm.assertEq(target.settlementDigest(terms[i], workers[i]), claimed[i], names[i]);
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
            (, string memory name, string memory version, uint256 chainId, address verifier,,) =
                TaskRegistry(registries[i]).eip712Domain();
            bytes32 domain = keccak256(
                abi.encode(DOMAIN_TYPEHASH, keccak256(bytes(name)), keccak256(bytes(version)), chainId, verifier)
            );
            vm.assertEq(domain, separators[i]);
            vm.assertEq(_domain(registries[i]), separators[i]);
        }
    }

    function test_Acceptances() public view {
        string memory json = readVectors("typedData");
        TaskTerms[] memory terms = readTerms(readVectors("terms"));
        address[] memory registries = vm.parseJsonAddressArray(readVectors("terms"), ".registries");
        uint256[] memory rows = vm.parseJsonUintArray(json, ".acceptances.terms");
        address[] memory workers = vm.parseJsonAddressArray(json, ".acceptances.workers");
        Signed[] memory signed = _signedOf(json, ".acceptances");
        for (uint256 i = 0; i < signed.length; ++i) {
            TaskRegistry target = TaskRegistry(registries[rows[i]]);
            TaskTerms memory agreed = terms[rows[i]];
            Signed memory it = signed[i];
            bytes32 structHash = _acceptanceHash(target.hashTerms(agreed), workers[i], it.signer, it.nonce, it.expiry);
            vm.assertEq(_typedData(_domain(address(target)), structHash), it.digest);
            _assertSigned(it, _acceptance(target, agreed, workers[i], it.key, it.nonce, it.expiry));
        }
        _assertSigners(signed, vm.parseJsonAddressArray(json, ".acceptances.parties"));
    }

    function test_Permits() public view {
        string memory json = readVectors("typedData");
        address[] memory registries = vm.parseJsonAddressArray(json, ".permits.registries");
        uint256[] memory taskIds = vm.parseJsonUintArray(json, ".permits.taskIds");
        address[] memory workers = vm.parseJsonAddressArray(json, ".permits.workers");
        Signed[] memory signed = _signedOf(json, ".permits");
        for (uint256 i = 0; i < signed.length; ++i) {
            Signed memory it = signed[i];
            TaskRegistry target = TaskRegistry(registries[i]);
            _assertSigned(it, _permit(target, taskIds[i], workers[i], it.key, it.nonce, it.expiry));
        }
        _assertSigners(signed, vm.parseJsonAddressArray(json, ".permits.posters"));
    }

    function test_Cancels() public {
        string memory json = readVectors("typedData");
        string memory termsJson = readVectors("terms");
        address[] memory registries = vm.parseJsonAddressArray(termsJson, ".registries");
        uint256[] memory rows = vm.parseJsonUintArray(json, ".cancels.terms");
        uint256[] memory taskIds = vm.parseJsonUintArray(json, ".cancels.taskIds");
        uint256[] memory shares = vm.parseJsonUintArray(json, ".cancels.workerBps");
        Signed[] memory signed = _signedOf(json, ".cancels");
        for (uint256 i = 0; i < signed.length; ++i) {
            TaskRegistry target = TaskRegistry(registries[rows[i]]);
            Signed memory it = signed[i];
            Task memory task = _mockTask(json, termsJson, i, rows[i]);
            vm.mockCall(address(target), abi.encodeCall(target.taskOf, (taskIds[i])), abi.encode(task));
            bytes32 structHash = _cancelHash(target, taskIds[i], shares[i], it.signer, it.nonce, it.expiry);
            vm.assertEq(_typedData(_domain(address(target)), structHash), it.digest);
            _assertSigned(it, _cancelSignature(target, taskIds[i], shares[i], it.key, it.nonce, it.expiry));
        }
        _assertSigners(signed, vm.parseJsonAddressArray(json, ".cancels.parties"));
        _assertCancelsNameTheAgreement(json, termsJson, rows);
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

    /// @dev A task whose terms and worker are those of the vector, with the vector's milestone in work.
    function _mockTask(string memory json, string memory termsJson, uint256 row, uint256 termsRow)
        private
        pure
        returns (Task memory task)
    {
        task.termsHash = vm.parseJsonBytes32(termsJson, rowOf(".termsHashes", termsRow));
        task.worker = vm.parseJsonAddress(termsJson, rowOf(".workers", termsRow));
        task.current = uint8(vm.parseJsonUint(json, rowOf(".cancels.milestones", row)));
    }

    /// @dev Signing is deterministic (RFC 6979): the same key and digest give the same bytes everywhere.
    function _assertSigned(Signed memory vector, Signature memory own) private pure {
        vm.assertEq(own.data, vector.signature);
        (bytes memory signature, bytes32 r, bytes32 s) = (vector.signature, 0, 0);
        assembly ("memory-safe") {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
        }
        vm.assertEq(ecrecover(vector.digest, uint8(signature[64]), r, s), vector.signer);
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
}
