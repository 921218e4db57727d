// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20Permit } from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import { TaskRegistry } from "../src/TaskRegistry.sol";
import { Receipt, Signature, Task, TaskTerms } from "../src/types/Task.sol";
import { TokenPermit } from "../src/types/TokenPermit.sol";
import { vm } from "./Vm.sol";

/// @dev What a wallet does with the typed data, written apart from the contract so that a slip there shows here.
abstract contract Signing {
    bytes32 internal constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 internal constant CANCEL_TYPEHASH = keccak256(
        "MutualCancel(uint256 taskId,bytes32 settlementDigest,uint256 milestone,uint8 state,uint256 reviewEnd,uint8 disputePhase,uint256 workerBps,address party,uint256 nonce,uint64 expiry)"
    );
    string private constant TERMS =
        "TaskTerms(string market,address poster,address asset,uint256[] amounts,uint64[] durations,uint64 reviewWindow,uint8 maxRevisions,address arbitrator,address store,bytes32 criteriaHash,uint8 scope,uint8 claimPolicy,uint64 claimDeadline,uint256 nonce)";
    string private constant SETTLEMENT = "TaskSettlement(TaskTerms terms,address worker)";

    function _domain(address registry) internal view returns (bytes32) {
        return
            keccak256(
                abi.encode(DOMAIN_TYPEHASH, keccak256("Svc Task Market"), keccak256("2"), block.chainid, registry)
            );
    }

    /// @dev hashStruct(TaskTerms), with the market and the asset the signer believes in.
    function _termsHash(TaskTerms memory terms, string memory market, address asset) internal pure returns (bytes32) {
        bytes memory durations;
        for (uint256 i = 0; i < terms.durations.length; ++i) {
            durations = abi.encodePacked(durations, uint256(terms.durations[i]));
        }
        bytes memory head = abi.encode(
            keccak256(bytes(TERMS)),
            keccak256(bytes(market)),
            terms.poster,
            asset,
            keccak256(abi.encodePacked(terms.amounts)),
            keccak256(durations),
            terms.reviewWindow
        );
        bytes memory tail = abi.encode(
            terms.maxRevisions,
            terms.arbitrator,
            terms.store,
            terms.criteriaHash,
            terms.scope,
            terms.claimPolicy,
            terms.claimDeadline,
            terms.nonce
        );
        return keccak256(abi.encodePacked(head, tail));
    }

    function _settlementHash(bytes32 termsHash, address worker) internal pure returns (bytes32) {
        return keccak256(abi.encode(keccak256(abi.encodePacked(SETTLEMENT, TERMS)), termsHash, worker));
    }

    function _settlementDigest(TaskRegistry registry, bytes32 termsHash, address worker)
        internal
        view
        returns (bytes32)
    {
        return _typedData(_domain(address(registry)), _settlementHash(termsHash, worker));
    }

    function _acceptanceHash(bytes32 termsHash, address worker, address party, uint256 nonce, uint64 expiry)
        internal
        pure
        returns (bytes32)
    {
        bytes32 typeHash = keccak256(
            abi.encodePacked(
                "TaskAcceptance(TaskSettlement settlement,address party,uint256 nonce,uint64 expiry)", SETTLEMENT, TERMS
            )
        );
        return keccak256(abi.encode(typeHash, _settlementHash(termsHash, worker), party, nonce, expiry));
    }

    function _acceptance(
        TaskRegistry registry,
        TaskTerms memory terms,
        address worker,
        uint256 key,
        uint256 nonce,
        uint64 expiry
    ) internal view returns (Signature memory) {
        bytes32 structHash = _acceptanceHash(_hashTerms(terms), worker, vm.addr(key), nonce, expiry);
        return _signed(address(registry), key, structHash, nonce, expiry);
    }

    function _permit(TaskRegistry registry, uint256 taskId, address worker, uint256 key, uint256 nonce, uint64 expiry)
        internal
        view
        returns (Signature memory)
    {
        bytes32 typeHash = keccak256(
            "ClaimPermit(uint256 taskId,bytes32 settlementDigest,address worker,uint256 nonce,uint64 expiry)"
        );
        bytes32 digest = _settlementDigest(registry, registry.taskOf(taskId).termsHash, worker);
        bytes32 structHash = keccak256(abi.encode(typeHash, taskId, digest, worker, nonce, expiry));
        return _signed(address(registry), key, structHash, nonce, expiry);
    }

    function _cancelHash(
        TaskRegistry registry,
        uint256 taskId,
        uint256 workerBps,
        address party,
        uint256 nonce,
        uint64 expiry
    ) internal view returns (bytes32) {
        bytes memory place = _placeOf(registry, taskId);
        return keccak256(bytes.concat(CANCEL_TYPEHASH, place, abi.encode(workerBps, party, nonce, expiry)));
    }

    /// @dev Where the task stands, as a mutual cancel names it.
    function _placeOf(TaskRegistry registry, uint256 taskId) private view returns (bytes memory) {
        Task memory task = registry.taskOf(taskId);
        bytes32 digest = _settlementDigest(registry, task.termsHash, task.worker);
        return abi.encode(taskId, digest, task.current, task.state, task.reviewEnd, _disputePhase(taskId));
    }

    function _cancelSignature(
        TaskRegistry registry,
        uint256 taskId,
        uint256 workerBps,
        uint256 key,
        uint256 nonce,
        uint64 expiry
    ) internal view returns (Signature memory) {
        bytes32 structHash = _cancelHash(registry, taskId, workerBps, vm.addr(key), nonce, expiry);
        return _signed(address(registry), key, structHash, nonce, expiry);
    }

    function _signed(address registry, uint256 key, bytes32 structHash, uint256 nonce, uint64 expiry)
        internal
        view
        returns (Signature memory)
    {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, _typedData(_domain(registry), structHash));
        return Signature({ nonce: nonce, expiry: expiry, data: abi.encodePacked(r, s, v) });
    }

    /// @dev A store's receipt for the delivery of `proofHash` that is, or will be, the current one.
    function _receipt(TaskRegistry registry, uint256 taskId, bytes32 proofHash, uint64 until, uint256 key)
        internal
        view
        returns (Receipt memory)
    {
        bytes32 typeHash = keccak256(
            "StorageReceipt(uint256 taskId,uint256 milestone,uint256 revision,address worker,bytes32 proofHash,uint64 size,uint64 until)"
        );
        Task memory task = registry.taskOf(taskId);
        bytes memory message =
            abi.encode(typeHash, taskId, task.current, task.revisions, task.worker, proofHash, uint64(1000), until);
        bytes memory data = _signed(address(registry), key, keccak256(message), 0, 0).data;
        return Receipt({ size: 1000, until: until, signature: data });
    }

    /// @dev hashStruct(TaskTerms) as the deployed market computes it.
    function _hashTerms(TaskTerms memory terms) internal view virtual returns (bytes32);

    function _disputePhase(uint256 taskId) internal view virtual returns (uint8);

    function _typedData(bytes32 domain, bytes32 structHash) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", domain, structHash));
    }

    /// @dev An allowance of the owner for half an hour, signed by a key that should be the owner's.
    function _signPermit(uint256 key, address owner, address token, address spender, uint256 amount)
        internal
        view
        returns (TokenPermit memory permit)
    {
        permit.deadline = block.timestamp + 30 minutes;
        bytes32 hash = keccak256(
            abi.encode(
                keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"),
                owner,
                spender,
                amount,
                IERC20Permit(token).nonces(owner),
                permit.deadline
            )
        );
        bytes32 domain = IERC20Permit(token).DOMAIN_SEPARATOR();
        (permit.v, permit.r, permit.s) = vm.sign(key, keccak256(abi.encodePacked(hex"1901", domain, hash)));
    }
}
