// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ISuiteFactory } from "./interfaces/ISuiteFactory.sol";

/// @title Creates the contracts of a suite at addresses that are known beforehand
contract SuiteFactory is ISuiteFactory {
    /// @inheritdoc ISuiteFactory
    address public immutable deployer;

    /// @inheritdoc ISuiteFactory
    uint256 public created;

    constructor(address deployer_) {
        deployer = deployer_;
    }

    /// @inheritdoc ISuiteFactory
    function create(uint256 index, bytes calldata creationCode) external returns (address instance) {
        if (msg.sender != deployer) revert NotDeployer(msg.sender);
        if (index != created) revert WrongIndex(index, created);

        created = index + 1;
        bytes memory code = creationCode;
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            instance := create(0, add(code, 0x20), mload(code))
            if iszero(instance) {
                let reason := mload(0x40)
                returndatacopy(reason, 0, returndatasize())
                revert(reason, returndatasize())
            }
        }
    }
}
