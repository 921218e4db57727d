// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import { EscrowVault } from "../../src/EscrowVault.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { Contracts } from "../../src/types/Market.sol";
import { HostileToken } from "../mocks/HostileToken.sol";
import { vm } from "../Vm.sol";

/// @dev The part of the payment gateway the vault calls; it ignores what the token answers, as the vault must not.
contract PullGateway {
    error CannotShare();

    IERC20 private immutable TOK;

    /// Sharing out fails.
    bool public stuck;
    /// The last exit deposit it was told to share out.
    bytes public shared;

    constructor(IERC20 tok) {
        TOK = tok;
    }

    function pull(address from, uint256 amount) external {
        (bool success,) = address(TOK).call(abi.encodeCall(TOK.transferFrom, (from, msg.sender, amount)));
        require(success, "pull failed");
    }

    function shareExitDeposit(uint256 taskId, address payer, IPaymentGateway.AccessAction action) external {
        if (stuck) revert CannotShare();
        shared = abi.encode(taskId, payer, action, TOK.balanceOf(address(this)));
    }

    function setStuck(bool stuck_) external {
        stuck = stuck_;
    }
}

/// @dev The test contract is the task registry of `vault`.
abstract contract EscrowVaultBase {
    uint256 internal constant TASK = 7;
    uint256 internal constant OTHER_TASK = 8;

    address internal poster = address(0xA11CE);
    address internal worker = address(0xB0B);
    address internal stranger = address(0x57A6);

    HostileToken internal tok;
    PullGateway internal gateway;
    EscrowVault internal vault;

    function setUp() public virtual {
        tok = new HostileToken();
        gateway = new PullGateway(tok);
        vault = _deploy(address(this));

        tok.mint(poster, type(uint192).max);
        vm.prank(poster);
        tok.approve(address(gateway), type(uint256).max);
    }

    function _deploy(address registry) internal returns (EscrowVault) {
        Contracts memory contracts_;
        contracts_.tok = address(tok);
        contracts_.taskRegistry = registry;
        contracts_.paymentGateway = address(gateway);
        return new EscrowVault(contracts_);
    }

    /// @dev A payment to `to` that could not be pushed.
    function _defer(uint256 taskId, address to, uint256 amount) internal {
        vault.fund(taskId, poster, amount);
        tok.setBlocked(to, true);
        vault.release(taskId, to, amount);
        tok.setBlocked(to, false);
    }

    function _assertAccount(uint256 taskId, uint256 funded, uint256 released, uint256 refunded) internal view {
        IEscrowVault.Account memory account = vault.accountOf(taskId);
        vm.assertEq(account.funded, funded, "funded");
        vm.assertEq(account.released, released, "released");
        vm.assertEq(account.refunded, refunded, "refunded");
        vm.assertEq(vault.heldOf(taskId), funded - released - refunded, "held");
    }

    function _assertTotals(uint256 held, uint256 withdrawable) internal view {
        vm.assertEq(vault.totalHeld(), held, "totalHeld");
        vm.assertEq(vault.totalWithdrawable(), withdrawable, "totalWithdrawable");
        vm.assertEq(tok.balanceOf(address(vault)), held + withdrawable + vault.totalExitDeposits(), "balance");
    }
}
