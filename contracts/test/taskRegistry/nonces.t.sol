// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Signature, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Seats } from "./Seats.sol";

contract TaskRegistryNoncesTest is Seats {
    /// @dev What spends a nonce. The last three are open to both parties.
    enum Use {
        POST,
        CREATE,
        PERMIT,
        ACCEPTANCE,
        CANCEL,
        INVALIDATE
    }

    uint256 private constant NONCE = 1 << 200;

    function test_ThePostersNonceWorksOnce() external {
        uint256 pairs = 0;
        for (uint256 i = 0; i <= uint256(type(Use).max); ++i) {
            for (uint256 j = 0; j <= uint256(type(Use).max); ++j) {
                _assertWorksOnce(POSTER, Use(i), Use(j));
                ++pairs;
            }
        }
        vm.assertEq(pairs, 36);
    }

    function test_TheWorkersNonceWorksOnce() external {
        uint256 pairs = 0;
        for (uint256 i = uint256(Use.ACCEPTANCE); i <= uint256(type(Use).max); ++i) {
            for (uint256 j = uint256(Use.ACCEPTANCE); j <= uint256(type(Use).max); ++j) {
                _assertWorksOnce(WORKER, Use(i), Use(j));
                ++pairs;
            }
        }
        vm.assertEq(pairs, 9);
    }

    function test_StaysUnusedWhenTheCallReverts() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            Signature memory signature = _honest(Seat(i));
            signature.data[7] ^= 0x01;
            (bool success,) = _submit(Seat(i), signature);
            vm.assertFalse(success);
            vm.assertFalse(registry.isNonceUsed(_signer(Seat(i)), signature.nonce));
        }
    }

    function test_WorksWhenSomeoneElseInvalidatedTheNumber() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            Signature memory signature = _honest(Seat(i), NONCE + i, _now());
            vm.prank(_signer(Seat(i)) == POSTER ? WORKER : POSTER);
            registry.invalidateNonce(NONCE + i);
            vm.prank(STRANGER);
            registry.invalidateNonce(NONCE + i);
            _assertAcceptable(Seat(i), signature);
        }
    }

    function test_WorksWhenUsedInTheOtherMarket() external {
        address here = address(registry);
        _deployMarket("micro", address(tok));
        vm.assertTrue(address(registry) != here);
        vm.startPrank(POSTER);
        registry.invalidateNonce(NONCE);
        ITaskRegistry(here).invalidateNonce(NONCE);
        vm.stopPrank();
        vm.assertTrue(registry.isNonceUsed(POSTER, NONCE));
    }

    function test_WorksInAnyOrderAndAtTheEnds() external {
        uint256[6] memory numbers = [type(uint256).max, 0, 256, 255, type(uint256).max - 1, 1 << 255];
        for (uint256 i = 0; i < numbers.length; ++i) {
            vm.assertFalse(registry.isNonceUsed(STRANGER, numbers[i]));
            vm.prank(STRANGER);
            registry.invalidateNonce(numbers[i]);
            vm.assertTrue(registry.isNonceUsed(STRANGER, numbers[i]));
        }
    }

    function testFuzz_MarksNoOtherNumber(uint256 used, uint256 other) external {
        vm.prank(STRANGER);
        registry.invalidateNonce(used);
        vm.assertEq(registry.isNonceUsed(STRANGER, other), used == other);
        unchecked {
            uint256[5] memory near = [used + 1, used - 1, used + 256, used ^ (1 << 255), used ^ 256];
            for (uint256 i = 0; i < near.length; ++i) {
                vm.assertFalse(registry.isNonceUsed(STRANGER, near[i]));
            }
        }
        vm.assertFalse(registry.isNonceUsed(WORKER, used));
    }

    function test_Invalidate_EmitsNonceInvalidated() external {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.NonceInvalidated(STRANGER, 5);
        vm.recordLogs();
        vm.prank(STRANGER);
        registry.invalidateNonce(5);
        vm.assertEq(vm.getRecordedLogs().length, 1);
    }

    function test_APermitWorksForOneClaim() external {
        Signature memory permit = _honest(Seat.PERMIT);
        _assertAccepted(Seat.PERMIT, permit);
        vm.prank(WORKER);
        registry.leaveTask(permitTask);
        _assertRefused(Seat.PERMIT, permit, _nonceUsed(POSTER, permit.nonce));
    }

    /// @dev The first use says so in an event.
    function _assertWorksOnce(address account, Use first, Use second) private {
        uint256 snapshot = vm.snapshotState();
        bytes memory data = _dataFor(account, first);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.NonceInvalidated(account, NONCE);
        vm.prank(first == Use.PERMIT ? WORKER : account);
        (bool success,) = address(registry).call(data);
        vm.assertTrue(success, "first use");
        vm.assertTrue(registry.isNonceUsed(account, NONCE));
        data = _dataFor(account, second);
        vm.prank(second == Use.PERMIT ? WORKER : account);
        (bool again, bytes memory answer) = address(registry).call(data);
        vm.assertFalse(again, "second use");
        vm.assertEq(answer, _nonceUsed(account, NONCE));
        vm.revertToState(snapshot);
    }

    function _dataFor(address account, Use use) private returns (bytes memory) {
        if (use == Use.INVALIDATE) return abi.encodeCall(registry.invalidateNonce, (NONCE));
        if (use == Use.POST) {
            TaskTerms memory open = _terms();
            open.nonce = NONCE;
            return abi.encodeCall(registry.post, (open, TEXT, 0));
        }
        if (use == Use.CREATE) {
            terms.nonce = NONCE;
            return _call(Seat.POSTER_ACCEPTANCE, _honest(Seat.POSTER_ACCEPTANCE));
        }
        if (use == Use.PERMIT) {
            permitTask = _post(_permitTerms(), 0);
            return _call(Seat.PERMIT, _honest(Seat.PERMIT, NONCE, _now()));
        }
        if (use == Use.ACCEPTANCE) {
            terms.nonce = _nonce();
            Seat seat = account == POSTER ? Seat.POSTER_ACCEPTANCE : Seat.WORKER_ACCEPTANCE;
            return _call(seat, _honest(seat, NONCE, _now()));
        }
        cancelTask = _claimed();
        Seat cancelSeat = account == POSTER ? Seat.POSTER_CANCEL : Seat.WORKER_CANCEL;
        return _call(cancelSeat, _honest(cancelSeat, NONCE, _now()));
    }
}
