// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Arbitration } from "../../src/Arbitration.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { Contracts, MarketParams } from "../../src/types/Market.sol";
import { Settlement } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { MockDeposits, MockGateway, MockRegistry, MockReputation, MockTok } from "./ArbitrationMocks.sol";

/// @dev A market's arbitration between mocks, and the way to each phase of a case. In the case that the helpers walk
/// through, POSTER opened and offers 20 % of 40,000 TOK, WORKER asks for 90 % and JUDGE is named: the gap is 28,000.
abstract contract ArbitrationBase {
    uint256 internal constant CONSENT = 48 hours;
    uint256 internal constant EVIDENCE = 72 hours;
    uint256 internal constant RULING = 48 hours;
    uint256 internal constant APPEAL = 71 hours;
    uint256 internal constant DECISION = 168 hours;
    uint256 internal constant START = 1_800_000_000;
    uint256 internal constant TASK = 7;
    uint256 internal constant DEPOSIT = 100e6;
    uint128 internal constant AMOUNT = 40_000e18;
    uint256 internal constant STAKE = 4_000e18;
    uint256 internal constant LOCK = 50_000e18;
    uint256 internal constant BOND = 100_000e18;
    uint256 internal constant OFFER = 2_000;
    uint256 internal constant ASK = 9_000;
    bytes32 internal constant HASH = keccak256("evidence");
    bytes32 internal constant REASON = keccak256("reason");

    address internal constant POSTER = address(0xA11CE);
    address internal constant WORKER = address(0xB0B);
    address internal constant STRANGER = address(0x57A);
    address internal constant COURT = address(0xC0C4);
    address internal constant JUDGE = address(0x1D6E);

    /// @dev TOK in wallets, bonds of judges, USD in deposits.
    struct Gains {
        int256 posterTok;
        int256 workerTok;
        int256 judgeBond;
        int256 posterUsd;
        int256 workerUsd;
        int256 judgeUsd;
        int256 courtUsd;
    }

    MockTok internal tok;
    MockGateway internal gateway;
    MockDeposits internal deposits;
    MockReputation internal reputation;
    MockRegistry internal registry;
    Arbitration internal arbitration;

    uint256[7] private _before;

    function setUp() public virtual {
        vm.warp(START);
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
        contracts_.finalCourt = COURT;
        MarketParams memory params;
        params.consentWindow = uint32(CONSENT);
        params.evidenceWindow = uint32(EVIDENCE);
        params.rulingWindow = uint32(RULING);
        params.appealWindow = uint32(APPEAL);
        params.courtWindow = uint32(DECISION);
        arbitration = new Arbitration(contracts_, params);
        registry.setArbitration(arbitration);
        deposits.give(POSTER, DEPOSIT);
        deposits.give(WORKER, DEPOSIT);
        fundWallet(POSTER, 1_000_000e18);
    }

    function arb(uint256 i) internal pure returns (address) {
        return address(uint160(0xAB0000 + i));
    }

    function fundWallet(address account, uint256 amount) internal {
        tok.mint(account, amount);
        vm.prank(account);
        tok.approve(address(gateway), type(uint256).max);
    }

    function register(address account, uint256 amount) internal {
        fundWallet(account, amount);
        vm.prank(account);
        arbitration.register(amount);
    }

    function registerMany(uint256 count) internal {
        for (uint256 i = 0; i < count; ++i) {
            register(arb(i), BOND);
        }
    }

    function caseBy(address opener, uint256 shareBps) internal pure returns (IArbitration.Case memory) {
        return IArbitration.Case({
            opener: opener,
            poster: POSTER,
            worker: WORKER,
            named: address(0),
            proposed: address(0),
            amount: AMOUNT,
            shareBps: shareBps,
            evidenceHash: HASH
        });
    }

    function open(IArbitration.Case memory case_) internal {
        registry.open(TASK, case_);
    }

    function opened() internal {
        IArbitration.Case memory case_ = caseBy(POSTER, OFFER);
        case_.named = JUDGE;
        open(case_);
    }

    /// @dev EVIDENCE: JUDGE sits, WORKER has not spoken.
    function seated() internal {
        register(JUDGE, BOND);
        opened();
        propose(JUDGE, JUDGE);
    }

    /// @dev EVIDENCE: both spoke.
    function heard() internal {
        seated();
        speak(WORKER, ASK);
    }

    function ruled(bool forWorker) internal {
        heard();
        rule(JUDGE, forWorker);
    }

    function appealed(bool forWorker) internal {
        ruled(forWorker);
        escalate(forWorker ? POSTER : WORKER);
    }

    /// @dev COURT: nobody ruled. With a judge it is one that said nothing.
    function unruled(bool withJudge) internal {
        withJudge ? seated() : opened();
        speak(WORKER, ASK);
        vm.warp((withJudge ? dispute().rulingEnd : dispute().consentEnd) + 1);
        arbitration.resolveTimedOut(TASK);
    }

    function propose(address caller, address arbitrator) internal {
        vm.prank(caller);
        arbitration.propose(TASK, arbitrator);
    }

    function speak(address party, uint256 shareBps) internal {
        vm.prank(party);
        arbitration.submitEvidence(TASK, HASH, shareBps);
    }

    /// @dev In the first second at which a judge may, or later.
    function rule(address judge, bool forWorker) internal {
        uint256 number = endEvidence();
        vm.prank(judge);
        arbitration.resolve(TASK, number, forWorker, REASON);
    }

    /// @return The number of the case.
    function endEvidence() internal returns (uint256) {
        if (block.timestamp <= dispute().evidenceEnd) vm.warp(dispute().evidenceEnd + 1);
        return dispute().number;
    }

    function escalate(address party) internal {
        vm.prank(party);
        arbitration.escalate(TASK);
    }

    function decide(bool forWorker) internal {
        uint256 number = endEvidence();
        vm.prank(COURT);
        arbitration.decide(TASK, number, forWorker, REASON);
    }

    function finalizeNow() internal {
        vm.warp(dispute().appealEnd + 1);
        arbitration.finalize(TASK);
    }

    function dispute() internal view returns (IArbitration.Dispute memory) {
        return arbitration.disputeOf(TASK);
    }

    function bondOf(address account) internal view returns (uint256) {
        return arbitration.arbitratorOf(account).bond;
    }

    function lockedOf(address account) internal view returns (uint256) {
        return arbitration.arbitratorOf(account).locked;
    }

    function mark() internal {
        _before = _balances();
    }

    /// @dev TOK of the poster and the worker, and USD of the poster, the worker, the judge and the court.
    function paid(
        int256 posterTok,
        int256 workerTok,
        int256 posterUsd,
        int256 workerUsd,
        int256 judgeUsd,
        int256 courtUsd
    ) internal pure returns (Gains memory g) {
        (g.posterTok, g.workerTok) = (posterTok, workerTok);
        (g.posterUsd, g.workerUsd, g.judgeUsd, g.courtUsd) = (posterUsd, workerUsd, judgeUsd, courtUsd);
    }

    /// @dev Names every gain since `mark` to the last unit, and what the contract holds.
    function assertGains(Gains memory g) internal view {
        int256[7] memory gains =
            [g.posterTok, g.workerTok, g.judgeBond, g.posterUsd, g.workerUsd, g.judgeUsd, g.courtUsd];
        string[7] memory names = [
            "TOK of the poster",
            "TOK of the worker",
            "bond of the judge",
            "USD of the poster",
            "USD of the worker",
            "USD of the judge",
            "USD of the court"
        ];
        uint256[7] memory balances = _balances();
        for (uint256 i = 0; i < 7; ++i) {
            vm.assertEq(balances[i], uint256(int256(_before[i]) + gains[i]), names[i]);
        }
        assertBacked();
    }

    function assertBacked() internal view {
        uint256 owed = arbitration.totalBonded() + arbitration.totalStakes() + arbitration.totalWithdrawable();
        vm.assertEq(tok.balanceOf(address(arbitration)), owed, "backing");
    }

    function assertPhase(IArbitration.DisputePhase phase) internal view {
        vm.assertEq(uint256(dispute().phase), uint256(phase), "phase");
        vm.assertEq(uint256(arbitration.phaseOf(TASK)), uint256(phase), "phaseOf");
    }

    function wrongPhase(IArbitration.DisputePhase phase) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IArbitration.WrongPhase.selector, TASK, phase);
    }

    /// @dev A closed case keeps nothing: no stake, no lock, no reserve.
    function assertClosed(uint256 workerBps, IArbitration.Ending ending) internal view {
        assertPhase(IArbitration.DisputePhase.CLOSED);
        vm.assertEq(dispute().workerBps, workerBps, "share");
        vm.assertEq(uint256(dispute().ending), uint256(ending), "ending");
        vm.assertEq(dispute().stake, 0, "stake of a closed case");
        vm.assertEq(arbitration.totalStakes(), 0, "stakes");
        vm.assertEq(lockedOf(JUDGE), 0, "locked");
        vm.assertEq(arbitration.arbitratorOf(JUDGE).openCases, 0, "open cases");
    }

    function assertSettled(uint256 workerBps, uint256 courtShare, address loser) internal view {
        vm.assertEq(registry.settlements(TASK), 1, "settled once");
        Settlement memory expected =
            Settlement({ workerBps: uint16(workerBps), loser: loser, courtShare: uint128(courtShare), court: COURT });
        vm.assertEq(abi.encode(registry.settled(TASK)), abi.encode(expected), "settlement");
        vm.assertEq(deposits.reserveOf(TASK, POSTER), 0, "reserve of the poster");
        vm.assertEq(deposits.reserveOf(TASK, WORKER), 0, "reserve of the worker");
    }

    function assertRecorded(address winner, address loser) internal view {
        vm.assertEq(reputation.records(TASK), loser == address(0) ? 0 : 1, "records");
        vm.assertEq(reputation.winner(), winner, "winner");
        vm.assertEq(reputation.loser(), loser, "loser");
    }

    function _balances() private view returns (uint256[7] memory) {
        return [
            tok.balanceOf(POSTER),
            tok.balanceOf(WORKER),
            bondOf(JUDGE),
            deposits.balanceOf(POSTER),
            deposits.balanceOf(WORKER),
            deposits.balanceOf(JUDGE),
            deposits.balanceOf(COURT)
        ];
    }
}
