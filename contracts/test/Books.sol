// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IReputationRegistry } from "../src/interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState, TaskTerms } from "../src/types/Task.sol";
import { Base } from "./Base.sol";
import { vm } from "./Vm.sol";

/// @dev Double entry for tests: mark the balances, act, and name every gain to the wei; whoever is not named gains nothing.
abstract contract Books is Base {
    uint256 internal constant TOTAL = FIRST + SECOND;
    bytes32 internal constant EVIDENCE = keccak256("evidence");

    /// @dev TOK counts the wallet and what waits in the vaults, USD the wallet and the deposit.
    struct Gains {
        int256 posterTok;
        int256 workerTok;
        int256 treasuryTok;
        int256 unionTok;
        int256 posterUsd;
        int256 workerUsd;
        int256 treasuryUsd;
        int256 arbitratorUsd;
    }

    mapping(address account => uint256) private _tokBefore;
    mapping(address account => uint256) private _usdBefore;

    function _mark() internal {
        address[6] memory accounts = _holders();
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
        _assertTok(ARBITRATOR, 0, "TOK of the arbitrator");
        _assertUsd(POSTER, gains.posterUsd, "USD of the poster");
        _assertUsd(WORKER, gains.workerUsd, "USD of the worker");
        _assertUsd(TREASURY, gains.treasuryUsd, "USD of the treasury");
        _assertUsd(ARBITRATOR, gains.arbitratorUsd, "USD of the arbitrator");
        _assertUsd(STRANGER, 0, "USD of the stranger");
        _assertBacked();
    }

    function _assertNoGains() internal view {
        Gains memory none;
        _assertGains(none);
    }

    /// @dev Every vault has exactly what its books say.
    function _assertBacked() internal view {
        uint256 owed = escrow.totalHeld() + escrow.totalWithdrawable();
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

    /// @dev Nothing of the task is left anywhere.
    function _assertSettled(uint256 taskId, TaskState state) internal view {
        _assertState(taskId, state);
        vm.assertEq(escrow.heldOf(taskId), 0, "held by an ended task");
        _assertReserves(taskId, 0, 0);
    }

    function _assertLive(uint256 claims) internal view {
        vm.assertEq(registry.liveClaimsOf(WORKER), claims, "live claims");
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

    /// @dev The first milestone in dispute before ARBITRATOR, whom the terms name; POSTER has spoken.
    function _seated() internal returns (uint256 taskId) {
        TaskTerms memory terms = _terms();
        terms.arbitrator = ARBITRATOR;
        if (!arbitration.isEligible(ARBITRATOR)) _register(ARBITRATOR, 10_000e18);
        taskId = _activeWith(terms, TOTAL);
        _deliver(taskId);
        _dispute(taskId, POSTER);
    }

    /// @dev Until when a claim stands: funds leave the time of the vet window to start.
    function _claimEnd(uint256 taskId) internal view returns (uint256) {
        bool funded = escrow.accountOf(taskId).funded == _task(taskId).total;
        return _task(taskId).claimedAt + (funded ? 30 hours : 24 hours);
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

    /// @dev Calls with a task in each state that is not named and expects WrongState.
    function _assertOnlyIn(TaskState first, TaskState second, address caller, bytes4 selector, bytes memory tail)
        internal
    {
        for (uint256 i = uint256(TaskState.POSTED); i <= uint256(TaskState.RESOLVED); ++i) {
            TaskState state = TaskState(i);
            if (state == first || state == second) continue;
            uint256 taskId = _inState(state);
            _expectRefusal(
                caller,
                bytes.concat(selector, abi.encode(taskId), tail),
                abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, state)
            );
        }
        _expectRefusal(
            caller,
            bytes.concat(selector, abi.encode(9999), tail),
            abi.encodeWithSelector(ITaskRegistry.TaskNotFound.selector, 9999)
        );
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

    function _holders() private view returns (address[6] memory) {
        return [POSTER, WORKER, TREASURY, address(staking), STRANGER, ARBITRATOR];
    }

    function _assertTok(address account, int256 gain, string memory what) internal view {
        vm.assertEq(_tokOf(account), uint256(int256(_tokBefore[account]) + gain), what);
    }

    function _assertUsd(address account, int256 gain, string memory what) private view {
        vm.assertEq(_usdOf(account), uint256(int256(_usdBefore[account]) + gain), what);
    }
}
