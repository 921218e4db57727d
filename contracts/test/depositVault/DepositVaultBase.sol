// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { DepositVault } from "../../src/DepositVault.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { Contracts } from "../../src/types/Market.sol";
import { HostileToken } from "../mocks/HostileToken.sol";
import { vm } from "../Vm.sol";

/// @dev The test contract is the task registry of `vault`.
abstract contract DepositVaultBase {
    uint256 internal constant TASK = 7;
    uint256 internal constant OTHER_TASK = 8;

    address internal arbitration = address(0xA4B);
    address internal treasury = address(0x7EA);
    address internal agent = address(0xA11CE);
    address internal other = address(0xB0B);
    address internal stranger = address(0x57A6);

    HostileToken internal usdc;
    DepositVault internal vault;

    function setUp() public virtual {
        usdc = new HostileToken();
        vault = _deploy(address(this));
        _endow(agent);
        _endow(other);
    }

    function _deploy(address registry) internal returns (DepositVault) {
        Contracts memory contracts_;
        contracts_.usdc = address(usdc);
        contracts_.taskRegistry = registry;
        contracts_.arbitration = arbitration;
        contracts_.treasury = treasury;
        return new DepositVault(contracts_);
    }

    function _endow(address account) internal {
        usdc.mint(account, type(uint128).max);
        vm.prank(account);
        usdc.approve(address(vault), type(uint256).max);
    }

    function _topUp(address account, uint256 amount) internal {
        vm.prank(account);
        vault.topUp(amount);
    }

    function _expectUnauthorized(address caller) internal {
        vm.prank(caller);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.Unauthorized.selector, caller));
    }

    function _assertDeposit(address account, uint256 balance, uint256 reserved) internal view {
        vm.assertEq(vault.balanceOf(account), balance, "balance");
        vm.assertEq(vault.reservedOf(account), reserved, "reserved");
        vm.assertEq(vault.freeOf(account), balance - reserved, "free");
    }

    function _assertTotal(uint256 total) internal view {
        vm.assertEq(vault.totalDeposits(), total, "totalDeposits");
        vm.assertEq(usdc.balanceOf(address(vault)), total, "vault balance");
    }
}
