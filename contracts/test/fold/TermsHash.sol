// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TaskTerms } from "../../src/types/Task.sol";

/// @dev hashStruct(TaskTerms) by the letter of EIP-712, apart from the registry's own.
function hashTerms(TaskTerms memory terms, string memory market, address asset) pure returns (bytes32) {
    bytes32 typeHash = keccak256(
        "TaskTerms(string market,address poster,address asset,uint256[] amounts,uint64[] durations,uint64 reviewWindow,uint8 maxRevisions,address arbitrator,address store,bytes32 criteriaHash,uint8 scope,uint8 claimPolicy,uint64 claimDeadline,uint256 nonce)"
    );
    bytes32[] memory words = new bytes32[](15);
    words[0] = typeHash;
    words[1] = keccak256(bytes(market));
    words[2] = bytes32(uint256(uint160(terms.poster)));
    words[3] = bytes32(uint256(uint160(asset)));
    words[4] = keccak256(abi.encodePacked(terms.amounts));
    words[5] = keccak256(abi.encodePacked(terms.durations));
    words[6] = bytes32(uint256(terms.reviewWindow));
    words[7] = bytes32(uint256(terms.maxRevisions));
    words[8] = bytes32(uint256(uint160(terms.arbitrator)));
    words[9] = bytes32(uint256(uint160(terms.store)));
    words[10] = terms.criteriaHash;
    words[11] = bytes32(uint256(terms.scope));
    words[12] = bytes32(uint256(terms.claimPolicy));
    words[13] = bytes32(uint256(terms.claimDeadline));
    words[14] = bytes32(terms.nonce);
    return keccak256(abi.encodePacked(words));
}
