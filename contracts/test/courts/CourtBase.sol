// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { RealityCourt } from "../../src/courts/RealityCourt.sol";
import { IRealityCourt } from "../../src/courts/IRealityCourt.sol";
import { Base } from "../Base.sol";
import { vm } from "../Vm.sol";

/// @dev What the tests call of Reality.eth besides what a court calls.
interface Reality {
    function submitAnswer(bytes32 questionId, bytes32 answer, uint256 maxPrevious) external payable;
    function claimWinnings(
        bytes32 questionId,
        bytes32[] calldata historyHashes,
        address[] calldata addrs,
        uint256[] calldata bonds,
        bytes32[] calldata answers
    ) external;
    function withdraw() external;
    function getHistoryHash(bytes32 questionId) external view returns (bytes32);
    function getContentHash(bytes32 questionId) external view returns (bytes32);
    function getBounty(bytes32 questionId) external view returns (uint256);
    function getFinalizeTS(bytes32 questionId) external view returns (uint32);
    function getBond(bytes32 questionId) external view returns (uint256);
    function isFinalized(bytes32 questionId) external view returns (bool);
    function getArbitrator(bytes32 questionId) external view returns (address);
    function getOpeningTS(bytes32 questionId) external view returns (uint32);
    function getTimeout(bytes32 questionId) external view returns (uint32);
    function getMinBond(bytes32 questionId) external view returns (uint256);
}

