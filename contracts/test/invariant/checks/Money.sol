// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IEscrowVault } from "../../../src/interfaces/IEscrowVault.sol";
import { Task, TaskState } from "../../../src/types/Task.sol";
import { vm } from "../../Vm.sol";
import { World } from "../World.sol";

/// @dev Properties 1, 2, 3, 6 and 9: where every wei of TOK is, task by task and wallet by wallet.
abstract contract Money is World {
    /// @dev 1. held = funded - released - refunded >= 0, and the vault has exactly what it owes.
    function checkEscrow() public view {
        uint256 held = 0;
        uint256 count = registry.taskCount();
        for (uint256 id = 1; id <= count; ++id) {
            IEscrowVault.Account memory account = escrow.accountOf(id);
            Ghost storage ghost = ghosts[id];
            vm.assertGe(account.funded, uint256(account.released) + account.refunded, "1: held is negative");
            vm.assertLe(account.funded, ghost.total, "1: funded more than promised");
            vm.assertEq(account.funded, ghost.funded, "1: funded");
            vm.assertEq(account.released, ghost.paid, "1: released");
            vm.assertEq(account.refunded, ghost.returned, "1: refunded");
            vm.assertEq(escrow.heldOf(id), _ghostHeld(ghost), "1: held");
            held += account.funded - account.released - account.refunded;
        }
        uint256 waiting = 0;
        for (uint256 i = 0; i < holders.length; ++i) {
            waiting += escrow.withdrawableOf(holders[i]);
        }
        vm.assertEq(escrow.totalHeld(), held, "1: sum of held");
        vm.assertEq(escrow.totalWithdrawable(), waiting, "1: sum of withdrawable");
        uint256 owed = held + waiting + escrow.totalExitDeposits();
        vm.assertEq(token.balanceOf(address(escrow)), owed, "1: the vault's balance");
    }

    /// @dev 2. What is over holds nothing, reserves nothing and never moves again.
    function checkEnded() public view {
        uint256 count = registry.taskCount();
        for (uint256 id = 1; id <= count; ++id) {
            Task memory task = registry.taskOf(id);
            TaskState end = ghosts[id].end;
            if (end == TaskState.NONE) {
                vm.assertTrue(task.state != TaskState.NONE && task.state <= TaskState.DISPUTED, "2: ended unseen");
                continue;
            }
            vm.assertEq(uint256(task.state), uint256(end), "2: a task that was over moved");
            vm.assertEq(escrow.heldOf(id), 0, "2: a task that is over holds money");
            vm.assertEq(deposits.reserveOf(id, task.poster), 0, "2: a task that is over reserves of its poster");
            vm.assertEq(deposits.reserveOf(id, task.worker), 0, "2: a task that is over reserves of its worker");
            vm.assertEq(escrow.exitDepositOf(id, task.poster), 0, "2: a task that is over holds an exit deposit");
            vm.assertEq(escrow.exitDepositOf(id, task.worker), 0, "2: a task that is over holds an exit deposit");
        }
    }

    /// @dev 3. COMPLETED means fully paid; after a notice, up to the milestone that was accepted.
    function checkCompleted() public view {
        uint256 count = registry.taskCount();
        for (uint256 id = 1; id <= count; ++id) {
            Task memory task = registry.taskOf(id);
            if (task.state != TaskState.COMPLETED) continue;
            IEscrowVault.Account memory account = escrow.accountOf(id);
            uint256 due = 0;
            for (uint256 i = 0; i < task.current; ++i) {
                due += ghosts[id].terms.amounts[i];
            }
            vm.assertEq(account.released, due, "3: completed but not fully paid");
            vm.assertEq(account.refunded, ghosts[id].total - due, "3: completed but refunded");
            if (!task.underNotice) vm.assertEq(due, ghosts[id].total, "3: completed with a milestone open");
        }
    }

    /// @dev 6. Nothing delivered, nothing accepted: the poster got every wei back.
    function checkUndelivered() public view {
        uint256 count = registry.taskCount();
        for (uint256 id = 1; id <= count; ++id) {
            Ghost storage ghost = ghosts[id];
            if (ghost.end == TaskState.NONE || ghost.delivered || ghost.accepted || ghost.cancelledTogether) continue;
            IEscrowVault.Account memory account = escrow.accountOf(id);
            vm.assertEq(account.refunded, ghost.funded, "6: nothing delivered and not all given back");
            vm.assertEq(account.released, 0, "6: nothing delivered and yet paid");
        }
    }

    /// @dev 9. No token appears, and TOK vanishes only with a judge's fault.
    function checkSupply() public view {
        uint256 tokSum = token.balanceOf(address(escrow)) + token.balanceOf(address(staking))
            + token.balanceOf(address(arbitration));
        uint256 usdcSum = usdc.balanceOf(address(deposits));
        for (uint256 i = 0; i < holders.length; ++i) {
            tokSum += token.balanceOf(holders[i]);
            usdcSum += usdc.balanceOf(holders[i]);
        }
        vm.assertEq(tokSum, tokSupply, "9: TOK is somewhere it should not be");
        vm.assertEq(token.totalSupply(), tokSupply, "9: TOK was burnt or made");
        vm.assertEq(usdcSum, usdcSupply, "9: USDC is somewhere it should not be");
    }

    /// @dev 9. Each wallet has exactly what the rules moved to it and from it.
    function checkWallets() public view {
        for (uint256 i = 0; i < holders.length; ++i) {
            address holder = holders[i];
            uint256 waiting = escrow.withdrawableOf(holder) + arbitration.withdrawableOf(holder);
            vm.assertEq(token.balanceOf(holder) + waiting, tokOf[holder], "9: TOK of a wallet");
        }
    }

    /// @dev 9. Strangers, owners and guardians gain nothing; arbitrators gain no TOK.
    function checkOutsiders() public view {
        address[4] memory outside = [OUTSIDER, STRANGER, OWNER, GUARDIAN];
        for (uint256 i = 0; i < outside.length; ++i) {
            address account = outside[i];
            vm.assertEq(token.balanceOf(account), i < 2 ? PARTY_TOK : 0, "9: an outsider's TOK");
            vm.assertLe(usdc.balanceOf(account), i < 2 ? WALLET_USDC : 0, "9: an outsider's USDC");
            vm.assertEq(deposits.balanceOf(account), 0, "9: an outsider's deposit");
            vm.assertEq(escrow.withdrawableOf(account), 0, "9: an outsider's escrow");
            vm.assertEq(arbitration.withdrawableOf(account), 0, "9: an outsider's slash");
            vm.assertEq(staking.rewardsOf(account) + staking.creditsOf(account), 0, "9: an outsider's rewards");
        }
        for (uint256 i = 0; i < ARBITRATORS; ++i) {
            uint256 has = token.balanceOf(arbitrators[i]) + arbitration.arbitratorOf(arbitrators[i]).bond;
            uint256 slashed = arbitration.arbitratorOf(arbitrators[i]).slashed;
            vm.assertEq(has + slashed, ARBITRATOR_TOK, "9: an arbitrator's TOK");
        }
    }

    /// @dev The router, the registry and the record keepers hold nothing between calls.
    function checkRouters() public view {
        address[5] memory routers =
            [address(gateway), address(registry), address(reputation), address(scopes), address(pricing)];
        for (uint256 i = 0; i < routers.length; ++i) {
            vm.assertEq(token.balanceOf(routers[i]), 0, "the gateway holds TOK");
            vm.assertEq(usdc.balanceOf(routers[i]), 0, "the gateway holds USDC");
        }
    }
}
