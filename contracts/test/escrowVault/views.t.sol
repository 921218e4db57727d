// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { bound } from "../bound.sol";
import { vm } from "../Vm.sol";
import { EscrowVaultBase } from "./EscrowVaultBase.sol";

contract EscrowVaultViewsTest is EscrowVaultBase {
    function test_AnswersInTheOrderAsked() external {
        vault.fund(TASK, poster, 100);
        vault.release(TASK, worker, 30);
        vault.fund(OTHER_TASK, poster, 5);
        vault.refund(OTHER_TASK, poster);

        uint256[] memory taskIds = new uint256[](3);
        (taskIds[0], taskIds[1], taskIds[2]) = (OTHER_TASK, 999, TASK);
        IEscrowVault.Account[] memory accounts = vault.accountsOf(taskIds);

        vm.assertEq(accounts.length, 3);
        _assertEq(accounts[0], 5, 0, 5);
        _assertEq(accounts[1], 0, 0, 0);
        _assertEq(accounts[2], 100, 30, 0);
    }

    /// @dev Each byte of `script` is one operation on one of four tasks.
    function testFuzz_BalanceIsHeldPlusWithdrawable(bytes32 script, uint64[32] calldata amounts) external {
        for (uint256 i = 0; i < 32; i++) {
            uint256 code = uint8(script[i]);
            uint256 taskId = code % 4;
            tok.setBlocked(worker, code & 0x80 != 0);
            uint256 operation = (code / 4) % 4;
            if (operation == 0) vault.fund(taskId, poster, amounts[i]);
            else if (operation == 1) vault.release(taskId, worker, bound(amounts[i], 0, vault.heldOf(taskId)));
            else if (operation == 2) vault.refund(taskId, worker);
            else if (vault.withdrawableOf(worker) != 0) _withdrawAsWorker();

            uint256 held = vault.heldOf(0) + vault.heldOf(1) + vault.heldOf(2) + vault.heldOf(3);
            _assertTotals(held, vault.withdrawableOf(worker));
        }
    }

    function _withdrawAsWorker() private {
        vm.prank(worker);
        vault.withdraw(stranger);
    }

    function _assertEq(IEscrowVault.Account memory account, uint256 funded, uint256 released, uint256 refunded)
        private
        pure
    {
        vm.assertEq(account.funded, funded);
        vm.assertEq(account.released, released);
        vm.assertEq(account.refunded, refunded);
    }
}
