// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { IEntryPause } from "../../src/interfaces/IEntryPause.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { IPricingPolicy } from "../../src/interfaces/IPricingPolicy.sol";
import { IStakingVault } from "../../src/interfaces/IStakingVault.sol";
import { TokenPermit } from "../../src/types/TokenPermit.sol";
import { vm } from "../Vm.sol";
import { Meter } from "./Meter.sol";

/// @dev Every call that is made to neither the registry's lifecycle nor a dispute.
/// forge-config: default.isolate = true
/// forge-config: ci.isolate = true
/// forge-config: deep.isolate = true
/// forge-config: lite.isolate = true
contract VaultGasTest is Meter {
    function test_Deposits() external {
        address target = address(deposits);
        _measure("topUp", POSTER, target, abi.encodeCall(IDepositVault.topUp, (1e6)));
        _measure("topUpFor", POSTER, target, abi.encodeCall(IDepositVault.topUpFor, (HOLDER, 1e6)));
        _measure("withdraw-deposit", POSTER, target, abi.encodeCall(IDepositVault.withdraw, (1e6, OWNER)));
    }

    function test_Staking() external {
        address target = address(staking);
        _measure("stake", POSTER, target, abi.encodeCall(IStakingVault.stake, (100e18)));
        vm.warp(block.timestamp + 1 days);
        _posted();
        vm.warp(block.timestamp + 1 days);
        _measure("claimRewards", POSTER, target, abi.encodeCall(IStakingVault.claimRewards, ()));
        _measure("unstake", POSTER, target, abi.encodeCall(IStakingVault.unstake, (100e18)));
    }

    function test_Plans() external {
        address target = address(gateway);
        bytes memory call = abi.encodeCall(IPaymentGateway.buyPlan, ("basic", HOLDER, address(tok), type(uint256).max));
        _measure("buyPlan-with-tok", POSTER, target, call);
        call = abi.encodeCall(IPaymentGateway.buyPlan, ("basic", OWNER, address(usdc), type(uint256).max));
        _measure("buyPlan-with-usdc", POSTER, target, call);
    }

    function test_Permits() external {
        address router = address(gateway);
        TokenPermit memory permit = _signPermit(POSTER_KEY, POSTER, address(usdc), address(deposits), 1e6);
        bytes memory call = abi.encodeCall(IDepositVault.topUpWithPermit, (1e6, permit));
        _measure("topUpWithPermit", POSTER, address(deposits), call);
        permit = _signPermit(POSTER_KEY, POSTER, address(tok), router, 100e18);
        call = abi.encodeCall(IStakingVault.stakeWithPermit, (100e18, permit));
        _measure("stakeWithPermit", POSTER, address(staking), call);
        permit = _signPermit(POSTER_KEY, POSTER, address(tok), router, 10_000e18);
        call = abi.encodeCall(IArbitration.registerWithPermit, (10_000e18, permit));
        _measure("registerWithPermit", POSTER, address(arbitration), call);
        permit = _signPermit(POSTER_KEY, POSTER, address(tok), router, 3_000e18);
        call = abi.encodeCall(IPaymentGateway.buyPlanWithPermit, ("basic", HOLDER, address(tok), 3_000e18, permit));
        _measure("buyPlanWithPermit", POSTER, router, call);
    }

    /// @dev What could not be sent when a case ended waits in both vaults.
    function test_Withdraw() external {
        uint256 taskId = _seated();
        _after(arbitration.disputeOf(taskId).rulingEnd);
        vm.mockCallRevert(address(tok), abi.encodeWithSelector(IERC20.transfer.selector), "");
        arbitration.resolveTimedOut(taskId);
        vm.prank(POSTER);
        registry.release(taskId, 0);
        vm.clearMockedCalls();
        bytes memory call = abi.encodeCall(IArbitration.withdraw, (OWNER));
        _measure("withdraw-from-arbitration", WORKER, address(arbitration), call);
        _measure("withdraw-from-escrow", WORKER, address(escrow), abi.encodeCall(IEscrowVault.withdraw, (GUARDIAN)));
    }

    function test_Administration() external {
        address target = address(registry);
        _measure("pauseEntries", GUARDIAN, target, abi.encodeCall(IEntryPause.pauseEntries, ()));
        _measure("unpauseEntries", OWNER, target, abi.encodeCall(IEntryPause.unpauseEntries, ()));
        _measure("setGuardian", OWNER, target, abi.encodeCall(IEntryPause.setGuardian, (STRANGER)));
        uint256 endsAt = block.timestamp + 365 days;
        _measure("sunset", OWNER, target, abi.encodeCall(IEntryPause.sunset, (endsAt)));
        IPricingPolicy.Plan memory plan =
            IPricingPolicy.Plan({ listPriceUsd: 49e6, tokDiscountBps: 1000, tokAllowed: true });
        _measure("setPlan", OWNER, address(pricing), abi.encodeCall(IPricingPolicy.setPlan, ("pro", plan)));
        bytes memory call = abi.encodeCall(IPricingPolicy.setUsdOracle, (address(0)));
        _measure("setUsdOracle", OWNER, address(pricing), call);
    }
}
