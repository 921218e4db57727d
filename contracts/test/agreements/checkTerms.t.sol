// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { TaskTerms } from "../../src/types/Task.sol";
import { Base } from "../Base.sol";
import { vm } from "../Vm.sol";

abstract contract CheckTermsTest is Base {
    uint256 private constant MAX = type(uint128).max;

    function test_RevertWhen_ThereIsNoMilestone() external {
        _assertRefused(_milestones(0, 0), _countError(0, 0));
    }

    function test_TakesSixteenMilestones() external {
        vm.assertEq(_check(_milestones(16, 16)), 136);
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

    function test_TakesTheLargestAmount() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.amounts[0] = MAX;
        vm.assertEq(_check(terms), MAX);
    }

    function test_RevertWhen_AnAmountIsOneMore() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.amounts[0] = MAX + 1;
        _assertRefused(terms, _amountError(0, MAX + 1));
    }

    function test_TakesTheLargestSum() external {
        TaskTerms memory terms = _milestones(3, 3);
        terms.amounts[2] = MAX - 3;
        vm.assertEq(_check(terms), MAX);
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
        vm.assertEq(_check(terms), total);
    }

    function test_TakesShortestAndLongestDuration() external {
        TaskTerms memory terms = _milestones(2, 2);
        terms.durations[0] = params.minDuration;
        terms.durations[1] = params.maxDuration;
        _check(terms);
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

    function test_TakesShortestAndLongestReview() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.reviewWindow = params.minReviewWindow;
        _check(terms);
        terms.reviewWindow = params.maxReviewWindow;
        _check(terms);
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
                    IAgreements.ReviewWindowOutOfRange.selector,
                    windows[i],
                    params.minReviewWindow,
                    params.maxReviewWindow
                )
            );
        }
    }

    function test_TakesThreeRevisions() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.maxRevisions = 3;
        _check(terms);
    }

    function test_RevertWhen_FourRevisionsAreAllowed() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.maxRevisions = 4;
        _assertRefused(terms, abi.encodeWithSelector(IAgreements.TooManyRevisions.selector, 4, 3));
        terms.maxRevisions = 255;
        _assertRefused(terms, abi.encodeWithSelector(IAgreements.TooManyRevisions.selector, 255, 3));
    }

    function test_RevertWhen_TheCriteriaHashIsMissing() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.criteriaHash = 0;
        _assertRefused(terms, abi.encodeWithSelector(IAgreements.HashMissing.selector));
    }

    function test_TakesEarliestAndLatestClaimDeadline() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.claimDeadline = uint64(block.timestamp + params.claimCutoff);
        _check(terms);
        terms.claimDeadline = uint64(block.timestamp + params.maxClaimDeadline);
        _check(terms);
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
                abi.encodeWithSelector(IAgreements.ClaimDeadlineOutOfRange.selector, deadlines[i], earliest, latest)
            );
        }
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

    function _check(TaskTerms memory terms) private view returns (uint256 total) {
        bytes32 termsHash;
        (total, termsHash) = agreements.checkTerms(terms);
        vm.assertEq(termsHash, _termsHash(terms, params.market, address(tok)));
    }

    function _assertRefused(TaskTerms memory terms, bytes memory reason) private {
        vm.expectRevert(reason);
        agreements.checkTerms(terms);
    }

    function _countError(uint256 amounts, uint256 durations) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAgreements.MilestoneCountOutOfRange.selector, amounts, durations);
    }

    function _amountError(uint256 index, uint256 amount) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAgreements.AmountOutOfRange.selector, index, amount);
    }

    function _durationError(uint256 index, uint256 duration) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAgreements.DurationOutOfRange.selector, index, duration);
    }
}

contract AgreementsCheckTermsTest is CheckTermsTest { }

contract AgreementsMicroCheckTermsTest is CheckTermsTest {
    function setUp() public override {
        super.setUp();
        _deployMarket("micro", address(tok));
    }
}
