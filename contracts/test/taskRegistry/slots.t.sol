// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { TaskTerms } from "../../src/types/Task.sol";
import { bound } from "../bound.sol";
import { vm } from "../Vm.sol";
import { Bookkeeping } from "./Bookkeeping.sol";

contract TaskRegistrySlotsTest is Bookkeeping {
    address private constant NOBODY = address(0xdead);

    function test_NoSlotsBelowTheEntryDeposit() external {
        vm.assertEq(registry.slotsOf(NOBODY), 0);
        _setDeposit(WORKER, 25e6 - 1);
        vm.assertEq(registry.slotsOf(WORKER), 0);
    }

    function test_BaseSlotsFromTheEntryDeposit() external {
        _setDeposit(WORKER, 25e6);
        vm.assertEq(registry.slotsOf(WORKER), 3);
        _setDeposit(WORKER, 33e6 - 1);
        vm.assertEq(registry.slotsOf(WORKER), 3);
        _moveToMicro();
        _setDeposit(WORKER, 25e6);
        vm.assertEq(registry.slotsOf(WORKER), 5);
    }

    function test_OneMorePerEightDollars() external {
        _setDeposit(WORKER, 33e6);
        vm.assertEq(registry.slotsOf(WORKER), 4);
        _setDeposit(WORKER, 41e6 - 1);
        vm.assertEq(registry.slotsOf(WORKER), 4);
        _setDeposit(WORKER, 41e6);
        vm.assertEq(registry.slotsOf(WORKER), 5);
        _setDeposit(WORKER, 105e6);
        vm.assertEq(registry.slotsOf(WORKER), 13);
    }

    function testFuzz_FollowsTheRule(uint256 deposit) external {
        deposit = bound(deposit, 1, 1e15);
        usdc.mint(address(this), deposit);
        usdc.approve(address(deposits), deposit);
        deposits.topUpFor(NOBODY, deposit);
        vm.assertEq(registry.slotsOf(NOBODY), deposit < 25e6 ? 0 : 3 + (deposit - 25e6) / 8e6);
    }

    function test_CountsWhatIsReservedToo() external {
        _setDeposit(WORKER, 33e6);
        _claimed();
        vm.assertEq(deposits.freeOf(WORKER), 25e6);
        vm.assertEq(registry.slotsOf(WORKER), 4);
    }

    function test_TheSlotBindsBeforeTheReserve() external {
        _setDeposit(WORKER, 32e6);
        _claimMany(3);
        vm.assertEq(deposits.freeOf(WORKER), 8e6);
        _assertNoSlot(3, 3);
        vm.assertEq(registry.liveClaimsOf(WORKER), 3);
    }

    function test_OneMoreSlotWithOneMoreDollar() external {
        _setDeposit(WORKER, 33e6);
        _claimMany(4);
        vm.assertEq(registry.liveClaimsOf(WORKER), 4);
        _assertNoSlot(4, 4);
    }

    function test_ThreeClaimsWithTheLowestDeposit() external {
        _setDeposit(WORKER, 25e6);
        _claimMany(3);
        vm.assertEq(deposits.freeOf(WORKER), 1e6);
        _assertNoSlot(3, 3);
    }

    function test_TheReserveBindsInTheMicroMarket() external {
        _moveToMicro();
        _setDeposit(WORKER, 25e6);
        _claimMany(3);
        uint256 taskId = _open();
        bytes32 digest = _digestFor(taskId, WORKER);
        _expectInsufficientDeposit(WORKER, 1e6, 8e6);
        vm.prank(WORKER);
        registry.claim(taskId, digest);
    }

    function test_RevertGiven_TheDepositShrankBelowTheClaims() external {
        _setDeposit(WORKER, 41e6);
        _claimMany(4);
        _setDeposit(WORKER, 32e6);
        _assertNoSlot(4, 3);
        _setDeposit(WORKER, 40e6);
        _assertNoSlot(4, 4);
        _setDeposit(WORKER, 41e6);
        _claimMany(1);
        vm.assertEq(registry.liveClaimsOf(WORKER), 5);
    }

    function test_EveryEndFreesTheSlot() external {
        uint256 dismissed = _claimed();
        uint256 left = _claimed();
        uint256 agreed = _claimed();
        uint256 done = _active();
        uint256 given = _active();
        uint256 lapsed = _claimed();
        vm.assertEq(registry.liveClaimsOf(WORKER), 6);
        vm.startPrank(POSTER);
        registry.dismiss(dismissed);
        registry.complete(done);
        vm.stopPrank();
        vm.assertEq(registry.liveClaimsOf(WORKER), 4);
        vm.startPrank(WORKER);
        registry.leaveTask(left);
        registry.leaveTask(given);
        vm.stopPrank();
        vm.assertEq(registry.liveClaimsOf(WORKER), 2);
        _mutualCancel(agreed, 0);
        vm.assertEq(registry.liveClaimsOf(WORKER), 1);
        _after(_task(lapsed).claimedAt + params.fundingWindow);
        registry.expire(lapsed);
        vm.assertEq(registry.liveClaimsOf(WORKER), 0);
        vm.assertEq(deposits.reservedOf(WORKER), 0);
    }

    function test_CountsEachWorkerAlone() external {
        _claimMany(2);
        _claim(_posted(), STRANGER);
        vm.assertEq(registry.liveClaimsOf(WORKER), 2);
        vm.assertEq(registry.liveClaimsOf(STRANGER), 1);
        vm.assertEq(registry.liveClaimsOf(POSTER), 0);
    }

    function test_DoesNotCountPostedTasks() external {
        TaskTerms memory terms = _terms();
        terms.poster = WORKER;
        _post(terms, 0);
        vm.assertEq(registry.liveClaimsOf(WORKER), 0);
    }

    /// @dev A task whose terms both markets take.
    function _open() private returns (uint256) {
        TaskTerms memory terms = _terms();
        terms.reviewWindow = 24 hours;
        return _post(terms, 0);
    }

    function _claimMany(uint256 count) private {
        for (uint256 i = 0; i < count; ++i) {
            _claim(_open(), WORKER);
        }
    }

    function _assertNoSlot(uint256 live, uint256 slots) private {
        uint256 taskId = _open();
        bytes32 digest = _digestFor(taskId, WORKER);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NoFreeSlot.selector, WORKER, live, slots));
        vm.prank(WORKER);
        registry.claim(taskId, digest);
    }
}
