// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { SLASH } from "../../../src/arbitration/Arbitrators.sol";
import { IArbitration } from "../../../src/interfaces/IArbitration.sol";
import { CLAIM_RESERVE, TASK_RESERVE } from "../../../src/types/Market.sol";
import { Task, TaskState } from "../../../src/types/Task.sol";
import { vm } from "../../Vm.sol";
import { World } from "../World.sol";

/// @dev Property 10 as far as it is a matter of books: deposits, reserves, slots; and the arbitrators' bonds.
abstract contract Deposits is World {
    /// @dev The vault has every deposit, and what tasks reserve of an account adds up and is there.
    function checkDeposits() public view {
        uint256 sum = 0;
        for (uint256 i = 0; i < holders.length; ++i) {
            sum += deposits.balanceOf(holders[i]);
            vm.assertGe(
                deposits.balanceOf(holders[i]), deposits.reservedOf(holders[i]), "10: a reserve without a deposit"
            );
        }
        vm.assertEq(deposits.totalDeposits(), sum, "10: sum of deposits");
        vm.assertEq(usdc.balanceOf(address(deposits)), sum, "10: the deposit vault's balance");
    }

    function checkReservedSums() public view {
        uint256[] memory reserved = new uint256[](PARTIES);
        for (uint256 i = 0; i < live.length; ++i) {
            Task memory task = registry.taskOf(live[i]);
            reserved[_indexOf(task.poster)] += deposits.reserveOf(live[i], task.poster);
            if (task.worker != address(0)) {
                reserved[_indexOf(task.worker)] += deposits.reserveOf(live[i], task.worker);
            }
        }
        for (uint256 i = 0; i < PARTIES; ++i) {
            vm.assertEq(deposits.reservedOf(parties[i]), reserved[i], "10: reserves of the live tasks");
        }
    }

    /// @dev 10. While a task is claimed or in work both sides stand behind it with USD 8, in a dispute with their appeals
    /// on top. A concession has cost the poster its fee; a dismissal or a missed window a part until the money comes, but
    /// there is no claim without USD 5.
    function checkReserves() public view {
        for (uint256 i = 0; i < live.length; ++i) {
            uint256 id = live[i];
            Task memory task = registry.taskOf(id);
            Ghost storage ghost = ghosts[id];
            uint256 ofPoster = deposits.reserveOf(id, task.poster);
            if (task.state == TaskState.POSTED) {
                vm.assertLe(ofPoster, TASK_RESERVE, "10: the reserve of a posted task");
                if (!ghost.cut) vm.assertEq(ofPoster, TASK_RESERVE, "10: the reserve of a posted task");
                continue;
            }
            (uint256 posterBonds, uint256 workerBonds) = _bondsOf(id, task);
            uint256 ofWorker = deposits.reserveOf(id, task.worker);
            vm.assertLe(ofPoster, TASK_RESERVE + posterBonds, "10: too much reserved of the poster");
            vm.assertLe(ofWorker, TASK_RESERVE + workerBonds, "10: too much reserved of the worker");
            if (ghost.conceded) continue;
            vm.assertEq(ofWorker, TASK_RESERVE + workerBonds, "10: the worker's reserve is not whole");
            if (ghost.cut) {
                vm.assertTrue(task.state == TaskState.CLAIMED, "10: work on a reserve that is not whole");
                vm.assertGe(ofPoster, CLAIM_RESERVE, "10: a claim on less than both penalties");
            } else {
                vm.assertEq(ofPoster, TASK_RESERVE + posterBonds, "10: the poster's reserve is not whole");
            }
        }
    }

    /// @dev A worker's slots are taken by its live tasks and by nothing else.
    function checkSlots() public view {
        uint256[] memory claims = new uint256[](PARTIES);
        for (uint256 i = 0; i < live.length; ++i) {
            Task memory task = registry.taskOf(live[i]);
            vm.assertEq(task.worker, ghosts[live[i]].worker, "the worker of a task");
            vm.assertEq(task.current, ghosts[live[i]].current, "the current milestone of a task");
            if (task.worker != address(0)) ++claims[_indexOf(task.worker)];
        }
        for (uint256 i = 0; i < PARTIES; ++i) {
            vm.assertEq(registry.liveClaimsOf(parties[i]), claims[i], "live claims of a worker");
        }
    }

    /// @dev Arbitration has every bond and every slash that waits; open cases are seats without a vote.
    function checkBonds() public view {
        uint256 count = arbitration.arbitratorCount();
        address[] memory roster = arbitration.arbitratorsFrom(0, count);
        uint256[] memory cases = _openCases(roster);
        uint256 bonded = 0;
        for (uint256 i = 0; i < count; ++i) {
            IArbitration.Arbitrator memory record = arbitration.arbitratorOf(roster[i]);
            bonded += record.bond;
            vm.assertEq(record.openCases, cases[i], "open cases of an arbitrator");
            vm.assertGe(record.bond, cases[i] * SLASH, "a bond that is short of a slash");
        }
        uint256 waiting = 0;
        for (uint256 i = 0; i < PARTIES; ++i) {
            waiting += arbitration.withdrawableOf(parties[i]);
        }
        vm.assertEq(arbitration.totalBonded(), bonded, "sum of bonds");
        vm.assertEq(arbitration.totalWithdrawable(), waiting, "sum of slashes to withdraw");
        vm.assertEq(token.balanceOf(address(arbitration)), bonded + waiting, "arbitration's balance");
    }

    /// @dev Nobody judges their own case, and nobody sits twice.
    function checkBenches() public view {
        for (uint256 i = 0; i < live.length; ++i) {
            IArbitration.Dispute memory dispute = arbitration.disputeOf(live[i]);
            if (dispute.phase == IArbitration.DisputePhase.NONE) continue;
            IArbitration.Seat[] memory bench = arbitration.benchOf(live[i]);
            vm.assertLe(bench.length, 9, "a bench of more than nine");
            vm.assertLe(bench.length - dispute.panelStart, 5, "a panel of more than five");
            for (uint256 j = 0; j < bench.length; ++j) {
                address member = bench[j].arbitrator;
                vm.assertTrue(member != dispute.poster && member != dispute.worker, "a party on the bench");
                for (uint256 k = 0; k < j; ++k) {
                    vm.assertTrue(bench[k].arbitrator != member, "twice on the bench");
                }
            }
        }
    }

    function _openCases(address[] memory roster) private view returns (uint256[] memory cases) {
        cases = new uint256[](roster.length);
        for (uint256 i = 0; i < live.length; ++i) {
            if (registry.taskOf(live[i]).state != TaskState.DISPUTED) continue;
            uint256 start = arbitration.disputeOf(live[i]).panelStart;
            IArbitration.Seat[] memory bench = arbitration.benchOf(live[i]);
            for (uint256 j = start; j < bench.length; ++j) {
                if (bench[j].voted) continue;
                uint256 k = 0;
                while (roster[k] != bench[j].arbitrator) ++k;
                ++cases[k];
            }
        }
    }

    function _bondsOf(uint256 id, Task memory task) private view returns (uint256 ofPoster, uint256 ofWorker) {
        if (task.state != TaskState.DISPUTED) return (0, 0);
        IArbitration.Appeal[] memory appeals = arbitration.appealsOf(id);
        for (uint256 i = 0; i < appeals.length; ++i) {
            if (appeals[i].appellant == task.poster) ofPoster += appeals[i].bond;
            else ofWorker += appeals[i].bond;
        }
    }

    function _indexOf(address party) private view returns (uint256 i) {
        while (parties[i] != party) ++i;
    }
}
