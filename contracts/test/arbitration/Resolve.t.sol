// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

contract SubmitEvidenceTest is ArbitrationBase {
    function setUp() public override {
        super.setUp();
        registerMany(9);
    }

    function test_SubmitEvidence_RevertGiven_NoOpenCase() external {
        vm.prank(POSTER);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.NONE));
        arbitration.submitEvidence(TASK, HASH);
        open(WORKER, arb(0));
        speak(POSTER);
        vote(arb(0), 1);
        vm.prank(POSTER);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.RULED));
        arbitration.submitEvidence(TASK, HASH);
        finalizeNow();
        vm.prank(POSTER);
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.CLOSED));
        arbitration.submitEvidence(TASK, HASH);
    }

    function test_SubmitEvidence_RevertWhen_NotAParty() external {
        open(WORKER, arb(0));
        vm.prank(STRANGER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotParty.selector, TASK, STRANGER));
        arbitration.submitEvidence(TASK, HASH);
    }

    function test_SubmitEvidence_RevertWhen_TheHashIsMissing() external {
        open(WORKER, arb(0));
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.HashMissing.selector));
        arbitration.submitEvidence(TASK, 0);
    }

    function test_SubmitEvidence_RevertGiven_ThePartySpoke() external {
        open(WORKER, address(0));
        vm.prank(WORKER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.AlreadySpoke.selector, TASK, WORKER));
        arbitration.submitEvidence(TASK, HASH);
        speak(POSTER);
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.AlreadySpoke.selector, TASK, POSTER));
        arbitration.submitEvidence(TASK, HASH);
    }

    function test_SubmitEvidence_CountsToTheLastSecondOfTheSeatWindow() external {
        open(POSTER, address(0));
        vm.warp(START + CONSENT + EVIDENCE);
        vm.expectEmit(address(arbitration));
        emit IArbitration.EvidenceSubmitted(TASK, WORKER, HASH);
        speak(WORKER);
        vm.assertTrue(dispute().workerSpoke);
        vm.assertTrue(dispute().posterSpoke);
    }

    function test_SubmitEvidence_RevertWhen_TheSeatWindowHasClosed() external {
        open(POSTER, address(0));
        uint256 seatEnd = START + CONSENT + EVIDENCE;
        vm.warp(seatEnd + 1);
        vm.prank(WORKER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.EvidenceWindowClosed.selector, TASK, seatEnd));
        arbitration.submitEvidence(TASK, HASH);
    }

    function test_SubmitEvidence_CountsToTheLastSecondOfTheWindow() external {
        open(WORKER, arb(0));
        vm.warp(START + EVIDENCE);
        vm.expectEmit(address(arbitration));
        emit IArbitration.EvidenceSubmitted(TASK, POSTER, HASH);
        speak(POSTER);
        vm.assertTrue(dispute().posterSpoke);
    }

    function test_SubmitEvidence_RevertWhen_TheWindowHasClosed() external {
        open(WORKER, arb(0));
        vm.warp(START + EVIDENCE + 1);
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.EvidenceWindowClosed.selector, TASK, START + EVIDENCE));
        arbitration.submitEvidence(TASK, HASH);
    }

    function test_SubmitEvidence_RevertGiven_ItSpokeBeforeAReplacedPanel() external {
        open(WORKER, arb(0));
        vm.warp(dispute().rulingEnd + 1);
        arbitration.resolveTimedOut(TASK);
        vm.prank(WORKER);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.AlreadySpoke.selector, TASK, WORKER));
        arbitration.submitEvidence(TASK, HASH);
        speak(POSTER);
    }

    function test_SubmitEvidence_CountsAgainAfterAnAppeal() external {
        open(WORKER, arb(0));
        speak(POSTER);
        vote(arb(0), 1);
        escalate(POSTER);
        vm.assertFalse(dispute().posterSpoke);
        vm.assertFalse(dispute().workerSpoke);
        speak(POSTER);
        speak(WORKER);
    }
}

