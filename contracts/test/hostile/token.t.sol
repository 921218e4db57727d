// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { TaskState, TaskTerms } from "../../src/types/Task.sol";
import { HostileToken } from "../mocks/HostileToken.sol";
import { vm } from "../Vm.sol";
import { HostileMarket } from "./HostileMarket.sol";

contract HostileTokenTest is HostileMarket {
    address private constant ELSEWHERE = address(0xE15E);

    /// @dev It moves nothing, takes a fee, brings more than asked, or says no. Posting with money leaves nothing behind either.
    function test_Fund_RefusesLie() external {
        uint256 taskId = _posted();
        for (uint256 i = 0; i < 4; ++i) {
            uint256 snapshot = vm.snapshotState();
            if (i == 0) hostile.setStill(true);
            if (i == 1) hostile.setFee(100);
            if (i == 2) hostile.setCallback(address(hostile), abi.encodeCall(HostileToken.mint, (address(escrow), 1)));
            if (i == 3) hostile.setAnswer(HostileToken.Answer.FALSE);
            uint256[3] memory received = [0, TOTAL - TOTAL / 100, TOTAL + 1];
            bytes memory reason = i == 3
                ? abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(hostile))
                : abi.encodeWithSelector(IEscrowVault.UnexpectedAmount.selector, TOTAL, received[i]);
            TaskTerms memory terms = _terms();
            _expectRefusal(POSTER, abi.encodeCall(registry.fund, (taskId, TOTAL)), reason);
            _expectRefusal(POSTER, abi.encodeCall(registry.post, (terms, TEXT, TOTAL)), reason);
            _assertAccount(taskId, 0, 0, 0);
            vm.assertEq(registry.taskCount(), 1);
            vm.assertEq(deposits.reservedOf(POSTER), 13e6);
            vm.assertFalse(registry.isNonceUsed(POSTER, terms.nonce));
            vm.revertToState(snapshot);
        }
    }

    function test_Pay_WaitsForBlockedWorker() external {
        uint256 taskId = _active();
        uint256 other = _post(_terms(), TOTAL);
        _claim(other, STRANGER);
        _activate(other);
        hostile.setBlocked(WORKER, true);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.Released(taskId, WORKER, TOTAL, true);
        vm.startPrank(POSTER);
        registry.complete(taskId);
        uint256 before = tok.balanceOf(STRANGER);
        registry.complete(other);
        vm.stopPrank();

        _assertSettled(taskId, TaskState.COMPLETED);
        vm.assertEq(tok.balanceOf(STRANGER), before + TOTAL + uint256(EXIT));
        _withdraw(WORKER, TOTAL + uint256(EXIT));
    }

    function test_Pay_WaitsWhileVaultIsBlocked() external {
        uint256 posted = _post(_terms(), TOTAL);
        uint256 active = _active();
        uint256 disputed = _disputed();
        hostile.setBlocked(address(escrow), true);
        vm.startPrank(POSTER);
        registry.cancel(posted);
        registry.complete(active);
        vm.stopPrank();
        _after(arbitration.disputeOf(disputed).evidenceEnd);
        arbitration.resolveTimedOut(disputed);
        _after(arbitration.disputeOf(disputed).courtEnd);
        arbitration.resolveTimedOut(disputed);

        vm.expectRevert(abi.encodeWithSelector(HostileToken.Blocked.selector, address(escrow)));
        vm.prank(WORKER);
        escrow.withdraw(ELSEWHERE);
        hostile.setBlocked(address(escrow), false);
        _withdraw(WORKER, TOTAL + FIRST + 2 * uint256(EXIT));
        _withdraw(POSTER, TOTAL + SECOND + 3 * uint256(EXIT));
        vm.assertEq(tok.balanceOf(address(escrow)), 0);
    }

    function test_Pay_LosesExactlyAmountToTokenFee() external {
        uint256 taskId = _active();
        uint256 other = _active();
        hostile.setFee(100);
        uint256 before = tok.balanceOf(WORKER);
        vm.prank(POSTER);
        registry.release(taskId, 0);

        vm.assertEq(tok.balanceOf(WORKER), before + FIRST - FIRST / 100);
        vm.assertEq(escrow.withdrawableOf(WORKER), 0);
        vm.assertEq(tok.balanceOf(address(escrow)), SECOND + TOTAL + 4 * uint256(EXIT));
        vm.assertEq(escrow.heldOf(other), TOTAL);
        _assertBacked();
    }

    function test_Pay_KeepsClaimWhileTokenLies() external {
        uint256 taskId = _active();
        hostile.setStill(true);
        vm.prank(POSTER);
        registry.complete(taskId);
        uint256 owed = TOTAL + uint256(EXIT);
        vm.assertEq(escrow.withdrawableOf(WORKER), owed);

        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.UnexpectedAmount.selector, owed, 0));
        vm.prank(WORKER);
        escrow.withdraw(ELSEWHERE);
        hostile.setStill(false);
        _withdraw(WORKER, owed);
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.NothingToWithdraw.selector, WORKER));
        vm.prank(WORKER);
        escrow.withdraw(ELSEWHERE);
    }

    function test_Fee_BlockedTreasuryStopsNoExit() external {
        // What was forfeited is the Union's.
        _assertExitsWithout(TREASURY, 2);
    }

    function test_Fee_BlockedUnionStopsNoExit() external {
        _assertExitsWithout(address(staking), 3);
    }

    /// @dev Of a poster that conceded.
    function test_Stake_LeavesElsewhere() external {
        uint256 taskId = _disputed();
        hostile.setBlocked(WORKER, true);
        vm.startPrank(POSTER);
        registry.release(taskId, 0);
        vm.startPrank(WORKER);
        arbitration.withdraw(ELSEWHERE);
        vm.assertEq(tok.balanceOf(ELSEWHERE), 6e18);
        vm.assertEq(tok.balanceOf(address(arbitration)), 0);
    }

    /// @dev Entries are refused; every exit ends with every token of the parties out.
    function _assertExitsWithout(address receiver, uint256 unshared) private {
        uint256 posted = _post(_terms(), TOTAL);
        uint256 dismissed = _created(_terms());
        uint256 left = _active();
        uint256 late = _active();
        hostile.setBlocked(receiver, true);
        bytes memory blocked = abi.encodeWithSelector(HostileToken.Blocked.selector, receiver);
        TaskTerms memory terms = _terms();
        bytes32 digest = _digestFor(posted, WORKER);
        vm.expectRevert(blocked);
        vm.prank(POSTER);
        registry.post(terms, TEXT, 0);
        vm.expectRevert(blocked);
        vm.prank(WORKER);
        registry.claim(posted, digest);

        uint256 poster = tok.balanceOf(POSTER);
        uint256 worker = tok.balanceOf(WORKER);
        vm.startPrank(POSTER);
        registry.cancel(posted);
        registry.dismiss(dismissed);
        vm.stopPrank();
        vm.prank(WORKER);
        registry.leaveTask(left);
        _after(_task(late).deadline);
        registry.expire(late);
        vm.assertEq(tok.balanceOf(POSTER), poster + 3 * TOTAL + 3 * uint256(EXIT));
        vm.assertEq(tok.balanceOf(WORKER), worker + uint256(EXIT));
        vm.assertEq(tok.balanceOf(address(escrow)), 0);
        // What could not be shared out stays with the gateway.
        vm.assertEq(tok.balanceOf(address(gateway)), unshared * uint256(EXIT));
    }

    function _withdraw(address account, uint256 amount) private {
        uint256 before = tok.balanceOf(ELSEWHERE);
        vm.prank(account);
        vm.assertEq(escrow.withdraw(ELSEWHERE), amount, "withdrawn");
        vm.assertEq(tok.balanceOf(ELSEWHERE) - before, amount, "received");
        _assertBacked();
    }
}