/// @dev A market whose final court asks Reality.eth 3.0: the bytecode that its authors deployed.
abstract contract CourtBase is Base {
    uint32 internal constant ANSWER_TIME = 144 hours;
    uint32 internal constant TIMEOUT = 24 hours;
    uint128 internal constant MIN_BOND = 0.02 ether;
    bytes32 internal constant HASH = keccak256("bundle");
    bytes32 internal constant YES = bytes32(uint256(1));
    bytes32 internal constant NO = bytes32(0);
    string internal constant POLICY = "https://market.example/policy";
    address internal constant FIRST_ANSWERER = address(0xA001);
    address internal constant GRIEFER = address(0xBAD);
    address internal constant LAST_ANSWERER = address(0xA003);

    Reality internal reality;
    RealityCourt internal court;

    /// @dev One answer after the other, as `claimWinnings` wants to hear of them.
    struct History {
        bytes32[] hashes;
        address[] addrs;
        uint256[] bonds;
        bytes32[] answers;
    }

    History private _history;

    function setUp() public virtual override {
        string memory file = "node_modules/@reality.eth/contracts/bytecode/RealityETH-3.0.bin";
        bytes memory code = vm.parseBytes(string.concat("0x", vm.readFile(file)));
        address deployed;
        assembly ("memory-safe") {
            deployed := create(0, add(code, 0x20), mload(code))
        }
        reality = Reality(deployed);
        super.setUp();
        vm.deal(FIRST_ANSWERER, 1_000_000 ether);
        vm.deal(GRIEFER, 1_000_000 ether);
        vm.deal(LAST_ANSWERER, 1_000_000 ether);
        vm.deal(STRANGER, 1 ether);
    }

    /// @dev The suite comes first here; the court has the address after it.
    function _finalCourt(uint64 nonce) internal view virtual override returns (address) {
        return vm.computeCreateAddress(address(this), nonce + 10);
    }

    function _openCourt() internal override {
        court = new RealityCourt(address(reality), address(tok), TREASURY, POLICY, _seats());
        vm.assertEq(address(court), arbitration.finalCourt());
    }

    function _seats() internal view returns (IRealityCourt.Seat[] memory seats) {
        seats = new IRealityCourt.Seat[](1);
        seats[0] = IRealityCourt.Seat({
            arbitration: arbitration, deposits: deposits, answerTime: ANSWER_TIME, timeout: TIMEOUT, minBond: MIN_BOND
        });
    }

    function _speak(uint256 taskId, address party, uint256 shareBps) internal {
        vm.prank(party);
        arbitration.submitEvidence(taskId, keccak256("answer"), shareBps);
    }

    function _publish(uint256 taskId, address party, string memory uri) internal {
        vm.prank(party);
        court.publish(arbitration, taskId, HASH, uri);
    }

    /// @dev A case that no judge took, before the court: POSTER opened and offers nothing, WORKER asks for all.
    function _called() internal returns (uint256 taskId) {
        taskId = _disputed();
        _speak(taskId, WORKER, 10_000);
        _after(arbitration.disputeOf(taskId).consentEnd);
        arbitration.resolveTimedOut(taskId);
    }

    function _appealed() internal returns (uint256) {
        return _appealed(10_000);
    }

    /// @dev The appeal of a ruling for the poster, by a worker that asks for this share.
    function _appealed(uint256 askBps) internal returns (uint256 taskId) {
        _register(ARBITRATOR, 100_000e18);
        taskId = _disputed();
        _speak(taskId, WORKER, askBps);
        vm.prank(POSTER);
        arbitration.propose(taskId, ARBITRATOR);
        vm.prank(WORKER);
        arbitration.propose(taskId, ARBITRATOR);
        vm.prank(ARBITRATOR);
        arbitration.propose(taskId, ARBITRATOR);
        _after(arbitration.disputeOf(taskId).evidenceEnd);
        vm.prank(ARBITRATOR);
        arbitration.resolve(taskId, 1, false, keccak256("reason"));
        vm.prank(WORKER);
        arbitration.escalate(taskId);
    }

    function _ask(uint256 taskId) internal returns (bytes32) {
        _publish(taskId, WORKER, "https://worker.example/work.zip");
        vm.warp(court.caseOf(arbitration, taskId).askFrom);
        vm.prank(STRANGER);
        return court.ask{ value: 0.01 ether }(arbitration, taskId);
    }

    /// @dev Through the court.
    function _answer(uint256 taskId, address answerer, bool forWorker, uint256 bond) internal {
        bytes32 question = court.caseOf(arbitration, taskId).questionId;
        bytes32 before = reality.getHistoryHash(question);
        vm.prank(answerer);
        court.answer{ value: bond }(arbitration, taskId, forWorker, 0);
        _note(before, answerer, bond, forWorker ? YES : NO);
    }

    /// @dev At Reality.eth itself.
    function _answerThere(bytes32 question, address answerer, bytes32 answer, uint256 bond) internal {
        bytes32 before = reality.getHistoryHash(question);
        vm.prank(answerer);
        reality.submitAnswer{ value: bond }(question, answer, 0);
        _note(before, answerer, bond, answer);
    }

    function _finish(bytes32 question) internal {
        vm.warp(reality.getFinalizeTS(question));
    }

    /// @dev Everybody has their bonds and winnings in their wallets.
    function _claimAll(bytes32 question) internal {
        uint256 count = _history.bonds.length;
        History memory last;
        last.hashes = new bytes32[](count);
        last.addrs = new address[](count);
        last.bonds = new uint256[](count);
        last.answers = new bytes32[](count);
        for (uint256 i = 0; i < count; ++i) {
            uint256 from = count - 1 - i;
            last.hashes[i] = _history.hashes[from];
            last.addrs[i] = _history.addrs[from];
            last.bonds[i] = _history.bonds[from];
            last.answers[i] = _history.answers[from];
        }
        reality.claimWinnings(question, last.hashes, last.addrs, last.bonds, last.answers);
        _withdraw(FIRST_ANSWERER);
        _withdraw(GRIEFER);
        _withdraw(LAST_ANSWERER);
    }

    function _withdraw(address account) private {
        vm.prank(account);
        reality.withdraw();
    }

    function _note(bytes32 before, address answerer, uint256 bond, bytes32 answer) private {
        _history.hashes.push(before);
        _history.addrs.push(answerer);
        _history.bonds.push(bond);
        _history.answers.push(answer);
    }
}