contract ResolveTest is ArbitrationBase {
    function setUp() public override {
        super.setUp();
        registerMany(20);
    }

    function test_Resolve_RevertGiven_NotInEvidence() external {
        open(WORKER, address(0));
        vm.prank(arb(0));
        vm.expectRevert(wrongPhase(IArbitration.DisputePhase.OPEN));
        arbitration.resolve(TASK, 1, REASON);
    }

    function test_Resolve_RevertWhen_NotOnThePanel() external {
        open(WORKER, arb(0));
        speak(POSTER);
        vm.prank(arb(1));
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotOnPanel.selector, TASK, arb(1)));
        arbitration.resolve(TASK, 1, REASON);
        vote(arb(0), 1);
        escalate(WORKER);
        seatDrawn(HASH);
        vm.prank(arb(0));
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotOnPanel.selector, TASK, arb(0)));
        arbitration.resolve(TASK, 1, REASON);
    }

    function test_Resolve_RevertWhen_AlreadyVoted() external {
        _tierOne();
        vote(panel()[0], 1);
        address member = panel()[0];
        vm.prank(member);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.AlreadyVoted.selector, TASK, member));
        arbitration.resolve(TASK, 1, REASON);
    }

    function test_Resolve_RevertWhen_TheShareIsAboveTheWhole() external {
        open(WORKER, arb(0));
        speak(POSTER);
        vm.prank(arb(0));
        vm.expectRevert(abi.encodeWithSelector(IArbitration.InvalidShare.selector, 10_001));
        arbitration.resolve(TASK, 10_001, REASON);
        vote(arb(0), 10_000);
    }

    function test_Resolve_RevertWhen_TheReasonIsMissing() external {
        open(WORKER, arb(0));
        speak(POSTER);
        vm.prank(arb(0));
        vm.expectRevert(abi.encodeWithSelector(IArbitration.HashMissing.selector));
        arbitration.resolve(TASK, 1, 0);
    }

    function test_Resolve_RevertWhen_OnlyTheWorkerSpoke() external {
        open(WORKER, arb(0));
        _assertWindowOpen(arb(0), START + EVIDENCE);
    }

    function test_Resolve_RevertWhen_OnlyThePosterSpoke() external {
        open(POSTER, arb(0));
        _assertWindowOpen(arb(0), START + EVIDENCE);
    }

    function test_Resolve_RevertWhen_NobodySpoke() external {
        open(POSTER, arb(0));
        speakBoth();
        vote(arb(0), 1);
        escalate(WORKER);
        seatDrawn(HASH);
        _assertWindowOpen(panel()[0], dispute().evidenceEnd);
    }

    function test_Resolve_CountsAtOnceWhenBothSpoke() external {
        open(WORKER, arb(0));
        speak(POSTER);
        vm.expectEmit(address(arbitration));
        emit IArbitration.VoteCast(TASK, arb(0), 2_500, REASON);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Ruled(TASK, 0, 2_500, START + APPEAL);
        vote(arb(0), 2_500);
        assertPhase(IArbitration.DisputePhase.RULED);
        vm.assertEq(dispute().workerBps, 2_500);
        vm.assertEq(dispute().appealEnd, START + APPEAL);
        vm.assertTrue(bench()[0].voted);
        vm.assertEq(bench()[0].workerBps, 2_500);
        vm.assertEq(arbitration.arbitratorOf(arb(0)).openCases, 0);
        vm.assertEq(arbitration.arbitratorOf(arb(0)).resolved, 1);
        vm.assertEq(arbitration.arbitratorOf(arb(0)).timedOut, 0);
    }

    function test_Resolve_CountsFromTheEndOfTheEvidenceWindow() external {
        open(WORKER, arb(0));
        vm.warp(START + EVIDENCE + 1);
        vote(arb(0), 10_000);
        assertPhase(IArbitration.DisputePhase.RULED);
    }

    function test_Resolve_CountsToTheLastSecondOfTheRulingWindow() external {
        open(WORKER, arb(0));
        vm.warp(START + EVIDENCE + RULING);
        vote(arb(0), 0);
        assertPhase(IArbitration.DisputePhase.RULED);
    }

    function test_Resolve_RevertWhen_TheRulingWindowHasClosed() external {
        open(WORKER, arb(0));
        speak(POSTER);
        uint256 end = START + EVIDENCE + RULING;
        vm.warp(end + 1);
        vm.prank(arb(0));
        vm.expectRevert(abi.encodeWithSelector(IArbitration.RulingWindowClosed.selector, TASK, end));
        arbitration.resolve(TASK, 1, REASON);
    }

    function test_Resolve_WaitsForTheLastVote() external {
        _tierOne();
        address[] memory members = panel();
        vote(members[2], 9_000);
        assertPhase(IArbitration.DisputePhase.EVIDENCE);
        vote(members[0], 1_000);
        assertPhase(IArbitration.DisputePhase.EVIDENCE);
        vm.expectEmit(address(arbitration));
        emit IArbitration.Ruled(TASK, 1, 4_000, block.timestamp + APPEAL);
        vote(members[1], 4_000);
        assertPhase(IArbitration.DisputePhase.RULED);
        vm.assertEq(dispute().workerBps, 4_000);
    }

    function test_Resolve_OpensNoAppealWindowOnTheTopTier() external {
        _tierOne();
        voteAll(5_000);
        escalate(WORKER);
        seatDrawn(HASH);
        speakBoth();
        voteAll(6_000);
        vm.assertEq(dispute().tier, 2);
        vm.assertEq(dispute().appealEnd, block.timestamp);
        vm.assertEq(dispute().workerBps, 6_000);
    }

    function testFuzz_Resolve_RulesWithTheMedian(uint256 seed, uint256 silent) external {
        silent %= 5;
        _tierOne();
        voteAll(5_000);
        escalate(WORKER);
        seatDrawn(keccak256(abi.encode(seed)));
        speakBoth();
        address[] memory members = panel();
        vm.assertEq(members.length, 5);
        uint256[] memory votes = new uint256[](5 - silent);
        for (uint256 i = 0; i < votes.length; ++i) {
            votes[i] = uint256(keccak256(abi.encode(seed, i))) % 10_001;
            vote(members[(i + seed % 5) % 5], votes[i]);
        }
        if (silent != 0) {
            vm.warp(dispute().rulingEnd + 1);
            arbitration.resolveTimedOut(TASK);
        }
        vm.assertEq(bench().length, 9 - silent);
        vm.assertEq(dispute().workerBps, _naiveMedian(votes));
    }

    function _naiveMedian(uint256[] memory votes) private pure returns (uint256) {
        for (uint256 i = 0; i < votes.length; ++i) {
            for (uint256 j = i + 1; j < votes.length; ++j) {
                if (votes[j] < votes[i]) (votes[i], votes[j]) = (votes[j], votes[i]);
            }
        }
        uint256 middle = votes.length / 2;
        return votes.length % 2 == 1 ? votes[middle] : (votes[middle - 1] + votes[middle]) / 2;
    }

    function _assertWindowOpen(address member, uint256 evidenceEnd) private {
        vm.warp(evidenceEnd);
        vm.prank(member);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.EvidenceWindowOpen.selector, TASK, evidenceEnd));
        arbitration.resolve(TASK, 1, REASON);
        vm.warp(evidenceEnd + 1);
        vote(member, 1);
    }

    /// @dev A panel of three that both parties have spoken to.
    function _tierOne() private {
        open(WORKER, arb(0));
        speakBoth();
        vote(arb(0), 5_000);
        escalate(POSTER);
        seatDrawn(HASH);
        speakBoth();
        vm.assertEq(panel().length, 3);
    }
}
