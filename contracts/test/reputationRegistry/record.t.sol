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

    function test_Completion_CountsEachRole() external {
        vm.expectEmit(address(registry));
        emit IReputationRegistry.CompletionRecorded(TASK, poster, worker);
        registry.recordCompletion(TASK, poster, worker);
        registry.recordCompletion(TASK + 1, poster, worker);
        registry.recordCompletion(TASK + 2, worker, poster);

        IReputationRegistry.Reputation memory expected;
        expected.distinctCounterparties = 1;
        (expected.completedAsPoster, expected.completedAsWorker) = (2, 1);
        _assertReputation(poster, expected);
        (expected.completedAsPoster, expected.completedAsWorker) = (1, 2);
        _assertReputation(worker, expected);
    }

    function test_Completion_CountsEachCounterpartyOnce() external {
        registry.recordCompletion(TASK, poster, worker);
        registry.recordCompletion(TASK + 1, poster, stranger);
        registry.recordCompletion(TASK + 2, stranger, worker);
        registry.recordCompletion(TASK + 3, worker, stranger);
        address[3] memory accounts = [poster, worker, stranger];
        for (uint256 i = 0; i < 3; ++i) {
            vm.assertEq(_of(accounts[i]).distinctCounterparties, 2);
        }
    }

    /// @dev A leave, two dismissals and three lapses of one account.
    function test_CountsLeavesDismissalsAndLapses() external {
        IReputationRegistry.Reputation memory expected;
        for (uint256 i = 0; i < 6; ++i) {
            vm.expectEmit(address(registry));
            if (i == 0) {
                emit IReputationRegistry.LeaveRecorded(TASK, worker);
                registry.recordLeave(TASK, worker);
                ++expected.leaves;
            } else if (i < 3) {
                emit IReputationRegistry.DismissalRecorded(TASK, worker);
                registry.recordDismissal(TASK, worker);
                ++expected.dismissals;
            } else {
                emit IReputationRegistry.LapseRecorded(TASK, worker);
                registry.recordLapse(TASK, worker);
                ++expected.lapses;
            }
            _assertReputation(worker, expected);
        }
    }

    function test_Dispute_RevertWhen_CallerIsNotArbitration() external {
        address[2] memory callers = [stranger, address(this)];
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(abi.encodeWithSelector(IReputationRegistry.Unauthorized.selector, callers[i]));
            registry.recordDispute(TASK, worker, poster);
        }
    }

    function test_Dispute_CountsWinAndLoss() external {
        vm.startPrank(arbitration);
        vm.expectEmit(address(registry));
        emit IReputationRegistry.DisputeRecorded(TASK, worker, poster);
        registry.recordDispute(TASK, worker, poster);
        registry.recordDispute(TASK, worker, poster);
        registry.recordDispute(TASK, poster, worker);
        // Nobody ruled: a loss, and nobody's win.
        registry.recordDispute(TASK, address(0), worker);

        IReputationRegistry.Reputation memory expected;
        _assertReputation(address(0), expected);
        (expected.disputesWon, expected.disputesLost) = (2, 2);
        _assertReputation(worker, expected);
        (expected.disputesWon, expected.disputesLost) = (1, 2);
        _assertReputation(poster, expected);
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
}
