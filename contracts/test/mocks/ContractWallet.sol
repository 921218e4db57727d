// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC1271 } from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import { ECDSA } from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @dev A contract wallet that signs by a key and refuses every other call. Put as code at an account's own address, the
/// account's key stays its owner.
contract ContractWallet is IERC1271 {
    error Refused();

    address private immutable OWNER;

    constructor(address owner) {
        OWNER = owner;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        return ECDSA.recoverCalldata(hash, signature) == OWNER ? IERC1271.isValidSignature.selector : bytes4(0);
    }

    fallback() external {
        revert Refused();
    }
}
