// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Reentrancy } from "./Reentrancy.sol";

/// @dev Posting, dismissing and leaving: fee and exit deposit must find the task as it will stay.
contract FeeReentrancyTest is Reentrancy {
    function test_Post() external {
        TaskTerms memory terms = _terms();
        bytes memory call = abi.encodeCall(ITaskRegistry.post, (terms, TEXT, TOTAL));
        _assertSoundAfter(2, POSTER, address(registry), call, 4);
    }

    function test_Dismiss() external {
        uint256 taskId = _funded();
        _assertSoundAfter(taskId, POSTER, abi.encodeCall(ITaskRegistry.dismiss, (taskId)), 5);
    }

    function test_DismissLate() external {
        uint256 taskId = _funded();
        _vet(taskId);
        _assertSoundAfter(taskId, POSTER, abi.encodeCall(ITaskRegistry.dismiss, (taskId)), 5);
    }

    function test_DismissPrivateLate() external {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        _vet(taskId);
        _assertSoundAfter(taskId, POSTER, abi.encodeCall(ITaskRegistry.dismiss, (taskId)), 5);
    }

    function test_LeaveClaim() external {
        uint256 taskId = _funded();
        _assertSoundAfter(taskId, WORKER, abi.encodeCall(ITaskRegistry.leaveTask, (taskId)), 3);
    }

    function test_LeavePrivateClaim() external {
        uint256 taskId = _created(_terms());
        _fund(taskId);
        _assertSoundAfter(taskId, WORKER, abi.encodeCall(ITaskRegistry.leaveTask, (taskId)), 5);
    }

    function test_LeaveWork() external {
        uint256 taskId = _active();
        _assertSoundAfter(taskId, WORKER, abi.encodeCall(ITaskRegistry.leaveTask, (taskId)), 5);
    }

    function test_LeaveUnreceipted() external {
        uint256 taskId = _unreceipted();
        _assertSoundAfter(taskId, WORKER, abi.encodeCall(ITaskRegistry.leaveTask, (taskId)), 5);
    }
}
