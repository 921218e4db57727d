// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

/// @dev Everything up to the measured call happens in setUp, so that its storage is cold and old. The measure leaves out
/// the cost of a bare transaction and every refund.
contract GasTest is ArbitrationBase {
    uint256 private constant LIMIT = 2_000_000 - 30_000;
    uint256 private constant TO_SEAT = 1;
    uint256 private constant TO_FINALIZE = 2;
    uint256 private constant TO_SLASH = 3;
    uint256 private constant OTHER = 4;

    function setUp() public override {
        super.setUp();
        registerMany(1_024);
        for (uint256 taskId = 1; taskId <= 3; ++taskId) {
            registry.open(taskId, WORKER, HASH, POSTER, WORKER, arb(taskId));
            _rule(taskId, 4_000);
            _escalate(taskId);
            _seat(taskId, "one");
            _rule(taskId, 4_000);
            _escalate(taskId);
        }
        registry.open(OTHER, WORKER, HASH, POSTER, WORKER, address(0));
        arbitration.seat(TO_SEAT);
        vm.roll(block.number + 5);
        vm.setBlockhash(block.number - 1, keccak256("five"));
        _seat(TO_FINALIZE, "two");
        _rule(TO_FINALIZE, 4_000);
        _seat(TO_SLASH, "three");
        // Whoever the first draws fall on is gone by then.
        for (uint256 i = 0; i < 34; ++i) {
            uint256 point = uint256(keccak256(abi.encode(keccak256("five"), TO_SEAT, i))) % (1_024 * 10_000e18);
            vm.prank(arb(point / 10_000e18));
            arbitration.requestUnbond();
        }
        vm.warp(arbitration.disputeOf(OTHER).consentEnd + 1);
        // Freezes the tree: whatever is written next copies its nodes.
        arbitration.seat(OTHER);
        tok.mint(arb(0), 1);
        tok.mint(STRANGER, 10_000e18);
        vm.prank(STRANGER);
        tok.approve(address(gateway), 10_000e18);
    }

    function test_Gas_SeatFiveOnTheLastDraws() external {
        vm.warp(arbitration.disputeOf(TO_SEAT).seatEnd);
        _measure(STRANGER, abi.encodeCall(arbitration.seat, (TO_SEAT)));
        vm.assertEq(arbitration.benchOf(TO_SEAT).length, 9);
    }

    function test_Gas_FinalizeNineWithTwoAppeals() external {
        vm.assertEq(arbitration.benchOf(TO_FINALIZE).length, 9);
        vm.assertEq(arbitration.appealsOf(TO_FINALIZE).length, 2);
        _measure(STRANGER, abi.encodeCall(arbitration.finalize, (TO_FINALIZE)));
        vm.assertEq(registry.settlements(TO_FINALIZE), 1);
    }

    function test_Gas_SlashFive() external {
        vm.warp(arbitration.disputeOf(TO_SLASH).rulingEnd + 1);
        _measure(STRANGER, abi.encodeCall(arbitration.resolveTimedOut, (TO_SLASH)));
        vm.assertEq(arbitration.totalWithdrawable(), 5_000e18);
    }

    function test_Gas_Register() external {
        _measure(STRANGER, abi.encodeCall(arbitration.register, (10_000e18)));
        vm.assertEq(arbitration.arbitratorCount(), 1_025);
    }

    function test_Gas_RegisterMore() external {
        _measure(arb(0), abi.encodeCall(arbitration.register, (1)));
    }

    function test_Gas_RequestUnbond() external {
        _measure(arb(0), abi.encodeCall(arbitration.requestUnbond, ()));
    }

    function _measure(address caller, bytes memory data) private {
        vm.prank(caller);
        uint256 before = gasleft();
        (bool done,) = address(arbitration).call(data);
        uint256 used = before - gasleft();
        vm.assertTrue(done);
        vm.assertLe(used, LIMIT);
    }

    function _rule(uint256 taskId, uint256 workerBps) private {
        _speak(POSTER, taskId);
        _speak(WORKER, taskId);
        IArbitration.Seat[] memory seats = arbitration.benchOf(taskId);
        for (uint256 i = arbitration.disputeOf(taskId).panelStart; i < seats.length; ++i) {
            vm.prank(seats[i].arbitrator);
            arbitration.resolve(taskId, workerBps, REASON);
        }
    }

    function _speak(address party, uint256 taskId) private {
        IArbitration.Dispute memory d = arbitration.disputeOf(taskId);
        if (party == POSTER ? d.posterSpoke : d.workerSpoke) return;
        vm.prank(party);
        arbitration.submitEvidence(taskId, HASH);
    }

    function _escalate(uint256 taskId) private {
        deposits.give(POSTER, 40e6);
        deposits.give(WORKER, 40e6);
        vm.prank(WORKER);
        arbitration.escalate(taskId);
    }

    function _seat(uint256 taskId, string memory hash) private {
        arbitration.seat(taskId);
        vm.roll(block.number + 5);
        vm.setBlockhash(block.number - 1, keccak256(bytes(hash)));
        arbitration.seat(taskId);
    }
}
