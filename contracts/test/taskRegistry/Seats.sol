// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Signature, TaskScope, TaskTerms } from "../../src/types/Task.sol";
import { Base } from "../Base.sol";
import { vm } from "../Vm.sol";

/// @dev The five places where the registry takes a signature. A forgery is put into a seat while everything else about the
/// call is honest, and right after a refusal the same call with an honest signature must go through.
abstract contract Seats is Base {
    enum Seat {
        POSTER_ACCEPTANCE,
        WORKER_ACCEPTANCE,
        PERMIT,
        POSTER_CANCEL,
        WORKER_CANCEL
    }

    uint256 internal constant SEATS = 5;
    uint256 internal constant SHARE = 2_500;
    /// @dev The order of the curve.
    uint256 internal constant N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;

    /// @dev What the acceptances, the permit and the cancellations are about.
    TaskTerms internal terms;
    uint256 internal permitTask;
    uint256 internal cancelTask;
    /// @dev How many forgeries were refused.
    uint256 internal refused;

    function setUp() public virtual override {
        super.setUp();
        TaskTerms memory privateTerms = _terms();
        privateTerms.scope = TaskScope.PRIVATE;
        terms = privateTerms;
        permitTask = _post(_permitTerms(), 0);
        cancelTask = _active();
    }

    function _signer(Seat seat) internal pure returns (address) {
        return vm.addr(_key(seat));
    }

    function _key(Seat seat) internal pure returns (uint256) {
        return seat == Seat.WORKER_ACCEPTANCE || seat == Seat.WORKER_CANCEL ? WORKER_KEY : POSTER_KEY;
    }

    function _now() internal view returns (uint64) {
        return uint64(block.timestamp);
    }

    function _registryDomain() internal view returns (bytes32) {
        return _domain(address(registry));
    }

    /// @dev What an honest wallet in this seat signs.
    function _message(Seat seat, uint256 nonce, uint64 expiry) internal view returns (bytes32) {
        return _messageOf(seat, _signer(seat), nonce, expiry);
    }

    /// @dev The same with another party in it; a permit names none.
    function _messageOf(Seat seat, address party, uint256 nonce, uint64 expiry) internal view returns (bytes32) {
        if (seat <= Seat.WORKER_ACCEPTANCE) {
            return _acceptanceHash(_termsHash(terms, "standard", address(tok)), WORKER, party, nonce, expiry);
        }
        if (seat == Seat.PERMIT) return _permitHash(permitTask, _digestFor(permitTask, WORKER), WORKER, nonce, expiry);
        return _cancelHash(registry, cancelTask, SHARE, party, nonce, expiry);
    }

    function _permitHash(uint256 taskId, bytes32 digest, address worker, uint256 nonce, uint64 expiry)
        internal
        pure
        returns (bytes32)
    {
        bytes32 typeHash = keccak256(
            "ClaimPermit(uint256 taskId,bytes32 settlementDigest,address worker,uint256 nonce,uint64 expiry)"
        );
        return keccak256(abi.encode(typeHash, taskId, digest, worker, nonce, expiry));
    }

    function _honest(Seat seat) internal returns (Signature memory) {
        return _honest(seat, _nonce(), _now());
    }

    function _honest(Seat seat, uint256 nonce, uint64 expiry) internal view returns (Signature memory) {
        return _sign(_key(seat), _registryDomain(), _message(seat, nonce, expiry), nonce, expiry);
    }

    function _sign(uint256 key, bytes32 domain, bytes32 message, uint256 nonce, uint64 expiry)
        internal
        pure
        returns (Signature memory)
    {
        return _signDigest(key, _typedData(domain, message), nonce, expiry);
    }

    function _signDigest(uint256 key, bytes32 digest, uint256 nonce, uint64 expiry)
        internal
        pure
        returns (Signature memory)
    {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return Signature({ nonce: nonce, expiry: expiry, data: abi.encodePacked(r, s, v) });
    }

    /// @dev The call that takes `signature` in `seat`, with an honest one in the other.
    function _call(Seat seat, Signature memory signature) internal returns (bytes memory) {
        if (seat == Seat.POSTER_ACCEPTANCE) {
            return abi.encodeCall(registry.create, (terms, WORKER, signature, _honest(Seat.WORKER_ACCEPTANCE)));
        }
        if (seat == Seat.WORKER_ACCEPTANCE) {
            return abi.encodeCall(registry.create, (terms, WORKER, _honest(Seat.POSTER_ACCEPTANCE), signature));
        }
        if (seat == Seat.PERMIT) {
            return abi.encodeCall(registry.claimWithPermit, (permitTask, _digestFor(permitTask, WORKER), signature));
        }
        if (seat == Seat.POSTER_CANCEL) {
            return abi.encodeCall(registry.mutualCancel, (cancelTask, SHARE, signature, _honest(Seat.WORKER_CANCEL)));
        }
        return abi.encodeCall(registry.mutualCancel, (cancelTask, SHARE, _honest(Seat.POSTER_CANCEL), signature));
    }

    function _submit(Seat seat, Signature memory signature) internal returns (bool success, bytes memory answer) {
        bytes memory data = _call(seat, signature);
        if (seat == Seat.PERMIT) vm.prank(WORKER);
        // Enough for every honest call, and little enough for a wallet that burns it all.
        (success, answer) = address(registry).call{ gas: 5_000_000 }(data);
    }

    function _assertAccepted(Seat seat, Signature memory signature) internal {
        (bool success,) = _submit(seat, signature);
        vm.assertTrue(success, "refused");
    }

    /// @dev As if it had not happened.
    function _assertAcceptable(Seat seat, Signature memory signature) internal {
        uint256 snapshot = vm.snapshotState();
        _assertAccepted(seat, signature);
        vm.revertToState(snapshot);
    }

    function _assertRefused(Seat seat, Signature memory signature, bytes memory reason) internal {
        (bool success, bytes memory answer) = _submit(seat, signature);
        vm.assertFalse(success, "accepted");
        vm.assertEq(answer, reason);
        _assertAcceptable(seat, _honest(seat));
        ++refused;
    }

    function _assertInvalid(Seat seat, Signature memory signature) internal {
        _assertRefused(seat, signature, _invalid(_signer(seat)));
    }

    function _invalid(address signer) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IAgreements.InvalidSignature.selector, signer);
    }

    function _nonceUsed(address account, uint256 nonce) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ITaskRegistry.NonceUsed.selector, account, nonce);
    }

    function _expired(address signer, uint256 expiry) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IAgreements.SignatureExpired.selector, signer, expiry);
    }
}
