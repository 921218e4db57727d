// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../../src/interfaces/IArbitration.sol";
import { Task, TaskState } from "../../../src/types/Task.sol";
import { vm } from "../../Vm.sol";
import { World } from "../World.sol";

/// @dev Seconds and blocks. Most jumps land on the last second of somebody's duty or on the first one after it.
abstract contract Time is World {
    function _passTime(Rng memory r) internal {
        uint256 choice = _next(r, 10);
        if (choice < 1) _roll(r);
        else if (choice < 3 || live.length == 0) _warp(block.timestamp + _next(r, 6 hours), "let time pass");
        else if (choice < 9) _toNearest(r);
        else _toBoundary(live[_next(r, live.length)], r);
    }

    /// @dev A few blocks without a second; sometimes more than the chain remembers hashes of.
    function _roll(Rng memory r) private {
        vm.roll(block.number + (_next(r, 2) == 0 ? 300 : _between(r, 1, 8)));
        _did("let blocks pass", gasleft());
    }

    /// @dev The nearest end of a duty, so that no other passes unseen.
    function _toNearest(Rng memory r) private {
        uint256 nearest = type(uint256).max;
        for (uint256 i = 0; i < live.length; ++i) {
            uint256 boundary = _boundary(live[i], r);
            if (boundary <= block.timestamp || boundary >= nearest) continue;
            nearest = boundary;
            focus = live[i];
        }
        if (nearest != type(uint256).max) _warp(nearest + _next(r, 2), "go to the nearest boundary");
    }

    function _toBoundary(uint256 taskId, Rng memory r) private {
        uint256 boundary = _boundary(taskId, r);
        if (boundary <= block.timestamp) return;
        focus = taskId;
        _warp(boundary + _next(r, 2), "go to a boundary");
    }

    /// @dev The end of the wait, or of a window within it.
    function _boundary(uint256 taskId, Rng memory r) private view returns (uint256) {
        Task memory task = registry.taskOf(taskId);
        uint256 end = _waitEnd(taskId, task);
        if (_next(r, 2) == 0) return end;
        if (task.state == TaskState.CLAIMED) return task.claimedAt + params.vetWindow;
        if (task.state == TaskState.ACTIVE && task.reviewEnd != 0) return task.reviewEnd;
        if (task.state != TaskState.DISPUTED) return end;
        IArbitration.Dispute memory dispute = arbitration.disputeOf(taskId);
        if (dispute.phase == IArbitration.DisputePhase.OPEN) return dispute.consentEnd;
        return dispute.phase == IArbitration.DisputePhase.EVIDENCE ? dispute.evidenceEnd : end;
    }

    function _warp(uint256 timestamp, string memory how) private {
        vm.warp(timestamp);
        _did(how, gasleft());
    }
}
