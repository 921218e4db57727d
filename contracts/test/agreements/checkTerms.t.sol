// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IAgreements } from "../../src/interfaces/IAgreements.sol";
import { TaskTerms } from "../../src/types/Task.sol";
import { Base } from "../Base.sol";
import { vm } from "../Vm.sol";

abstract contract CheckTermsTest is Base {
    uint256 private constant MAX = type(uint128).max;

    function test_TakesOneToSixteenMilestones() external {
        vm.assertEq(_check(_milestones(1, 1)), 1);
        vm.assertEq(_check(_milestones(16, 16)), 136);
        uint256[2][6] memory counts =
            [[uint256(0), 0], [uint256(17), 17], [uint256(2), 1], [uint256(1), 2], [uint256(1), 0], [uint256(16), 17]];
        for (uint256 i = 0; i < counts.length; ++i) {
            bytes4 selector = IAgreements.MilestoneCountOutOfRange.selector;
            _assertRefused(
                _milestones(counts[i][0], counts[i][1]), abi.encodeWithSelector(selector, counts[i][0], counts[i][1])
            );
        }
    }

    /// @dev Nothing is worth zero, and the sum fits 128 bits.
    function test_TakesAmountsWhoseSumFits() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.amounts[0] = MAX;
        vm.assertEq(_check(terms), MAX);
        terms.amounts[0] = MAX + 1;
        _assertRefused(terms, _amountError(0, MAX + 1));
        for (uint256 i = 0; i < 3; ++i) {
            terms = _milestones(3, 3);
            terms.amounts[i] = 0;
            _assertRefused(terms, _amountError(i, 0));
        }
        terms.amounts[2] = MAX - 3;
        vm.assertEq(_check(terms), MAX);
        uint256[2] memory tooMuch = [MAX - 2, type(uint256).max];
        for (uint256 i = 0; i < 2; ++i) {
            terms.amounts[2] = tooMuch[i];
            _assertRefused(terms, _amountError(2, tooMuch[i]));
        }
    }

    function test_ParamsHash() external view {
        vm.assertEq(agreements.paramsHash(), keccak256(abi.encode(params)));
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

    /// @dev The last one would fit if it were cut to the type that is stored.
    function test_RevertWhen_ADurationIsASecondOutside() external {
        uint64[3] memory outside =
            [uint64(params.minDuration - 1), params.maxDuration + 1, (1 << 32) + params.minDuration];
        for (uint256 i = 0; i < 2 * outside.length; ++i) {
            TaskTerms memory terms = _milestones(2, 2);
            terms.durations[0] = params.minDuration;
            terms.durations[1] = params.maxDuration;
            _check(terms);
            terms.durations[i % 2] = outside[i / 2];
            _assertRefused(terms, _durationError(i % 2, outside[i / 2]));
        }
    }

    function test_RevertWhen_TheReviewIsASecondOutside() external {
        uint64 min = params.minReviewWindow;
        uint64 max = params.maxReviewWindow;
        TaskTerms memory terms = _milestones(1, 1);
        terms.reviewWindow = min;
        _check(terms);
        terms.reviewWindow = max;
        _check(terms);
        uint64[3] memory outside = [min - 1, max + 1, (1 << 32) + min];
        for (uint256 i = 0; i < outside.length; ++i) {
            terms.reviewWindow = outside[i];
            bytes4 selector = IAgreements.ReviewWindowOutOfRange.selector;
            _assertRefused(terms, abi.encodeWithSelector(selector, outside[i], min, max));
        }
    }

    function test_RevertWhen_FourRevisionsAreAllowed() external {
        TaskTerms memory terms = _milestones(1, 1);
        terms.maxRevisions = 3;
        _check(terms);
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

    function test_RevertWhen_TheClaimDeadlineIsASecondOutside() external {
        uint256 earliest = block.timestamp + params.claimCutoff;
        uint256 latest = block.timestamp + params.maxClaimDeadline;
        TaskTerms memory terms = _milestones(1, 1);
        terms.claimDeadline = uint64(earliest);
        _check(terms);
        terms.claimDeadline = uint64(latest);
        _check(terms);
        uint256[4] memory outside = [earliest - 1, latest + 1, 0, (1 << 40) + earliest];
        for (uint256 i = 0; i < outside.length; ++i) {
            terms.claimDeadline = uint64(outside[i]);
            bytes4 selector = IAgreements.ClaimDeadlineOutOfRange.selector;
            _assertRefused(terms, abi.encodeWithSelector(selector, outside[i], earliest, latest));
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
