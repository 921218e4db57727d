// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { BondTree } from "../../src/arbitration/BondTree.sol";
import { vm } from "../Vm.sol";

contract BondTreeTest {
    using BondTree for BondTree.Tree;

    uint256 private constant LEAVES = 37;

    BondTree.Tree private _tree;
    uint256[] private _naive;

    function test_AnEmptyTreeWeighsNothing() external {
        BondTree.Frozen memory frozen = _tree.freeze();
        vm.assertEq(frozen.total, 0);
        vm.assertEq(frozen.root, 0);
        vm.assertEq(frozen.depth, 0);
    }

    function test_OneLeafIsFoundAtEveryPoint() external {
        _tree.set(0, 5);
        BondTree.Frozen memory frozen = _tree.freeze();
        vm.assertEq(frozen.total, 5);
        vm.assertEq(_tree.find(frozen, 0), 0);
        vm.assertEq(_tree.find(frozen, 4), 0);
    }

    function testFuzz_FindsWhatANaiveArrayFinds(uint256 seed) external {
        for (uint256 i = 0; i < LEAVES; ++i) {
            _set(i, _random(seed, i) % 1e27);
        }
        for (uint256 i = 0; i < 60; ++i) {
            uint256 random = _random(seed, LEAVES + i);
            _set(random % LEAVES, random % 3 == 0 ? 0 : (random >> 8) % 1e27);
        }
        _assertSame(_tree.freeze(), _naive, seed);
    }

    function testFuzz_AFrozenTreeStays(uint256 seed) external {
        BondTree.Frozen[] memory frozen = new BondTree.Frozen[](5);
        uint256[][] memory naive = new uint256[][](5);
        for (uint256 round = 0; round < 5; ++round) {
            for (uint256 i = 0; i < 8; ++i) {
                uint256 random = _random(seed, round * 8 + i);
                // Half of the writes change a leaf, half add one: the tree also grows while frozen.
                uint256 leaf = i % 2 == 0 || _naive.length == 0 ? _naive.length : random % _naive.length;
                _set(leaf, (random >> 8) % 1e27);
            }
            frozen[round] = _tree.freeze();
            naive[round] = _naive;
        }
        for (uint256 round = 0; round < 5; ++round) {
            _assertSame(frozen[round], naive[round], seed);
        }
    }

    function test_WritesInPlaceWhileNothingIsFrozen() external {
        for (uint256 i = 0; i < 4; ++i) {
            _tree.set(i, 1);
        }
        uint256 nodes = _tree.nodeCount;
        vm.assertEq(nodes, 7);
        _tree.set(3, 9);
        vm.assertEq(_tree.nodeCount, nodes);
        _tree.freeze();
        _tree.set(3, 8);
        vm.assertEq(_tree.nodeCount, nodes + 3);
        _tree.set(3, 7);
        vm.assertEq(_tree.nodeCount, nodes + 3);
        _tree.set(2, 7);
        vm.assertEq(_tree.nodeCount, nodes + 4);
    }

    function test_RevertWhen_AWeightIsTooLarge() external {
        uint256 weight = uint256(type(uint128).max) + 1;
        vm.expectRevert(abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, uint8(128), weight));
        this.set(0, weight);
    }

    function test_RevertWhen_TheTotalIsTooLarge() external {
        this.set(0, type(uint128).max);
        vm.expectRevert(
            abi.encodeWithSelector(
                SafeCast.SafeCastOverflowedUintDowncast.selector, uint8(128), uint256(type(uint128).max) + 1
            )
        );
        this.set(1, 1);
    }

    function set(uint256 leaf, uint256 weight) external {
        _tree.set(leaf, weight);
    }

    function _set(uint256 leaf, uint256 weight) private {
        if (leaf == _naive.length) _naive.push();
        _naive[leaf] = weight;
        _tree.set(leaf, weight);
    }

    function _assertSame(BondTree.Frozen memory frozen, uint256[] memory naive, uint256 seed) private view {
        uint256 sum = 0;
        for (uint256 i = 0; i < naive.length; ++i) {
            if (naive[i] != 0) {
                vm.assertEq(_tree.find(frozen, sum), i, "first point of a leaf");
                vm.assertEq(_tree.find(frozen, sum + naive[i] - 1), i, "last point of a leaf");
                vm.assertEq(_tree.find(frozen, sum + _random(seed, sum) % naive[i]), i, "a point inside a leaf");
            }
            sum += naive[i];
        }
        vm.assertEq(frozen.total, sum);
    }

    function _random(uint256 seed, uint256 i) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, i)));
    }
}
