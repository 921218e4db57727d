// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { vm } from "../Vm.sol";
import { ReputationRegistryBase } from "./ReputationRegistryBase.sol";

contract ReputationRegistryPaymentTest is ReputationRegistryBase {
    function test_AddsToBothSides() external {
        registry.recordPayment(TASK, poster, worker, 100);
        registry.recordPayment(TASK, poster, worker, 23);

        IReputationRegistry.Reputation memory expected;
        (expected.paid, expected.distinctCounterparties) = (123, 1);
        _assertReputation(poster, expected);
        (expected.paid, expected.earned) = (0, 123);
        _assertReputation(worker, expected);
    }

    function test_Emits() external {
        vm.expectEmit(address(registry));
        emit IReputationRegistry.PaymentRecorded(TASK, poster, worker, 100);
        registry.recordPayment(TASK, poster, worker, 100);
    }

    function test_CountsCounterpartyOnFirstPayment() external {
        registry.recordPayment(TASK, poster, worker, 1);
        _assertCounterparties(poster, 1);
        _assertCounterparties(worker, 1);
    }

    function test_CountsNoCounterpartyOnSecondPayment() external {
        registry.recordPayment(TASK, poster, worker, 1);
        registry.recordPayment(TASK + 1, poster, worker, 1);
        _assertCounterparties(poster, 1);
        _assertCounterparties(worker, 1);
    }

    function test_CountsNoCounterpartyWhenRolesAreExchanged() external {
        registry.recordPayment(TASK, poster, worker, 1);
        registry.recordPayment(TASK + 1, worker, poster, 1);
        _assertCounterparties(poster, 1);
        _assertCounterparties(worker, 1);
    }

    function test_CountsNoCounterpartyWhenRolesAreExchangedTheOtherWay() external {
        registry.recordPayment(TASK, worker, poster, 1);
        registry.recordPayment(TASK + 1, poster, worker, 1);
        _assertCounterparties(poster, 1);
        _assertCounterparties(worker, 1);
    }

    function test_CountsAnotherCounterparty() external {
        registry.recordPayment(TASK, poster, worker, 1);
        registry.recordPayment(TASK + 1, poster, stranger, 1);
        registry.recordPayment(TASK + 2, stranger, worker, 1);
        _assertCounterparties(poster, 2);
        _assertCounterparties(worker, 2);
        _assertCounterparties(stranger, 2);
    }

    function test_RecordsNothingWhenAmountIsZero() external {
        vm.recordLogs();
        registry.recordPayment(TASK, poster, worker, 0);
        vm.assertEq(vm.getRecordedLogs().length, 0);

        IReputationRegistry.Reputation memory expected;
        _assertReputation(poster, expected);
        _assertReputation(worker, expected);
    }

    function test_StopsAtMaximum() external {
        registry.recordPayment(TASK, poster, worker, type(uint128).max);
        registry.recordPayment(TASK, poster, worker, 1);
        _assertSums(type(uint128).max);
    }

    function test_ReachesMaximumExactly() external {
        registry.recordPayment(TASK, poster, worker, type(uint128).max - 1);
        _assertSums(type(uint128).max - 1);
        registry.recordPayment(TASK, poster, worker, 1);
        _assertSums(type(uint128).max);
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
        _assertCounterparties(a, sum == 0 ? 0 : 1);
        _assertCounterparties(b, sum == 0 ? 0 : 1);
    }

    function _assertCounterparties(address account, uint256 count) private view {
        vm.assertEq(_of(account).distinctCounterparties, count);
    }

    function _assertSums(uint256 sum) private view {
        vm.assertEq(_of(poster).paid, sum);
        vm.assertEq(_of(worker).earned, sum);
    }
}
