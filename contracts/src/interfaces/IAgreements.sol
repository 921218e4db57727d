// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Signature, TaskState, TaskTerms } from "../types/Task.sol";
import { IArbitration } from "./IArbitration.sol";

/// @title What parties and stores sign, and which terms a market takes
/// @notice Reads only. Nonces are spent by the registry, in whose name everything is signed.
interface IAgreements {
    /// @dev What both parties sign to end a task early. It names where the task stands: an old signature ends nothing new.
    struct MutualCancel {
        uint256 taskId;
        bytes32 settlementDigest;
        uint256 milestone;
        TaskState state;
        uint256 reviewEnd;
        IArbitration.DisputePhase disputePhase;
        uint256 workerBps;
    }

    /// @dev What a store signs for one delivery.
    struct StorageReceipt {
        uint256 taskId;
        uint256 milestone;
        uint256 revision;
        address worker;
        bytes32 proofHash;
        uint64 size;
        uint64 until;
    }

    error MilestoneCountOutOfRange(uint256 amounts, uint256 durations);
    error AmountOutOfRange(uint256 milestone, uint256 amount);
    error DurationOutOfRange(uint256 milestone, uint256 duration);
    error ReviewWindowOutOfRange(uint256 reviewWindow, uint256 min, uint256 max);
    error TooManyRevisions(uint256 maxRevisions, uint256 limit);
    error ClaimDeadlineOutOfRange(uint256 claimDeadline, uint256 min, uint256 max);
    error HashMissing();
    error SignatureExpired(address signer, uint256 expiry);
    error InvalidSignature(address signer);

    /// @notice Refuses terms that this market does not take.
    /// @param terms The terms of a new task.
    /// @return total The sum of all milestones.
    /// @return termsHash hashStruct(TaskTerms).
    function checkTerms(TaskTerms calldata terms) external view returns (uint256 total, bytes32 termsHash);

    /// @notice Refuses an acceptance that the party did not sign or that has expired.
    /// @param termsHash hashStruct of the accepted terms.
    /// @param worker The worker they are accepted with.
    /// @param party Who signed: the poster or the worker.
    /// @param signature The party's signature.
    function checkAcceptance(bytes32 termsHash, address worker, address party, Signature calldata signature)
        external
        view;

    /// @notice Refuses a claim permit that the poster did not sign or that has expired.
    /// @param taskId The task.
    /// @param settlementDigest_ The digest of its terms with this worker.
    /// @param poster Who signed.
    /// @param worker Whom it permits to claim.
    /// @param signature The poster's signature.
    function checkClaimPermit(
        uint256 taskId,
        bytes32 settlementDigest_,
        address poster,
        address worker,
        Signature calldata signature
    ) external view;

    /// @notice Refuses a mutual cancel that the party did not sign or that has expired.
    /// @param cancel What was signed.
    /// @param party Who signed.
    /// @param signature The party's signature.
    function checkMutualCancel(MutualCancel calldata cancel, address party, Signature calldata signature) external view;

    /// @notice Refuses a receipt that the store did not sign.
    /// @param store Who signed.
    /// @param receipt What was signed.
    /// @param signature The store's signature.
    function checkReceipt(address store, StorageReceipt calldata receipt, bytes calldata signature) external view;

    /// @notice hashStruct(TaskTerms) as EIP-712 defines it.
    /// @param terms The terms.
    /// @return The hash.
    function hashTerms(TaskTerms calldata terms) external view returns (bytes32);

    /// @notice The EIP-712 digest of terms with a worker; zero worker for an open task before its claim.
    /// @param termsHash hashStruct of the terms.
    /// @param worker The worker.
    /// @return The digest.
    function settlementDigest(bytes32 termsHash, address worker) external view returns (bytes32);

    /// @notice The hash of the parameters this contract was deployed with; `TaskLens` has them in full.
    /// @return keccak256 of the ABI-encoded `MarketParams`.
    function paramsHash() external view returns (bytes32);
}
