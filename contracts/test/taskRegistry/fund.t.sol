// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { Pausable } from "@openzeppelin/contracts/utils/Pausable.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState } from "../../src/types/Task.sol";
import { bound } from "../bound.sol";
import { vm } from "../Vm.sol";
import { Bookkeeping } from "./Bookkeeping.sol";

contract TaskRegistryFundTest is Bookkeeping {
    function test_RevertGiven_TheTaskIsNeitherPostedNorClaimed() external {
        bytes memory data = abi.encodeCall(registry.fund, (0, 1));
        _assertRefusedOutside(TaskState.POSTED, TaskState.CLAIMED, POSTER, data);
        _assertRefusedOutside(TaskState.POSTED, TaskState.CLAIMED, STRANGER, data);
    }

    function test_RevertWhen_TheCallerIsNotThePoster() external {
        uint256 taskId = _claimed();
        address[3] memory callers = [WORKER, STRANGER, OWNER];
        for (uint256 i = 0; i < callers.length; ++i) {
            _expect(ITaskRegistry.NotPoster.selector, taskId, callers[i]);
            vm.prank(callers[i]);
            registry.fund(taskId, 1);
        }
    }

    function test_RevertGiven_PostedAndEntriesArePaused() external {
        uint256 taskId = _posted();
        vm.prank(GUARDIAN);
        registry.pauseEntries();
        vm.expectRevert(Pausable.EnforcedPause.selector);
        _pay(taskId, 1);
    }

    function test_RevertGiven_PostedAndTheDepositIsAUnitTooLow() external {
        uint256 taskId = _reopened();
        _setDeposit(POSTER, 8e6 - 1);
        _expectDepositTooLow(POSTER, 8e6 - 1, 8e6);
        _pay(taskId, 1);
    }

    function test_FundsWithTheLowestDeposit() external {
        uint256 taskId = _reopened();
        _setDeposit(POSTER, 8e6);
        _pay(taskId, 1_000e18);
        _assertAccount(taskId, 1_000e18, 0, 0);
        _assertReserves(taskId, 8e6, 0);
    }

    function test_RevertGiven_TheFreeDepositIsAUnitShort() external {
        uint256 other = _posted();
        uint256 taskId = _reopened();
        _assertReserves(other, 8e6, 0);
        _setDeposit(POSTER, 16e6 - 1);
        _expectInsufficientDeposit(POSTER, 2.5e6 - 1, 2.5e6);
        _pay(taskId, 1);
        _setDeposit(POSTER, 16e6);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Reserved(taskId, POSTER, 2.5e6);
        _pay(taskId, 1);
        _assertReserves(taskId, 8e6, 0);
    }

    function test_RevertGiven_ClaimedAndTheFreeDepositIsAUnitShort() external {
        uint256 taskId = _claimed();
        vm.prank(address(arbitration));
        deposits.penalise(taskId, POSTER, TREASURY, 2.5e6);
        _setDeposit(POSTER, 8e6 - 1);
        _expectInsufficientDeposit(POSTER, 2.5e6 - 1, 2.5e6);
        _pay(taskId, 1);
        _setDeposit(POSTER, 8e6);
        _pay(taskId, 1);
        _assertReserves(taskId, 8e6, 8e6);
    }

    function test_FundsWhenClaimsAreClosed() external {
        uint256 taskId = _posted();
        _after(_task(taskId).claimDeadline);
        _pay(taskId, 1);
        _assertAccount(taskId, 1, 0, 0);
    }

    function test_FundsAClaimWhileEntriesArePaused() external {
        uint256 taskId = _claimed();
        vm.prank(GUARDIAN);
        registry.pauseEntries();
        _pay(taskId, 1_000e18);
        _assertAccount(taskId, 1_000e18, 0, 0);
    }

    function test_FundsInTheLastSecond() external {
        uint256 taskId = _claimed();
        vm.warp(_task(taskId).claimedAt + params.fundingWindow);
        _pay(taskId, 1_000e18);
        _assertAccount(taskId, 1_000e18, 0, 0);
    }

    function test_RevertGiven_TheFundingWindowEnded() external {
        uint256 taskId = _claimed();
        uint256 end = 1_800_000_000 + 24 hours;
        _after(end);
        _expect(ITaskRegistry.FundingWindowClosed.selector, taskId, end);
        _pay(taskId, 1);
    }

    function test_RevertWhen_TheAmountIsZero() external {
        _assertNotMissing(_posted(), 0, 1_000e18);
        _assertNotMissing(_claimed(), 0, 1_000e18);
    }

    function test_RevertWhen_TheAmountIsAWeiTooMuch() external {
        _assertNotMissing(_posted(), 1_000e18 + 1, 1_000e18);
        uint256 taskId = _claimed();
        _pay(taskId, 300e18);
        _assertNotMissing(taskId, 700e18 + 1, 700e18);
        _assertNotMissing(taskId, type(uint256).max, 700e18);
    }

    function test_RevertGiven_NothingIsMissing() external {
        _assertNotMissing(_funded(), 1, 0);
    }

    function test_CountsTheMoneyOfAnEarlierClaim() external {
        uint256 taskId = _claimed();
        _pay(taskId, 400e18);
        vm.prank(WORKER);
        registry.leaveTask(taskId);
        _claim(taskId, STRANGER);
        _assertNotMissing(taskId, 600e18 + 1, 600e18);
        _pay(taskId, 600e18);
        _assertAccount(taskId, 1_000e18, 0, 0);
    }

    function test_RevertGiven_TheWalletIsAWeiShort() external {
        uint256 taskId = _claimed();
        _setTok(POSTER, 1_000e18 - 1);
        _expectTokShort(POSTER, 1_000e18 - 1, 1_000e18);
        _pay(taskId, 1_000e18);
        _assertAccount(taskId, 0, 0, 0);
    }

    function test_RevertGiven_TheAllowanceIsAWeiShort() external {
        uint256 taskId = _claimed();
        vm.prank(POSTER);
        tok.approve(address(gateway), 1_000e18 - 1);
        vm.expectRevert(
            abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientAllowance.selector, address(gateway), 1_000e18 - 1, 1_000e18
            )
        );
        _pay(taskId, 1_000e18);
    }

    function test_EmitsItsEvents() external {
        uint256[2] memory taskIds = [_posted(), _claimed()];
        for (uint256 i = 0; i < 2; ++i) {
            vm.expectEmit(address(registry));
            emit ITaskRegistry.TaskFunded(taskIds[i], POSTER, 250e18);
            vm.expectEmit(address(escrow));
            emit IEscrowVault.Funded(taskIds[i], POSTER, 250e18);
            _pay(taskIds[i], 250e18);
        }
    }

    function test_ChangesNoField() external {
        uint256[2] memory taskIds = [_posted(), _claimed()];
        for (uint256 i = 0; i < 2; ++i) {
            Task memory task = _task(taskIds[i]);
            _pay(taskIds[i], 1_000e18);
            _assertTask(taskIds[i], task);
        }
    }

    function test_MovesTheAmountAndNoFee() external {
        uint256[2] memory taskIds = [_posted(), _claimed()];
        for (uint256 i = 0; i < 2; ++i) {
            Books memory books = _books();
            _pay(taskIds[i], 250e18);
            _escrowed(books, books.poster, 250e18);
            _assertBooks(books);
            _assertAccount(taskIds[i], 250e18, 0, 0);
        }
    }

    function testFuzz_AddsUpTwoParts(uint256 first, uint256 second) external {
        uint256 taskId = _posted();
        first = bound(first, 1, 1_000e18 - 1);
        _pay(taskId, first);
        _claim(taskId, WORKER);
        uint256 missing = 1_000e18 - first;
        second = bound(second, 1, 2 * missing);
        if (second > missing) return _assertNotMissing(taskId, second, missing);
        _pay(taskId, second);
        _assertAccount(taskId, first + second, 0, 0);
    }

    /// @dev POSTED again by a late dismissal that took the last of the poster's deposit: USD 5.50 of its reserve are left.
    function _reopened() private returns (uint256 taskId) {
        taskId = _claimed();
        _setDeposit(POSTER, deposits.reservedOf(POSTER));
        _after(_task(taskId).claimedAt + params.vetWindow);
        vm.prank(POSTER);
        registry.dismiss(taskId);
        _assertReserves(taskId, 5.5e6, 0);
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
