// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { TaskState, TaskTerms } from "../../src/types/Task.sol";
import { HostileToken } from "../mocks/HostileToken.sol";
import { vm } from "../Vm.sol";
import { HostileMarket } from "./HostileMarket.sol";

contract HostileTokenTest is HostileMarket {
    address private constant ELSEWHERE = address(0xE15E);

    function test_Fund_RefusesTokenWithFee() external {
        uint256 taskId = _posted();
        hostile.setFee(100);
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.UnexpectedAmount.selector, TOTAL, TOTAL - TOTAL / 100));
        vm.prank(POSTER);
        registry.fund(taskId, TOTAL);

        TaskTerms memory terms = _terms();
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.UnexpectedAmount.selector, TOTAL, TOTAL - TOTAL / 100));
        vm.prank(POSTER);
        registry.post(terms, TEXT, TOTAL);
        _assertAccount(taskId, 0, 0, 0);
        _assertBacked();
    }

    function test_Fund_RefusesLie() external {
        uint256 taskId = _posted();
        hostile.setStill(true);
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.UnexpectedAmount.selector, TOTAL, 0));
        vm.prank(POSTER);
        registry.fund(taskId, TOTAL);
        _assertAccount(taskId, 0, 0, 0);
    }

    function test_Fund_RefusesNo() external {
        uint256 taskId = _posted();
        hostile.setAnswer(HostileToken.Answer.FALSE);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(hostile)));
        vm.prank(POSTER);
        registry.fund(taskId, TOTAL);
        _assertAccount(taskId, 0, 0, 0);
    }

    function test_Fund_AcceptsSilence() external {
        uint256 taskId = _posted();
        hostile.setAnswer(HostileToken.Answer.NOTHING);
        vm.prank(POSTER);
        registry.fund(taskId, TOTAL);
        _assertAccount(taskId, TOTAL, 0, 0);
        _assertBacked();
    }

    function test_Fund_RefusesMoreThanAsked() external {
        uint256 taskId = _posted();
        hostile.setCallback(address(hostile), abi.encodeCall(HostileToken.mint, (address(escrow), 1)));
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.UnexpectedAmount.selector, TOTAL, TOTAL + 1));
        vm.prank(POSTER);
        registry.fund(taskId, TOTAL);
    }

    function test_Fund_LeavesNothingBehind() external {
        TaskTerms memory terms = _terms();
        _mark();
        hostile.setFee(1);
        vm.expectRevert();
        vm.prank(POSTER);
        registry.post(terms, TEXT, TOTAL);

        hostile.setFee(0);
        _assertNoGains();
        vm.assertEq(registry.taskCount(), 0);
        vm.assertEq(deposits.reservedOf(POSTER), 0);
        vm.assertFalse(registry.isNonceUsed(POSTER, terms.nonce));
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

    function test_Pay_AddsUpForBlockedWorker() external {
        uint256 first = _active();
        uint256 second = _active();
        hostile.setBlocked(WORKER, true);
        vm.startPrank(POSTER);
        registry.complete(first);
        registry.release(second, 0);
        vm.stopPrank();

        vm.assertEq(escrow.heldOf(second), SECOND);
        _withdraw(WORKER, TOTAL + FIRST + uint256(EXIT));
        vm.assertEq(escrow.heldOf(second), SECOND);
        hostile.setBlocked(WORKER, false);
        _mark();
        vm.prank(POSTER);
        registry.complete(second);
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(SECOND);
        _assertGains(gains);
    }

    function test_Pay_WaitsForBlockedPoster() external {
        uint256 taskId = _post(_terms(), TOTAL);
        hostile.setBlocked(POSTER, true);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.Refunded(taskId, POSTER, TOTAL, true);
        vm.prank(POSTER);
        registry.cancel(taskId);

        _assertSettled(taskId, TaskState.CANCELLED);
        _withdraw(POSTER, TOTAL + uint256(EXIT));
    }

    function test_Pay_KeepsBlockedPartiesApart() external {
        uint256 taskId = _active();
        hostile.setBlocked(POSTER, true);
        hostile.setBlocked(WORKER, true);
        _mutualCancel(taskId, 3000);

        _withdraw(WORKER, 300e18 + uint256(EXIT));
        _withdraw(POSTER, 700e18 + uint256(EXIT));
        vm.assertEq(tok.balanceOf(address(escrow)), 0);
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

    function test_Pay_DoesNotPayTwiceWhenTokenSaysNo() external {
        uint256 taskId = _active();
        _active();
        hostile.setAnswer(HostileToken.Answer.FALSE);
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(TOTAL);
        _mark();
        vm.prank(POSTER);
        registry.complete(taskId);

        _assertGains(gains);
        vm.assertEq(escrow.withdrawableOf(WORKER), 0);
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
        _assertExitsWithout(TREASURY);
    }

    function test_Fee_BlockedUnionStopsNoExit() external {
        _assertExitsWithout(address(staking));
    }

    function test_Bond_RefusesTokenWithFee() external {
        hostile.setFee(100);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.UnexpectedAmount.selector, 10_000e18, 9_900e18));
        vm.prank(ARBITRATOR);
        arbitration.register(10_000e18);
    }

    function test_Bond_SlashLeavesElsewhere() external {
        uint256 taskId = _seated();
        hostile.setBlocked(WORKER, true);
        _after(arbitration.disputeOf(taskId).rulingEnd);
        arbitration.resolveTimedOut(taskId);
        vm.prank(WORKER);
        arbitration.withdraw(ELSEWHERE);
        vm.assertEq(tok.balanceOf(ELSEWHERE), 1_000e18);
        vm.assertEq(tok.balanceOf(address(arbitration)), 8_000e18 + arbitration.totalStakes());
    }

    /// @dev Entries are refused; every exit ends with every token of the parties out.
    function _assertExitsWithout(address receiver) private {
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
        vm.assertEq(tok.balanceOf(address(gateway)), 3 * uint256(EXIT));
    }

    function _withdraw(address account, uint256 amount) private {
        uint256 before = tok.balanceOf(ELSEWHERE);
        vm.prank(account);
        vm.assertEq(escrow.withdraw(ELSEWHERE), amount, "withdrawn");
        vm.assertEq(tok.balanceOf(ELSEWHERE) - before, amount, "received");
        _assertBacked();
    }
}
