// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC1271 } from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import { ECDSA } from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @dev An ERC-1271 wallet that answers as it is told. Nothing depends on the constructor, so that its code also works
/// when it is put at an address with a known key, as EIP-7702 allows.
contract MockWallet is IERC1271 {
    /// @dev OWNER: yes to what its owner signed. The others answer the same whatever they are asked.
    enum Answer {
        OWNER,
        YES,
        /// 0xffffffff, as the ERC suggests.
        NO,
        ZERO,
        /// The word 1, as a function returning true would.
        TRUE,
        /// The magic value at the wrong end of the word.
        PADDED_LEFT,
        /// The magic value with something behind it.
        DIRTY,
        /// Only the four bytes of the magic value.
        FOUR_BYTES,
        /// The magic value in 31 bytes.
        SHORT,
        NOTHING,
        REVERT,
        /// A revert whose data is the magic value.
        REVERT_WITH_MAGIC,
        /// An invalid opcode, which takes all gas.
        INVALID,
        /// A loop until the gas is gone.
        BURN
    }

    address public owner;
    Answer public answer;

    function set(address owner_, Answer answer_) external {
        owner = owner_;
        answer = answer_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (answer == Answer.OWNER) {
            (address signer,,) = ECDSA.tryRecover(hash, signature);
            return signer == owner ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
        }
        if (answer == Answer.YES) return IERC1271.isValidSignature.selector;
        if (answer == Answer.NO) return 0xffffffff;
        if (answer == Answer.BURN) while (true) { }
        _misbehave(answer, bytes32(IERC1271.isValidSignature.selector));
    }

    function _misbehave(Answer how, bytes32 magic) private pure {
        (bytes32 word, uint256 length) = (bytes32(0), 32);
        if (how == Answer.TRUE) word = bytes32(uint256(1));
        if (how == Answer.PADDED_LEFT) word = magic >> 224;
        if (how == Answer.DIRTY) word = magic | bytes32(uint256(1));
        if (how >= Answer.FOUR_BYTES) word = magic;
        if (how == Answer.FOUR_BYTES) length = 4;
        if (how == Answer.SHORT) length = 31;
        if (how == Answer.NOTHING || how == Answer.REVERT) length = 0;
        assembly ("memory-safe") {
            mstore(0, word)
            switch how
            // REVERT and REVERT_WITH_MAGIC
            case 10 { revert(0, length) }
            case 11 { revert(0, length) }
            case 12 { invalid() }
            default { return(0, length) }
        }
    }
}
