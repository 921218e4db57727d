// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Settlement, Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistrySettleDisputeTest is Books {
    function test_RevertGiven_TaskIsNotDisputed() external {
        bytes4 selector = ITaskRegistry.settleDispute.selector;
        bytes memory tail = abi.encode(_share(5000));
        _assertOnlyIn(TaskState.DISPUTED, TaskState.DISPUTED, address(arbitration), selector, tail);
    }

    function test_RevertWhen_CallerIsNotArbitration() external {
        uint256 taskId = _disputed();
        address[7] memory callers = [POSTER, WORKER, STRANGER, OWNER, GUARDIAN, ARBITRATOR, COURT];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.Unauthorized.selector, callers[i]));
            vm.prank(callers[i]);
            registry.settleDispute(taskId, _share(5000));
        }
    }

    function test_MovesToResolved() external {
        uint256 taskId = _disputed();
        Task memory expected = _task(taskId);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskResolved(taskId, 2500, 150e18, 0);
        _settle(taskId, _share(2500));

        expected.state = TaskState.RESOLVED;
        expected.workerBps = 2500;
        expected.ruled = true;
        _assertTask(taskId, expected);
        _assertSettled(taskId, TaskState.RESOLVED);
    }

    function test_SharesDisputedMilestoneOnly() external {
        uint16[3] memory shares = [uint16(0), 2500, 10_000];
        for (uint256 i = 0; i < shares.length; ++i) {
            uint256 taskId = _disputed();
            uint256 toWorker = FIRST * shares[i] / 10_000;
            Gains memory gains = _exitsReturned();
            gains.workerTok += int256(toWorker);
            gains.posterTok += int256(TOTAL - toWorker);
            _mark();
            _settle(taskId, _share(shares[i]));

            _assertGains(gains);
            _assertAccount(taskId, TOTAL, toWorker, TOTAL - toWorker);
        }
    }

    function test_LeavesPaidMilestoneAlone() external {
        uint256 taskId = _active();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _deliver(taskId);
        _dispute(taskId, POSTER);
        _settle(taskId, _share(2500));
        _assertAccount(taskId, TOTAL, FIRST + 100e18, 300e18);
    }

    function test_TakesCourtShareBeforeDividing() external {
        uint256 taskId = _disputed();
        Settlement memory settlement = _share(5000);
        settlement.courtShare = 6e18;
        settlement.court = COURT;
        Gains memory gains = _exitsReturned();
        gains.courtTok = 6e18;
        gains.workerTok += 297e18;
        gains.posterTok += 697e18;
        _mark();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskResolved(taskId, 5000, 297e18, 6e18);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.Released(taskId, COURT, 6e18, false);
        _settle(taskId, settlement);

        _assertGains(gains);
        _assertAccount(taskId, TOTAL, 303e18, 697e18);
    }

    function test_SpendsForfeitedExitDeposits() external {
        for (uint256 i = 1; i < 4; ++i) {
            uint256 taskId = _disputed();
            Settlement memory settlement = _share(0);
            settlement.posterForfeits = i & 1 != 0;
            settlement.workerForfeits = i & 2 != 0;
            int256 spent = i == 3 ? int256(2) : int256(1);
            Gains memory gains;
            gains.posterTok = int256(TOTAL) + (settlement.posterForfeits ? int256(0) : EXIT);
            gains.workerTok = settlement.workerForfeits ? int256(0) : EXIT;
            gains.treasuryTok = spent * 600e18;
            gains.unionTok = spent * 400e18;
            _mark();
            vm.expectEmit(address(gateway));
            emit IPaymentGateway.AccessFeePaid(
                taskId,
                settlement.posterForfeits ? POSTER : WORKER,
                IPaymentGateway.AccessAction.FORFEIT,
                uint256(EXIT),
                0
            );
            _settle(taskId, settlement);
            _assertGains(gains);
            _assertSettled(taskId, TaskState.RESOLVED);
        }
    }

    function test_FreesReservesOfThisTask() external {
        _active();
        uint256 taskId = _disputed();
        _settle(taskId, _share(5000));
        vm.assertEq(deposits.reservedOf(POSTER), 8e6);
        vm.assertEq(deposits.reservedOf(WORKER), 8e6);
        vm.assertEq(escrow.totalExitDeposits(), 2 * uint256(EXIT));
    }

    function test_RecordsPayment() external {
        uint256 taskId = _disputed();
        _vet(taskId);
        _settle(taskId, _share(2500));
        IReputationRegistry.Reputation memory expected;
        expected.distinctCounterparties = 1;
        expected.paid = 150e18;
        _assertReputation(POSTER, expected);
        expected.paid = 0;
        expected.earned = 150e18;
        _assertReputation(WORKER, expected);
    }

    function test_RevertWhen_CalledAgain() external {
        uint256 taskId = _disputed();
        _settle(taskId, _share(10_000));
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, TaskState.RESOLVED));
        _settle(taskId, _share(10_000));
    }

    function testFuzz_LosesNothing(uint96 first, uint96 second, uint16 workerBps, uint16 courtBps) external {
        TaskTerms memory terms = _terms();
        terms.amounts[0] = uint256(first) % 400_000e18 + 1;
        terms.amounts[1] = uint256(second) % 400_000e18 + 1;
        Settlement memory settlement = _share(workerBps % 10_001);
        settlement.courtShare = uint128(terms.amounts[0] * (courtBps % 101) / 10_000);
        settlement.court = COURT;
        uint256 taskId = _activeWith(terms, terms.amounts[0] + terms.amounts[1]);
        _deliver(taskId);
        _dispute(taskId, POSTER);
        uint256 share = (terms.amounts[0] - settlement.courtShare) * settlement.workerBps / 10_000;
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(share);
        gains.courtTok = int256(uint256(settlement.courtShare));
        gains.posterTok += int256(terms.amounts[0] + terms.amounts[1] - share - settlement.courtShare);
        _mark();
        _settle(taskId, settlement);

        _assertGains(gains);
        _assertSettled(taskId, TaskState.RESOLVED);
    }

    /// @dev The whole way: judge, 1 % of the gap, fee and rest of the loser's reserve, stake and exit deposit.
    function test_PaysFinalizedRuling() external {
        uint256 taskId = _seated();
        _rule(taskId, false);
        _after(arbitration.disputeOf(taskId).appealEnd);
        Gains memory gains = _exitSpent();
        gains.posterTok = int256(TOTAL) - 6e18 + EXIT + 60e18;
        gains.arbitratorTok = 6e18;
        gains.workerUsd = -8e6 - 5e6;
        gains.arbitratorUsd = 5e6;
        gains.posterUsd = 3e6;
        gains.treasuryUsd = 5e6;
        _mark();
        vm.prank(STRANGER);
        arbitration.finalize(taskId);

        _assertGains(gains);
        _assertSettled(taskId, TaskState.RESOLVED);
        vm.assertEq(_task(taskId).workerBps, 0);
        vm.assertTrue(_task(taskId).ruled);
    }

    function test_PaysAgainstOpenerWhenNobodyRules() external {
        uint256 taskId = _disputed();
        _after(arbitration.disputeOf(taskId).evidenceEnd);
        arbitration.resolveTimedOut(taskId);
        _after(arbitration.disputeOf(taskId).courtEnd);
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(FIRST);
        gains.posterTok += int256(SECOND) + 60e18;
        _mark();
        vm.prank(STRANGER);
        arbitration.resolveTimedOut(taskId);

        _assertGains(gains);
        _assertSettled(taskId, TaskState.RESOLVED);
    }

    function _share(uint16 workerBps) private pure returns (Settlement memory settlement) {
        settlement.workerBps = workerBps;
    }

    function _settle(uint256 taskId, Settlement memory settlement) private {
        vm.prank(address(arbitration));
        registry.settleDispute(taskId, settlement);
    }
}
