// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Arbitration } from "../../src/Arbitration.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { Contracts, MarketParams } from "../../src/types/Market.sol";
import { vm } from "../Vm.sol";
import { MockDeposits, MockGateway, MockRegistry, MockReputation, MockTok } from "./ArbitrationMocks.sol";

/// @dev A market's arbitration between mocks, and the way to each phase of a case.
abstract contract ArbitrationBase {
    uint256 internal constant CONSENT = 48 hours;
    uint256 internal constant EVIDENCE = 72 hours;
    uint256 internal constant RULING = 36 hours;
    uint256 internal constant APPEAL = 24 hours;
    uint256 internal constant START = 1_800_000_000;
    uint256 internal constant TASK = 7;
    uint256 internal constant DEPOSIT = 100e6;
    bytes32 internal constant HASH = keccak256("evidence");
    bytes32 internal constant REASON = keccak256("reason");

    address internal constant POSTER = address(0xA11CE);
    address internal constant WORKER = address(0xB0B);
    address internal constant STRANGER = address(0x57A);

    MockTok internal tok;
    MockGateway internal gateway;
    MockDeposits internal deposits;
    MockReputation internal reputation;
    MockRegistry internal registry;
    Arbitration internal arbitration;

    function setUp() public virtual {
        vm.warp(START);
        vm.roll(1_000);
        tok = new MockTok();
        gateway = new MockGateway(tok);
        deposits = new MockDeposits();
        reputation = new MockReputation();
        registry = new MockRegistry(deposits);
        Contracts memory contracts_;
        contracts_.tok = address(tok);
        contracts_.paymentGateway = address(gateway);
        contracts_.depositVault = address(deposits);
        contracts_.reputationRegistry = address(reputation);
        contracts_.taskRegistry = address(registry);
        MarketParams memory params;
        params.consentWindow = uint32(CONSENT);
        params.evidenceWindow = uint32(EVIDENCE);
        params.rulingWindow = uint32(RULING);
        params.appealWindow = uint32(APPEAL);
        arbitration = new Arbitration(contracts_, params);
        registry.setArbitration(arbitration);
        deposits.give(POSTER, DEPOSIT);
        deposits.give(WORKER, DEPOSIT);
    }

    function arb(uint256 i) internal pure returns (address) {
        return address(uint160(0xAB0000 + i));
    }

    function register(address account, uint256 amount) internal {
        tok.mint(account, amount);
        vm.prank(account);
        tok.approve(address(gateway), type(uint256).max);
        vm.prank(account);
        arbitration.register(amount);
    }

    function registerMany(uint256 count) internal {
        for (uint256 i = 0; i < count; ++i) {
            register(arb(i), 10_000e18);
        }
    }

    function open(address opener, address named) internal {
        registry.open(TASK, opener, HASH, POSTER, WORKER, named);
    }

    function propose(address party, address candidate) internal {
        vm.prank(party);
        arbitration.propose(TASK, candidate);
    }

    function speak(address party) internal {
        vm.prank(party);
        arbitration.submitEvidence(TASK, HASH);
    }

    function speakBoth() internal {
        if (!dispute().posterSpoke) speak(POSTER);
        if (!dispute().workerSpoke) speak(WORKER);
    }

    /// @dev Schedules a draw and seats the panel that `hash` draws.
    function seatDrawn(bytes32 hash) internal {
        IArbitration.Dispute memory d = dispute();
        if (d.tier == 0 && !d.reseated && block.timestamp <= d.consentEnd) vm.warp(d.consentEnd + 1);
        arbitration.seat(TASK);
        reveal(hash);
        arbitration.seat(TASK);
    }

    /// @dev Moves past the block of the draw and gives that block its hash.
    function reveal(bytes32 hash) internal {
        uint256 drawBlock = dispute().drawBlock;
        vm.roll(drawBlock + 1);
        vm.setBlockhash(drawBlock, hash);
    }

    function vote(address account, uint256 workerBps) internal {
        vm.prank(account);
        arbitration.resolve(TASK, workerBps, REASON);
    }

    /// @dev The whole panel votes the same.
    function voteAll(uint256 workerBps) internal {
        address[] memory members = panel();
        for (uint256 i = 0; i < members.length; ++i) {
            vote(members[i], workerBps);
        }
    }

    /// @dev From OPEN to RULED on the current tier.
    function ruleDrawn(uint256 workerBps) internal {
        seatDrawn(HASH);
        speakBoth();
        voteAll(workerBps);
    }

    function escalate(address party) internal {
        vm.prank(party);
        arbitration.escalate(TASK);
    }

    function finalizeNow() internal {
        vm.warp(dispute().appealEnd + 1);
        arbitration.finalize(TASK);
    }

    function dispute() internal view returns (IArbitration.Dispute memory) {
        return arbitration.disputeOf(TASK);
    }

    function bench() internal view returns (IArbitration.Seat[] memory) {
        return arbitration.benchOf(TASK);
    }

    function panel() internal view returns (address[] memory members) {
        IArbitration.Seat[] memory seats = bench();
        uint256 start = dispute().panelStart;
        members = new address[](seats.length - start);
        for (uint256 i = 0; i < members.length; ++i) {
            members[i] = seats[start + i].arbitrator;
        }
    }

    function one(address account) internal pure returns (address[] memory members) {
        members = new address[](1);
        members[0] = account;
    }

    function assertPhase(IArbitration.DisputePhase phase) internal view {
        vm.assertEq(uint256(dispute().phase), uint256(phase));
    }

    function wrongPhase(IArbitration.DisputePhase phase) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IArbitration.WrongPhase.selector, TASK, phase);
    }

    function assertClosed(uint256 workerBps) internal view {
        assertPhase(IArbitration.DisputePhase.CLOSED);
        vm.assertEq(dispute().workerBps, workerBps);
        vm.assertEq(registry.settlements(TASK), 1);
        vm.assertEq(registry.settledBps(TASK), workerBps);
    }
}
