// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

/// @dev Draws against a naive model, and their distribution.
contract DrawTest is ArbitrationBase {
    uint256 private constant COUNT = 11;

    function testFuzz_Draw_SeatsWhomANaiveDrawSeats(uint256 seed, bytes32 hash) external {
        vm.assume(hash != 0);
        uint256[] memory bonds = new uint256[](COUNT);
        bool[] memory maySit = new bool[](COUNT);
        for (uint256 i = 0; i < COUNT; ++i) {
            bonds[i] = 10_000e18 + _random(seed, i) % 90_000e18;
            // Some bonds are too young, some too small for the case.
            bool young = _random(seed, COUNT + i) % 4 == 0;
            young ? register(arb(i), bonds[i]) : registerOld(arb(i), bonds[i]);
            maySit[i] = !young && bonds[i] >= LOCK;
        }
        vm.prank(arb(2));
        arbitration.requestUnbond();
        bonds[2] = 0;
        opened();
        vm.warp(START + CONSENT + 1);
        arbitration.seat(TASK);
        // What happens after the schedule moves no weight, but decides who may still sit.
        register(arb(5), 777e18);
        maySit[5] = false;
        vm.prank(arb(7));
        arbitration.requestUnbond();
        maySit[7] = false;
        reveal(hash);
        arbitration.seat(TASK);
        vm.assertEq(dispute().judge, _naiveDraw(bonds, maySit, hash));
    }

    /// @dev 800 draws over bonds of 1 : 2 : 3 : 4. Five standard deviations of the rarest are 42, of the commonest 69.
    function test_Draw_HitsInProportionToTheBond() external {
        for (uint256 i = 0; i < 4; ++i) {
            // Enough that nobody runs out of room for cases.
            registerOld(arb(i), (i + 1) * 1_000 * BOND);
        }
        deposits.give(POSTER, 10_000e6);
        deposits.give(WORKER, 10_000e6);
        for (uint256 taskId = 1; taskId <= 800; ++taskId) {
            registry.open(taskId, caseBy(WORKER, 1));
        }
        vm.warp(START + CONSENT + 1);
        for (uint256 taskId = 1; taskId <= 800; ++taskId) {
            arbitration.seat(taskId);
        }
        vm.roll(1_005);
        vm.setBlockhash(1_004, keccak256("fixed"));
        for (uint256 taskId = 1; taskId <= 800; ++taskId) {
            arbitration.seat(taskId);
        }
        uint256 sum = 0;
        for (uint256 i = 0; i < 4; ++i) {
            uint256 hits = arbitration.arbitratorOf(arb(i)).openCases;
            uint256 expected = 80 * (i + 1);
            vm.assertLe(hits, expected + 45);
            vm.assertGe(hits, expected - 45);
            sum += hits;
        }
        vm.assertEq(sum, 800);
    }

    function _naiveDraw(uint256[] memory bonds, bool[] memory maySit, bytes32 hash) private pure returns (address) {
        uint256 total = 0;
        for (uint256 i = 0; i < COUNT; ++i) {
            total += bonds[i];
        }
        for (uint256 draw_ = 0; draw_ < 40; ++draw_) {
            uint256 point = uint256(keccak256(abi.encode(hash, TASK, draw_))) % total;
            uint256 leaf = 0;
            while (point >= bonds[leaf]) point -= bonds[leaf++];
            if (maySit[leaf]) return arb(leaf);
        }
        return address(0);
    }

    function _random(uint256 seed, uint256 i) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, i)));
    }
}
