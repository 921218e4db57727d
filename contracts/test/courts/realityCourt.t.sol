// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { RealityCourt } from "../../src/courts/RealityCourt.sol";
import { IRealityCourt } from "../../src/courts/IRealityCourt.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { TaskState } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { CourtBase } from "./CourtBase.sol";

/// @dev The way of a case to Reality.eth and back, and who may do what on it.
contract RealityCourtTest is CourtBase {
    function test_Carry_DecidesAsThePublicDid() external {
        uint256 taskId = _called();
        bytes32 question = _ask(taskId);
        _answer(taskId, FIRST_ANSWERER, true, MIN_BOND);
        _finish(question);
        uint256 worker = tok.balanceOf(WORKER);
        vm.expectEmit();
        emit IArbitration.Decided(taskId, true, question);
        vm.expectEmit();
        emit IRealityCourt.Carried(address(arbitration), taskId, question, true, FIRST_ANSWERER, 5e6, FIRST / 100);
        court.carry(arbitration, taskId);

        _assertState(taskId, TaskState.RESOLVED);
        // The milestone less the court's share of the gap, which is all of it, and what the poster put up to open the case.
        vm.assertEq(tok.balanceOf(WORKER) - worker, FIRST * 99 / 100 + FIRST / 10 + 1_000e18);
        // The fee for a first decision and 1 % of the gap go to whoever answered here.
        vm.assertEq(usdc.balanceOf(FIRST_ANSWERER), 5e6);
        vm.assertEq(tok.balanceOf(FIRST_ANSWERER), FIRST / 100);
        _assertEmpty();
    }

    function test_Carry_OverturnsAJudge() external {
        uint256 taskId = _appealed();
        bytes32 question = _ask(taskId);
        _answer(taskId, LAST_ANSWERER, true, MIN_BOND);
        _finish(question);
        // What lay there before belongs to nobody.
        vm.prank(TREASURY);
        tok.transfer(address(court), 1);
        usdc.mint(address(this), 1);
        usdc.approve(address(deposits), 1);
        deposits.topUpFor(address(court), 1);
        court.carry(arbitration, taskId);
        vm.assertEq(arbitration.arbitratorOf(ARBITRATOR).overturned, 1);
        vm.assertEq(usdc.balanceOf(LAST_ANSWERER), 8e6);
        vm.assertEq(tok.balanceOf(address(court)), 1);
        vm.assertEq(deposits.balanceOf(address(court)), 1);
        court.sweep(arbitration);
        _assertEmpty();
    }

    function test_Carry_LateChangesNothing() external {
        uint256 taskId = _called();
        bytes32 question = _ask(taskId);
        uint256 courtEnd = arbitration.disputeOf(taskId).courtEnd;
        // In time to be given, too late to be final.
        vm.warp(courtEnd - TIMEOUT + 1);
        _answer(taskId, FIRST_ANSWERER, false, MIN_BOND);
        _finish(question);
        vm.expectRevert(abi.encodeWithSelector(IArbitration.CourtWindowClosed.selector, taskId, courtEnd));
        court.carry(arbitration, taskId);

        uint256 worker = tok.balanceOf(WORKER);
        arbitration.resolveTimedOut(taskId);
        // As with a court that says nothing: against the poster, who opened.
        vm.assertEq(tok.balanceOf(WORKER) - worker, FIRST + 1_000e18);
        vm.expectRevert(
            abi.encodeWithSelector(IArbitration.WrongPhase.selector, taskId, IArbitration.DisputePhase.CLOSED)
        );
        court.carry(arbitration, taskId);
    }

    function test_Carry_LastSecondCounts() external {
        uint256 taskId = _called();
        _ask(taskId);
        uint256 courtEnd = arbitration.disputeOf(taskId).courtEnd;
        vm.warp(courtEnd - TIMEOUT);
        _answer(taskId, FIRST_ANSWERER, false, MIN_BOND);
        vm.warp(courtEnd);
        court.carry(arbitration, taskId);
        vm.assertEq(arbitration.disputeOf(taskId).workerBps, 0);
    }

    function test_Carry_NoRulingWithoutYesOrNo() external {
        uint256 taskId = _called();
        bytes32 question = _ask(taskId);
        vm.expectRevert("question must be finalized");
        court.carry(arbitration, taskId);
        // The first of all answers that are neither no nor yes.
        bytes32 neither = bytes32(uint256(2));
        _answerThere(question, FIRST_ANSWERER, neither, MIN_BOND);
        _finish(question);
        vm.expectRevert(abi.encodeWithSelector(IRealityCourt.NoRuling.selector, taskId, neither));
        court.carry(arbitration, taskId);
        _after(arbitration.disputeOf(taskId).courtEnd);
        arbitration.resolveTimedOut(taskId);
        _assertState(taskId, TaskState.RESOLVED);
    }

    /// @dev Who answers after somebody else was faster bonds nothing.
    function test_Answer_OnlyUpToTheNamedBond() external {
        uint256 taskId = _called();
        _ask(taskId);
        _answer(taskId, FIRST_ANSWERER, true, MIN_BOND);
        vm.prank(LAST_ANSWERER);
        vm.expectRevert("bond must exceed max_previous");
        court.answer{ value: 2 * MIN_BOND }(arbitration, taskId, false, MIN_BOND - 1);
    }

    function test_Sweep_TakesWhatBelongsToNobody() external {
        uint256 taskId = _called();
        bytes32 question = _ask(taskId);
        _answerThere(question, FIRST_ANSWERER, YES, MIN_BOND);
        _finish(question);
        court.carry(arbitration, taskId);
        vm.assertEq(deposits.balanceOf(address(court)), 5e6);
        uint256 before = tok.balanceOf(TREASURY);
        vm.expectEmit();
        emit IRealityCourt.Swept(address(arbitration), 5e6, FIRST / 100);
        court.sweep(arbitration);
        vm.assertEq(usdc.balanceOf(TREASURY), 5e6);
        vm.assertEq(tok.balanceOf(TREASURY) - before, FIRST / 100);
        _assertEmpty();
        court.sweep(arbitration);
    }

    /// @dev A payee that USDC refuses does not stop the ruling.
    function test_Carry_PayeeThatCannotBePaid() external {
        uint256 taskId = _called();
        bytes32 question = _ask(taskId);
        _answer(taskId, FIRST_ANSWERER, true, MIN_BOND);
        _finish(question);
        vm.mockCallRevert(address(usdc), abi.encodeWithSignature("transfer(address,uint256)", FIRST_ANSWERER, 5e6), "");
        court.carry(arbitration, taskId);
        vm.assertEq(deposits.balanceOf(address(court)), 5e6);
        vm.assertEq(tok.balanceOf(FIRST_ANSWERER), FIRST / 100);
    }

    function test_Ask_OnlyInItsTime() external {
        uint256 taskId = _disputed();
        _publish(taskId, POSTER, "ipfs://bafy/brief.pdf");
        vm.expectRevert(abi.encodeWithSelector(IRealityCourt.NotBeforeCourt.selector, taskId));
        court.ask(arbitration, taskId);
        vm.assertEq(court.caseOf(arbitration, taskId).askFrom, 0);
        _after(arbitration.disputeOf(taskId).consentEnd);
        arbitration.resolveTimedOut(taskId);
        IArbitration.Dispute memory dispute = arbitration.disputeOf(taskId);
        uint256 from = dispute.courtEnd - ANSWER_TIME;
        vm.assertEq(court.caseOf(arbitration, taskId).askFrom, from);
        vm.warp(from - 1);
        vm.expectRevert(abi.encodeWithSelector(IRealityCourt.AskTooEarly.selector, taskId, from));
        court.ask(arbitration, taskId);
        uint256 until = dispute.courtEnd - TIMEOUT;
        vm.warp(until + 1);
        vm.expectRevert(abi.encodeWithSelector(IRealityCourt.AskTooLate.selector, taskId, until));
        court.ask(arbitration, taskId);
        vm.warp(until);
        bytes32 question = court.ask(arbitration, taskId);
        vm.assertEq(reality.getBounty(question), 0);
        vm.expectRevert(abi.encodeWithSelector(IRealityCourt.AlreadyAsked.selector, taskId, question));
        court.ask(arbitration, taskId);
    }

    /// @dev Nobody but the public answers, at once, each case of each task by itself.
    function test_Ask_PutsEachCaseToThePublicAlone() external {
        uint256 taskId = _called();
        bytes32 question = _ask(taskId);
        vm.assertEq(reality.getArbitrator(question), address(0));
        vm.assertEq(reality.getOpeningTS(question), 0);
        vm.assertEq(reality.getTimeout(question), TIMEOUT);
        vm.assertEq(reality.getMinBond(question), MIN_BOND);
        vm.assertEq(reality.getBounty(question), 0.01 ether);
        uint256 other = _called();
        vm.assertEq(court.caseOf(arbitration, other).questionId, 0);
    }

    function test_Ask_NotBeforeTheSharesStandStill() external {
        IRealityCourt.Seat[] memory seats = _seats();
        seats[0].answerTime = type(uint32).max;
        RealityCourt patient = new RealityCourt(address(reality), address(tok), TREASURY, POLICY, seats);
        vm.assertEq(keccak256(abi.encode(patient.seatOf(arbitration))), keccak256(abi.encode(seats[0])));
        uint256 taskId = _called();
        IArbitration.Dispute memory dispute = arbitration.disputeOf(taskId);
        IRealityCourt.CourtCase memory found = patient.caseOf(arbitration, taskId);
        vm.assertEq(found.askFrom, uint256(dispute.evidenceEnd) + 1);
        vm.assertEq(found.askUntil, dispute.courtEnd - TIMEOUT);
    }

    function test_EventsNameTheCase() external {
        uint256 taskId = _called();
        vm.expectEmit();
        emit IRealityCourt.EvidencePublished(address(arbitration), taskId, 1, POSTER, HASH, "https://a.example");
        _publish(taskId, POSTER, "https://a.example");
        _publish(taskId, WORKER, "https://b.example");
        vm.assertEq(court.caseOf(arbitration, taskId).poster.uri, "https://a.example");
        vm.assertEq(court.caseOf(arbitration, taskId).worker.uri, "https://b.example");
        vm.warp(court.caseOf(arbitration, taskId).askFrom);
        uint256 before = vm.snapshotState();
        bytes32 question = court.ask(arbitration, taskId);
        vm.revertToState(before);
        vm.expectEmit();
        emit IRealityCourt.Asked(address(arbitration), taskId, 1, question);
        court.ask(arbitration, taskId);
    }

    /// @dev What nobody can open is not asked.
    function test_Ask_NeedsPublishedEvidence() external {
        uint256 taskId = _called();
        vm.warp(court.caseOf(arbitration, taskId).askFrom);
        vm.expectRevert(abi.encodeWithSelector(IRealityCourt.NothingPublished.selector, taskId));
        court.ask(arbitration, taskId);
    }

    function test_Ask_NamesTheCase() external {
        uint256 taskId = _appealed(9_012);
        _publish(taskId, POSTER, "https://poster.example/brief.html");
        bytes32 question = _ask(taskId);
        string memory head = string.concat(
            "Who is right in case 1 of task ",
            vm.toString(taskId),
            " at ",
            vm.toString(address(arbitration)),
            "? The milestone is 600000000000000000000 TOK wei. Yes: the worker, who asks for 90.12 % of it. No: the poster, who offers 0.00 %. A judge ruled for the poster; this is the appeal."
        );
        string memory hash = _hex(HASH);
        string memory text = string.concat(
            head,
            " Evidence of the poster: https://poster.example/brief.html (hash ",
            hash,
            "). Evidence of the worker: https://worker.example/work.zip (hash ",
            hash,
            "). Links and what they show are claims of that party. Answer by the policy at ",
            POLICY,
            unicode". If you cannot open what decides the case, the answer is invalid.␟task-market-court␟en_US"
        );
        vm.assertEq(reality.getContentHash(question), keccak256(abi.encodePacked(uint256(0), uint32(0), text)));
    }

    function test_Publish_OnlyPartiesOnlyBeforeTheQuestion() external {
        uint256 taskId = _called();
        vm.expectRevert(abi.encodeWithSelector(IRealityCourt.NotAParty.selector, taskId, STRANGER));
        vm.prank(STRANGER);
        court.publish(arbitration, taskId, HASH, "https://a.example");
        bytes32 question = _ask(taskId);
        vm.expectRevert(abi.encodeWithSelector(IRealityCourt.AlreadyAsked.selector, taskId, question));
        vm.prank(POSTER);
        court.publish(arbitration, taskId, HASH, "https://a.example");
        vm.expectRevert(abi.encodeWithSelector(IRealityCourt.NotBeforeCourt.selector, 99));
        court.publish(arbitration, 99, HASH, "https://a.example");
        // The parties agreed.
        vm.prank(POSTER);
        registry.release(taskId, 0);
        vm.expectRevert(abi.encodeWithSelector(IRealityCourt.NotBeforeCourt.selector, taskId));
        vm.prank(WORKER);
        court.publish(arbitration, taskId, HASH, "https://a.example");
    }

    /// @dev Nothing that ends the text of a question, opens a tag or is longer than a link.
    function test_Publish_OnlyLinks() external {
        uint256 taskId = _called();
        string[8] memory bad =
            ["", "has space", 'quote"', "back\\slash", "<script>", unicode"␟", "line\nbreak", string(new bytes(257))];
        for (uint256 i = 0; i < bad.length; ++i) {
            _refuse(taskId, HASH, bad[i]);
        }
        _refuse(taskId, 0, "https://a.example");
        _publish(taskId, WORKER, "https://a.example/~x_y-z.1?q=%20&r[]=(1)#s!$'*+,;:@");
    }

    function _refuse(uint256 taskId, bytes32 hash, string memory uri) private {
        vm.expectRevert(IRealityCourt.BadEvidence.selector);
        vm.prank(WORKER);
        court.publish(arbitration, taskId, hash, uri);
    }

    function test_WrongCallers() external {
        uint256 taskId = _called();
        IArbitration foreign = IArbitration(STRANGER);
        bytes memory unknown = abi.encodeWithSelector(IRealityCourt.UnknownMarket.selector, foreign);
        vm.expectRevert(unknown);
        court.publish(foreign, taskId, HASH, "https://a.example");
        vm.expectRevert(unknown);
        court.ask(foreign, taskId);
        vm.expectRevert(unknown);
        court.answer(foreign, taskId, true, 0);
        vm.expectRevert(unknown);
        court.carry(foreign, taskId);
        vm.expectRevert(unknown);
        court.sweep(foreign);
        vm.expectRevert(abi.encodeWithSelector(IRealityCourt.NotAsked.selector, taskId));
        court.answer(arbitration, taskId, true, 0);
        vm.expectRevert(abi.encodeWithSelector(IRealityCourt.NotAsked.selector, taskId));
        court.carry(arbitration, taskId);
        // Nobody decides past the court.
        vm.expectRevert(abi.encodeWithSelector(IArbitration.NotFinalCourt.selector, STRANGER));
        vm.prank(STRANGER);
        arbitration.decide(taskId, 1, true, HASH);
    }

    /// @dev The answer about one case says nothing about the next case of the task.
    function test_Carry_NotToTheNextCase() external {
        uint256 taskId = _called();
        bytes32 question = _ask(taskId);
        _answer(taskId, FIRST_ANSWERER, true, MIN_BOND);
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _finish(question);
        vm.expectRevert(
            abi.encodeWithSelector(IArbitration.WrongPhase.selector, taskId, IArbitration.DisputePhase.CLOSED)
        );
        court.carry(arbitration, taskId);
        _deliver(taskId);
        _dispute(taskId, POSTER);
        vm.expectRevert(abi.encodeWithSelector(IRealityCourt.NotAsked.selector, taskId));
        court.carry(arbitration, taskId);
        // The parties paid the court when they agreed: it waits for the remainder.
        vm.assertEq(deposits.balanceOf(address(court)), 5e6);
    }

    function test_Constructor_RefusesWindowsThatDoNotFit() external {
        IRealityCourt.Seat[] memory seats = _seats();
        seats[0].timeout = ANSWER_TIME / 3 + 1;
        vm.expectRevert(
            abi.encodeWithSelector(IRealityCourt.WindowsDoNotFit.selector, ANSWER_TIME, uint256(ANSWER_TIME / 3 + 1))
        );
        this.create(seats);
        seats[0].timeout = 0;
        vm.expectRevert(abi.encodeWithSelector(IRealityCourt.WindowsDoNotFit.selector, ANSWER_TIME, 0));
        this.create(seats);
        seats[0].timeout = ANSWER_TIME / 3;
        seats[0].minBond = 1;
        this.create(seats);
        seats[0].minBond = 0;
        vm.expectRevert(abi.encodeWithSelector(IRealityCourt.WindowsDoNotFit.selector, ANSWER_TIME, ANSWER_TIME / 3));
        this.create(seats);
    }

    function create(IRealityCourt.Seat[] calldata seats) external {
        new RealityCourt(address(reality), address(tok), TREASURY, POLICY, seats);
    }

    function _assertEmpty() private view {
        vm.assertEq(deposits.balanceOf(address(court)), 0);
        vm.assertEq(tok.balanceOf(address(court)), 0);
        vm.assertEq(address(court).balance, 0);
    }

    function _hex(bytes32 value) private pure returns (string memory) {
        bytes memory digits = "0123456789abcdef";
        bytes memory text = new bytes(66);
        (text[0], text[1]) = ("0", "x");
        for (uint256 i = 0; i < 32; ++i) {
            text[2 + 2 * i] = digits[uint8(value[i]) >> 4];
            text[3 + 2 * i] = digits[uint8(value[i]) & 15];
        }
        return string(text);
    }
}
