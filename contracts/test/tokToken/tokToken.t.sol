// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC3009 } from "@openzeppelin/contracts/interfaces/draft-IERC3009.sol";
import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { ERC20Permit } from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import { ERC3009 } from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import { TokToken } from "../../src/TokToken.sol";
import { vm } from "../Vm.sol";

contract TokTokenTest {
    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 private constant TRANSFER = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant RECEIVE = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    uint256 private constant NOW = 1_800_000_000;
    uint256 private constant KEY = 0xA11CE;
    address private constant PAYEE = address(0x9A9EE);
    bytes32 private constant NONCE = keccak256("random");

    TokToken private tok;
    bytes32 private domain;
    address private payer;

    function setUp() external {
        vm.warp(NOW);
        vm.chainId(8453);
        payer = vm.addr(KEY);
        tok = new TokToken(payer);
        domain = tok.DOMAIN_SEPARATOR();
    }

    /// @dev Only a holder burns, only what it has or was allowed, and nobody makes more.
    function test_SupplyOnlyShrinks() external {
        vm.prank(payer);
        tok.burn(1e18);
        vm.assertEq(tok.totalSupply(), 1e27 - 1e18);
        vm.assertEq(tok.balanceOf(payer), 1e27 - 1e18);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, PAYEE, 0, 1));
        vm.prank(PAYEE);
        tok.burnFrom(payer, 1);
    }

    function test_HasTheWholeSupply() external view {
        vm.assertEq(tok.name(), "Tok");
        vm.assertEq(tok.symbol(), "TOK");
        vm.assertEq(tok.decimals(), 18);
        vm.assertEq(tok.totalSupply(), 1e27);
        vm.assertEq(tok.balanceOf(payer), 1e27);
    }

    function test_HasOneDomain() external view {
        bytes32 expected = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Tok"),
                keccak256("1"),
                uint256(8453),
                address(tok)
            )
        );
        vm.assertEq(tok.DOMAIN_SEPARATOR(), expected);
        (, string memory name, string memory version, uint256 chainId, address verifyingContract,,) = tok.eip712Domain();
        vm.assertEq(name, "Tok");
        vm.assertEq(version, "1");
        vm.assertEq(chainId, 8453);
        vm.assertEq(verifyingContract, address(tok));
    }

    function test_PermitSetsTheAllowance() external {
        _permit(KEY, NOW);
        vm.assertEq(tok.allowance(payer, PAYEE), 5e18);
        vm.assertEq(tok.nonces(payer), 1);
    }

    function test_RevertWhen_APermitIsReplayed() external {
        _permit(KEY, NOW);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, _permitDigest(0, NOW));
        address signer = ecrecover(_permitDigest(1, NOW), v, r, s);
        vm.expectRevert(abi.encodeWithSelector(ERC20Permit.ERC2612InvalidSigner.selector, signer, payer));
        _permit(KEY, NOW);
    }

    function test_TransferMovesTheAmount() external {
        vm.assertFalse(tok.authorizationState(payer, NONCE));
        vm.expectEmit(address(tok));
        emit IERC3009.AuthorizationUsed(payer, NONCE);
        _transfer(7e18, NOW - 1, NOW + 1, NONCE);
        vm.assertEq(tok.balanceOf(PAYEE), 7e18);
        vm.assertEq(tok.balanceOf(payer), 1e27 - 7e18);
        vm.assertTrue(tok.authorizationState(payer, NONCE));
    }

    function test_RevertWhen_ATransferIsReplayed() external {
        _transfer(7e18, 0, NOW + 1, NONCE);
        vm.expectRevert(abi.encodeWithSelector(ERC3009.ERC3009UsedAuthorization.selector, payer, NONCE));
        _transfer(7e18, 0, NOW + 1, NONCE);
    }

    /// @dev Always signed for the first nonce, so a second call is a replay.
    function _permit(uint256 key, uint256 deadline) private {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, _permitDigest(0, deadline));
        tok.permit(payer, PAYEE, 5e18, deadline, v, r, s);
    }

    function _permitDigest(uint256 nonce, uint256 deadline) private view returns (bytes32) {
        return _typed(keccak256(abi.encode(PERMIT, payer, PAYEE, 5e18, nonce, deadline)));
    }

    function _transfer(uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce) private {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, _digest(TRANSFER, value, validAfter, validBefore, nonce));
        tok.transferWithAuthorization(payer, PAYEE, value, validAfter, validBefore, nonce, v, r, s);
    }

    function _digest(bytes32 typeHash, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce)
        private
        view
        returns (bytes32)
    {
        return _typed(keccak256(abi.encode(typeHash, payer, PAYEE, value, validAfter, validBefore, nonce)));
    }

    function _typed(bytes32 structHash) private view returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", domain, structHash));
    }
}
