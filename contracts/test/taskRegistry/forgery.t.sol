// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { Signature, TaskState } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Seats } from "./Seats.sol";

contract TaskRegistryForgeryTest is Seats {
    function test_HonestSignaturesAreAccepted() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            _assertAccepted(Seat(i), _honest(Seat(i)));
            // Both acceptances are about one task and so are both cancellations: the second needs its own.
            setUp();
        }
    }

    function test_Domain_OtherChain() external {
        uint256[4] memory chainIds = [uint256(0), 1, 84_532, 8_454];
        for (uint256 i = 0; i < chainIds.length; ++i) {
            bytes32 version = keccak256("2");
            bytes32 name = keccak256("Svc Task Market");
            _assertDomainRefused(keccak256(abi.encode(DOMAIN_TYPEHASH, name, version, chainIds[i], address(registry))));
        }
        vm.assertEq(refused, 20);
    }

    function test_Domain_TheChainSplitAfterSigning() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            vm.chainId(8_453);
            Signature memory signature = _honest(Seat(i));
            vm.chainId(10_001);
            _assertInvalid(Seat(i), signature);
        }
        vm.assertEq(refused, 5);
    }

    function test_Domain_OtherContract() external {
        address here = address(registry);
        address[5] memory others = [address(0), address(agreements), address(this), POSTER, _microRegistry(here)];
        for (uint256 i = 0; i < others.length; ++i) {
            _assertDomainRefused(_domain(others[i]));
        }
        vm.assertEq(refused, 25);
    }

    function test_Domain_OtherNameOrVersion() external {
        string[4] memory names = ["Svc Task Market", "Svc Task Market", "svc task market", ""];
        string[4] memory versions = ["1", "", "2", "2"];
        for (uint256 i = 0; i < names.length; ++i) {
            (bytes32 name, bytes32 version) = (keccak256(bytes(names[i])), keccak256(bytes(versions[i])));
            _assertDomainRefused(
                keccak256(abi.encode(DOMAIN_TYPEHASH, name, version, block.chainid, address(registry)))
            );
        }
        vm.assertEq(refused, 20);
    }

    function test_Domain_MissingField() external {
        bytes32 noVersion = keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
        bytes32 noContract = keccak256("EIP712Domain(string name,string version,uint256 chainId)");
        bytes32 name = keccak256("Svc Task Market");
        _assertDomainRefused(keccak256(abi.encode(noVersion, name, block.chainid, address(registry))));
        _assertDomainRefused(keccak256(abi.encode(noContract, name, keccak256("2"), block.chainid)));
        vm.assertEq(refused, 10);
    }

    function test_Domain_None() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            (uint256 nonce, uint256 key) = (_nonce(), _key(Seat(i)));
            bytes32 message = _message(Seat(i), nonce, _now());
            bytes32 digest = _typedData(_registryDomain(), message);
            bytes32 personal = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", digest));
            _assertInvalid(Seat(i), _signDigest(key, message, nonce, _now()));
            _assertInvalid(Seat(i), _signDigest(key, personal, nonce, _now()));
            _assertInvalid(Seat(i), _signDigest(key, keccak256(abi.encode(digest)), nonce, _now()));
        }
        vm.assertEq(refused, 15);
    }

    function test_Signer_Stranger() external {
        uint256[3] memory keys = [STRANGER_KEY, ARBITRATOR_KEY, 1];
        for (uint256 i = 0; i < SEATS * keys.length; ++i) {
            _assertKeyRefused(Seat(i % SEATS), keys[i / SEATS]);
        }
        vm.assertEq(refused, 15);
    }

    function test_Signer_TheOtherParty() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            _assertKeyRefused(Seat(i), _key(Seat(i)) == POSTER_KEY ? WORKER_KEY : POSTER_KEY);
        }
        vm.assertEq(refused, 5);
    }

    function test_Signer_NamesTheOtherParty() external {
        address[3] memory parties = [address(0), STRANGER, address(0)];
        for (uint256 i = 0; i < SEATS; ++i) {
            if (Seat(i) == Seat.PERMIT) continue;
            parties[2] = _key(Seat(i)) == POSTER_KEY ? WORKER : POSTER;
            for (uint256 j = 0; j < parties.length; ++j) {
                uint256 nonce = _nonce();
                bytes32 message = _messageOf(Seat(i), parties[j], nonce, _now());
                _assertInvalid(Seat(i), _sign(_key(Seat(i)), _registryDomain(), message, nonce, _now()));
            }
        }
        vm.assertEq(refused, 12);
    }

    /// @dev `ecrecover` answers the zero address to nonsense; that must not make it a party.
    function test_Signer_Nobody() external {
        uint64 expiry = _now();
        Signature memory nobody = Signature({ nonce: 1, expiry: expiry, data: new bytes(65) });
        bytes32 termsHash = _termsHash(terms, "standard", address(tok));
        uint256 nonce = _nonce();
        bytes32 message = _acceptanceHash(termsHash, address(0), POSTER, nonce, expiry);
        Signature memory byPoster = _sign(POSTER_KEY, _registryDomain(), message, nonce, expiry);
        vm.expectRevert(_invalid(address(0)));
        registry.create(terms, address(0), byPoster, nobody);
    }

    function test_Message_SignedForAnotherSeat() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            for (uint256 j = 0; j < SEATS; ++j) {
                if (i != j) _assertInvalid(Seat(i), _honest(Seat(j)));
            }
        }
        vm.assertEq(refused, 20);
    }

    function test_Message_NonceChanged() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            Signature memory signature = _honest(Seat(i));
            signature.nonce = _nonce();
            _assertInvalid(Seat(i), signature);
        }
        vm.assertEq(refused, 5);
    }

    function test_Message_ExpiryPutOff() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            Signature memory signature = _honest(Seat(i), _nonce(), _now() - 1);
            signature.expiry += 1;
            _assertInvalid(Seat(i), signature);
            signature.expiry = type(uint64).max;
            _assertInvalid(Seat(i), signature);
        }
        vm.assertEq(refused, 10);
    }

    function test_Message_PermitForAnotherTaskTermsOrWorker() external {
        bytes32 digest = _digestFor(permitTask, WORKER);
        _assertPermitRefused(permitTask, digest, STRANGER);
        _assertPermitRefused(permitTask, digest, POSTER);
        _assertPermitRefused(permitTask, digest, address(0));
        _assertPermitRefused(permitTask + 1, digest, WORKER);
        _assertPermitRefused(cancelTask, digest, WORKER);
        _assertPermitRefused(permitTask, _digestFor(permitTask, STRANGER), WORKER);
        _assertPermitRefused(permitTask, _digestFor(permitTask, address(0)), WORKER);
        _assertPermitRefused(permitTask, _digestFor(cancelTask, WORKER), WORKER);
        _assertPermitRefused(permitTask, 0, WORKER);
        vm.assertEq(refused, 9);
    }

    /// @dev One field of the place is signed otherwise, for each field and each party.
    function test_Message_CancelOfAnotherPlace() external {
        uint256[7] memory honest =
            [cancelTask, uint256(registry.settlementDigestOf(cancelTask)), 0, uint256(TaskState.ACTIVE), 0, 0, SHARE];
        _assertPlaceRefused(honest, 0, cancelTask + 1);
        _assertPlaceRefused(honest, 0, permitTask);
        _assertPlaceRefused(honest, 0, cancelTask | (1 << 255));
        _assertPlaceRefused(honest, 1, uint256(_digestFor(cancelTask, STRANGER)));
        _assertPlaceRefused(honest, 1, uint256(_digestFor(cancelTask, address(0))));
        _assertPlaceRefused(honest, 1, uint256(registry.settlementDigestOf(permitTask)));
        _assertPlaceRefused(honest, 1, 0);
        _assertPlaceRefused(honest, 2, 1);
        _assertPlaceRefused(honest, 2, 256);
        _assertPlaceRefused(honest, 3, uint256(TaskState.CLAIMED));
        _assertPlaceRefused(honest, 3, uint256(TaskState.DISPUTED));
        _assertPlaceRefused(honest, 4, block.timestamp);
        _assertPlaceRefused(honest, 5, uint256(IArbitration.DisputePhase.CLOSED));
        _assertPlaceRefused(honest, 6, SHARE + 1);
        _assertPlaceRefused(honest, 6, 0);
        _assertPlaceRefused(honest, 6, 10_000);
        vm.assertEq(refused, 32);
        // Only the place was wrong.
        uint256 nonce = _nonce();
        _assertAcceptable(Seat.POSTER_CANCEL, _signPlace(Seat.POSTER_CANCEL, honest, nonce));
    }

    function test_Message_BareSettlementDigest() external {
        bytes32 digest = _settlementDigest(registry, _termsHash(terms, "standard", address(tok)), WORKER);
        _assertInvalid(Seat.POSTER_ACCEPTANCE, _signDigest(POSTER_KEY, digest, _nonce(), _now()));
        _assertInvalid(Seat.WORKER_ACCEPTANCE, _signDigest(WORKER_KEY, digest, _nonce(), _now()));
        vm.assertEq(refused, 2);
    }

    function test_Time_ExpiresThisSecond() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            Signature memory signature = _honest(Seat(i), _nonce(), _now() + 1 hours);
            _assertAcceptable(Seat(i), signature);
            vm.warp(signature.expiry);
            _assertAcceptable(Seat(i), signature);
        }
    }

    function test_Time_ExpiredASecondAgo() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            Signature memory signature = _honest(Seat(i), _nonce(), _now() + 1 hours);
            _after(signature.expiry);
            _assertRefused(Seat(i), signature, _expired(_signer(Seat(i)), signature.expiry));
        }
        vm.assertEq(refused, 5);
    }

    function _assertDomainRefused(bytes32 domain) private {
        for (uint256 i = 0; i < SEATS; ++i) {
            uint256 nonce = _nonce();
            bytes32 message = _message(Seat(i), nonce, _now());
            _assertInvalid(Seat(i), _sign(_key(Seat(i)), domain, message, nonce, _now()));
        }
    }

    function _assertPermitRefused(uint256 taskId, bytes32 digest, address worker) private {
        uint256 nonce = _nonce();
        bytes32 message = _permitHash(taskId, digest, worker, nonce, _now());
        _assertInvalid(Seat.PERMIT, _sign(POSTER_KEY, _registryDomain(), message, nonce, _now()));
    }

    function _assertPlaceRefused(uint256[7] memory honest, uint256 field, uint256 value) private {
        uint256 right = honest[field];
        honest[field] = value;
        for (uint256 i = 0; i < 2; ++i) {
            Seat seat = i == 0 ? Seat.POSTER_CANCEL : Seat.WORKER_CANCEL;
            _assertInvalid(seat, _signPlace(seat, honest, _nonce()));
        }
        honest[field] = right;
    }

    function _signPlace(Seat seat, uint256[7] memory place, uint256 nonce) private view returns (Signature memory) {
        bytes memory tail = abi.encode(_signer(seat), nonce, _now());
        bytes32 message = keccak256(bytes.concat(CANCEL_TYPEHASH, abi.encodePacked(place), tail));
        return _sign(_key(seat), _registryDomain(), message, nonce, _now());
    }

    function _assertKeyRefused(Seat seat, uint256 key) private {
        uint256 nonce = _nonce();
        _assertInvalid(seat, _sign(key, _registryDomain(), _message(seat, nonce, _now()), nonce, _now()));
    }

    /// @dev Deploys the other market and comes back to this one.
    function _microRegistry(address here) private returns (address there) {
        uint256 snapshot = vm.snapshotState();
        _deployMarket("micro", address(tok));
        there = address(registry);
        vm.revertToState(snapshot);
        vm.assertTrue(there != here);
        vm.assertEq(address(registry), here);
    }
}
