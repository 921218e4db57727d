// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { ClaimPolicy, Signature, TaskScope, TaskTerms } from "../../src/types/Task.sol";
import { bound } from "../bound.sol";
import { vm } from "../Vm.sol";
import { Seats } from "./Seats.sol";

contract TaskRegistrySigningTest is Seats {
    /// @dev Ways to change terms and still pass the checks on terms.
    uint256 private constant CHANGES = 15;

    function testFuzz_HashTerms(uint256 seed) external view {
        TaskTerms memory any = _anyTerms(seed);
        vm.assertEq(agreements.hashTerms(any), _termsHash(any, "standard", address(tok)));
    }

    function testFuzz_SettlementDigest(uint256 seed, address worker) external view {
        TaskTerms memory any = _anyTerms(seed);
        bytes32 digest = _settlementDigest(registry, _termsHash(any, "standard", address(tok)), worker);
        vm.assertEq(_digest(any, worker), digest);
    }

    function test_SettlementDigestOfMarketsAndChainsDiffer() external {
        bytes32 termsHash = agreements.hashTerms(terms);
        bytes32 digest = _digest(terms, WORKER);
        vm.chainId(1);
        vm.assertTrue(_digest(terms, WORKER) != digest);
        vm.assertEq(_digest(terms, WORKER), _settlementDigest(registry, termsHash, WORKER));
        vm.chainId(8_453);
        _deployMarket("micro", address(tok));
        vm.assertTrue(agreements.hashTerms(terms) != termsHash);
        vm.assertEq(agreements.hashTerms(terms), _termsHash(terms, "micro", address(tok)));
        vm.assertTrue(_digest(terms, WORKER) != digest);
        _deployMarket("standard", address(usdc));
        vm.assertEq(agreements.hashTerms(terms), _termsHash(terms, "standard", address(usdc)));
    }

    function test_RevertGiven_TheTaskDoesNotExist() external {
        uint256 taskId = registry.taskCount() + 1;
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.TaskNotFound.selector, taskId));
        registry.settlementDigestOf(taskId);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.TaskNotFound.selector, 0));
        registry.settlementDigestOf(0);
    }

    function test_EveryFieldOfSignedTermsCounts() external {
        for (uint256 i = 0; i < CHANGES; ++i) {
            (TaskTerms memory changed, address poster) = _changed(i);
            _assertCreateInvalid(changed, POSTER_KEY, poster);
            // With the poster's acceptance of the new terms, the worker's of the old ones still does not do.
            uint256 key = poster == POSTER ? POSTER_KEY : STRANGER_KEY;
            _assertWorkersAcceptanceInvalid(changed, key);
        }
        vm.assertEq(refused, 30);
    }

    function test_RevertWhen_SignedForAnotherMarketOrAsset() external {
        string[4] memory markets = ["micro", "Standard", "", "standard"];
        address[4] memory assets = [address(tok), address(tok), address(tok), address(usdc)];
        for (uint256 i = 0; i < 2 * markets.length; ++i) {
            Seat seat = Seat(i % 2);
            uint256 nonce = _nonce();
            bytes32 termsHash = _termsHash(terms, markets[i / 2], assets[i / 2]);
            bytes32 message = _acceptanceHash(termsHash, WORKER, _signer(seat), nonce, _now());
            _assertInvalid(seat, _sign(_key(seat), _registryDomain(), message, nonce, _now()));
        }
        vm.assertEq(refused, 8);
    }

    function test_RevertWhen_TheWorkerIsSwapped() external {
        address[2] memory workers = [STRANGER, ARBITRATOR];
        uint256[2] memory keys = [STRANGER_KEY, ARBITRATOR_KEY];
        for (uint256 i = 0; i < workers.length; ++i) {
            // The newcomer signs honestly for itself; the poster meant another.
            Signature memory byNewcomer = _acceptance(registry, terms, workers[i], keys[i], _nonce(), _now());
            Signature memory byPoster = _honest(Seat.POSTER_ACCEPTANCE);
            vm.expectRevert(_invalid(POSTER));
            registry.create(terms, workers[i], byPoster, byNewcomer);
            // The poster agrees; the newcomer presents the first worker's acceptance, or signs it itself.
            byPoster = _acceptance(registry, terms, workers[i], POSTER_KEY, _nonce(), _now());
            Signature memory byWorker = _honest(Seat.WORKER_ACCEPTANCE);
            vm.expectRevert(_invalid(workers[i]));
            registry.create(terms, workers[i], byPoster, byWorker);
            byWorker = _acceptance(registry, terms, WORKER, keys[i], _nonce(), _now());
            vm.expectRevert(_invalid(workers[i]));
            registry.create(terms, workers[i], byPoster, byWorker);
        }
    }

    function testFuzz_AnyFlippedBitOfTheCallIsRefused(uint256 place) external {
        bytes memory data = _call(Seat.POSTER_ACCEPTANCE, _honest(Seat.POSTER_ACCEPTANCE));
        uint256 count = registry.taskCount();
        uint256 bit = bound(place, 0, data.length * 8 - 1);
        data[bit / 8] ^= bytes1(uint8(1 << (bit % 8)));
        // 31 bytes of padding follow each signature, and the last one takes seven words: those bits mean nothing.
        uint256 fromEnd = data.length - bit / 8;
        bool padding = fromEnd <= 31 || (fromEnd > 224 && fromEnd <= 224 + 31);
        (bool success,) = address(registry).call(data);
        vm.assertEq(success, padding);
        vm.assertEq(registry.taskCount(), padding ? count + 1 : count);
        vm.assertEq(registry.isNonceUsed(POSTER, terms.nonce), padding);
    }

    function testFuzz_AnyFlippedBitOfTheTermsChangesTheHash(uint256 seed, uint256 bit) external view {
        TaskTerms memory any = _anyTerms(seed);
        bytes32 hash = agreements.hashTerms(any);
        _flip(any, bit % 14, bit >> 8);
        vm.assertTrue(agreements.hashTerms(any) != hash);
    }

    function _digest(TaskTerms memory given, address worker) private view returns (bytes32) {
        return agreements.settlementDigest(agreements.hashTerms(given), worker);
    }

    /// @dev Values of every size, valid as terms or not, and up to eight milestones.
    function _anyTerms(uint256 seed) private pure returns (TaskTerms memory any) {
        any.poster = address(uint160(_random(seed, 0)));
        any.amounts = new uint256[](1 + _random(seed, 1) % 8);
        any.durations = new uint64[](1 + _random(seed, 2) % 8);
        for (uint256 i = 0; i < any.amounts.length; ++i) {
            any.amounts[i] = _random(seed, 100 + i);
        }
        for (uint256 i = 0; i < any.durations.length; ++i) {
            any.durations[i] = uint64(_random(seed, 200 + i));
        }
        any.reviewWindow = uint64(_random(seed, 3));
        any.maxRevisions = uint8(_random(seed, 4));
        any.arbitrator = address(uint160(_random(seed, 5)));
        any.store = address(uint160(_random(seed, 11)));
        any.criteriaHash = bytes32(_random(seed, 6));
        any.scope = TaskScope(_random(seed, 7) % 2);
        any.claimPolicy = ClaimPolicy(_random(seed, 8) % 2);
        any.claimDeadline = uint64(_random(seed, 9));
        any.nonce = _random(seed, 10);
    }

    function _random(uint256 seed, uint256 salt) private pure returns (uint256) {
        uint256 random = uint256(keccak256(abi.encode(seed, salt)));
        return random >> (random % 5 * 60);
    }

    function _flip(TaskTerms memory any, uint256 field, uint256 bit) private pure {
        if (field == 0) any.poster = address(uint160(any.poster) ^ uint160(1 << (bit % 160)));
        if (field == 1) any.amounts[bit % any.amounts.length] ^= 1 << (bit % 256);
        if (field == 2) any.durations[bit % any.durations.length] ^= uint64(1 << (bit % 64));
        if (field == 3) any.reviewWindow ^= uint64(1 << (bit % 64));
        if (field == 4) any.maxRevisions ^= uint8(1 << (bit % 8));
        if (field == 5) any.arbitrator = address(uint160(any.arbitrator) ^ uint160(1 << (bit % 160)));
        if (field == 6) any.criteriaHash ^= bytes32(1 << (bit % 256));
        if (field == 7) any.scope = TaskScope(uint256(any.scope) ^ 1);
        if (field == 8) any.claimPolicy = ClaimPolicy(uint256(any.claimPolicy) ^ 1);
        if (field == 9) any.claimDeadline ^= uint64(1 << (bit % 64));
        if (field == 10) any.nonce ^= 1 << (bit % 256);
        if (field == 11) any.amounts = new uint256[](any.amounts.length + 1);
        if (field == 13) any.store = address(uint160(any.store) ^ uint160(1 << (bit % 160)));
        if (field == 12) any.durations = new uint64[](any.durations.length + 1);
    }

    /// @dev The signed terms with one field changed, and the poster they then name.
    function _changed(uint256 change) private view returns (TaskTerms memory changed, address poster) {
        changed = terms;
        if (change == 0) changed.poster = STRANGER;
        if (change == 1) changed.amounts[0] -= 1;
        if (change == 2) changed.amounts[1] += 1;
        if (change == 3) (changed.amounts[0], changed.amounts[1]) = (SECOND, FIRST);
        if (change == 4) changed.durations[0] += 1;
        if (change == 5) changed.durations[1] -= 1;
        if (change == 6) changed.reviewWindow -= 1;
        if (change == 7) changed.maxRevisions = 0;
        if (change == 8) changed.arbitrator = ARBITRATOR;
        if (change == 9) changed.criteriaHash = keccak256("Burn the handbook");
        if (change == 10) changed.claimPolicy = ClaimPolicy.PERMIT;
        if (change == 11) changed.claimDeadline += 1;
        if (change == 12) changed.nonce += 1 << 100;
        if (change == 13) {
            changed.amounts = new uint256[](1);
            changed.amounts[0] = FIRST + SECOND;
            changed.durations = new uint64[](1);
            changed.durations[0] = 2 days;
        }
        if (change == 14) changed.store = STRANGER;
        poster = changed.poster;
    }

    /// @dev Both signed the stored terms; someone submits others.
    function _assertCreateInvalid(TaskTerms memory changed, uint256 key, address poster) private {
        Signature memory byPoster = _acceptance(registry, terms, WORKER, key, _nonce(), _now());
        Signature memory byWorker = _honest(Seat.WORKER_ACCEPTANCE);
        vm.expectRevert(_invalid(poster));
        registry.create(changed, WORKER, byPoster, byWorker);
        ++refused;
    }

    function _assertWorkersAcceptanceInvalid(TaskTerms memory changed, uint256 posterKey) private {
        Signature memory byPoster = _acceptance(registry, changed, WORKER, posterKey, _nonce(), _now());
        Signature memory byWorker = _honest(Seat.WORKER_ACCEPTANCE);
        vm.expectRevert(_invalid(WORKER));
        registry.create(changed, WORKER, byPoster, byWorker);
        // With both acceptances of the new terms it goes through.
        byWorker = _acceptance(registry, changed, WORKER, WORKER_KEY, _nonce(), _now());
        uint256 snapshot = vm.snapshotState();
        registry.create(changed, WORKER, byPoster, byWorker);
        vm.revertToState(snapshot);
        ++refused;
    }
}
