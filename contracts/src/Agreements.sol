// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { MessageHashUtils } from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import { SignatureChecker } from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import { IAgreements } from "./interfaces/IAgreements.sol";
import { Contracts, MAX_MILESTONES, MAX_REVISIONS, MarketParams } from "./types/Market.sol";
import { Signature, TaskTerms } from "./types/Task.sol";

/// @title What parties and stores sign, and which terms a market takes
/// @notice The same types stand in `packages/protocol/src/terms/typedData.ts`; shared vectors keep the two equal.
/// @dev Apart from the registry because the registry must fit the contract size limit. The domain names the registry.
contract Agreements is IAgreements {
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    string private constant TERMS_TYPE =
        "TaskTerms(string market,address poster,address asset,uint256[] amounts,uint64[] durations,uint64 reviewWindow,uint8 maxRevisions,address arbitrator,address store,bytes32 criteriaHash,uint8 scope,uint8 claimPolicy,uint64 claimDeadline,uint256 nonce)";
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
        keccak256("ClaimPermit(uint256 taskId,bytes32 settlementDigest,address worker,uint256 nonce,uint64 expiry)");
    bytes32 private constant CANCEL_TYPEHASH = keccak256(
        "MutualCancel(uint256 taskId,bytes32 settlementDigest,uint256 milestone,uint8 state,uint256 reviewEnd,uint8 disputePhase,uint256 workerBps,address party,uint256 nonce,uint64 expiry)"
    );
    bytes32 private constant RECEIPT_TYPEHASH = keccak256(
        "StorageReceipt(uint256 taskId,uint256 milestone,uint256 revision,address worker,bytes32 proofHash,uint64 size,uint64 until)"
    );

    address private immutable REGISTRY;
    address private immutable ASSET;
    bytes32 private immutable MARKET_HASH;
    uint256 private immutable MIN_REVIEW_WINDOW;
    uint256 private immutable MAX_REVIEW_WINDOW;
    uint256 private immutable MIN_DURATION;
    uint256 private immutable MAX_DURATION;
    uint256 private immutable MAX_CLAIM_DEADLINE;
    uint256 private immutable CLAIM_CUTOFF;

    /// @inheritdoc IAgreements
    bytes32 public immutable paramsHash;

    constructor(Contracts memory contracts_, MarketParams memory params) {
        REGISTRY = contracts_.taskRegistry;
        ASSET = contracts_.tok;
        MARKET_HASH = keccak256(bytes(params.market));
        MIN_REVIEW_WINDOW = params.minReviewWindow;
        MAX_REVIEW_WINDOW = params.maxReviewWindow;
        MIN_DURATION = params.minDuration;
        MAX_DURATION = params.maxDuration;
        MAX_CLAIM_DEADLINE = params.maxClaimDeadline;
        CLAIM_CUTOFF = params.claimCutoff;
        paramsHash = keccak256(abi.encode(params));
    }

    /// @inheritdoc IAgreements
    function checkTerms(TaskTerms calldata terms) external view returns (uint256 total, bytes32 termsHash) {
        uint256 count = terms.amounts.length;
        if (count == 0 || count > MAX_MILESTONES || count != terms.durations.length) {
            revert MilestoneCountOutOfRange(count, terms.durations.length);
        }
        if (terms.reviewWindow < MIN_REVIEW_WINDOW || terms.reviewWindow > MAX_REVIEW_WINDOW) {
            revert ReviewWindowOutOfRange(terms.reviewWindow, MIN_REVIEW_WINDOW, MAX_REVIEW_WINDOW);
        }
        if (terms.maxRevisions > MAX_REVISIONS) revert TooManyRevisions(terms.maxRevisions, MAX_REVISIONS);
        if (terms.criteriaHash == 0) revert HashMissing();
        uint256 earliest = block.timestamp + CLAIM_CUTOFF;
        uint256 latest = block.timestamp + MAX_CLAIM_DEADLINE;
        if (terms.claimDeadline < earliest || terms.claimDeadline > latest) {
            revert ClaimDeadlineOutOfRange(terms.claimDeadline, earliest, latest);
        }
        for (uint256 i = 0; i < count; ++i) {
            uint256 amount = terms.amounts[i];
            uint256 duration = terms.durations[i];
            // The vault counts in uint128, so the sum of all milestones must fit too.
            if (amount == 0 || amount > type(uint128).max - total) revert AmountOutOfRange(i, amount);
            if (duration < MIN_DURATION || duration > MAX_DURATION) revert DurationOutOfRange(i, duration);
            total += amount;
        }
        termsHash = hashTerms(terms);
    }

    /// @inheritdoc IAgreements
    function checkAcceptance(bytes32 termsHash, address worker, address party, Signature calldata signature)
        external
        view
    {
        bytes32 settlement = _hashSettlement(termsHash, worker);
        _checkSignature(
            party, abi.encode(ACCEPTANCE_TYPEHASH, settlement, party, signature.nonce, signature.expiry), signature
        );
    }

    /// @inheritdoc IAgreements
    function checkClaimPermit(
        uint256 taskId,
        bytes32 settlementDigest_,
        address poster,
        address worker,
        Signature calldata signature
    ) external view {
        bytes memory message = abi.encode(
            PERMIT_TYPEHASH, taskId, settlementDigest_, worker, signature.nonce, signature.expiry
        );
        _checkSignature(poster, message, signature);
    }

    /// @inheritdoc IAgreements
    function checkMutualCancel(MutualCancel calldata cancel, address party, Signature calldata signature)
        external
        view
    {
        bytes memory message = abi.encode(CANCEL_TYPEHASH, cancel, party, signature.nonce, signature.expiry);
        _checkSignature(party, message, signature);
    }

    /// @inheritdoc IAgreements
    function checkReceipt(address store, StorageReceipt calldata receipt, bytes calldata signature) external view {
        bytes32 digest = _hashTypedData(keccak256(abi.encode(RECEIPT_TYPEHASH, receipt)));
        if (!SignatureChecker.isValidSignatureNow(store, digest, signature)) revert InvalidSignature(store);
    }

    /// @inheritdoc IAgreements
    function settlementDigest(bytes32 termsHash, address worker) external view returns (bytes32) {
        return _hashTypedData(_hashSettlement(termsHash, worker));
    }

    /// @inheritdoc IAgreements
    function hashTerms(TaskTerms calldata terms) public view returns (bytes32) {
        // Two halves: the compiler cannot hold all fifteen words on its stack at once.
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
                    terms.store,
                    terms.criteriaHash,
                    terms.scope,
                    terms.claimPolicy,
                    terms.claimDeadline,
                    terms.nonce
                )
            )
        );
    }

    /// @dev Fresh, and really by `signer`, be it a key or an ERC-1271 wallet.
    function _checkSignature(address signer, bytes memory message, Signature calldata signature) private view {
        if (block.timestamp > signature.expiry) revert SignatureExpired(signer, signature.expiry);
        bytes32 digest = _hashTypedData(keccak256(message));
        if (!SignatureChecker.isValidSignatureNow(signer, digest, signature.data)) revert InvalidSignature(signer);
    }

    /// @dev Computed anew: after a fork of the chain, signatures for one side are worthless on the other.
    function _hashTypedData(bytes32 structHash) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256("Svc Task Market"), keccak256("2"), block.chainid, REGISTRY)
        );
        return MessageHashUtils.toTypedDataHash(domain, structHash);
    }

    function _hashSettlement(bytes32 termsHash, address worker) private pure returns (bytes32) {
        return keccak256(abi.encode(SETTLEMENT_TYPEHASH, termsHash, worker));
    }
}
