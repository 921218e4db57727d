// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC1271 } from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import { Signature } from "../../src/types/Task.sol";
import { MockWallet } from "../mocks/MockWallet.sol";
import { vm } from "../Vm.sol";
import { Seats } from "./Seats.sol";

contract TaskRegistryContractWalletsTest is Seats {
    uint256 private constant OWNER_KEY = 0xE5;

    function test_AcceptedWhenTheWalletSaysYes() external {
        _walletsAnswer(MockWallet.Answer.YES);
        for (uint256 i = 0; i < SEATS; ++i) {
            _assertAcceptable(Seat(i), _with(_nonce(), ""));
            _assertAcceptable(Seat(i), _with(_nonce(), "anything"));
        }
    }

    function test_AcceptedWithTheOwnersSignature() external {
        _walletsAnswer(MockWallet.Answer.OWNER);
        for (uint256 i = 0; i < SEATS; ++i) {
            uint256 snapshot = vm.snapshotState();
            _assertAcceptedByOwner(Seat(i));
            vm.revertToState(snapshot);
        }
    }

    function test_RevertGiven_AStrangerSignedForTheWallet() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            Seat seat = Seat(i);
            _put(_signer(seat), MockWallet.Answer.OWNER);
            uint256 nonce = _nonce();
            bytes32 message = _message(seat, nonce, _now());
            _assertRefusedByWallet(seat, _sign(STRANGER_KEY, _registryDomain(), message, nonce, _now()));
            _remove(_signer(seat));
        }
        vm.assertEq(refused, 5);
    }

    function test_RevertGiven_TheWalletAnswersWrongly() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            Seat seat = Seat(i);
            for (uint256 j = uint256(MockWallet.Answer.NO); j <= uint256(type(MockWallet.Answer).max); ++j) {
                Signature memory signature = _honest(seat);
                _put(_signer(seat), MockWallet.Answer(j));
                _assertRefusedByWallet(seat, signature);
            }
            _remove(_signer(seat));
        }
        vm.assertEq(refused, 60);
    }

    function test_RevertGiven_TheWalletHasNoSuchFunction() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            Signature memory signature = _honest(Seat(i));
            vm.etch(_signer(Seat(i)), address(usdc).code);
            _assertRefusedByWallet(Seat(i), signature);
            // Code that stops at once: the call succeeds and answers nothing.
            vm.etch(_signer(Seat(i)), hex"00");
            _assertRefusedByWallet(Seat(i), signature);
            _remove(_signer(Seat(i)));
        }
        vm.assertEq(refused, 10);
    }

    function test_RevertGiven_OnlyTheKeyOfAnAddressWithCodeSigned() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            _put(_signer(Seat(i)), MockWallet.Answer.OWNER);
            _assertRefusedByWallet(Seat(i), _honest(Seat(i)));
            _remove(_signer(Seat(i)));
        }
        vm.assertEq(refused, 5);
    }

    function test_RevertGiven_OneKeyOwnsBothPartiesWallets() external {
        _walletsAnswer(MockWallet.Answer.OWNER);
        Seat[4] memory seats = [Seat.POSTER_ACCEPTANCE, Seat.WORKER_ACCEPTANCE, Seat.POSTER_CANCEL, Seat.WORKER_CANCEL];
        for (uint256 i = 0; i < seats.length; ++i) {
            // The pair is made of neighbours: 0 and 1, 2 and 3.
            Seat other = seats[i ^ 1];
            Signature memory forOther = _byOwner(other, _nonce());
            bytes memory data = _pair(seats[i], forOther, forOther);
            (bool success, bytes memory answer) = address(registry).call(data);
            vm.assertFalse(success);
            vm.assertEq(answer, _invalid(_signer(seats[i])));

            (success,) = address(registry).call(_pair(seats[i], _byOwner(seats[i], _nonce()), forOther));
            vm.assertTrue(success);
            setUp();
            _walletsAnswer(MockWallet.Answer.OWNER);
        }
    }

    function test_RevertGiven_OneKeyOwnsTwoWorkersWallets() external {
        _put(WORKER, MockWallet.Answer.OWNER);
        _put(STRANGER, MockWallet.Answer.OWNER);
        bytes32 termsHash = _termsHash(terms, "standard", address(tok));
        uint256 nonce = _nonce();
        bytes32 message = _acceptanceHash(termsHash, WORKER, WORKER, nonce, _now());
        Signature memory byWorker = _sign(OWNER_KEY, _registryDomain(), message, nonce, _now());
        nonce = _nonce();
        message = _acceptanceHash(termsHash, STRANGER, POSTER, nonce, _now());
        Signature memory byPoster = _sign(POSTER_KEY, _registryDomain(), message, nonce, _now());
        vm.expectRevert(_invalid(STRANGER));
        registry.create(terms, STRANGER, byPoster, byWorker);
    }

    function test_AsksWithTheRightDigest() external {
        _walletsAnswer(MockWallet.Answer.YES);
        for (uint256 i = 0; i < SEATS; ++i) {
            uint256 nonce = _nonce();
            bytes32 digest = _typedData(_registryDomain(), _message(Seat(i), nonce, _now()));
            vm.expectCall(_signer(Seat(i)), abi.encodeCall(IERC1271.isValidSignature, (digest, "as signed")));
            _assertAcceptable(Seat(i), _with(nonce, "as signed"));
        }
    }

    function _walletsAnswer(MockWallet.Answer answer) private {
        _put(POSTER, answer);
        _put(WORKER, answer);
    }

    /// @dev Turns an account with a key into a wallet that another key owns.
    function _put(address account, MockWallet.Answer answer) private {
        vm.etch(account, address(new MockWallet()).code);
        MockWallet(account).set(vm.addr(OWNER_KEY), answer);
    }

    function _remove(address account) private {
        vm.etch(account, "");
    }

    function _with(uint256 nonce, bytes memory data) private view returns (Signature memory) {
        return Signature({ nonce: nonce, expiry: _now(), data: data });
    }

    function _byOwner(Seat seat, uint256 nonce) private view returns (Signature memory) {
        return _sign(OWNER_KEY, _registryDomain(), _message(seat, nonce, _now()), nonce, _now());
    }

    /// @dev The call with `mine` in `seat` and `other` in the other seat of the pair.
    function _pair(Seat seat, Signature memory mine, Signature memory other) private view returns (bytes memory) {
        if (seat == Seat.POSTER_ACCEPTANCE) return abi.encodeCall(registry.create, (terms, WORKER, mine, other));
        if (seat == Seat.WORKER_ACCEPTANCE) return abi.encodeCall(registry.create, (terms, WORKER, other, mine));
        if (seat == Seat.POSTER_CANCEL) {
            return abi.encodeCall(registry.mutualCancel, (cancelTask, SHARE, mine, other));
        }
        return abi.encodeCall(registry.mutualCancel, (cancelTask, SHARE, other, mine));
    }

    function _assertAcceptedByOwner(Seat seat) private {
        if (seat == Seat.PERMIT) return _assertAccepted(seat, _byOwner(seat, _nonce()));
        Seat other = Seat(uint256(seat) < 2 ? uint256(seat) ^ 1 : 7 - uint256(seat));
        (bool success,) = address(registry).call(_pair(seat, _byOwner(seat, _nonce()), _byOwner(other, _nonce())));
        vm.assertTrue(success);
    }

    /// @dev As `_assertInvalid`; the honest call that must go through is the one of a wallet that says yes.
    function _assertRefusedByWallet(Seat seat, Signature memory signature) private {
        (bool success, bytes memory answer) = _submit(seat, signature);
        vm.assertFalse(success, "accepted");
        vm.assertEq(answer, _invalid(_signer(seat)));
        uint256 snapshot = vm.snapshotState();
        _put(_signer(seat), MockWallet.Answer.YES);
        _assertAccepted(seat, signature);
        vm.revertToState(snapshot);
        ++refused;
    }
}
