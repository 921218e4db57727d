// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Pausable } from "@openzeppelin/contracts/utils/Pausable.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Settlement, TaskState } from "../../src/types/Task.sol";
import { ContractWallet } from "../mocks/ContractWallet.sol";
import { vm } from "../Vm.sol";
import { DisputeExits } from "./DisputeExits.sol";
import { TaskExits } from "./TaskExits.sol";

contract ExitsTest is TaskExits, DisputeExits {
    address private constant THIEF = address(0x71E1F);

    function _worlds() internal pure override returns (string[] memory worlds) {
        worlds = new string[](8);
        worlds[0] = "calm";
        worlds[1] = "paused";
        worlds[2] = "oracle dead";
        worlds[3] = "hostile admin";
        worlds[4] = "penniless";
        worlds[5] = "halted";
        worlds[6] = "contract parties";
        worlds[7] = "all at once";
    }

    function _adversity() internal override {
        bool all = _inWorld("all at once");
        if (all || _inWorld("oracle dead")) _killOracle();
        if (all || _inWorld("hostile admin")) _corruptAdmin();
        if (all || _inWorld("penniless")) {
            _ruin(POSTER);
            _ruin(WORKER);
        }
        if (all || _inWorld("contract parties")) _becomeContracts();
        if (_inWorld("paused")) _pauseForGood();
    }

    function _canLock() internal view override returns (bool) {
        return !_inWorld("penniless") && !_inWorld("all at once");
    }

    /// @dev A halted chain stands still for two hours across every limit.
    function _pass(uint256 limit) internal override {
        if (!_inWorld("halted") && !_inWorld("all at once")) return _after(limit);
        vm.warp(limit - 1 hours);
        vm.warp(limit + 1 hours);
    }

    /// @dev The pause binds entries, and only them: a claim made before it is still funded, worked and paid.
    function test_PauseBindsOnlyEntries() external {
        uint256 posted = _posted();
        uint256 taskId = _claimed();
        _pauseForGood();
        _mark();
        vm.startPrank(POSTER);
        vm.expectRevert(Pausable.EnforcedPause.selector);
        registry.fund(posted, 1);
        registry.cancel(posted);
        registry.fund(taskId, TOTAL);
        registry.activate(taskId);
        registry.complete(taskId);
        vm.stopPrank();
        Gains memory gains;
        gains.posterTok = -int256(TOTAL) + 2 * EXIT;
        gains.workerTok = int256(TOTAL) + EXIT;
        _assertOut(taskId, TaskState.COMPLETED, gains);
    }

    /// @dev Entries are paused and nobody is left to end it.
    function _pauseForGood() private {
        vm.prank(GUARDIAN);
        registry.pauseEntries();
        vm.startPrank(OWNER);
        registry.setGuardian(address(0));
        registry.renounceOwnership();
        staking.renounceOwnership();
        pricing.renounceOwnership();
        vm.stopPrank();
    }

    function _killOracle() private {
        vm.etch(address(feed), hex"fe");
        vm.etch(address(oracle), hex"fe");
        vm.etch(address(pricing), hex"fe");
    }

    /// @dev Owner and guardian are thieves and do all they can.
    function _corruptAdmin() private {
        vm.startPrank(OWNER);
        registry.pauseEntries();
        registry.setGuardian(THIEF);
        staking.activateStaking();
        registry.transferOwnership(THIEF);
        staking.transferOwnership(THIEF);
        vm.stopPrank();
        vm.startPrank(THIEF);
        registry.acceptOwnership();
        staking.acceptOwnership();
        _tryToSteal();
        vm.stopPrank();
    }

    /// @dev Everything that moves money, as owner of all that has an owner.
    function _tryToSteal() private {
        uint256 taskId = registry.taskCount();
        IPaymentGateway.AccessAction forfeit = IPaymentGateway.AccessAction.FORFEIT;
        _expectUnauthorized(address(escrow), abi.encodeCall(escrow.refund, (taskId, THIEF)));
        _expectUnauthorized(address(escrow), abi.encodeCall(escrow.release, (taskId, THIEF, 1)));
        _expectUnauthorized(address(escrow), abi.encodeCall(escrow.fund, (taskId, POSTER, 1)));
        _expectUnauthorized(address(escrow), abi.encodeCall(escrow.returnExitDeposit, (taskId, POSTER)));
        _expectUnauthorized(address(escrow), abi.encodeCall(escrow.spendExitDeposit, (taskId, POSTER, forfeit)));
        _expectUnauthorized(address(deposits), abi.encodeCall(deposits.penalise, (taskId, POSTER, THIEF, 1)));
        _expectUnauthorized(address(deposits), abi.encodeCall(deposits.reserve, (taskId, POSTER, 1)));
        _expectUnauthorized(address(gateway), abi.encodeCall(gateway.pull, (POSTER, 1)));
        _expectUnauthorized(address(gateway), abi.encodeCall(gateway.chargeAccessFee, (taskId, POSTER, forfeit)));
        _expectUnauthorized(address(gateway), abi.encodeCall(gateway.shareExitDeposit, (taskId, POSTER, forfeit)));
        _expectUnauthorized(address(arbitration), abi.encodeCall(arbitration.concede, (taskId)));
        _expectUnauthorized(address(arbitration), abi.encodeCall(arbitration.abandon, (taskId)));
        vm.expectRevert(abi.encodeWithSelector(IEscrowVault.NothingToWithdraw.selector, THIEF));
        escrow.withdraw(THIEF);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, THIEF, 0, 1));
        deposits.withdraw(1, THIEF);
        Settlement memory settlement;
        settlement.workerBps = 10_000;
        (bool success,) = address(registry).call(abi.encodeCall(ITaskRegistry.settleDispute, (taskId, settlement)));
        vm.assertFalse(success, "a thief settled");
    }

    /// @dev The error has the same name in every contract.
    function _expectUnauthorized(address target, bytes memory call) private {
        (bool success, bytes memory answer) = target.call(call);
        vm.assertFalse(success, "a thief moved money");
        vm.assertEq(answer, abi.encodeWithSelector(IEscrowVault.Unauthorized.selector, THIEF));
    }

    /// @dev The party gives away all it may and revokes every allowance; only what its tasks reserve and lock is left.
    function _ruin(address party) private {
        vm.startPrank(party);
        if (deposits.withdrawableOf(party) != 0) deposits.withdraw(deposits.withdrawableOf(party), HOLDER);
        usdc.transfer(HOLDER, usdc.balanceOf(party));
        tok.transfer(HOLDER, tok.balanceOf(party));
        tok.approve(address(gateway), 0);
        usdc.approve(address(deposits), 0);
        usdc.approve(address(gateway), 0);
        vm.stopPrank();
    }

    /// @dev Contracts that refuse every call but a signature check.
    function _becomeContracts() private {
        vm.etch(POSTER, address(new ContractWallet(POSTER)).code);
        vm.etch(WORKER, address(new ContractWallet(WORKER)).code);
        vm.etch(ARBITRATOR, address(new ContractWallet(ARBITRATOR)).code);
        vm.etch(TREASURY, address(new ContractWallet(TREASURY)).code);
        vm.etch(COURT, address(new ContractWallet(COURT)).code);
    }
}
