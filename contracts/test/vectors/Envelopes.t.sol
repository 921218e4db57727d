// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { readVectors } from "./Columns.sol";
import { vm } from "../Vm.sol";

/// @dev The envelopes of packages/protocol/vectors: nothing on chain reads them, but a contract wallet could sign them.
contract EnvelopesTest {
    function test_HashesAndSeals() public view {
        string memory json = readVectors("envelopes");
        string[] memory texts = vm.parseJsonStringArray(json, ".texts");
        bytes32[] memory hashes = vm.parseJsonBytes32Array(json, ".hashes");
        bytes32[] memory digests = vm.parseJsonBytes32Array(json, ".sealDigests");
        bytes[] memory signatures = vm.parseJsonBytesArray(json, ".signatures");
        address[] memory senders = vm.parseJsonAddressArray(json, ".senders");
        string memory id = vm.parseJsonString(json, ".negotiationId");
        vm.assertGe(texts.length, 4);
        for (uint256 i = 0; i < texts.length; ++i) {
            vm.assertEq(keccak256(bytes(texts[i])), hashes[i]);
            vm.assertEq(_seal(vm.parseJsonUint(json, ".chainId"), id, i + 1, hashes[i]), digests[i]);
            vm.assertEq(_signer(digests[i], signatures[i]), senders[i]);
        }
    }

    function _seal(uint256 chainId, string memory id, uint256 sequence, bytes32 hash) private pure returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId)"),
                keccak256("Svc Negotiation"),
                keccak256("1"),
                chainId
            )
        );
        bytes32 seal = keccak256(
            abi.encode(
                keccak256("EnvelopeSeal(string negotiationId,uint256 sequence,bytes32 hash)"),
                keccak256(bytes(id)),
                sequence,
                hash
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, seal));
    }

    function _signer(bytes32 digest, bytes memory signature) private pure returns (address) {
        (bytes32 r, bytes32 s, uint8 v) = (bytes32(0), bytes32(0), uint8(0));
        assembly ("memory-safe") {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
        return ecrecover(digest, v, r, s);
    }
}
