// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Task, TaskState } from "../../src/types/Task.sol";
import { Admin } from "./actions/Admin.sol";
import { Arbitrators } from "./actions/Arbitrators.sol";
import { Attacks } from "./actions/Attacks.sol";
import { Strangers } from "./actions/Strangers.sol";
import { Time } from "./actions/Time.sol";
import { Union } from "./actions/Union.sol";

/// @dev The handlers: one function a role, each making one move that the rules allow now. A seed is all the fuzzer gives.
/// A role with nothing to do leaves its turn to the parties, and when they wait too, time passes.
abstract contract Walk is Strangers, Arbitrators, Union, Admin, Time, Attacks {
    function poster(uint256 seed) external step {
        Rng memory r = _rng(seed);
        if (live.length < MAX_LIVE && _next(r, live.length < 6 ? 2 : 8) == 0) return _newTask(r);
        if (!_posterMove(r) && !_workerMove(r)) _passTime(r);
    }

    function worker(uint256 seed) external step {
        Rng memory r = _rng(seed);
        if (live.length == 0) return _newTask(r);
        if (!_workerMove(r) && !_posterMove(r)) _passTime(r);
    }

    function arbitrator(uint256 seed) external step {
        Rng memory r = _rng(seed);
        if (live.length == 0) return _newTask(r);
        if (_judge(r)) return;
        if (_next(r, 8) == 0) return _bond(r);
        if (!_posterMove(r) && !_workerMove(r)) _passTime(r);
    }

    function stranger(uint256 seed) external step {
        Rng memory r = _rng(seed);
        if (live.length == 0) return _newTask(r);
        if ((_next(r, 4) == 0 && _fetch(r)) || _strangerMove(r)) return;
        if (_next(r, 8) == 0) return _topUp(STRANGER, parties[_next(r, PARTIES)], _between(r, 1, 10e6));
        if (!_workerMove(r) && !_posterMove(r)) _passTime(r);
    }

    function union(uint256 seed) external step {
        _union(_rng(seed));
    }

    function admin(uint256 seed) external step {
        _admin(_rng(seed));
    }

    function time(uint256 seed) external step {
        _passTime(_rng(seed));
    }

    function attacker(uint256 seed) external step {
        _attack(_rng(seed));
    }

    /// @dev How often each is called, as a list in which the busier stand more often.
    function moves() external pure returns (bytes4[] memory list) {
        list = new bytes4[](20);
        for (uint256 i = 0; i < 20; ++i) {
            list[i] = i < 4 ? this.poster.selector : i < 7 ? this.worker.selector : this.arbitrator.selector;
        }
        list[11] = list[12] = list[13] = list[14] = this.stranger.selector;
        list[15] = list[16] = this.time.selector;
        list[17] = this.union.selector;
        list[18] = this.admin.selector;
        list[19] = this.attacker.selector;
    }

    function _posterMove(Rng memory r) private returns (bool) {
        (uint256 start, uint256 count) = _from(r);
        for (uint256 i = 0; i < count; ++i) {
            uint256 taskId = live[(start + i) % count];
            Task memory task = registry.taskOf(taskId);
            if (_choose(
                    _posterMenu(taskId, task, _next(r, task.state == TaskState.DISPUTED ? 15 : 5) == 0), taskId, task, r
                )) return true;
        }
        return false;
    }

    function _workerMove(Rng memory r) private returns (bool) {
        (uint256 start, uint256 count) = _from(r);
        for (uint256 i = 0; i < count; ++i) {
            uint256 taskId = live[(start + i) % count];
            Task memory task = registry.taskOf(taskId);
            if (task.state == TaskState.POSTED && _claimBySomeone(taskId, task, r)) return _turnTo(taskId);
            if (_choose(_workerMenu(taskId, task, _next(r, 8) == 0), taskId, task, r)) return true;
        }
        return false;
    }

    function _strangerMove(Rng memory r) private returns (bool) {
        (uint256 start, uint256 count) = _from(r);
        for (uint256 i = 0; i < count; ++i) {
            uint256 taskId = live[(start + i) % count];
            Task memory task = registry.taskOf(taskId);
            if (_default(taskId, task)) return _turnTo(taskId);
            if (task.worker == address(0) || _next(r, 100) != 0) continue;
            // Nobody cancels what a judge has ruled on.
            if (arbitration.disputeOf(taskId).ruled) continue;
            _mutualCancel(taskId, task, r);
            return true;
        }
        return false;
    }

    function _turnTo(uint256 taskId) private returns (bool) {
        focus = taskId;
        return true;
    }
}
