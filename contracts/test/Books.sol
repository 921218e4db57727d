// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IReputationRegistry } from "../src/interfaces/IReputationRegistry.sol";
import { Receipt, Task, TaskState, TaskTerms } from "../src/types/Task.sol";
import { Base } from "./Base.sol";
import { vm } from "./Vm.sol";

/// @dev Double entry for tests: mark the balances, act, and name every gain to the wei; whoever is not named gains nothing.
abstract contract Books is Base {
    uint256 internal constant TOTAL = FIRST + SECOND;
    /// @dev What each party locks on entry.
    int256 internal constant EXIT = 1_000e18;
    uint256 internal constant STORE_KEY = 0xE7;
    address internal immutable STORE = vm.addr(STORE_KEY);
    bytes32 internal constant EVIDENCE = keccak256("evidence");

    /// @dev TOK counts the wallet and what waits in the vaults, but no exit deposit and no stake; USD the wallet and the deposit.
    struct Gains {
        int256 posterTok;
        int256 workerTok;
        int256 treasuryTok;
        int256 unionTok;
        int256 arbitratorTok;
        int256 courtTok;
        int256 posterUsd;
        int256 workerUsd;
        int256 treasuryUsd;
        int256 arbitratorUsd;
        int256 courtUsd;
    }

    mapping(address account => uint256) private _tokBefore;
    mapping(address account => uint256) private _usdBefore;

    function _mark() internal {
        address[7] memory accounts = _holders();
        for (uint256 i = 0; i < accounts.length; ++i) {
            _tokBefore[accounts[i]] = _tokOf(accounts[i]);
            _usdBefore[accounts[i]] = _usdOf(accounts[i]);
        }
    }

    function _assertGains(Gains memory gains) internal view {
        _assertTok(POSTER, gains.posterTok, "TOK of the poster");
        _assertTok(WORKER, gains.workerTok, "TOK of the worker");
        _assertTok(TREASURY, gains.treasuryTok, "TOK of the treasury");
        _assertTok(address(staking), gains.unionTok, "TOK of the Union");
        _assertTok(STRANGER, 0, "TOK of the stranger");
        _assertTok(ARBITRATOR, gains.arbitratorTok, "TOK of the arbitrator");
        _assertTok(COURT, gains.courtTok, "TOK of the court");
        _assertUsd(POSTER, gains.posterUsd, "USD of the poster");
        _assertUsd(WORKER, gains.workerUsd, "USD of the worker");
        _assertUsd(TREASURY, gains.treasuryUsd, "USD of the treasury");
        _assertUsd(ARBITRATOR, gains.arbitratorUsd, "USD of the arbitrator");
        _assertUsd(COURT, gains.courtUsd, "USD of the court");
        _assertUsd(STRANGER, 0, "USD of the stranger");
        _assertBacked();
    }

    function _assertNoGains() internal view {
        Gains memory none;
        _assertGains(none);
    }

    /// @dev Both parties get their exit deposits back.
    function _exitsReturned() internal pure returns (Gains memory gains) {
        gains.posterTok = EXIT;
        gains.workerTok = EXIT;
    }

    /// @dev An exit deposit that was spent is shared out like an access fee.
    function _exitSpent() internal pure returns (Gains memory gains) {
        gains.treasuryTok = EXIT * 6 / 10;
        gains.unionTok = EXIT * 4 / 10;
    }

    /// @dev One that was forfeited is the Union's.
    function _exitForfeited() internal pure returns (Gains memory gains) {
        gains.unionTok = EXIT;
    }

    /// @dev Every vault has exactly what its books say.
    function _assertBacked() internal view {
        uint256 owed = escrow.totalHeld() + escrow.totalExitDeposits() + escrow.totalWithdrawable();
        vm.assertEq(tok.balanceOf(address(escrow)), owed, "escrow backing");
        vm.assertEq(usdc.balanceOf(address(deposits)), deposits.totalDeposits(), "deposit backing");
        vm.assertEq(tok.balanceOf(address(gateway)), 0, "gateway keeps nothing");
    }

    function _assertAccount(uint256 taskId, uint256 funded, uint256 released, uint256 refunded) internal view {
        vm.assertEq(escrow.accountOf(taskId).funded, funded, "funded");
        vm.assertEq(escrow.accountOf(taskId).released, released, "released");
        vm.assertEq(escrow.accountOf(taskId).refunded, refunded, "refunded");
    }

    function _assertReserves(uint256 taskId, uint256 posterReserve, uint256 workerReserve) internal view {
        vm.assertEq(deposits.reserveOf(taskId, POSTER), posterReserve, "reserve of the poster");
        vm.assertEq(deposits.reserveOf(taskId, WORKER), workerReserve, "reserve of the worker");
    }

    function _assertExits(uint256 taskId, uint256 ofPoster, uint256 ofWorker) internal view {
        vm.assertEq(escrow.exitDepositOf(taskId, POSTER), ofPoster, "exit deposit of the poster");
        vm.assertEq(escrow.exitDepositOf(taskId, WORKER), ofWorker, "exit deposit of the worker");
    }

    /// @dev Nothing of the task is left anywhere.
    function _assertSettled(uint256 taskId, TaskState state) internal view {
        _assertState(taskId, state);
        vm.assertEq(escrow.heldOf(taskId), 0, "held by an ended task");
        _assertReserves(taskId, 0, 0);
        _assertExits(taskId, 0, 0);
    }

    function _assertTask(uint256 taskId, Task memory expected) internal view {
        vm.assertEq(abi.encode(registry.taskOf(taskId)), abi.encode(expected));
    }

    function _assertReputation(address account, IReputationRegistry.Reputation memory expected) internal view {
        vm.assertEq(abi.encode(reputation.reputationOf(account)), abi.encode(expected));
    }

    /// @dev An open task of POSTER, funded with `total` and started by WORKER.
    function _activeWith(TaskTerms memory terms, uint256 total) internal returns (uint256 taskId) {
        taskId = _post(terms, total);
        _claim(taskId, WORKER);
        _activate(taskId);
    }

    /// @dev The first milestone in dispute before ARBITRATOR, whom the terms and WORKER name and who accepted; POSTER has spoken.
    function _seated() internal returns (uint256 taskId) {
        TaskTerms memory terms = _terms();
        terms.arbitrator = ARBITRATOR;
        if (!arbitration.isEligible(ARBITRATOR, FIRST)) _register(ARBITRATOR, 10_000e18);
        taskId = _activeWith(terms, TOTAL);
        _deliver(taskId);
        _dispute(taskId, POSTER);
        _accept(taskId);
    }

    /// @dev ARBITRATOR, whom the terms and now WORKER name, takes its seat.
    function _accept(uint256 taskId) internal {
        vm.prank(WORKER);
        arbitration.propose(taskId, ARBITRATOR);
        vm.prank(ARBITRATOR);
        arbitration.propose(taskId, ARBITRATOR);
    }

    /// @dev WORKER speaks, and the judge picks a side in the first second it may.
    function _rule(uint256 taskId, bool forWorker) internal {
        vm.prank(WORKER);
        arbitration.submitEvidence(taskId, EVIDENCE, 10_000);
        _after(arbitration.disputeOf(taskId).evidenceEnd);
        vm.prank(ARBITRATOR);
        arbitration.resolve(taskId, 1, forWorker, PROOF);
    }

    /// @dev Until when a claim stands.
    function _claimEnd(uint256 taskId) internal view returns (uint256) {
        return _task(taskId).claimedAt + 24 hours;
    }

    /// @dev Terms under which silence pays only with STORE's receipt.
    function _storeTerms() internal returns (TaskTerms memory terms) {
        terms = _terms();
        terms.store = STORE;
    }

    /// @dev In review without a receipt.
    function _unreceipted() internal returns (uint256 taskId) {
        taskId = _activeWith(_storeTerms(), TOTAL);
        _deliver(taskId);
    }

    /// @dev In review with a receipt.
    function _receipted() internal returns (uint256 taskId) {
        taskId = _activeWith(_storeTerms(), TOTAL);
        _deliver(taskId, 0, PROOF, _receiptNow(taskId, PROOF));
    }

    function _deliver(uint256 taskId, uint256 milestone, bytes32 proofHash, Receipt memory receipt) internal {
        vm.prank(WORKER);
        registry.markDelivered(taskId, milestone, proofHash, receipt);
    }

    /// @dev STORE's receipt for a delivery at this moment, to the last second it must last.
    function _receiptNow(uint256 taskId, bytes32 proofHash) internal view returns (Receipt memory) {
        uint64 until = uint64(block.timestamp + _noticeOf(taskId) + _disputeTime());
        return _receipt(registry, taskId, proofHash, until, STORE_KEY);
    }

    /// @dev The longest dispute.
    function _disputeTime() internal view returns (uint256) {
        return uint256(params.evidenceWindow) + params.rulingWindow + params.appealWindow + params.courtWindow;
    }

    /// @dev The time of a revision or a notice, and to cure a delivery.
    function _noticeOf(uint256 taskId) internal view returns (uint256) {
        uint256 review = _task(taskId).reviewWindow;
        return review < params.minRevisionTime ? params.minRevisionTime : review;
    }

    /// @dev The last second to cure a delivery without a receipt.
    function _graceEnd(uint256 taskId) internal view returns (uint256) {
        return _task(taskId).reviewEnd + _noticeOf(taskId);
    }

    /// @dev Past the time in which nothing is recorded.
    function _vet(uint256 taskId) internal {
        _after(_task(taskId).claimedAt + 6 hours);
    }

    /// @dev A task in any state but NONE, as far along as the state allows.
    function _inState(TaskState state) internal returns (uint256 taskId) {
        if (state == TaskState.POSTED) return _post(_terms(), TOTAL);
        if (state == TaskState.CLAIMED) return _funded();
        if (state == TaskState.ACTIVE) return _delivered();
        if (state == TaskState.DISPUTED) return _disputed();
        if (state == TaskState.EXPIRED) {
            taskId = _active();
            _after(_task(taskId).deadline);
            registry.expire(taskId);
            return taskId;
        }
        taskId = state == TaskState.RESOLVED ? _disputed() : _delivered();
        if (state == TaskState.COMPLETED) {
            vm.prank(POSTER);
            registry.complete(taskId);
        } else {
            _mutualCancel(taskId, 5000);
        }
    }

    function _expectRefusal(address caller, bytes memory call, bytes memory reason) internal {
        vm.prank(caller);
        (bool success, bytes memory result) = address(registry).call(call);
        vm.assertFalse(success, "a call that should be refused");
        vm.assertEq(result, reason);
    }

    function _tokOf(address account) internal view virtual returns (uint256) {
        return tok.balanceOf(account) + escrow.withdrawableOf(account) + arbitration.withdrawableOf(account);
    }

    function _usdOf(address account) internal view returns (uint256) {
        return usdc.balanceOf(account) + deposits.balanceOf(account);
    }

    function _holders() private view returns (address[7] memory) {
        return [POSTER, WORKER, TREASURY, address(staking), STRANGER, ARBITRATOR, COURT];
    }

    function _assertTok(address account, int256 gain, string memory what) internal view {
        vm.assertEq(_tokOf(account), uint256(int256(_tokBefore[account]) + gain), what);
    }

    function _assertUsd(address account, int256 gain, string memory what) private view {
        vm.assertEq(_usdOf(account), uint256(int256(_usdBefore[account]) + gain), what);
    }
}
