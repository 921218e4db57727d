// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Signature } from "../../src/types/Task.sol";
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
        address[5] memory others = [address(0), address(escrow), address(this), POSTER, _microRegistry(here)];
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

    function test_Signer_TheOtherPartysHonestSignature() external {
        _assertInvalid(Seat.POSTER_ACCEPTANCE, _honest(Seat.WORKER_ACCEPTANCE));
        _assertInvalid(Seat.WORKER_ACCEPTANCE, _honest(Seat.POSTER_ACCEPTANCE));
        _assertInvalid(Seat.POSTER_CANCEL, _honest(Seat.WORKER_CANCEL));
        _assertInvalid(Seat.WORKER_CANCEL, _honest(Seat.POSTER_CANCEL));
        vm.assertEq(refused, 4);
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

    function test_Message_PermitForAnotherTaskOrWorker() external {
        uint256[5] memory taskIds = [permitTask, permitTask, permitTask, permitTask + 1, cancelTask];
        address[5] memory workers = [STRANGER, POSTER, address(0), WORKER, WORKER];
        for (uint256 i = 0; i < taskIds.length; ++i) {
            uint256 nonce = _nonce();
            bytes32 message = _permitHash(taskIds[i], workers[i], nonce, _now());
            _assertInvalid(Seat.PERMIT, _sign(POSTER_KEY, _registryDomain(), message, nonce, _now()));
        }
        vm.assertEq(refused, 5);
    }

    function test_Message_CancelOfAnotherTaskMilestoneOrShare() external {
        bytes32 digest = registry.settlementDigestOf(cancelTask);
        for (uint256 i = 0; i < 2; ++i) {
            Seat seat = i == 0 ? Seat.POSTER_CANCEL : Seat.WORKER_CANCEL;
            _assertCancelRefused(seat, cancelTask + 1, digest, 0, SHARE);
            _assertCancelRefused(seat, permitTask, digest, 0, SHARE);
            _assertCancelRefused(seat, cancelTask | (1 << 255), digest, 0, SHARE);
            _assertCancelRefused(seat, cancelTask, _digestFor(cancelTask, STRANGER), 0, SHARE);
            _assertCancelRefused(seat, cancelTask, _digestFor(cancelTask, address(0)), 0, SHARE);
            _assertCancelRefused(seat, cancelTask, registry.settlementDigestOf(permitTask), 0, SHARE);
            _assertCancelRefused(seat, cancelTask, 0, 0, SHARE);
            _assertCancelRefused(seat, cancelTask, digest, 1, SHARE);
            _assertCancelRefused(seat, cancelTask, digest, 256, SHARE);
            _assertCancelRefused(seat, cancelTask, digest, 0, SHARE + 1);
            _assertCancelRefused(seat, cancelTask, digest, 0, 0);
            _assertCancelRefused(seat, cancelTask, digest, 0, 10_000);
        }
        vm.assertEq(refused, 24);
    }

    function test_Message_CancelSignedBeforeAMilestoneWasPaid() external {
        Signature memory byPoster = _honest(Seat.POSTER_CANCEL);
        Signature memory byWorker = _honest(Seat.WORKER_CANCEL);
        vm.prank(POSTER);
        registry.release(cancelTask, 0);
        _assertInvalid(Seat.POSTER_CANCEL, byPoster);
        _assertInvalid(Seat.WORKER_CANCEL, byWorker);
    }

    function test_Message_CancelAgreedWithAnEarlierWorker() external {
        cancelTask = _claimed();
        Signature memory byPoster = _honest(Seat.POSTER_CANCEL);
        vm.prank(POSTER);
        registry.dismiss(cancelTask);
        _claim(cancelTask, STRANGER);
        Signature memory byStranger = _cancelSignature(registry, cancelTask, SHARE, STRANGER_KEY, _nonce(), _now());
        vm.expectRevert(_invalid(POSTER));
        registry.mutualCancel(cancelTask, SHARE, byPoster, byStranger);
        byPoster = _honest(Seat.POSTER_CANCEL);
        registry.mutualCancel(cancelTask, SHARE, byPoster, byStranger);
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

    function test_Time_NoExpiry() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            _assertRefused(Seat(i), _honest(Seat(i), _nonce(), 0), _expired(_signer(Seat(i)), 0));
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

    function _assertCancelRefused(Seat seat, uint256 taskId, bytes32 digest, uint256 milestone, uint256 share) private {
        bytes32 typeHash = keccak256(
            "MutualCancel(uint256 taskId,bytes32 settlementDigest,uint256 milestone,uint256 workerBps,address party,uint256 nonce,uint64 expiry)"
        );
        uint256 nonce = _nonce();
        bytes32 message =
            keccak256(abi.encode(typeHash, taskId, digest, milestone, share, _signer(seat), nonce, _now()));
        _assertInvalid(seat, _sign(_key(seat), _registryDomain(), message, nonce, _now()));
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
