// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {
    ClaimPolicy,
    Receipt,
    Signature,
    Task,
    TaskScope,
    TaskState,
    TaskTerms,
    TaskView
} from "../src/types/Task.sol";
import { Deployment } from "./Deployment.sol";
import { Signing } from "./Signing.sol";
import { vm } from "./Vm.sol";

/// @dev A deployed market with wealthy users, and the moves that bring a task where a test wants it.
abstract contract Base is Deployment, Signing {
    uint256 internal constant POSTER_KEY = 0xA1;
    uint256 internal constant WORKER_KEY = 0xB2;
    uint256 internal constant STRANGER_KEY = 0xC3;
    uint256 internal constant ARBITRATOR_KEY = 0xD4;

    address internal immutable POSTER = vm.addr(POSTER_KEY);
    address internal immutable WORKER = vm.addr(WORKER_KEY);
    address internal immutable STRANGER = vm.addr(STRANGER_KEY);
    address internal immutable ARBITRATOR = vm.addr(ARBITRATOR_KEY);

    string internal constant TEXT = "Translate the handbook";
    bytes32 internal constant PROOF = keccak256("proof");
    uint256 internal constant FIRST = 600e18;
    uint256 internal constant SECOND = 400e18;

    uint256 private _nextNonce = 1;

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        vm.roll(1_000_000);
        vm.chainId(8453);
        _deploy("standard");
        _enrich(POSTER);
        _enrich(WORKER);
        _enrich(STRANGER);
        _enrich(ARBITRATOR);
    }

    /// @dev 1,000,000 TOK allowed to the gateway, USD 100 deposited and USD 900 in the wallet.
    function _enrich(address user) internal {
        vm.prank(HOLDER);
        tok.transfer(user, 1_000_000e18);
        usdc.mint(user, 1_000e6);
        vm.startPrank(user);
        tok.approve(address(gateway), type(uint256).max);
        usdc.approve(address(deposits), type(uint256).max);
        usdc.approve(address(gateway), type(uint256).max);
        deposits.topUp(100e6);
        vm.stopPrank();
    }

    /// @dev Two milestones of 600 and 400 TOK, two days each, one revision, a 72 h review and a claim deadline in a week.
    function _terms() internal returns (TaskTerms memory terms) {
        terms.poster = POSTER;
        terms.amounts = new uint256[](2);
        terms.amounts[0] = FIRST;
        terms.amounts[1] = SECOND;
        terms.durations = new uint64[](2);
        terms.durations[0] = 2 days;
        terms.durations[1] = 2 days;
        terms.reviewWindow = 72 hours;
        terms.maxRevisions = 1;
        terms.criteriaHash = keccak256(bytes(TEXT));
        terms.claimDeadline = uint64(block.timestamp + 7 days);
        terms.nonce = _nonce();
    }

    function _nonce() internal returns (uint256) {
        return _nextNonce++;
    }

    function _post(TaskTerms memory terms, uint256 fundAmount) internal returns (uint256) {
        vm.prank(terms.poster);
        return registry.post(terms, TEXT, fundAmount);
    }

    function _posted() internal returns (uint256) {
        return _post(_terms(), 0);
    }

    function _claim(uint256 taskId, address worker) internal {
        bytes32 digest = _digestFor(taskId, worker);
        vm.prank(worker);
        registry.claim(taskId, digest);
    }

    function _claimed() internal returns (uint256 taskId) {
        taskId = _posted();
        _claim(taskId, WORKER);
    }

    function _fund(uint256 taskId) internal {
        uint256 missing = registry.taskOf(taskId).total - escrow.accountOf(taskId).funded;
        vm.prank(POSTER);
        registry.fund(taskId, missing);
    }

    function _funded() internal returns (uint256 taskId) {
        taskId = _claimed();
        _fund(taskId);
    }

    function _activate(uint256 taskId) internal {
        vm.prank(POSTER);
        registry.activate(taskId);
    }

    function _active() internal returns (uint256 taskId) {
        taskId = _funded();
        _activate(taskId);
    }

    function _deliver(uint256 taskId) internal {
        uint256 current = registry.taskOf(taskId).current;
        vm.prank(WORKER);
        registry.markDelivered(taskId, current, PROOF, _noReceipt());
    }

    function _noReceipt() internal pure returns (Receipt memory) {
        return Receipt({ size: 0, until: 0, signature: "" });
    }

    function _delivered() internal returns (uint256 taskId) {
        taskId = _active();
        _deliver(taskId);
    }

    function _dispute(uint256 taskId, address opener) internal {
        uint256 current = registry.taskOf(taskId).current;
        vm.prank(opener);
        registry.openDispute(taskId, current, keccak256("evidence"), opener == POSTER ? 0 : 10_000);
    }

    function _disputed() internal returns (uint256 taskId) {
        taskId = _delivered();
        _dispute(taskId, POSTER);
    }

    /// @dev A private task between POSTER and WORKER.
    function _created(TaskTerms memory terms) internal returns (uint256) {
        terms.scope = TaskScope.PRIVATE;
        uint64 expiry = uint64(block.timestamp + 1 hours);
        Signature memory byPoster = _acceptance(registry, terms, WORKER, POSTER_KEY, _nonce(), expiry);
        Signature memory byWorker = _acceptance(registry, terms, WORKER, WORKER_KEY, _nonce(), expiry);
        return registry.create(terms, WORKER, byPoster, byWorker);
    }

    function _mutualCancel(uint256 taskId, uint256 workerBps) internal {
        uint64 expiry = uint64(block.timestamp + 1 hours);
        registry.mutualCancel(
            taskId,
            workerBps,
            _cancelSignature(registry, taskId, workerBps, POSTER_KEY, _nonce(), expiry),
            _cancelSignature(registry, taskId, workerBps, WORKER_KEY, _nonce(), expiry)
        );
    }

    function _register(address arbitrator, uint256 bond) internal {
        vm.prank(arbitrator);
        arbitration.register(bond);
    }

    function _hashTerms(TaskTerms memory terms) internal view override returns (bytes32) {
        return agreements.hashTerms(terms);
    }

    function _disputePhase(uint256 taskId) internal view override returns (uint8) {
        return uint8(arbitration.phaseOf(taskId));
    }

    /// @dev The settlement digest the task would have with this worker.
    function _digestFor(uint256 taskId, address worker) internal view returns (bytes32) {
        return _settlementDigest(registry, registry.taskOf(taskId).termsHash, worker);
    }

    function _state(uint256 taskId) internal view returns (TaskState) {
        return registry.taskOf(taskId).state;
    }

    function _assertState(uint256 taskId, TaskState expected) internal view {
        vm.assertEq(uint256(_state(taskId)), uint256(expected), "state");
    }

    function _view(uint256 taskId) internal view returns (TaskView memory) {
        uint256[] memory ids = new uint256[](1);
        ids[0] = taskId;
        return lens.tasksOf(ids)[0];
    }

    function _permitTerms() internal returns (TaskTerms memory terms) {
        terms = _terms();
        terms.claimPolicy = ClaimPolicy.PERMIT;
    }

    function _task(uint256 taskId) internal view returns (Task memory) {
        return registry.taskOf(taskId);
    }

    /// @dev Moves past a moment: the first second at which the default applies.
    function _after(uint256 limit) internal {
        vm.warp(limit + 1);
    }
}
