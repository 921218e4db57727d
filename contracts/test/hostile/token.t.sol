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
        vm.assertEq(tok.balanceOf(STRANGER), before + TOTAL);
        vm.assertEq(escrow.withdrawableOf(WORKER), TOTAL);
        _withdraw(WORKER, TOTAL);
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
        _withdraw(WORKER, TOTAL + FIRST);
        vm.assertEq(escrow.heldOf(second), SECOND);
        hostile.setBlocked(WORKER, false);
        _mark();
        vm.prank(POSTER);
        registry.complete(second);
        Gains memory gains;
        gains.workerTok = int256(SECOND);
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
        _withdraw(POSTER, TOTAL);
    }

    function test_Pay_KeepsBlockedPartiesApart() external {
        uint256 taskId = _active();
        hostile.setBlocked(POSTER, true);
        hostile.setBlocked(WORKER, true);
        _mutualCancel(taskId, 3000);

        vm.assertEq(escrow.withdrawableOf(WORKER), 300e18);
        vm.assertEq(escrow.withdrawableOf(POSTER), 700e18);
        _withdraw(WORKER, 300e18);
        _withdraw(POSTER, 700e18);
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
        _after(arbitration.disputeOf(disputed).seatEnd);
        arbitration.resolveTimedOut(disputed);

        vm.expectRevert(abi.encodeWithSelector(HostileToken.Blocked.selector, address(escrow)));
        vm.prank(WORKER);
        escrow.withdraw(ELSEWHERE);
        hostile.setBlocked(address(escrow), false);
        _withdraw(WORKER, TOTAL);
        _withdraw(POSTER, 2 * TOTAL);
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
        vm.assertEq(tok.balanceOf(address(escrow)), SECOND + TOTAL);
        vm.assertEq(escrow.heldOf(other), TOTAL);
        _assertBacked();
    }

    function test_Pay_DoesNotPayTwiceWhenTokenSaysNo() external {
        uint256 taskId = _active();
        _active();
        hostile.setAnswer(HostileToken.Answer.FALSE);
        Gains memory gains;
        gains.workerTok = int256(TOTAL);
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
        vm.assertEq(escrow.withdrawableOf(WORKER), TOTAL);

        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.UnexpectedAmount.selector, TOTAL, 0));
        vm.prank(WORKER);
        escrow.withdraw(ELSEWHERE);
        hostile.setStill(false);
        _withdraw(WORKER, TOTAL);
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.NothingToWithdraw.selector, WORKER));
        vm.prank(WORKER);
        escrow.withdraw(ELSEWHERE);
    }

    function test_Fee_BlockedTreasuryStopsNoFreeExit() external {
        _assertFreeExitsWithout(TREASURY);
    }

    function test_Fee_BlockedUnionStopsNoFreeExit() external {
        _assertFreeExitsWithout(address(staking));
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
        vm.assertEq(tok.balanceOf(ELSEWHERE), 500e18);
        vm.assertEq(tok.balanceOf(address(arbitration)), 9_500e18);
    }

    /// @dev What costs a fee is refused, what is free ends with every token out.
    function _assertFreeExitsWithout(address receiver) private {
        uint256 posted = _post(_terms(), TOTAL);
        uint256 claimed = _created(_terms());
        _fund(claimed);
        uint256 active = _active();
        hostile.setBlocked(receiver, true);
        bytes memory blocked = abi.encodeWithSelector(HostileToken.Blocked.selector, receiver);
        TaskTerms memory terms = _terms();
        bytes32 digest = _digestFor(posted, WORKER);
        vm.startPrank(POSTER);
        vm.expectRevert(blocked);
        registry.post(terms, TEXT, 0);
        vm.expectRevert(blocked);
        registry.dismiss(claimed);
        vm.stopPrank();
        vm.startPrank(WORKER);
        vm.expectRevert(blocked);
        registry.claim(posted, digest);
        vm.expectRevert(blocked);
        registry.leaveTask(active);
        vm.stopPrank();

        Gains memory gains;
        gains.posterTok = int256(3 * TOTAL);
        gains.posterUsd = 2.5e6;
        gains.workerUsd = -2.5e6;
        _mark();
        vm.prank(POSTER);
        registry.cancel(posted);
        _after(_claimEnd(claimed));
        registry.expire(claimed);
        _after(_task(active).deadline);
        registry.expire(active);
        _assertGains(gains);
        vm.assertEq(tok.balanceOf(address(escrow)), 0);
    }

    function _withdraw(address account, uint256 amount) private {
        uint256 before = tok.balanceOf(ELSEWHERE);
        vm.prank(account);
        vm.assertEq(escrow.withdraw(ELSEWHERE), amount, "withdrawn");
        vm.assertEq(tok.balanceOf(ELSEWHERE) - before, amount, "received");
        _assertBacked();
    }
}
