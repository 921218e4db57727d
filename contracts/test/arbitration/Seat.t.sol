// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { DRAW_DELAY, MAX_DRAWS } from "../../src/arbitration/Cases.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

contract SeatTest is ArbitrationBase {
    /// @dev Where EIP-2935 keeps older hashes.
    address private constant HISTORY = 0x0000F90827F1C53a10cb7A02335B175320002935;

    function test_Constants() external pure {
        vm.assertEq(DRAW_DELAY, 4);
        vm.assertEq(MAX_DRAWS, 40);
    }

    function test_Seat_RevertGiven_TheCaseIsNotOpen() external {
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.NONE));
        arbitration.seat(TASK);
        heard();
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.EVIDENCE));
        arbitration.seat(TASK);
        rule(JUDGE, true);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.RULED));
        arbitration.seat(TASK);
        escalate(POSTER);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.COURT));
        arbitration.seat(TASK);
    }

    function test_Seat_RevertWhen_TheConsentWindowIsOpen() external {
        registerMany(1);
        opened();
        vm.warp(START + CONSENT);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.ConsentWindowOpen.selector, TASK, START + CONSENT));
        arbitration.seat(TASK);
    }

    function test_Seat_SchedulesADraw() external {
        registerMany(1);
        opened();
        vm.warp(START + CONSENT + 1);
        vm.expectEmit(address(arbitration));
        emit IArbitration.DrawScheduled(TASK, 1_004);
        vm.prank(STRANGER);
        arbitration.seat(TASK);
        vm.assertEq(dispute().drawBlock, 1_004);
        assertPhase(IArbitration.DisputePhase.OPEN);
    }

    function test_Seat_ToTheLastSecondOfTheEvidenceWindow() external {
        registerMany(1);
        opened();
        vm.warp(START + EVIDENCE + 1);
        _expectTooLate();
        arbitration.seat(TASK);
        vm.warp(START + EVIDENCE);
        arbitration.seat(TASK);
        reveal(HASH);
        uint256 id = vm.snapshotState();
        arbitration.seat(TASK);
        vm.assertEq(dispute().judge, arb(0));
        vm.revertToState(id);
        vm.warp(START + EVIDENCE + 1);
        _expectTooLate();
        arbitration.seat(TASK);
    }

    function test_Seat_CallsTheCourtGiven_NobodyIsBonded() external {
        opened();
        vm.warp(START + CONSENT + 1);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CourtCalled(TASK, START + CONSENT + 1 + DECISION);
        arbitration.seat(TASK);
        _assertCourt();
        vm.assertEq(dispute().courtEnd, START + CONSENT + 1 + DECISION);
        vm.assertEq(dispute().drawBlock, 0);
    }

    function test_Seat_RevertWhen_TheDrawHasNoHashYet() external {
        _scheduled(1);
        vm.roll(1_004);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.DrawPending.selector, TASK, 1_004));
        arbitration.seat(TASK);
    }

    function test_Seat_SeatsByTheHashAndLocks() external {
        _scheduled(4);
        reveal(HASH);
        address expected = arb(_leaf(HASH, 0, 4));
        vm.expectEmit(address(arbitration));
        emit IArbitration.JudgeSeated(TASK, expected, LOCK, START + EVIDENCE + RULING);
        vm.prank(STRANGER);
        arbitration.seat(TASK);
        assertPhase(IArbitration.DisputePhase.EVIDENCE);
        vm.assertEq(dispute().judge, expected);
        vm.assertEq(lockedOf(expected), LOCK);
        vm.assertEq(arbitration.arbitratorOf(expected).openCases, 1);
    }

    function test_Seat_SeatsByTheHistoryContract() external {
        _scheduled(4);
        // The history contract, answering one hash for every block.
        bytes32 hash = keccak256("old");
        vm.etch(HISTORY, bytes.concat(hex"7f", hash, hex"5f5260205ff3"));
        vm.roll(1_004 + 300);
        arbitration.seat(TASK);
        vm.assertEq(dispute().judge, arb(_leaf(hash, 0, 4)));
    }

    function test_Seat_CallsTheCourtGiven_TheHashIsLost() external {
        _scheduled(4);
        vm.roll(1_004 + 8_192);
        vm.expectEmit(address(arbitration));
        emit IArbitration.CourtCalled(TASK, block.timestamp + DECISION);
        arbitration.seat(TASK);
        _assertCourt();
    }

    function test_Seat_NeverSeatsAParty() external {
        registerOld(POSTER, 10 * BOND);
        registerOld(WORKER, 10 * BOND);
        registerMany(1);
        opened();
        uint256 id = vm.snapshotState();
        for (uint256 i = 0; i < 20; ++i) {
            draw(keccak256(abi.encode(i)));
            vm.assertTrue(dispute().judge == arb(0) || dispute().judge == address(0));
            vm.revertToState(id);
        }
    }

    /// @dev The exploit of the first rules: bond just before the draw and win it.
    function test_Seat_NeverDrawsAYoungBond() external {
        registerMany(1);
        vm.warp(START - 7 days + 1);
        register(arb(1), BOND);
        vm.warp(START);
        opened();
        vm.warp(START + CONSENT + 1);
        register(arb(2), BOND);
        uint256 id = vm.snapshotState();
        for (uint256 i = 0; i < 20; ++i) {
            draw(keccak256(abi.encode(i)));
            vm.assertEq(dispute().judge, arb(0));
            vm.revertToState(id);
        }
    }

    function test_Seat_CallsTheCourtGiven_OnlyThoseWhoMayNotSit() external {
        registerOld(POSTER, BOND);
        registerOld(WORKER, BOND);
        registerOld(arb(0), LOCK - 1);
        registerMany(2);
        vm.prank(arb(1));
        arbitration.requestUnbond();
        opened();
        // Adding to a bond restarts its age.
        register(arb(0), 1);
        draw(HASH);
        _assertCourt();
    }

    function test_Seat_DrawsFromTheBondsOfTheSchedule() external {
        _scheduled(4);
        register(arb(9), 50 * BOND);
        vm.prank(arb(_leaf(HASH, 1, 4)));
        arbitration.requestUnbond();
        reveal(HASH);
        arbitration.seat(TASK);
        vm.assertEq(dispute().judge, arb(_leaf(HASH, 0, 4)));
    }

    function test_Seat_PassesOverOneWhoBecameIneligible() external {
        _scheduled(4);
        address first = arb(_leaf(HASH, 0, 4));
        vm.prank(first);
        arbitration.requestUnbond();
        reveal(HASH);
        arbitration.seat(TASK);
        vm.assertEq(dispute().judge, arb(_nextLeaf(HASH, 4)));
    }

    function test_Seat_PassesOverOneWithTooLittleUnlocked() external {
        _scheduled(4);
        address first = arb(_leaf(HASH, 0, 4));
        IArbitration.Case memory case_ = caseBy(WORKER, 1);
        (case_.named, case_.amount) = (first, AMOUNT + 1);
        registry.open(8, case_);
        vm.prank(first);
        arbitration.propose(8, first);
        reveal(HASH);
        arbitration.seat(TASK);
        vm.assertEq(dispute().judge, arb(_nextLeaf(HASH, 4)));
        vm.assertEq(lockedOf(first), LOCK + 1);
    }

    function test_Seat_GivesUpAfterFortyDraws() external {
        registerOld(POSTER, 50 * BOND);
        registerOld(arb(0), BOND);
        opened();
        bool fortieth = false;
        bool later = false;
        uint256 id = vm.snapshotState();
        for (uint256 i = 1; !(fortieth && later); ++i) {
            uint256 hit = _firstHit(bytes32(i));
            if (hit != 39 && hit != 40) continue;
            draw(bytes32(i));
            if (hit == 39) {
                fortieth = true;
                vm.assertEq(dispute().judge, arb(0));
            } else {
                later = true;
                _assertCourt();
            }
            vm.revertToState(id);
        }
    }

    /// @dev Which draw is the first to fall past the poster's bond.
    function _firstHit(bytes32 hash) private pure returns (uint256 i) {
        while (uint256(keccak256(abi.encode(hash, TASK, i))) % (51 * BOND) < 50 * BOND) ++i;
    }

    /// @dev Whom the i-th point of a hash falls on, over equal bonds.
    function _leaf(bytes32 hash, uint256 i, uint256 count) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(hash, TASK, i))) % (count * BOND) / BOND;
    }

    /// @dev The first that is not the very first.
    function _nextLeaf(bytes32 hash, uint256 count) private pure returns (uint256 leaf) {
        uint256 first = _leaf(hash, 0, count);
        leaf = first;
        for (uint256 i = 1; leaf == first; ++i) {
            leaf = _leaf(hash, i, count);
        }
    }

    function _scheduled(uint256 count) private {
        registerMany(count);
        opened();
        vm.warp(START + CONSENT + 1);
        arbitration.seat(TASK);
    }

    function _assertCourt() private view {
        assertPhase(IArbitration.DisputePhase.COURT);
        vm.assertEq(dispute().judge, address(0));
        vm.assertFalse(dispute().ruled);
    }

    function _expectTooLate() private {
        vm.expectRevert(abi.encodeWithSelector(IArbitration.EvidenceWindowClosed.selector, TASK, START + EVIDENCE));
    }
}
