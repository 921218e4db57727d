// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistrySettleDisputeTest is Books {
    function test_RevertGiven_TaskIsNotDisputed() external {
        bytes4 selector = ITaskRegistry.settleDispute.selector;
        _assertOnlyIn(TaskState.DISPUTED, TaskState.DISPUTED, address(arbitration), selector, abi.encode(5000));
    }

    function test_RevertWhen_CallerIsNotArbitration() external {
        uint256 taskId = _disputed();
        address[6] memory callers = [POSTER, WORKER, STRANGER, OWNER, GUARDIAN, ARBITRATOR];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.Unauthorized.selector, callers[i]));
            vm.prank(callers[i]);
            registry.settleDispute(taskId, 5000);
        }
    }

    function test_MovesToResolved() external {
        uint256 taskId = _disputed();
        Task memory expected = _task(taskId);
        _settle(taskId, 2500);

        expected.state = TaskState.RESOLVED;
        expected.workerBps = 2500;
        expected.ruled = true;
        _assertTask(taskId, expected);
    }

    function test_PaysDisputedMilestoneOnly() external {
        uint256 taskId = _disputed();
        Gains memory gains;
        gains.workerTok = int256(FIRST);
        gains.posterTok = int256(SECOND);
        _mark();
        _settle(taskId, 10_000);

        _assertGains(gains);
        _assertAccount(taskId, TOTAL, FIRST, SECOND);
    }

    function test_RefundsEverything() external {
        uint256 taskId = _disputed();
        Gains memory gains;
        gains.posterTok = int256(TOTAL);
        _mark();
        _settle(taskId, 0);

        _assertGains(gains);
        _assertAccount(taskId, TOTAL, 0, TOTAL);
    }

    function test_SharesDisputedMilestone() external {
        uint256 taskId = _disputed();
        Gains memory gains;
        gains.workerTok = 150e18;
        gains.posterTok = 850e18;
        _mark();
        _settle(taskId, 2500);

        _assertGains(gains);
        _assertAccount(taskId, TOTAL, 150e18, 850e18);
    }

    function test_LeavesPaidMilestoneAlone() external {
        uint256 taskId = _active();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _deliver(taskId);
        _dispute(taskId, WORKER);
        Gains memory gains;
        gains.workerTok = 100e18;
        gains.posterTok = 300e18;
        _mark();
        _settle(taskId, 2500);

        _assertGains(gains);
        _assertAccount(taskId, TOTAL, FIRST + 100e18, 300e18);
    }

    function test_FreesReservesAndClaim() external {
        _active();
        uint256 taskId = _disputed();
        _assertLive(2);
        _settle(taskId, 5000);

        _assertSettled(taskId, TaskState.RESOLVED);
        vm.assertEq(deposits.reservedOf(POSTER), 8e6);
        vm.assertEq(deposits.reservedOf(WORKER), 8e6);
        _assertLive(1);
    }

    function test_EmitsTaskResolved() external {
        uint256 taskId = _disputed();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskResolved(taskId, 2500, 150e18);
        _settle(taskId, 2500);
    }

    function test_RecordsPayment() external {
        uint256 taskId = _disputed();
        _settle(taskId, 2500);
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
        _settle(taskId, 10_000);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, TaskState.RESOLVED));
        _settle(taskId, 10_000);
    }

    function testFuzz_LosesNothing(uint96 first, uint96 second, uint16 workerBps) external {
        TaskTerms memory terms = _terms();
        terms.amounts[0] = uint256(first) % 400_000e18 + 1;
        terms.amounts[1] = uint256(second) % 400_000e18 + 1;
        workerBps = workerBps % 10_001;
        uint256 taskId = _activeWith(terms, terms.amounts[0] + terms.amounts[1]);
        _deliver(taskId);
        _dispute(taskId, POSTER);
        uint256 share = terms.amounts[0] * workerBps / 10_000;
        Gains memory gains;
        gains.workerTok = int256(share);
        gains.posterTok = int256(terms.amounts[0] + terms.amounts[1] - share);
        _mark();
        _settle(taskId, workerBps);

        _assertGains(gains);
        _assertSettled(taskId, TaskState.RESOLVED);
    }

    function test_PaysFinalizedRuling() external {
        uint256 taskId = _seated();
        _after(arbitration.disputeOf(taskId).evidenceEnd);
        vm.prank(ARBITRATOR);
        arbitration.resolve(taskId, 7500, PROOF);
        _after(arbitration.disputeOf(taskId).appealEnd);
        Gains memory gains;
        gains.workerTok = 450e18;
        gains.posterTok = 550e18;
        gains.posterUsd = -2.5e6;
        gains.workerUsd = -2.5e6;
        gains.arbitratorUsd = 5e6;
        _mark();
        vm.prank(STRANGER);
        arbitration.finalize(taskId);

        _assertGains(gains);
        _assertSettled(taskId, TaskState.RESOLVED);
        vm.assertEq(_task(taskId).workerBps, 7500);
        vm.assertTrue(_task(taskId).ruled);
    }

    function test_PaysByRecord() external {
        uint256 taskId = _delivered();
        _dispute(taskId, WORKER);
        _after(arbitration.disputeOf(taskId).seatEnd);
        Gains memory gains;
        gains.workerTok = int256(FIRST);
        gains.posterTok = int256(SECOND);
        _mark();
        vm.prank(STRANGER);
        arbitration.resolveTimedOut(taskId);

        _assertGains(gains);
        _assertSettled(taskId, TaskState.RESOLVED);
        vm.assertEq(_task(taskId).workerBps, 10_000);
    }

    function _settle(uint256 taskId, uint256 workerBps) private {
        vm.prank(address(arbitration));
        registry.settleDispute(taskId, workerBps);
    }
}
