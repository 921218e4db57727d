// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

/// @dev The last two leaves of Seat.tree: draws against a naive model, and their distribution.
contract DrawTest is ArbitrationBase {
    uint256 private constant COUNT = 11;

    mapping(address account => bool) private _excluded;

    function testFuzz_Draw_SeatsWhomANaiveDrawSeats(uint256 seed, bytes32 hash) external {
        uint256[] memory bonds = new uint256[](COUNT);
        for (uint256 i = 0; i < COUNT; ++i) {
            bonds[i] = 10_000e18 + _random(seed, i) % 90_000e18;
            register(arb(i), bonds[i]);
        }
        // One unbonds, one is slashed below the minimum, one adds to its bond: all before the draw is scheduled.
        vm.prank(arb(2));
        arbitration.requestUnbond();
        bonds[2] = 0;
        register(arb(5), 777);
        bonds[5] += 777;
        registry.open(TASK, WORKER, HASH, POSTER, WORKER, arb(7));
        vm.warp(dispute().rulingEnd + 1);
        arbitration.resolveTimedOut(TASK);
        bonds[7] = bonds[7] < 11_000e18 ? 0 : bonds[7] - 1_000e18;
        _excluded[arb(7)] = true;

        for (uint256 tier = 0; tier < 3; ++tier) {
            bytes32 tierHash = keccak256(abi.encode(hash, tier));
            address[] memory expected = _naiveDraw(bonds, tierHash, 2 * tier + 1);
            seatDrawn(tierHash);
            address[] memory drawn = panel();
            vm.assertEq(drawn.length, expected.length);
            for (uint256 i = 0; i < drawn.length; ++i) {
                vm.assertEq(drawn[i], expected[i]);
            }
            speakBoth();
            voteAll(5_000);
            if (tier < 2) escalate(WORKER);
        }
    }

    /// @dev 2,000 draws over bonds of 1 : 2 : 3 : 4. Five standard deviations of the rarest are 67, of the commonest 110.
    function test_Draw_HitsInProportionToTheBond() external {
        for (uint256 i = 0; i < 4; ++i) {
            // Enough that nobody runs out of room for cases.
            register(arb(i), (i + 1) * 1_000_000e18);
        }
        for (uint256 taskId = 1; taskId <= 800; ++taskId) {
            registry.open(taskId, WORKER, HASH, POSTER, WORKER, address(0));
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

    function _naiveDraw(uint256[] memory bonds, bytes32 hash, uint256 size) private returns (address[] memory drawn) {
        uint256 total = 0;
        for (uint256 i = 0; i < COUNT; ++i) {
            total += bonds[i];
        }
        address[] memory found = new address[](size);
        uint256 count = 0;
        for (uint256 draw = 0; draw < 40 && count < size; ++draw) {
            uint256 point = uint256(keccak256(abi.encode(hash, TASK, draw))) % total;
            uint256 leaf = 0;
            while (point >= bonds[leaf]) point -= bonds[leaf++];
            if (_excluded[arb(leaf)]) continue;
            _excluded[arb(leaf)] = true;
            found[count++] = arb(leaf);
        }
        drawn = new address[](count);
        for (uint256 i = 0; i < count; ++i) {
            drawn[i] = found[i];
        }
    }

    function _random(uint256 seed, uint256 i) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, i)));
    }
}
