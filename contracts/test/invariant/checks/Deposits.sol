// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../../src/interfaces/IArbitration.sol";
import { APPEAL_FEE, ENTRY_DEPOSIT, EXIT_DEPOSIT, LOCKED_DEPOSIT, TASK_RESERVE } from "../../../src/types/Market.sol";
import { Task, TaskState } from "../../../src/types/Task.sol";
import { vm } from "../../Vm.sol";
import { World } from "../World.sol";

/// @dev Property 10 as far as it is a matter of books: deposits, reserves, exit deposits; and the arbitrators' bonds.
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

    /// @dev 10. Both sides stand behind a task with USD 13, an appellant with 8 more. A concession has cost the poster a
    /// judge's fee.
    function checkReserves() public view {
        for (uint256 i = 0; i < live.length; ++i) {
            uint256 id = live[i];
            Task memory task = registry.taskOf(id);
            Ghost storage ghost = ghosts[id];
            uint256 ofPoster = deposits.reserveOf(id, task.poster);
            if (task.state == TaskState.POSTED) {
                vm.assertEq(ofPoster, TASK_RESERVE, "10: the reserve of a posted task");
                continue;
            }
            IArbitration.Dispute memory dispute = arbitration.disputeOf(id);
            bool appealed = task.state == TaskState.DISPUTED && dispute.appealed;
            // Whoever conceded and went on reserved more.
            uint256 dueOfPoster =
                (ghost.conceded ? ENTRY_DEPOSIT : TASK_RESERVE) + (appealed && dispute.forWorker ? APPEAL_FEE : 0);
            uint256 dueOfWorker = TASK_RESERVE + (appealed && !dispute.forWorker ? APPEAL_FEE : 0);
            vm.assertEq(deposits.reserveOf(id, task.worker), dueOfWorker, "10: the worker's reserve is not whole");
            vm.assertLe(ofPoster, dueOfPoster, "10: too much reserved of the poster");
            if (!ghost.conceded) vm.assertEq(ofPoster, dueOfPoster, "10: the poster's reserve is not whole");
        }
    }

    /// @dev While anything is reserved, what pays for an appeal cannot be withdrawn.
    function checkWithdrawable() public view {
        for (uint256 i = 0; i < PARTIES; ++i) {
            uint256 free = deposits.freeOf(parties[i]);
            uint256 stays = deposits.reservedOf(parties[i]) == 0 ? 0 : LOCKED_DEPOSIT;
            uint256 expected = free > stays ? free - stays : 0;
            vm.assertEq(deposits.withdrawableOf(parties[i]), expected, "what can be withdrawn of a deposit");
        }
    }

    /// @dev Each party of a live task has its exit deposit in the vault, but a poster that gave notice; nobody else has.
    function checkExitDeposits() public view {
        uint256 sum = 0;
        for (uint256 i = 0; i < live.length; ++i) {
            Task memory task = registry.taskOf(live[i]);
            vm.assertEq(task.worker, ghosts[live[i]].worker, "the worker of a task");
            vm.assertEq(task.current, ghosts[live[i]].current, "the current milestone of a task");
            uint256 ofPoster = task.underNotice ? 0 : EXIT_DEPOSIT;
            vm.assertEq(task.underNotice, ghosts[live[i]].noticed, "a notice");
            vm.assertEq(escrow.exitDepositOf(live[i], task.poster), ofPoster, "the poster's exit deposit");
            sum += ofPoster;
            if (task.worker == address(0)) continue;
            vm.assertEq(escrow.exitDepositOf(live[i], task.worker), EXIT_DEPOSIT, "the worker's exit deposit");
            sum += EXIT_DEPOSIT;
        }
        vm.assertEq(escrow.totalExitDeposits(), sum, "sum of exit deposits");
    }

    /// @dev Arbitration has every bond, every stake and every payment that waits; what judges lock are their open cases.
    function checkBonds() public view {
        uint256 count = arbitration.arbitratorCount();
        address[] memory roster = arbitration.arbitratorsFrom(0, count);
        uint256 bonded = 0;
        for (uint256 i = 0; i < count; ++i) {
            IArbitration.Arbitrator memory record = arbitration.arbitratorOf(roster[i]);
            bonded += record.bond;
            (uint256 cases, uint256 locked) = _casesOf(roster[i]);
            vm.assertEq(record.openCases, cases, "open cases of an arbitrator");
            vm.assertEq(record.locked, locked, "what cases lock of a bond");
            vm.assertGe(record.bond, locked, "a bond that is short of its locks");
        }
        uint256 waiting = 0;
        for (uint256 i = 0; i < holders.length; ++i) {
            waiting += arbitration.withdrawableOf(holders[i]);
        }
        uint256 staked = 0;
        for (uint256 i = 0; i < live.length; ++i) {
            staked += arbitration.disputeOf(live[i]).stake;
        }
        vm.assertEq(arbitration.totalBonded(), bonded, "sum of bonds");
        vm.assertEq(arbitration.totalStakes(), staked, "sum of stakes of openers");
        vm.assertEq(arbitration.totalWithdrawable(), waiting, "sum of payments that wait");
        vm.assertEq(token.balanceOf(address(arbitration)), bonded + staked + waiting, "arbitration's balance");
    }

    /// @dev Nobody judges their own case, the final court sits on no bench, and the shares never cross.
    function checkJudges() public view {
        for (uint256 i = 0; i < live.length; ++i) {
            IArbitration.Dispute memory dispute = arbitration.disputeOf(live[i]);
            address judge = dispute.judge;
            vm.assertLe(dispute.offerBps, dispute.askBps, "an offer above what is asked");
            if (judge == address(0)) continue;
            vm.assertTrue(judge != dispute.poster && judge != dispute.worker, "a party on the bench");
            vm.assertTrue(judge != COURT, "the final court on the bench");
        }
    }

    function _casesOf(address judge) private view returns (uint256 cases, uint256 locked) {
        for (uint256 i = 0; i < live.length; ++i) {
            IArbitration.Dispute memory dispute = arbitration.disputeOf(live[i]);
            if (dispute.judge != judge || dispute.phase == IArbitration.DisputePhase.CLOSED) continue;
            ++cases;
            locked += arbitration.lockFor(dispute.amount);
        }
    }

    function _indexOf(address party) private view returns (uint256 i) {
        while (parties[i] != party) ++i;
    }
}
