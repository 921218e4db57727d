// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { EIP712 } from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import { SignatureChecker } from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import { BitMaps } from "@openzeppelin/contracts/utils/structs/BitMaps.sol";
import { ITaskRegistry } from "../interfaces/ITaskRegistry.sol";
import { Signature, Task, TaskTerms } from "../types/Task.sol";

/// @title The structs parties sign, and the nonces that make each signature work once
/// @notice The same types stand in `packages/protocol/src/typedData.ts`; shared vectors keep the two equal.
abstract contract TaskSigning is EIP712, ITaskRegistry {
    using BitMaps for BitMaps.BitMap;

    string private constant TERMS_TYPE =
        "TaskTerms(string market,address poster,address asset,uint256[] amounts,uint64[] durations,uint64 reviewWindow,uint8 maxRevisions,address arbitrator,bytes32 criteriaHash,uint8 scope,uint8 claimPolicy,uint64 claimDeadline,uint256 nonce)";
    bytes32 private constant TERMS_TYPEHASH = keccak256(bytes(TERMS_TYPE));
    bytes32 private constant SETTLEMENT_TYPEHASH =
        keccak256(bytes.concat("TaskSettlement(TaskTerms terms,address worker)", bytes(TERMS_TYPE)));
    bytes32 private constant ACCEPTANCE_TYPEHASH = keccak256(
        bytes.concat(
            "TaskAcceptance(TaskSettlement settlement,address party,uint256 nonce,uint64 expiry)",
            "TaskSettlement(TaskTerms terms,address worker)",
            bytes(TERMS_TYPE)
        )
    );
    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("ClaimPermit(uint256 taskId,address worker,uint256 nonce,uint64 expiry)");
    bytes32 private constant CANCEL_TYPEHASH = keccak256(
        "MutualCancel(uint256 taskId,bytes32 settlementDigest,uint256 milestone,uint256 workerBps,address party,uint256 nonce,uint64 expiry)"
    );

    bytes32 private immutable MARKET_HASH;
    address private immutable ASSET;

    mapping(address account => BitMaps.BitMap) private _usedNonces;

    constructor(string memory market_, address asset_) EIP712("Svc Task Market", "2") {
        MARKET_HASH = keccak256(bytes(market_));
        ASSET = asset_;
    }

    /// @inheritdoc ITaskRegistry
    function invalidateNonce(uint256 nonce) external {
        _useNonce(msg.sender, nonce);
    }

    /// @inheritdoc ITaskRegistry
    function isNonceUsed(address account, uint256 nonce) external view returns (bool) {
        return _usedNonces[account].get(nonce);
    }

    /// @inheritdoc ITaskRegistry
    function settlementDigest(TaskTerms calldata terms, address worker) external view returns (bytes32) {
        return _settlementDigest(hashTerms(terms), worker);
    }

    /// @inheritdoc ITaskRegistry
    function hashTerms(TaskTerms calldata terms) public view returns (bytes32) {
        // Two halves: the compiler cannot hold all fourteen words on its stack at once.
        return keccak256(
            bytes.concat(
                abi.encode(
                    TERMS_TYPEHASH,
                    MARKET_HASH,
                    terms.poster,
                    ASSET,
                    keccak256(abi.encodePacked(terms.amounts)),
                    keccak256(abi.encodePacked(terms.durations)),
                    terms.reviewWindow
                ),
                abi.encode(
                    terms.maxRevisions,
                    terms.arbitrator,
                    terms.criteriaHash,
                    terms.scope,
                    terms.claimPolicy,
                    terms.claimDeadline,
                    terms.nonce
                )
            )
        );
    }

    function _settlementDigest(bytes32 termsHash, address worker) internal view returns (bytes32) {
        return _hashTypedDataV4(_hashSettlement(termsHash, worker));
    }

    function _checkAcceptance(bytes32 termsHash, address worker, address party, Signature calldata signature) internal {
        bytes32 settlement = _hashSettlement(termsHash, worker);
        bytes memory message = abi.encode(ACCEPTANCE_TYPEHASH, settlement, party, signature.nonce, signature.expiry);
        _checkSignature(party, message, signature);
    }

    function _checkClaimPermit(uint256 taskId, address poster, address worker, Signature calldata signature) internal {
        bytes memory message = abi.encode(PERMIT_TYPEHASH, taskId, worker, signature.nonce, signature.expiry);
        _checkSignature(poster, message, signature);
    }

    /// @dev Bound to the worker and to the milestone in work: a share agreed with one worker, or of one sum, is no other's.
    function _checkMutualCancel(
        uint256 taskId,
        Task storage task,
        uint256 workerBps,
        address party,
        Signature calldata signature
    ) internal {
        bytes32 digest = _settlementDigest(task.termsHash, task.worker);
        bytes memory message = abi.encode(
            CANCEL_TYPEHASH, taskId, digest, task.current, workerBps, party, signature.nonce, signature.expiry
        );
        _checkSignature(party, message, signature);
    }

    function _useNonce(address account, uint256 nonce) internal {
        if (_usedNonces[account].get(nonce)) revert NonceUsed(account, nonce);
        _usedNonces[account].set(nonce);
        emit NonceInvalidated(account, nonce);
    }

    /// @dev Fresh, unused, and really by `signer`, be it a key or an ERC-1271 wallet.
    function _checkSignature(address signer, bytes memory message, Signature calldata signature) private {
        if (block.timestamp > signature.expiry) revert SignatureExpired(signer, signature.expiry);
        _useNonce(signer, signature.nonce);
        bytes32 digest = _hashTypedDataV4(keccak256(message));
        if (!SignatureChecker.isValidSignatureNow(signer, digest, signature.data)) revert InvalidSignature(signer);
    }

    function _hashSettlement(bytes32 termsHash, address worker) private pure returns (bytes32) {
        return keccak256(abi.encode(SETTLEMENT_TYPEHASH, termsHash, worker));
    }
}
