// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { vm } from "../Vm.sol";
import { ReputationRegistryBase } from "./ReputationRegistryBase.sol";

contract ReputationRegistryRecordTest is ReputationRegistryBase {
    function test_RevertWhen_CallerIsNotRegistry() external {
        bytes[5] memory calls = [
            abi.encodeCall(registry.recordPayment, (TASK, poster, worker, 1)),
            abi.encodeCall(registry.recordCompletion, (TASK, poster, worker)),
            abi.encodeCall(registry.recordLeave, (TASK, worker)),
            abi.encodeCall(registry.recordDismissal, (TASK, poster)),
            abi.encodeCall(registry.recordLapse, (TASK, worker))
        ];
        address[2] memory callers = [stranger, arbitration];
        for (uint256 i = 0; i < calls.length * callers.length; i++) {
            address caller = callers[i % 2];
            vm.prank(caller);
            (bool success, bytes memory result) = address(registry).call(calls[i / 2]);
            vm.assertFalse(success);
            vm.assertEq(result, abi.encodeWithSelector(IReputationRegistry.Unauthorized.selector, caller));
        }
    }

    function testFuzz_RevertWhen_CallerIsAnyoneElse(address caller) external {
        vm.assume(caller != address(this));
        vm.prank(caller);
        vm.expectRevert(abi.encodeWithSelector(IReputationRegistry.Unauthorized.selector, caller));
        registry.recordLeave(TASK, worker);
    }

    function test_Completion_CountsEachRole() external {
        registry.recordCompletion(TASK, poster, worker);
        registry.recordCompletion(TASK + 1, poster, worker);
        registry.recordCompletion(TASK + 2, worker, poster);

        IReputationRegistry.Reputation memory expected;
        (expected.completedAsPoster, expected.completedAsWorker) = (2, 1);
        _assertReputation(poster, expected);
        (expected.completedAsPoster, expected.completedAsWorker) = (1, 2);
        _assertReputation(worker, expected);
    }

    function test_Completion_Emits() external {
        vm.expectEmit(address(registry));
        emit IReputationRegistry.CompletionRecorded(TASK, poster, worker);
        registry.recordCompletion(TASK, poster, worker);
    }

    function test_Leave_CountsForWorker() external {
        registry.recordLeave(TASK, worker);
        registry.recordLeave(TASK, worker);
        IReputationRegistry.Reputation memory expected;
        expected.leaves = 2;
        _assertReputation(worker, expected);
    }

    function test_Leave_Emits() external {
        vm.expectEmit(address(registry));
        emit IReputationRegistry.LeaveRecorded(TASK, worker);
        registry.recordLeave(TASK, worker);
    }

    function test_Dismissal_CountsForPoster() external {
        registry.recordDismissal(TASK, poster);
        registry.recordDismissal(TASK, poster);
        IReputationRegistry.Reputation memory expected;
        expected.dismissals = 2;
        _assertReputation(poster, expected);
    }

    function test_Dismissal_Emits() external {
        vm.expectEmit(address(registry));
        emit IReputationRegistry.DismissalRecorded(TASK, poster);
        registry.recordDismissal(TASK, poster);
    }

    function test_Lapse_CountsForAccount() external {
        registry.recordLapse(TASK, worker);
        registry.recordLapse(TASK, worker);
        IReputationRegistry.Reputation memory expected;
        expected.lapses = 2;
        _assertReputation(worker, expected);
    }

    function test_Lapse_Emits() external {
        vm.expectEmit(address(registry));
        emit IReputationRegistry.LapseRecorded(TASK, worker);
        registry.recordLapse(TASK, worker);
    }

    function test_Dispute_RevertWhen_CallerIsRegistry() external {
        vm.expectRevert(abi.encodeWithSelector(IReputationRegistry.Unauthorized.selector, address(this)));
        registry.recordDispute(TASK, worker, poster);
    }

    function test_Dispute_RevertWhen_CallerIsStranger() external {
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IReputationRegistry.Unauthorized.selector, stranger));
        registry.recordDispute(TASK, worker, poster);
    }

    function test_Dispute_CountsWinAndLoss() external {
        vm.startPrank(arbitration);
        registry.recordDispute(TASK, worker, poster);
        registry.recordDispute(TASK, worker, poster);
        registry.recordDispute(TASK, poster, worker);

        IReputationRegistry.Reputation memory expected;
        (expected.disputesWon, expected.disputesLost) = (2, 1);
        _assertReputation(worker, expected);
        (expected.disputesWon, expected.disputesLost) = (1, 2);
        _assertReputation(poster, expected);
    }

    function test_Dispute_Emits() external {
        vm.prank(arbitration);
        vm.expectEmit(address(registry));
        emit IReputationRegistry.DisputeRecorded(TASK, worker, poster);
        registry.recordDispute(TASK, worker, poster);
    }

    function test_ReputationsOf_AnswersInTheOrderAsked() external {
        registry.recordPayment(TASK, poster, worker, 5);
        registry.recordLeave(TASK, worker);

        address[] memory accounts = new address[](3);
        (accounts[0], accounts[1], accounts[2]) = (worker, stranger, poster);
        IReputationRegistry.Reputation[] memory reputations = registry.reputationsOf(accounts);

        vm.assertEq(reputations.length, 3);
        for (uint256 i = 0; i < 3; i++) {
            _assertReputation(accounts[i], reputations[i]);
        }
        vm.assertEq(reputations[0].leaves, 1);
        vm.assertEq(reputations[0].earned, 5);
        vm.assertEq(reputations[2].paid, 5);
    }

    function test_ReputationsOf_AnswersNothingWithNothing() external view {
        vm.assertEq(registry.reputationsOf(new address[](0)).length, 0);
    }
}
