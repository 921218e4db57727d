// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { IStakingVault } from "../../src/interfaces/IStakingVault.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { TokenPermit } from "../../src/types/TokenPermit.sol";
import { Base } from "../Base.sol";
import { MockUSDC } from "../mocks/MockUSDC.sol";
import { vm } from "../Vm.sol";

/// @dev Every way to pay with a permit, in the market as it is deployed.
contract TokenPermitsTest is Base {
    uint256 private constant SIGNER_KEY = 0x51;

    /// @dev One function that takes a permit: what it moves of which token, and who is allowed to take it.
    struct Entry {
        address target;
        bytes4 selector;
        MockUSDC token;
        address spender;
        uint256 amount;
    }

    address private immutable SIGNER = vm.addr(SIGNER_KEY);

    function setUp() public override {
        super.setUp();
        vm.prank(OWNER);
        staking.activateStaking();
        vm.prank(HOLDER);
        tok.transfer(SIGNER, 1_000_000e18);
        usdc.mint(SIGNER, 1_000e6);
    }

    function test_TopsUp() external {
        _send(_entries()[0]);
        vm.assertEq(deposits.balanceOf(SIGNER), 25e6);
        vm.assertEq(usdc.balanceOf(SIGNER), 975e6);
        vm.assertEq(usdc.allowance(SIGNER, address(deposits)), 0);
    }

    function test_Stakes() external {
        _send(_entries()[1]);
        vm.assertEq(staking.stakedOf(SIGNER), 500e18);
        vm.assertEq(tok.allowance(SIGNER, address(gateway)), 0);
    }

    function test_Bonds() external {
        _send(_entries()[2]);
        vm.assertEq(arbitration.arbitratorOf(SIGNER).bond, 10_000e18);
        vm.assertEq(tok.allowance(SIGNER, address(gateway)), 0);
    }

    function test_BuysPlanForTok() external {
        uint256 before = tok.balanceOf(TREASURY);
        _send(_entries()[3]);
        vm.assertEq(gateway.paidUntil(SIGNER, "basic"), block.timestamp + 30 days);
        // USD 9 less a fifth, at USD 0.0025.
        vm.assertEq(tok.balanceOf(TREASURY) - before, 2_880e18);
    }

    function test_BuysPlanForUsdc() external {
        _send(_entries()[4]);
        vm.assertEq(gateway.paidUntil(SIGNER, "basic"), block.timestamp + 30 days);
        vm.assertEq(usdc.balanceOf(TREASURY), 9e6);
        vm.assertEq(usdc.allowance(SIGNER, address(gateway)), 0);
    }

    function test_PermitThatWasSentFirstDoesNoHarm() external {
        for (uint256 i = 0; i < 5; ++i) {
            Entry memory entry = _entries()[i];
            TokenPermit memory permit = _sign(SIGNER_KEY, entry);
            entry.token.permit(SIGNER, entry.spender, entry.amount, permit.deadline, permit.v, permit.r, permit.s);
            uint256 held = entry.token.balanceOf(SIGNER);
            _call(SIGNER, entry, permit);
            vm.assertLt(entry.token.balanceOf(SIGNER), held);
        }
    }

    function test_RevertWhen_PermitIsReplayed() external {
        for (uint256 i = 0; i < 5; ++i) {
            Entry memory entry = _entries()[i];
            TokenPermit memory permit = _sign(SIGNER_KEY, entry);
            _call(SIGNER, entry, permit);
            // A plan may have cost less than was allowed.
            vm.prank(SIGNER);
            entry.token.approve(entry.spender, 0);
            _expectNoAllowance(entry);
            _call(SIGNER, entry, permit);
        }
    }

    /// @dev Somebody else signed, or the owner signed another amount or another spender.
    function test_RevertWhen_SomethingElseWasSigned() external {
        for (uint256 i = 0; i < 15; ++i) {
            Entry memory entry = _entries()[i % 5];
            (uint256 amount, address spender) = (entry.amount, entry.spender);
            if (i / 5 == 1) entry.amount += 1;
            if (i / 5 == 2) entry.spender = address(escrow);
            TokenPermit memory permit = _sign(i < 5 ? STRANGER_KEY : SIGNER_KEY, entry);
            (entry.amount, entry.spender) = (amount, spender);
            _expectNoAllowance(entry);
            _call(SIGNER, entry, permit);
        }
    }

    function test_RevertWhen_DeadlineHasPassed() external {
        for (uint256 i = 0; i < 5; ++i) {
            Entry memory entry = _entries()[i];
            TokenPermit memory permit = _sign(SIGNER_KEY, entry);
            vm.warp(permit.deadline + 1);
            feed.set(250_000, block.timestamp, block.timestamp);
            _expectNoAllowance(entry);
            _call(SIGNER, entry, permit);
        }
    }

    function test_AllowanceDecidesWhenPermitIsWorthless() external {
        TokenPermit memory worthless;
        for (uint256 i = 0; i < 5; ++i) {
            Entry memory entry = _entries()[i];
            vm.prank(SIGNER);
            entry.token.approve(entry.spender, entry.amount);
            uint256 held = entry.token.balanceOf(SIGNER);
            _call(SIGNER, entry, worthless);
            vm.assertLt(entry.token.balanceOf(SIGNER), held);
        }
    }

    /// @dev The permit is tried for the caller, so another wallet's signature gives nothing and takes nothing.
    function test_TakesNothingFromSignerWhenAnotherCalls() external {
        for (uint256 i = 0; i < 5; ++i) {
            Entry memory entry = _entries()[i];
            TokenPermit memory permit = _sign(SIGNER_KEY, entry);
            uint256 held = entry.token.balanceOf(SIGNER);
            _call(STRANGER, entry, permit);
            vm.assertEq(entry.token.balanceOf(SIGNER), held);
            vm.assertEq(entry.token.allowance(SIGNER, entry.spender), 0);
        }
    }

    function test_RevertWhen_AssetIsNeitherTokNorUsdc() external {
        address other = address(new MockUSDC());
        TokenPermit memory worthless;
        vm.prank(SIGNER);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.AssetNotAccepted.selector, other));
        gateway.buyPlanWithPermit("basic", SIGNER, other, 1, worthless);
    }

    function _entries() private view returns (Entry[5] memory entries) {
        address router = address(gateway);
        // TOK has every function of it that is used here.
        MockUSDC tok_ = MockUSDC(address(tok));
        entries[0] = Entry(address(deposits), IDepositVault.topUpWithPermit.selector, usdc, address(deposits), 25e6);
        entries[1] = Entry(address(staking), IStakingVault.stakeWithPermit.selector, tok_, router, 500e18);
        entries[2] = Entry(address(arbitration), IArbitration.registerWithPermit.selector, tok_, router, 10_000e18);
        entries[3] = Entry(router, IPaymentGateway.buyPlanWithPermit.selector, tok_, router, 3_000e18);
        entries[4] = Entry(router, IPaymentGateway.buyPlanWithPermit.selector, usdc, router, 9e6);
    }

    function _send(Entry memory entry) private {
        _call(SIGNER, entry, _sign(SIGNER_KEY, entry));
    }

    function _call(address caller, Entry memory entry, TokenPermit memory permit) private {
        bytes memory data = entry.selector == IPaymentGateway.buyPlanWithPermit.selector
            ? abi.encodeWithSelector(entry.selector, bytes32("basic"), caller, entry.token, entry.amount, permit)
            : abi.encodeWithSelector(entry.selector, entry.amount, permit);
        vm.prank(caller);
        (bool success, bytes memory result) = entry.target.call(data);
        if (success) return;
        assembly ("memory-safe") {
            revert(add(result, 0x20), mload(result))
        }
    }

    function _sign(uint256 key, Entry memory entry) private view returns (TokenPermit memory) {
        return _signPermit(key, SIGNER, address(entry.token), entry.spender, entry.amount);
    }

    /// @dev The next call to a token reverts for want of an allowance.
    function _expectNoAllowance(Entry memory entry) private {
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, entry.spender, 0, _taken(entry))
        );
    }

    /// @dev A plan in TOK costs less than its buyer allows.
    function _taken(Entry memory entry) private view returns (uint256) {
        bool isPlanForTok = entry.target == address(gateway) && address(entry.token) == address(tok);
        return isPlanForTok ? 2_880e18 : entry.amount;
    }
}
