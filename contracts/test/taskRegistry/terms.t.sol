// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { Milestone, Signature, TaskScope, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Bookkeeping } from "./Bookkeeping.sol";

/// @dev The ranges themselves are tested with `Agreements`; here, that nothing is cut on the way into storage.
abstract contract TermsTest is Bookkeeping {
    uint256 private constant MAX = type(uint128).max;

    function test_StoresSixteenMilestones() external {
        TaskTerms memory terms = _milestones(16, 16);
        uint256 gas = gasleft();
        uint256 taskId = _post(terms, 0);
        vm.assertLt(gas - gasleft(), 2_000_000);
        Milestone[] memory milestones = registry.milestonesOf(taskId);
        vm.assertEq(milestones.length, 16);
        for (uint256 i = 0; i < 16; ++i) {
            vm.assertEq(milestones[i].amount, i + 1);
            vm.assertEq(milestones[i].duration, params.minDuration + i);
        }
        vm.assertEq(_task(taskId).total, 136);
    }

    function test_StoresTheLargestValues() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.amounts[0] = MAX;
        terms.maxRevisions = 3;
        terms.reviewWindow = params.maxReviewWindow;
        terms.claimDeadline = uint64(block.timestamp + params.maxClaimDeadline);
        uint256 taskId = _post(terms, 0);
        vm.assertEq(_task(taskId).total, MAX);
        vm.assertEq(registry.milestonesOf(taskId)[0].amount, MAX);
        vm.assertEq(_task(taskId).maxRevisions, 3);
        vm.assertEq(_task(taskId).reviewWindow, params.maxReviewWindow);
        vm.assertEq(_task(taskId).claimDeadline, terms.claimDeadline);
    }

    function test_PostChecksTheTerms() external {
        TaskTerms memory terms = _milestones(17, 17);
        vm.expectRevert(abi.encodeWithSelector(IAgreements.MilestoneCountOutOfRange.selector, 17, 17));
        _post(terms, 0);
    }

    function test_CreateChecksTheTerms() external {
        TaskTerms memory terms = _milestones(2, 2);
        terms.scope = TaskScope.PRIVATE;
        terms.amounts[1] = 0;
        Signature memory none;
        vm.expectRevert(abi.encodeWithSelector(IAgreements.AmountOutOfRange.selector, 1, 0));
        registry.create(terms, WORKER, none, none);

        _assertState(_created(_milestones(16, 16)), TaskState.CLAIMED);
    }

    /// @dev In the encoding of `post`, the terms begin at byte 100 with twelve words; durations follow the one amount.
    function test_RevertWhen_AValueIsWiderThanItsType() external {
        bytes memory data = abi.encodeCall(registry.post, (_milestones(1, 1), TEXT, 0));
        // poster, review window, revisions, arbitrator, store, scope, claim policy, claim deadline, and the one duration.
        uint8[9] memory words = [0, 3, 4, 5, 6, 8, 9, 10, 15];
        for (uint256 i = 0; i < words.length; ++i) {
            bytes memory dirty = bytes.concat(data);
            dirty[100 + 32 * uint256(words[i])] |= 0x01;
            vm.prank(POSTER);
            (bool success, bytes memory answer) = address(registry).call(dirty);
            vm.assertFalse(success);
            vm.assertEq(answer, "");
        }
        vm.prank(POSTER);
        (bool accepted,) = address(registry).call(data);
        vm.assertTrue(accepted);
    }

    /// @dev Amounts 1, 2, 3 ... and durations from the shortest up.
    function _milestones(uint256 amounts, uint256 durations) private returns (TaskTerms memory terms) {
        terms = _terms();
        terms.reviewWindow = params.minReviewWindow;
        terms.claimDeadline = uint64(block.timestamp + params.claimCutoff);
        terms.amounts = new uint256[](amounts);
        terms.durations = new uint64[](durations);
        for (uint256 i = 0; i < amounts; ++i) {
            terms.amounts[i] = i + 1;
        }
        for (uint256 i = 0; i < durations; ++i) {
            terms.durations[i] = uint64(params.minDuration + i);
        }
    }
}

contract TaskRegistryTermsTest is TermsTest { }

contract TaskRegistryMicroTermsTest is TermsTest {
    function setUp() public override {
        super.setUp();
        _moveToMicro();
    }
}
