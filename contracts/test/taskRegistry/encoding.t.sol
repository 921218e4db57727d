// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Signature } from "../../src/types/Task.sol";
import { bound } from "../bound.sol";
import { vm } from "../Vm.sol";
import { Seats } from "./Seats.sol";

contract TaskRegistrySignatureEncodingTest is Seats {
    function test_UpperHalfOfS() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            Signature memory signature = _honest(Seat(i));
            (bytes32 r, bytes32 s, uint8 v) = _parts(signature.data);
            signature.data = abi.encodePacked(r, bytes32(N - uint256(s)), v == 27 ? uint8(28) : uint8(27));
            _assertInvalid(Seat(i), signature);
        }
        vm.assertEq(refused, 5);
    }

    function test_Compact() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            Signature memory signature = _honest(Seat(i));
            (bytes32 r, bytes32 s, uint8 v) = _parts(signature.data);
            signature.data = abi.encodePacked(r, s | bytes32(uint256(v - 27) << 255));
            _assertInvalid(Seat(i), signature);
        }
        vm.assertEq(refused, 5);
    }

    function test_EmptyCutOrLonger() external {
        for (uint256 i = 0; i < SEATS; ++i) {
            Signature memory signature = _honest(Seat(i));
            bytes memory whole = signature.data;
            bytes[7] memory broken = [
                bytes(""),
                hex"00",
                _first(whole, 32),
                _first(whole, 64),
                bytes.concat(whole, hex"00"),
                bytes.concat(hex"00", whole),
                bytes.concat(whole, whole)
            ];
            for (uint256 j = 0; j < broken.length; ++j) {
                signature.data = broken[j];
                _assertInvalid(Seat(i), signature);
            }
        }
        vm.assertEq(refused, 35);
    }

    function testFuzz_AnyFlippedBit(uint256 seed, uint256 bit) external {
        Seat seat = Seat(seed % SEATS);
        Signature memory signature = _honest(seat, uint256(keccak256(abi.encode(seed))), _now());
        _assertAcceptable(seat, signature);
        bit = bound(bit, 0, 65 * 8 - 1);
        signature.data[bit / 8] ^= bytes1(uint8(1 << (bit % 8)));
        _assertInvalid(seat, signature);
    }

    function testFuzz_AnyBytes(uint256 seed, bytes calldata data) external {
        Seat seat = Seat(seed % SEATS);
        Signature memory signature = Signature({ nonce: _nonce(), expiry: _now(), data: data });
        _assertInvalid(seat, signature);
    }

    function _parts(bytes memory data) private pure returns (bytes32 r, bytes32 s, uint8 v) {
        assembly ("memory-safe") {
            r := mload(add(data, 0x20))
            s := mload(add(data, 0x40))
            v := byte(0, mload(add(data, 0x60)))
        }
    }

    function _first(bytes memory data, uint256 length) private pure returns (bytes memory part) {
        part = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            part[i] = data[i];
        }
    }
}
