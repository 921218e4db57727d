// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { BitMaps } from "@openzeppelin/contracts/utils/structs/BitMaps.sol";
import { ITaskRegistry } from "../interfaces/ITaskRegistry.sol";

/// @title The nonces that make each signature work once
abstract contract Nonces is ITaskRegistry {
    using BitMaps for BitMaps.BitMap;

    mapping(address account => BitMaps.BitMap) private _usedNonces;

    /// @inheritdoc ITaskRegistry
    function invalidateNonce(uint256 nonce) external {
        _useNonce(msg.sender, nonce);
    }

    /// @inheritdoc ITaskRegistry
    function isNonceUsed(address account, uint256 nonce) external view returns (bool) {
        return _usedNonces[account].get(nonce);
    }

    function _useNonce(address account, uint256 nonce) internal {
        if (_usedNonces[account].get(nonce)) revert NonceUsed(account, nonce);
        _usedNonces[account].set(nonce);
        emit NonceInvalidated(account, nonce);
    }
}
