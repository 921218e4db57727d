// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC1271 } from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import { ERC3009 } from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";

import { vm } from "../Vm.sol";
import { MockUSDC } from "./MockUSDC.sol";

contract MockUsdcTest is IERC1271 {
    uint256 private constant KEY = 0xA11CE;
    address private constant TARGET = 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913;
    bytes32 private constant NONCE = keccak256("random");

    MockUSDC private usdc = MockUSDC(TARGET);
    address private payer = vm.addr(KEY);
    address private payee = address(0xB0B);
    bytes32 private approvedDigest;

    function setUp() external {
        vm.etch(TARGET, address(new MockUSDC()).code);
        vm.chainId(8453);
        vm.warp(1_800_000_000);
    }

    function test_LooksLikeUsdc() external view {
        vm.assertEq(usdc.name(), "USD Coin");
        vm.assertEq(usdc.symbol(), "USDC");
        vm.assertEq(usdc.version(), "2");
        vm.assertEq(usdc.decimals(), 6);
        vm.assertEq(usdc.DOMAIN_SEPARATOR(), _separatorOf(TARGET));
        (, string memory name, string memory version, uint256 chainId, address verifier,,) = usdc.eip712Domain();
        vm.assertEq(name, "USD Coin");
        vm.assertEq(version, "2");
        vm.assertEq(chainId, 8453);
        vm.assertEq(verifier, TARGET);
    }

    function test_WhenItGetsAnotherName() external {
        bytes32 before = usdc.DOMAIN_SEPARATOR();
        usdc.setName("USDC");
        vm.assertEq(usdc.name(), "USDC");
        vm.assertTrue(usdc.DOMAIN_SEPARATOR() != before);
    }

    function test_AnyoneMints() external {
        vm.prank(payee);
        usdc.mint(payer, 5e6);
        vm.assertEq(usdc.balanceOf(payer), 5e6);
        vm.assertEq(usdc.totalSupply(), 5e6);
    }

    function test_MovesSignedTransferOnce() external {
        usdc.mint(payer, 5e6);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, _digest(TARGET, payer));
        usdc.transferWithAuthorization(payer, payee, 2e6, 0, type(uint256).max >> 1, NONCE, v, r, s);
        vm.assertEq(usdc.balanceOf(payer), 3e6);
        vm.assertEq(usdc.balanceOf(payee), 2e6);
        vm.assertTrue(usdc.authorizationState(payer, NONCE));

        vm.expectRevert(abi.encodeWithSelector(ERC3009.ERC3009UsedAuthorization.selector, payer, NONCE));
        usdc.transferWithAuthorization(payer, payee, 2e6, 0, type(uint256).max >> 1, NONCE, v, r, s);
    }

    function test_AllowsWhatWasPermittedOnce() external {
        bytes32 typehash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 hash = keccak256(abi.encode(typehash, payer, payee, 2e6, 0, block.timestamp));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", _separatorOf(TARGET), hash));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, digest);
        usdc.permit(payer, payee, 2e6, block.timestamp, v, r, s);
        vm.assertEq(usdc.allowance(payer, payee), 2e6);
        vm.assertEq(usdc.nonces(payer), 1);

        vm.expectRevert(MockUSDC.InvalidPermit.selector);
        usdc.permit(payer, payee, 2e6, block.timestamp, v, r, s);
    }

    function test_RevertWhen_DomainIsAnother() external {
        usdc.mint(payer, 5e6);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, _digest(address(this), payer));
        vm.expectRevert(abi.encodeWithSelector(ERC3009.ERC3009InvalidSignature.selector));
        usdc.transferWithAuthorization(payer, payee, 2e6, 0, type(uint256).max >> 1, NONCE, v, r, s);
    }

    function test_MovesWhatAContractWalletSigned() external {
        usdc.mint(address(this), 5e6);
        approvedDigest = _digest(TARGET, address(this));
        usdc.transferWithAuthorization(address(this), payee, 2e6, 0, type(uint256).max >> 1, NONCE, hex"c0de");
        vm.assertEq(usdc.balanceOf(payee), 2e6);
    }

    function test_RevertWhen_BytesSignatureIsOfAnother() external {
        usdc.mint(payer, 5e6);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY + 1, _digest(TARGET, payer));
        vm.expectRevert(abi.encodeWithSelector(ERC3009.ERC3009InvalidSignature.selector));
        usdc.transferWithAuthorization(payer, payee, 2e6, 0, type(uint256).max >> 1, NONCE, abi.encodePacked(r, s, v));
    }

    function isValidSignature(bytes32 digest, bytes memory) external view returns (bytes4) {
        return digest == approvedDigest ? IERC1271.isValidSignature.selector : bytes4(0);
    }

    function _digest(address verifier, address from) private view returns (bytes32) {
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256(
                    "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
                ),
                from,
                payee,
                uint256(2e6),
                uint256(0),
                type(uint256).max >> 1,
                NONCE
            )
        );
        return keccak256(abi.encodePacked(hex"1901", _separatorOf(verifier), structHash));
    }

    function _separatorOf(address verifier) private view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("USD Coin"),
                keccak256("2"),
                block.chainid,
                verifier
            )
        );
    }
}
