// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { vm } from "../Vm.sol";
import { ReputationRegistryBase } from "./ReputationRegistryBase.sol";

contract ReputationRegistryPaymentTest is ReputationRegistryBase {
    function test_AddsToBothSides() external {
        vm.expectEmit(address(registry));
        emit IReputationRegistry.PaymentRecorded(TASK, poster, worker, 100);
        registry.recordPayment(TASK, poster, worker, 100);
        registry.recordPayment(TASK + 1, poster, worker, 23);

        IReputationRegistry.Reputation memory expected;
        expected.paid = 123;
        _assertReputation(poster, expected);
        (expected.paid, expected.earned) = (0, 123);
        _assertReputation(worker, expected);
    }

    function test_RecordsNothingWhenAmountIsZero() external {
        vm.recordLogs();
        registry.recordPayment(TASK, poster, worker, 0);
        vm.assertEq(vm.getRecordedLogs().length, 0);

        IReputationRegistry.Reputation memory expected;
        _assertReputation(poster, expected);
        _assertReputation(worker, expected);
    }

    function test_ReachesMaximumExactlyAndStopsThere() external {
        registry.recordPayment(TASK, poster, worker, type(uint128).max - 1);
        _assertSums(type(uint128).max - 1);
        for (uint256 i = 0; i < 2; ++i) {
            registry.recordPayment(TASK, poster, worker, 1);
            _assertSums(type(uint128).max);
        }
    }

    function test_StopsAtMaximumWhenAmountPassesUint256() external {
        registry.recordPayment(TASK, poster, worker, 1);
        registry.recordPayment(TASK, poster, worker, type(uint256).max);
        _assertSums(type(uint128).max);
    }

    function testFuzz_AddsUp(address a, address b, uint128 first, uint128 second) external {
        vm.assume(a != b);
        registry.recordPayment(TASK, a, b, first);
        registry.recordPayment(TASK, a, b, second);

        uint256 sum = uint256(first) + second;
        uint256 capped = sum > type(uint128).max ? type(uint128).max : sum;
        vm.assertEq(_of(a).paid, capped);
        vm.assertEq(_of(b).earned, capped);
        vm.assertEq(_of(a).earned, 0);
        vm.assertEq(_of(b).paid, 0);
    }

    function _assertSums(uint256 sum) private view {
        vm.assertEq(_of(poster).paid, sum);
        vm.assertEq(_of(worker).earned, sum);
    }
}
