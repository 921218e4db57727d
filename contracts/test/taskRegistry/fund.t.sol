// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task } from "../../src/types/Task.sol";
import { bound } from "../bound.sol";
import { vm } from "../Vm.sol";
import { Bookkeeping } from "./Bookkeeping.sol";

contract TaskRegistryFundTest is Bookkeeping {
    /// @dev Its reserve is not asked for again.
    function test_Posted_NeedsADepositOfEightDollars() external {
        uint256 taskId = _posted();
        vm.prank(address(arbitration));
        deposits.penalise(taskId, POSTER, HOLDER, 13e6);
        _setDeposit(POSTER, 8e6 - 1);
        _expectDepositTooLow(POSTER, 8e6 - 1, 8e6);
        _pay(taskId, 1);
        _setDeposit(POSTER, 8e6);
        _pay(taskId, TOTAL);
        _assertAccount(taskId, TOTAL, 0, 0);
        _assertReserves(taskId, 0, 0);
    }

    function test_CountsTheMoneyOfAnEarlierClaim() external {
        uint256 taskId = _claimed();
        _pay(taskId, 400e18);
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        _claim(taskId, STRANGER);
        _assertNotMissing(taskId, 600e18 + 1, 600e18);
        _pay(taskId, 600e18);
        _assertAccount(taskId, TOTAL, 0, 0);
    }

    function test_RevertGiven_TheWalletOrItsAllowanceIsAWeiShort() external {
        uint256 taskId = _claimed();
        _setTok(POSTER, TOTAL - 1);
        _expectTokShort(POSTER, TOTAL - 1, TOTAL);
        _pay(taskId, TOTAL);
        vm.prank(POSTER);
        tok.approve(address(gateway), TOTAL - 2);
        _expectAllowanceShort(TOTAL - 2, TOTAL - 1);
        _pay(taskId, TOTAL - 1);
        _assertAccount(taskId, 0, 0, 0);
    }

    /// @dev No fee, and no field of the task changes.
    function test_MovesTheAmountAlone() external {
        uint256[2] memory taskIds = [_posted(), _claimed()];
        for (uint256 i = 0; i < 2; ++i) {
            Task memory expected = _task(taskIds[i]);
            Gains memory gains;
            gains.posterTok = -250e18;
            _mark();
            vm.expectEmit(address(registry));
            emit ITaskRegistry.TaskFunded(taskIds[i], POSTER, 250e18);
            vm.expectEmit(address(escrow));
            emit IEscrowVault.Funded(taskIds[i], POSTER, 250e18);
            _pay(taskIds[i], 250e18);

            _assertTask(taskIds[i], expected);
            _assertGains(gains);
            _assertAccount(taskIds[i], 250e18, 0, 0);
        }
    }

    function testFuzz_AddsUpTwoParts(uint256 first, uint256 second) external {
        uint256 taskId = _posted();
        first = bound(first, 1, TOTAL - 1);
        _pay(taskId, first);
        _claim(taskId, WORKER);
        uint256 missing = TOTAL - first;
        _assertNotMissing(taskId, missing + 1, missing);
        second = bound(second, 1, 2 * missing);
        if (second > missing) return _assertNotMissing(taskId, second, missing);
        _pay(taskId, second);
        _assertAccount(taskId, first + second, 0, 0);
    }

    function _pay(uint256 taskId, uint256 amount) private {
        vm.prank(POSTER);
        registry.fund(taskId, amount);
    }

    function _assertNotMissing(uint256 taskId, uint256 amount, uint256 missing) private {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.AmountNotMissing.selector, taskId, amount, missing));
        _pay(taskId, amount);
    }
}
