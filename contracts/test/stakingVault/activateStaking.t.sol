// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { IStakingVault } from "../../src/interfaces/IStakingVault.sol";
import { vm } from "../Vm.sol";
import { StakingVaultBase } from "./StakingVaultBase.sol";

contract StakingVaultActivateStakingTest is StakingVaultBase {
    function setUp() public override {
        super.setUp();
        _deploy(CAP, RATE);
    }

    function test_KeepsItsParameters() external view {
        vm.assertEq(vault.owner(), OWNER);
        vm.assertEq(vault.creditCap(), 1_000e18);
        vm.assertEq(vault.creditRate(), 1e14);
        vm.assertEq(vault.REWARD_PERIOD(), 7 days);
        vm.assertEq(vault.CREDIT_SCALE(), 86_400e18);
        vm.assertEq(vault.REWARD_SCALE(), 1e27);
    }

    function test_StartsInactiveAndEmpty() external view {
        vm.assertFalse(vault.stakingActive());
        vm.assertEq(vault.totalStakedTok(), 0);
        vm.assertEq(vault.rewardReserve(), 0);
        _assertIssuance(0, 1_000e18, false);
    }

    function test_RevertWhen_TheCallerIsNotTheOwner() external {
        vm.prank(STRANGER);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, STRANGER));
        vault.activateStaking();
    }

    function test_RevertGiven_StakingIsActive() external {
        _activate();
        vm.prank(OWNER);
        vm.expectRevert(IStakingVault.StakingAlreadyActive.selector);
        vault.activateStaking();
    }

    function test_OpensStakingForGood() external {
        vm.expectEmit(address(vault));
        emit IStakingVault.StakingActivated();
        _activate();
        vm.assertTrue(vault.stakingActive());

        vm.prank(OWNER);
        vault.renounceOwnership();
        vm.assertTrue(vault.stakingActive());
        _stake(ALICE, 1e18);
        vm.assertEq(vault.stakedOf(ALICE), 1e18);
    }

    function test_OwnershipNeedsAcceptance() external {
        vm.prank(OWNER);
        vault.transferOwnership(STRANGER);
        vm.assertEq(vault.owner(), OWNER);
        vm.prank(STRANGER);
        vault.acceptOwnership();
        vm.assertEq(vault.owner(), STRANGER);
    }
}
