// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../../src/interfaces/IArbitration.sol";
import { Task, TaskState } from "../../../src/types/Task.sol";
import { vm } from "../../Vm.sol";
import { Strangers } from "../actions/Strangers.sol";

/// @dev Properties 4, 5, 6, 7 and 10: what happens when nobody answers. These checks act on the market; forge takes back
/// what they did.
abstract contract Waits is Strangers {
    /// @dev The longest way: remove the judge, close; with room.
    uint256 private constant MOST_STEPS = 8;
    uint256 private constant MOST_ROUNDS = 400;
    address private constant SINK = address(0x51AC);

    /// @dev 4. Time and strangers alone end every task, in few steps, and nothing is left behind.
    function checkEnds() public {
        uint256 count = live.length;
        uint256 steps = _sweep();
        vm.assertEq(live.length, 0, "4: a task that never ends");
        vm.assertLe(steps, MOST_STEPS * count, "4: too many steps to the end");
        vm.assertEq(escrow.totalHeld(), 0, "4: money held for no task");
        vm.assertEq(escrow.totalExitDeposits(), 0, "4: an exit deposit for no task");
        vm.assertEq(arbitration.totalStakes(), 0, "4: a stake for no case");
        for (uint256 i = 0; i < PARTIES; ++i) {
            vm.assertEq(deposits.reservedOf(parties[i]), 0, "4: a reserve for no task");
        }
    }

    /// @dev 5. A delivery that nobody answers is paid in full.
    function checkUnanswered() public {
        uint256[] memory ids = live;
        uint256[] memory due = new uint256[](ids.length);
        for (uint256 i = 0; i < ids.length; ++i) {
            Task memory task = registry.taskOf(ids[i]);
            bool unanswered = task.state == TaskState.ACTIVE && task.reviewEnd != 0 && _isPayable(task);
            uint256 amount = unanswered ? ghosts[ids[i]].terms.amounts[task.current] : 0;
            due[i] = escrow.accountOf(ids[i]).released + amount;
        }
        _sweep();
        for (uint256 i = 0; i < ids.length; ++i) {
            vm.assertGe(escrow.accountOf(ids[i]).released, due[i], "5: delivered, unanswered and not paid");
        }
    }

    /// @dev 6. Work that is never delivered costs the poster nothing, whenever the wait for it ends.
    function checkNeverDelivered() public {
        uint256[] memory ids = live;
        bool[] memory untouched = new bool[](ids.length);
        for (uint256 i = 0; i < ids.length; ++i) {
            untouched[i] = !ghosts[ids[i]].delivered && !ghosts[ids[i]].accepted;
        }
        _sweep();
        for (uint256 i = 0; i < ids.length; ++i) {
            if (!untouched[i]) continue;
            vm.assertEq(escrow.accountOf(ids[i]).refunded, ghosts[ids[i]].funded, "6: undelivered, not all given back");
        }
    }

    /// @dev 7. Of the four calls anyone may make to end a wait at most one works, and if none does a window is running.
    function checkDefaults() public {
        for (uint256 i = 0; i < live.length; ++i) {
            uint256 id = live[i];
            Task memory task = registry.taskOf(id);
            uint256 end = _waitEnd(id, task);
            bool over = block.timestamp > end;
            bool delivered = task.state == TaskState.ACTIVE && task.reviewEnd != 0 && _isPayable(task);
            bool disputed = task.state == TaskState.DISPUTED;
            bool ruled = disputed && arbitration.disputeOf(id).phase == IArbitration.DisputePhase.RULED;
            bool expires = _works(address(registry), abi.encodeCall(registry.expire, (id)));
            bool lapses = _works(address(registry), abi.encodeCall(registry.releaseLapsed, (id, task.current)));
            bool timesOut = _works(address(arbitration), abi.encodeCall(arbitration.resolveTimedOut, (id)));
            bool finalizes = _works(address(arbitration), abi.encodeCall(arbitration.finalize, (id)));
            vm.assertEq(expires, over && !delivered && !disputed, "7: expire");
            vm.assertEq(lapses, over && delivered, "7: releaseLapsed");
            vm.assertEq(timesOut, over && disputed && !ruled, "7: resolveTimedOut");
            vm.assertEq(finalizes, over && ruled, "7: finalize");
            vm.assertLe(end, block.timestamp + 366 days, "7: a wait without an end");
        }
    }

    /// @dev 10. The other side's wallet is frozen and empty, its deposit gone, the market paused and the feed dead: all
    /// that a party may do it still can.
    function checkRights() public {
        for (uint256 i = 0; i < live.length; ++i) {
            Task memory task = registry.taskOf(live[i]);
            _checkRights(live[i], task, true);
            if (task.worker != address(0)) _checkRights(live[i], task, false);
        }
    }

    function _checkRights(uint256 id, Task memory task, bool asPoster) private {
        uint256 count = 0;
        try this.countAlone(id, asPoster) { }
        catch (bytes memory reason) {
            count = abi.decode(reason, (uint256));
        }
        // After a ruling there is nothing to give up: it is paid, or the loser appeals.
        bool ruled = task.state == TaskState.DISPUTED && arbitration.disputeOf(id).ruled;
        bool hasWayOut = asPoster && task.state != TaskState.CLAIMED && !ruled;
        vm.assertTrue(count != 0 || !hasWayOut, "10: a poster without a way out");
        for (uint256 i = 0; i < count; ++i) {
            try this.moveAlone(id, asPoster, i) { }
            catch (bytes memory reason) {
                if (reason.length != 1) vm.assertEq(reason, "", "10: a party is blocked by the other side");
                vm.assertEq(reason.length, 1, "10: a party is blocked by the other side");
            }
        }
    }

    /// @dev How many moves a party has, alone in the world.
    function countAlone(uint256 id, bool asPoster) external returns (uint256) {
        require(msg.sender == address(this));
        Task memory task = registry.taskOf(id);
        _emptyWorld(asPoster ? task.worker : task.poster);
        uint256 count = _menuOf(id, task, asPoster).count;
        assembly ("memory-safe") {
            mstore(0, count)
            revert(0, 32)
        }
    }

    /// @dev Makes one of these moves, and reverts with one byte.
    function moveAlone(uint256 id, bool asPoster, uint256 index) external {
        require(msg.sender == address(this));
        Task memory task = registry.taskOf(id);
        _emptyWorld(asPoster ? task.worker : task.poster);
        _menuOf(id, task, asPoster).moves[index](id, task, _rng(id));
        assembly ("memory-safe") {
            revert(0, 1)
        }
    }

    function _menuOf(uint256 id, Task memory task, bool asPoster) private view returns (Menu memory) {
        return asPoster ? _posterMenu(id, task, true) : _workerMenu(id, task, true);
    }

    function _emptyWorld(address other) private {
        if (!registry.paused()) {
            vm.prank(OWNER);
            registry.pauseEntries();
        }
        feed.set(0, 0, 0);
        if (other == address(0)) return;
        uint256 free = deposits.withdrawableOf(other);
        if (free != 0) {
            vm.prank(other);
            deposits.withdraw(free, SINK);
        }
        uint256 balance = _spendable(other);
        if (balance != 0) {
            vm.prank(other);
            token.transfer(SINK, balance);
        }
        token.setBlocked(other, true);
    }

    /// @dev Strangers call whatever applies; when nothing does, time goes to where something will. Some are late by years.
    function _sweep() private returns (uint256 steps) {
        Rng memory r = _rng(block.number);
        if (_next(r, 2) == 0) vm.warp(block.timestamp + 730 days);
        for (uint256 round = 0; round < MOST_ROUNDS && live.length != 0; ++round) {
            uint256 next = type(uint256).max;
            bool moved = false;
            for (uint256 i = live.length; i > 0; --i) {
                uint256 id = live[i - 1];
                Task memory task = registry.taskOf(id);
                uint256 end = _waitEnd(id, task);
                if (end < next) next = end;
                if (!_default(id, task)) continue;
                moved = true;
                ++steps;
            }
            vm.roll(block.number + 5);
            if (!moved) vm.warp(next + 1);
        }
    }

    function _works(address target, bytes memory data) private returns (bool) {
        return _wouldSucceed(STRANGER, target, data);
    }
}
