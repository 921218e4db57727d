// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Blockhash } from "@openzeppelin/contracts/utils/Blockhash.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

/// @dev Answers one hash for one block, as the chain's history contract does.
contract MockHistory {
    fallback(bytes calldata input) external returns (bytes memory) {
        return abi.encode(uint256(bytes32(input)) == 1_004 ? keccak256("history") : bytes32(0));
    }
}

contract SeatTest is ArbitrationBase {
    function test_Seat_RevertGiven_NotOpen() external {
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.NONE));
        arbitration.seat(TASK);
        registerMany(1);
        open(WORKER, arb(0));
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.EVIDENCE));
        arbitration.seat(TASK);
    }

    function test_Seat_RevertWhen_TheConsentWindowIsOpen() external {
        registerMany(1);
        open(WORKER, address(0));
        vm.warp(START + CONSENT);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.ConsentWindowOpen.selector, TASK, START + CONSENT));
        arbitration.seat(TASK);
    }

    function test_Seat_SchedulesADraw() external {
        registerMany(1);
        open(WORKER, address(0));
        vm.warp(START + CONSENT + 1);
        vm.expectEmit(address(arbitration));
        emit IArbitration.DrawScheduled(TASK, 1_004);
        arbitration.seat(TASK);
        vm.assertEq(dispute().drawBlock, 1_004);
        assertPhase(IArbitration.DisputePhase.OPEN);
        vm.assertEq(bench().length, 0);
    }

    function test_Seat_WorksToTheLastSecondOfTheSeatWindow() external {
        registerMany(1);
        open(WORKER, address(0));
        vm.warp(START + CONSENT + EVIDENCE);
        seatDrawn(HASH);
        assertPhase(IArbitration.DisputePhase.EVIDENCE);
    }

    function test_Seat_RevertWhen_TheSeatWindowHasClosed() external {
        registerMany(1);
        open(WORKER, address(0));
        uint256 seatEnd = START + CONSENT + EVIDENCE;
        vm.warp(seatEnd + 1);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.SeatWindowClosed.selector, TASK, seatEnd));
        arbitration.seat(TASK);
    }

    function test_Seat_RevertGiven_NobodyBonded() external {
        open(WORKER, address(0));
        vm.warp(START + CONSENT + 1);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NobodyToSeat.selector, TASK));
        arbitration.seat(TASK);
        vm.assertEq(dispute().drawBlock, 0);
        registerMany(1);
        seatDrawn(HASH);
        vm.assertEq(panel()[0], arb(0));
    }

    function test_Seat_RevertWhen_TheBlockHasNoHashYet() external {
        _scheduled(1);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.DrawPending.selector, TASK, 1_004));
        arbitration.seat(TASK);
        vm.roll(1_004);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.DrawPending.selector, TASK, 1_004));
        arbitration.seat(TASK);
    }

    function test_Seat_SeatsOnceTheHashIsKnown() external {
        _scheduled(1);
        vm.warp(START + CONSENT + 100);
        reveal(HASH);
        vm.assertEq(block.number, 1_005);
        uint256 evidenceEnd = START + CONSENT + 100 + EVIDENCE;
        vm.expectEmit(address(arbitration));
        emit IArbitration.PanelSeated(TASK, 0, one(arb(0)), evidenceEnd, evidenceEnd + RULING);
        vm.prank(STRANGER);
        arbitration.seat(TASK);
        IArbitration.Dispute memory d = dispute();
        assertPhase(IArbitration.DisputePhase.EVIDENCE);
        vm.assertEq(d.drawBlock, 0);
        vm.assertEq(d.evidenceEnd, evidenceEnd);
        vm.assertEq(d.rulingEnd, evidenceEnd + RULING);
        vm.assertEq(arbitration.arbitratorOf(arb(0)).openCases, 1);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.EVIDENCE));
        arbitration.seat(TASK);
    }

    function test_Seat_ReadsTheHistoryContract() external {
        _scheduled(3);
        vm.etch(Blockhash.HISTORY_STORAGE_ADDRESS, type(MockHistory).runtimeCode);
        vm.roll(1_004 + 8_000);
        arbitration.seat(TASK);
        assertPhase(IArbitration.DisputePhase.EVIDENCE);
        uint256 point = uint256(keccak256(abi.encode(keccak256("history"), TASK, 0))) % 30_000e18;
        vm.assertEq(panel()[0], arb(point / 10_000e18));
    }

    function test_Seat_SchedulesAnewWhenTheHashIsLost() external {
        _scheduled(1);
        vm.prank(arb(0));
        arbitration.requestUnbond();
        register(arb(1), 10_000e18);
        vm.etch(Blockhash.HISTORY_STORAGE_ADDRESS, "");
        vm.roll(1_004 + 257);
        vm.expectEmit(address(arbitration));
        emit IArbitration.DrawScheduled(TASK, 1_004 + 257 + 4);
        arbitration.seat(TASK);
        vm.assertEq(dispute().drawBlock, 1_004 + 257 + 4);
        reveal(HASH);
        arbitration.seat(TASK);
        vm.assertEq(panel()[0], arb(1));
    }

    function test_Seat_NeedsNoConsentWindowAfterAnAppeal() external {
        registerMany(9);
        open(WORKER, arb(0));
        speakBoth();
        vote(arb(0), 5_000);
        escalate(WORKER);
        vm.assertEq(dispute().consentEnd, block.timestamp);
        arbitration.seat(TASK);
        vm.assertEq(dispute().drawBlock, block.number + 4);
    }

    function test_Seat_NeverDrawsAReplacedMemberAgain() external {
        registerMany(1);
        open(WORKER, arb(0));
        vm.warp(dispute().rulingEnd + 1);
        arbitration.resolveTimedOut(TASK);
        register(arb(0), 1_000_000e18);
        register(arb(1), 10_000e18);
        // A hash whose first draw falls on arb(0).
        uint256 i = 1;
        while (uint256(keccak256(abi.encode(bytes32(i), TASK, 0))) % 1_019_000e18 >= 1_009_000e18) i++;
        seatDrawn(bytes32(i));
        vm.assertEq(panel().length, 1);
        vm.assertEq(panel()[0], arb(1));
    }

    function test_Seat_DrawsAtOnceForAPanelReplacedWithinTheConsentWindow() external {
        registerMany(2);
        open(WORKER, arb(0));
        vm.warp(dispute().rulingEnd + 1);
        arbitration.resolveTimedOut(TASK);
        // Only a market with a consent window longer than evidence and ruling gets here in time.
        vm.warp(START + 1);
        vm.assertLe(block.timestamp, dispute().consentEnd);
        arbitration.seat(TASK);
        vm.assertEq(dispute().drawBlock, 1_004);
    }

    function test_Seat_DrawsOneThreeFive() external {
        registerMany(40);
        open(WORKER, address(0));
        ruleDrawn(5_000);
        vm.assertEq(bench().length, 1);
        escalate(WORKER);
        ruleDrawn(5_000);
        vm.assertEq(bench().length, 4);
        vm.assertEq(dispute().panelStart, 1);
        escalate(POSTER);
        seatDrawn(HASH);
        vm.assertEq(bench().length, 9);
        vm.assertEq(dispute().panelStart, 4);
        IArbitration.Seat[] memory seats = bench();
        for (uint256 i = 0; i < 9; ++i) {
            for (uint256 j = 0; j < i; ++j) {
                vm.assertTrue(seats[i].arbitrator != seats[j].arbitrator);
            }
            vm.assertEq(arbitration.arbitratorOf(seats[i].arbitrator).openCases, i < 4 ? 0 : 1);
        }
    }

    function test_Seat_NeverSeatsAParty() external {
        register(POSTER, 20_000e18);
        register(WORKER, 20_000e18);
        registerMany(1);
        open(WORKER, address(0));
        uint256 id = vm.snapshotState();
        for (uint256 i = 0; i < 20; ++i) {
            seatDrawn(keccak256(abi.encode(i)));
            vm.assertEq(panel()[0], arb(0));
            vm.revertToState(id);
        }
    }

    function test_Seat_SeatsThoseThereAre() external {
        registerMany(3);
        open(WORKER, arb(0));
        speakBoth();
        vote(arb(0), 5_000);
        escalate(WORKER);
        seatDrawn(HASH);
        vm.assertEq(panel().length, 2);
        vm.assertTrue(panel()[0] != arb(0) && panel()[1] != arb(0) && panel()[0] != panel()[1]);
    }

    function test_Seat_RevertGiven_OnlyExcludedOnes() external {
        register(POSTER, 10_000e18);
        registerMany(1);
        open(WORKER, arb(0));
        speakBoth();
        vote(arb(0), 5_000);
        escalate(WORKER);
        arbitration.seat(TASK);
        reveal(HASH);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NobodyToSeat.selector, TASK));
        arbitration.seat(TASK);
    }

    function test_Seat_DrawsFromTheBondsOfTheSchedule() external {
        _scheduled(4);
        register(arb(0), 5_000_000e18);
        register(arb(9), 5_000_000e18);
        reveal(HASH);
        uint256 point = uint256(keccak256(abi.encode(HASH, TASK, 0))) % 40_000e18;
        arbitration.seat(TASK);
        vm.assertEq(panel()[0], arb(point / 10_000e18));
        vm.assertTrue(panel()[0] != arb(0));
    }

    function test_Seat_PassesOverOneWhoBecameIneligible() external {
        _scheduled(4);
        uint256 first = uint256(keccak256(abi.encode(HASH, TASK, 0))) % 40_000e18 / 10_000e18;
        uint256 i = 1;
        uint256 second = first;
        while (second == first) second = uint256(keccak256(abi.encode(HASH, TASK, i++))) % 40_000e18 / 10_000e18;
        vm.prank(arb(first));
        arbitration.requestUnbond();
        reveal(HASH);
        arbitration.seat(TASK);
        vm.assertEq(panel()[0], arb(second));
    }

    function test_Seat_PassesOverOneWithoutRoomForAnotherCase() external {
        _scheduled(4);
        uint256 first = uint256(keccak256(abi.encode(HASH, TASK, 0))) % 40_000e18 / 10_000e18;
        for (uint256 taskId = 101; taskId <= 110; ++taskId) {
            registry.open(taskId, WORKER, HASH, POSTER, WORKER, arb(first));
        }
        reveal(HASH);
        arbitration.seat(TASK);
        vm.assertTrue(panel()[0] != arb(first));
        vm.assertEq(arbitration.arbitratorOf(arb(first)).openCases, 10);
    }

    function test_Seat_RevertGiven_NobodyHasRoomForAnotherCase() external {
        registerMany(1);
        for (uint256 taskId = 101; taskId <= 110; ++taskId) {
            registry.open(taskId, WORKER, HASH, POSTER, WORKER, arb(0));
        }
        open(WORKER, address(0));
        vm.warp(START + CONSENT + 1);
        arbitration.seat(TASK);
        reveal(HASH);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NobodyToSeat.selector, TASK));
        arbitration.seat(TASK);
        // The same draw finds one as soon as there is room again.
        registry.concede(101);
        arbitration.seat(TASK);
        vm.assertEq(panel()[0], arb(0));
    }

    function test_Seat_GivesUpAfterFortyDraws() external {
        register(POSTER, 1_000_000e18);
        register(arb(0), 20_000e18);
        open(WORKER, address(0));
        bool fortieth = false;
        bool later = false;
        uint256 id = vm.snapshotState();
        for (uint256 i = 1; !(fortieth && later); ++i) {
            uint256 hit = _firstHit(bytes32(i));
            if (hit != 39 && hit != 40) continue;
            vm.warp(START + CONSENT + 1);
            arbitration.seat(TASK);
            reveal(bytes32(i));
            if (hit == 39) {
                fortieth = true;
                arbitration.seat(TASK);
                vm.assertEq(panel()[0], arb(0));
            } else {
                later = true;
                vm.expectRevert(abi.encodeWithSelector(IArbitration.NobodyToSeat.selector, TASK));
                arbitration.seat(TASK);
            }
            vm.revertToState(id);
        }
    }

    /// @dev Which draw is the first to fall past the poster's 1,000,000.
    function _firstHit(bytes32 hash) private pure returns (uint256 i) {
        while (uint256(keccak256(abi.encode(hash, TASK, i))) % 1_020_000e18 < 1_000_000e18) ++i;
    }

    function _scheduled(uint256 count) private {
        registerMany(count);
        open(WORKER, address(0));
        vm.warp(START + CONSENT + 1);
        arbitration.seat(TASK);
    }
}
