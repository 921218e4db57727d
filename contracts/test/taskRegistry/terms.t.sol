// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Milestone, Signature, TaskScope, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Bookkeeping } from "./Bookkeeping.sol";

abstract contract TermsTest is Bookkeeping {
    uint256 private constant MAX = type(uint128).max;

    function test_RevertWhen_ThereIsNoMilestone() external {
        _assertRefused(_milestones(0, 0), _countError(0, 0));
    }

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

    function test_RevertWhen_ThereAreSeventeenMilestones() external {
        _assertRefused(_milestones(17, 17), _countError(17, 17));
    }

    function test_RevertWhen_AmountsAndDurationsDifferInNumber() external {
        _assertRefused(_milestones(2, 1), _countError(2, 1));
        _assertRefused(_milestones(1, 2), _countError(1, 2));
        _assertRefused(_milestones(1, 0), _countError(1, 0));
        _assertRefused(_milestones(16, 17), _countError(16, 17));
    }

    function test_RevertWhen_AnAmountIsZero() external {
        for (uint256 i = 0; i < 3; ++i) {
            TaskTerms memory terms = _milestones(3, 3);
            terms.amounts[i] = 0;
            _assertRefused(terms, _amountError(i, 0));
        }
    }

    function test_StoresTheLargestAmount() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.amounts[0] = MAX;
        uint256 taskId = _post(terms, 0);
        vm.assertEq(_task(taskId).total, MAX);
        vm.assertEq(registry.milestonesOf(taskId)[0].amount, MAX);
    }

    function test_RevertWhen_AnAmountIsOneMore() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.amounts[0] = MAX + 1;
        _assertRefused(terms, _amountError(0, MAX + 1));
    }

    function test_StoresTheLargestSum() external {
        TaskTerms memory terms = _milestones(3, 3);
        terms.amounts[2] = MAX - 3;
        vm.assertEq(_task(_post(terms, 0)).total, MAX);
    }

    function test_RevertWhen_TheSumIsOneMore() external {
        TaskTerms memory terms = _milestones(3, 3);
        terms.amounts[2] = MAX - 2;
        _assertRefused(terms, _amountError(2, MAX - 2));
    }

    function test_RevertWhen_TheSumOverflows() external {
        TaskTerms memory terms = _milestones(2, 2);
        terms.amounts[1] = type(uint256).max;
        _assertRefused(terms, _amountError(1, type(uint256).max));
    }

    function testFuzz_AcceptsAmountsThatFit(uint256[3] calldata amounts, uint8[3] calldata shifts) external {
        TaskTerms memory terms = _milestones(3, 3);
        bool fits = true;
        uint256 total = 0;
        uint256 bad = 0;
        for (uint256 i = 0; i < 3; ++i) {
            terms.amounts[i] = amounts[i] >> shifts[i];
            if (fits && (terms.amounts[i] == 0 || terms.amounts[i] > MAX || total + terms.amounts[i] > MAX)) {
                fits = false;
                bad = i;
            }
            if (fits) total += terms.amounts[i];
        }
        if (!fits) return _assertRefused(terms, _amountError(bad, terms.amounts[bad]));
        vm.assertEq(_task(_post(terms, 0)).total, total);
    }

    function test_StoresShortestAndLongestDuration() external {
        TaskTerms memory terms = _milestones(2, 2);
        terms.durations[0] = params.minDuration;
        terms.durations[1] = params.maxDuration;
        Milestone[] memory milestones = registry.milestonesOf(_post(terms, 0));
        vm.assertEq(milestones[0].duration, params.minDuration);
        vm.assertEq(milestones[1].duration, params.maxDuration);
    }

    function test_RevertWhen_ADurationIsASecondOutside() external {
        for (uint256 i = 0; i < 2; ++i) {
            TaskTerms memory terms = _milestones(2, 2);
            terms.durations[i] = params.minDuration - 1;
            _assertRefused(terms, _durationError(i, params.minDuration - 1));
            terms.durations[i] = params.maxDuration + 1;
            _assertRefused(terms, _durationError(i, params.maxDuration + 1));
        }
    }

    function test_RevertWhen_ADurationDoesNotFitTheStoredType() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.durations[0] = (1 << 32) + params.minDuration;
        _assertRefused(terms, _durationError(0, terms.durations[0]));
    }

    function test_StoresShortestAndLongestReview() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.reviewWindow = params.minReviewWindow;
        vm.assertEq(_task(_post(terms, 0)).reviewWindow, params.minReviewWindow);
        terms.nonce = _nonce();
        terms.reviewWindow = params.maxReviewWindow;
        vm.assertEq(_task(_post(terms, 0)).reviewWindow, params.maxReviewWindow);
    }

    function test_RevertWhen_TheReviewIsASecondOutside() external {
        uint64[3] memory windows =
            [uint64(params.minReviewWindow - 1), params.maxReviewWindow + 1, (1 << 32) + params.minReviewWindow];
        for (uint256 i = 0; i < windows.length; ++i) {
            TaskTerms memory terms = _milestones(1, 1);
            terms.reviewWindow = windows[i];
            _assertRefused(
                terms,
                abi.encodeWithSelector(
                    ITaskRegistry.ReviewWindowOutOfRange.selector,
                    windows[i],
                    params.minReviewWindow,
                    params.maxReviewWindow
                )
            );
        }
    }

    function test_StoresThreeRevisions() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.maxRevisions = 3;
        vm.assertEq(_task(_post(terms, 0)).maxRevisions, 3);
    }

    function test_RevertWhen_FourRevisionsAreAllowed() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.maxRevisions = 4;
        _assertRefused(terms, abi.encodeWithSelector(ITaskRegistry.TooManyRevisions.selector, 4, 3));
        terms.maxRevisions = 255;
        _assertRefused(terms, abi.encodeWithSelector(ITaskRegistry.TooManyRevisions.selector, 255, 3));
    }

    function test_RevertWhen_TheCriteriaHashIsMissing() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.criteriaHash = 0;
        _assertRefused(terms, abi.encodeWithSelector(ITaskRegistry.HashMissing.selector));
    }

    function test_StoresEarliestAndLatestClaimDeadline() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.claimDeadline = uint64(block.timestamp + params.claimCutoff);
        vm.assertEq(_task(_post(terms, 0)).claimDeadline, terms.claimDeadline);
        terms.nonce = _nonce();
        terms.claimDeadline = uint64(block.timestamp + params.maxClaimDeadline);
        vm.assertEq(_task(_post(terms, 0)).claimDeadline, terms.claimDeadline);
    }

    function test_RevertWhen_TheClaimDeadlineIsASecondOutside() external {
        uint256 earliest = block.timestamp + params.claimCutoff;
        uint256 latest = block.timestamp + params.maxClaimDeadline;
        uint256[4] memory deadlines = [earliest - 1, latest + 1, 0, (1 << 40) + earliest];
        for (uint256 i = 0; i < deadlines.length; ++i) {
            TaskTerms memory terms = _milestones(1, 1);
            terms.claimDeadline = uint64(deadlines[i]);
            _assertRefused(
                terms,
                abi.encodeWithSelector(ITaskRegistry.ClaimDeadlineOutOfRange.selector, deadlines[i], earliest, latest)
            );
        }
    }

    /// @dev In the encoding of `post`, the terms begin at byte 100 with eleven words; durations follow the one amount.
    function test_RevertWhen_AValueIsWiderThanItsType() external {
        bytes memory data = abi.encodeCall(registry.post, (_milestones(1, 1), TEXT, 0));
        // poster, review window, revisions, arbitrator, scope, claim policy, claim deadline, and the one duration.
        uint8[8] memory words = [0, 3, 4, 5, 7, 8, 9, 14];
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

    function test_NamesItsMarket() external view {
        vm.assertEq(registry.market(), params.market);
    }

    function test_CreateChecksTheSameTerms() external {
        TaskTerms memory terms = _milestones(17, 17);
        terms.scope = TaskScope.PRIVATE;
        Signature memory none;
        vm.expectRevert(_countError(17, 17));
        registry.create(terms, WORKER, none, none);

        terms = _milestones(2, 2);
        terms.scope = TaskScope.PRIVATE;
        terms.amounts[1] = 0;
        vm.expectRevert(_amountError(1, 0));
        registry.create(terms, WORKER, none, none);

        _assertState(_created(_milestones(16, 16)), TaskState.CLAIMED);
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

    function _assertRefused(TaskTerms memory terms, bytes memory reason) private {
        vm.expectRevert(reason);
        _post(terms, 0);
    }

    function _countError(uint256 amounts, uint256 durations) private pure returns (bytes memory) {
        return abi.encodeWithSelector(ITaskRegistry.MilestoneCountOutOfRange.selector, amounts, durations);
    }

    function _amountError(uint256 index, uint256 amount) private pure returns (bytes memory) {
        return abi.encodeWithSelector(ITaskRegistry.AmountOutOfRange.selector, index, amount);
    }

    function _durationError(uint256 index, uint256 duration) private pure returns (bytes memory) {
        return abi.encodeWithSelector(ITaskRegistry.DurationOutOfRange.selector, index, duration);
    }
}

contract TaskRegistryTermsTest is TermsTest { }

contract TaskRegistryMicroTermsTest is TermsTest {
    function setUp() public override {
        super.setUp();
        _moveToMicro();
    }
}
