// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The cheatcodes we use, and nothing else; forge answers them at this address.
interface Vm {
    function warp(uint256) external;
    function roll(uint256) external;
    function chainId(uint256) external;
    function deal(address, uint256) external;
    function etch(address, bytes calldata) external;
    function store(address, bytes32, bytes32) external;
    function load(address, bytes32) external view returns (bytes32);
    function label(address, string calldata) external;
    function cool(address) external;
    function pauseGasMetering() external;
    function lastCallGas() external view returns (Gas memory);
    function prank(address) external;
    function startPrank(address) external;
    function stopPrank() external;
    function addr(uint256 privateKey) external pure returns (address);
    function deriveKey(string calldata mnemonic, uint32 index) external pure returns (uint256 privateKey);
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function computeCreateAddress(address deployer, uint256 nonce) external pure returns (address);
    function getNonce(address) external view returns (uint64);
    function setNonce(address, uint64) external;
    function snapshotState() external returns (uint256);
    function revertToState(uint256) external returns (bool);
    function revertToStateAndDelete(uint256) external returns (bool);
    function assume(bool) external pure;
    function mockCall(address, bytes calldata, bytes calldata) external;
    function mockCallRevert(address, bytes calldata, bytes calldata) external;
    function clearMockedCalls() external;
    function expectRevert() external;
    function expectRevert(bytes4) external;
    function expectRevert(bytes calldata) external;
    function expectEmit() external;
    function expectEmit(address) external;
    function expectCall(address, bytes calldata) external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);
    function readLine(string calldata) external view returns (string memory);
    function parseUint(string calldata) external pure returns (uint256);
    function parseBytes(string calldata) external pure returns (bytes memory);
    function readFile(string calldata) external view returns (string memory);
    function parseJson(string calldata, string calldata) external pure returns (bytes memory);
    function parseJsonString(string calldata, string calldata) external pure returns (string memory);
    function parseJsonStringArray(string calldata, string calldata) external pure returns (string[] memory);
    function parseJsonUint(string calldata, string calldata) external pure returns (uint256);
    function parseJsonUintArray(string calldata, string calldata) external pure returns (uint256[] memory);
    function parseJsonAddress(string calldata, string calldata) external pure returns (address);
    function parseJsonAddressArray(string calldata, string calldata) external pure returns (address[] memory);
    function parseJsonBytes32(string calldata, string calldata) external pure returns (bytes32);
    function parseJsonBytes32Array(string calldata, string calldata) external pure returns (bytes32[] memory);
    function parseJsonBytesArray(string calldata, string calldata) external pure returns (bytes[] memory);
    function toString(uint256) external pure returns (string memory);
    function toString(address) external pure returns (string memory);
    function envOr(string calldata, uint256) external view returns (uint256);
    function assertEq(uint256, uint256) external pure;
    function assertEq(uint256, uint256, string calldata) external pure;
    function assertEq(address, address) external pure;
    function assertEq(address, address, string calldata) external pure;
    function assertEq(bytes32, bytes32) external pure;
    function assertEq(bytes32, bytes32, string calldata) external pure;
    function assertEq(bool, bool) external pure;
    function assertEq(bool, bool, string calldata) external pure;
    function assertEq(string calldata, string calldata) external pure;
    function assertEq(bytes calldata, bytes calldata) external pure;
    function assertEq(bytes calldata, bytes calldata, string calldata) external pure;
    function assertTrue(bool) external pure;
    function assertTrue(bool, string calldata) external pure;
    function assertFalse(bool) external pure;
    function assertFalse(bool, string calldata) external pure;
    function assertLe(uint256, uint256) external pure;
    function assertLe(uint256, uint256, string calldata) external pure;
    function assertGe(uint256, uint256) external pure;
    function assertGe(uint256, uint256, string calldata) external pure;
    function assertLt(uint256, uint256) external pure;
    function assertGt(uint256, uint256) external pure;

    struct Gas {
        uint64 gasLimit;
        uint64 gasTotalUsed;
        uint64 gasMemoryUsed;
        int64 gasRefunded;
        uint64 gasRemaining;
    }

    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
