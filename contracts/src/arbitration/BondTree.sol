// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title A sum tree over the bonds, from which one draws in proportion to weight
/// @dev A binary tree whose leaves are numbered from zero. `freeze` hands out the tree as it is: every later write copies
/// the nodes it changes, so nobody who has seen the hash of a draw can still shift the weights it falls on.
library BondTree {
    using SafeCast for uint256;

    /// @dev `weight` is what the left half holds, or on the lowest level what the leaf itself weighs. Node zero is empty.
    struct Node {
        uint128 weight;
        uint64 left;
        uint64 right;
    }

    struct Tree {
        uint64 root;
        uint64 nodeCount;
        /// Nodes up to this one belong to a frozen tree.
        uint64 frozen;
        /// The tree has room for 2 ** depth leaves.
        uint8 depth;
        uint128 total;
        mapping(uint256 id => Node) nodes;
    }

    struct Frozen {
        uint64 root;
        uint8 depth;
        uint128 total;
    }

    function set(Tree storage tree, uint256 leaf, uint256 weight) internal {
        while (leaf >> tree.depth != 0) {
            tree.root = _write(tree, 0, Node({ weight: tree.total, left: tree.root, right: 0 }));
            tree.depth += 1;
        }
        uint256 old;
        (tree.root, old) = _set(tree, tree.root, tree.depth, leaf, weight);
        tree.total = (tree.total - old + weight).toUint128();
    }

    function freeze(Tree storage tree) internal returns (Frozen memory) {
        tree.frozen = tree.nodeCount;
        return Frozen({ root: tree.root, depth: tree.depth, total: tree.total });
    }

    /// @dev The leaf that covers `point` when all weights are laid end to end; `point` must be below the total.
    function find(Tree storage tree, Frozen memory frozen, uint256 point) internal view returns (uint256 leaf) {
        uint256 id = frozen.root;
        for (uint256 level = frozen.depth; level > 0; --level) {
            Node memory node = tree.nodes[id];
            leaf <<= 1;
            if (point < node.weight) {
                id = node.left;
            } else {
                point -= node.weight;
                id = node.right;
                leaf |= 1;
            }
        }
    }

    /// @dev Sets a leaf below `id` and answers the node that stands in its place, and what the leaf weighed before.
    function _set(Tree storage tree, uint64 id, uint256 level, uint256 leaf, uint256 weight)
        private
        returns (uint64, uint256 old)
    {
        Node memory node = tree.nodes[id];
        if (level == 0) {
            old = node.weight;
            node.weight = weight.toUint128();
        } else if ((leaf >> (level - 1)) & 1 == 0) {
            (node.left, old) = _set(tree, node.left, level - 1, leaf, weight);
            node.weight = (node.weight - old + weight).toUint128();
        } else {
            (node.right, old) = _set(tree, node.right, level - 1, leaf, weight);
        }
        return (_write(tree, id, node), old);
    }

    function _write(Tree storage tree, uint64 id, Node memory node) private returns (uint64) {
        if (id <= tree.frozen) {
            tree.nodeCount += 1;
            id = tree.nodeCount;
        }
        tree.nodes[id] = node;
        return id;
    }
}
