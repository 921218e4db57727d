// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The part of Multicall3 that clients call, for chains that lack it. Stateless, so its runtime code works at the
/// address the real one has.
contract Multicall3 {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    error CallFailed(uint256 index, bytes returnData);

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success, bytes memory returnData) = calls[i].target.call(calls[i].callData);
            if (!success && !calls[i].allowFailure) revert CallFailed(i, returnData);
            results[i] = Result(success, returnData);
        }
    }
}
