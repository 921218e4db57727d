// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ClaimPolicy, TaskScope, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";

/// @dev A vector file of packages/protocol/vectors.
function readVectors(string memory name) view returns (string memory) {
    return vm.readFile(string.concat("packages/protocol/vectors/", name, ".json"));
}

/// @dev The path of one row of a column, where the rows are lists themselves.
function rowOf(string memory column, uint256 row) pure returns (string memory) {
    return string.concat(column, "[", vm.toString(row), "]");
}

/// @dev The structs of terms.json, put together from its columns.
function readTerms(string memory json) pure returns (TaskTerms[] memory terms) {
    address[] memory posters = vm.parseJsonAddressArray(json, ".posters");
    terms = new TaskTerms[](posters.length);
    for (uint256 i = 0; i < terms.length; ++i) {
        terms[i].poster = posters[i];
        terms[i].amounts = vm.parseJsonUintArray(json, rowOf(".amounts", i));
        uint256[] memory durations = vm.parseJsonUintArray(json, rowOf(".durations", i));
        terms[i].durations = new uint64[](durations.length);
        for (uint256 j = 0; j < durations.length; ++j) {
            terms[i].durations[j] = uint64(durations[j]);
        }
    }
    _readWords(json, terms);
    _readNumbers(json, terms);
}

function _readWords(string memory json, TaskTerms[] memory terms) pure {
    address[] memory arbitrators = vm.parseJsonAddressArray(json, ".arbitrators");
    address[] memory stores = vm.parseJsonAddressArray(json, ".stores");
    bytes32[] memory criteriaHashes = vm.parseJsonBytes32Array(json, ".criteriaHashes");
    uint256[] memory nonces = vm.parseJsonUintArray(json, ".nonces");
    for (uint256 i = 0; i < terms.length; ++i) {
        terms[i].arbitrator = arbitrators[i];
        terms[i].store = stores[i];
        terms[i].criteriaHash = criteriaHashes[i];
        terms[i].nonce = nonces[i];
    }
}

function _readNumbers(string memory json, TaskTerms[] memory terms) pure {
    uint256[] memory reviewWindows = vm.parseJsonUintArray(json, ".reviewWindows");
    uint256[] memory maxRevisions = vm.parseJsonUintArray(json, ".maxRevisions");
    uint256[] memory scopes = vm.parseJsonUintArray(json, ".scopes");
    uint256[] memory claimPolicies = vm.parseJsonUintArray(json, ".claimPolicies");
    uint256[] memory claimDeadlines = vm.parseJsonUintArray(json, ".claimDeadlines");
    for (uint256 i = 0; i < terms.length; ++i) {
        terms[i].reviewWindow = uint64(reviewWindows[i]);
        terms[i].maxRevisions = uint8(maxRevisions[i]);
        terms[i].scope = TaskScope(scopes[i]);
        terms[i].claimPolicy = ClaimPolicy(claimPolicies[i]);
        terms[i].claimDeadline = uint64(claimDeadlines[i]);
    }
}
