// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { PricingPolicy } from "../../src/PricingPolicy.sol";
import { TokToken } from "../../src/TokToken.sol";
import { UsdOracle } from "../../src/UsdOracle.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IPricingPolicy } from "../../src/interfaces/IPricingPolicy.sol";
import { ACCESS_FEE, ACTION_CREDIT, BPS, EXIT_DEPOSIT } from "../../src/types/Market.sol";
import { Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Deployment } from "../Deployment.sol";
import { Signing } from "../Signing.sol";
import { vm } from "../Vm.sol";
import { HostileToken } from "../mocks/HostileToken.sol";
import { MockFeed } from "../mocks/MockFeed.sol";
import { MockUSDC } from "../mocks/MockUSDC.sol";
import { EventFold } from "../fold/EventFold.sol";

/// @dev A market with its people, and the books the walk keeps beside it: what each rule says must have happened, added
/// up without asking the contracts. TOK can freeze accounts here, so that payments which cannot be pushed occur too.
abstract contract World is Deployment, Signing {
    uint256 internal constant PARTIES = 6;
    uint256 internal constant ARBITRATORS = 10;
    uint256 internal constant MAX_LIVE = 20;
    uint256 internal constant PARTY_TOK = 60_000e18;
    uint256 internal constant ARBITRATOR_TOK = 50_000e18;
    uint256 internal constant WALLET_USDC = 2_000e6;
    uint256 internal constant FIRST_DEPOSIT = 80e6;

    address internal constant STRANGER = address(0x57A6);
    address internal constant OUTSIDER = address(0x0D1);

    /// @dev What the walk knows of a task.
    struct Ghost {
        TaskTerms terms;
        uint256 total;
        address worker;
        /// TOK that left the poster's wallet, went to the worker, came back.
        uint256 funded;
        uint256 paid;
        uint256 returned;
        uint256 current;
        bool fundedAtClaim;
        /// The poster has ended the work.
        bool noticed;
        /// Whom the poster lets claim without a permit.
        address allowed;
        /// Whose exit deposit is locked.
        bool posterLocked;
        bool workerLocked;
        /// A delivery was made, the poster accepted one, the poster conceded a dispute, both cancelled.
        bool delivered;
        bool accepted;
        bool conceded;
        bool cancelledTogether;
        TaskState end;
    }

    /// @dev A stream of choices from one number.
    struct Rng {
        uint256 state;
    }

    HostileToken internal token;
    /// @dev Zero unless this walk also folds events.
    EventFold public fold;
    bool private folding;
    uint256 private immutable SALT;

    address[] internal parties;
    address[] internal arbitrators;
    /// @dev Everyone who can hold TOK or USDC, the contracts included.
    address[] internal holders;

    mapping(uint256 taskId => Ghost) internal ghosts;
    uint256[] internal live;
    /// @dev The task that moved last, or whose boundary has just been reached.
    uint256 internal focus;

    /// @dev TOK an account must have in its wallet or waiting in the escrow vault.
    mapping(address account => uint256) internal tokOf;
    uint256 internal tokSupply;
    uint256 internal usdcSupply;
    uint256 internal creditsSpent;
    mapping(address account => uint256) internal creditsSpentBy;

    struct UsedNonce {
        address account;
        uint256 nonce;
    }

    UsedNonce[] internal usedNonces;
    mapping(address account => mapping(uint256 nonce => uint256)) private usesOf;
    uint256 internal reusedNonces;
    uint256 internal nextNonce = 1;
    /// @dev Calls with signatures that have been used and must not work again.
    bytes[] internal spentCalls;
    address[] internal spentCallers;

    mapping(string action => uint256) public countOf;
    string[] public actions;
    uint256 public costliest;
    string public costliestAction;
    uint256 public attempts;
    uint256 public breaches;
    string public lastBreach;

    constructor(string memory market, uint256 salt, bool withFold) {
        SALT = salt;
        token = new HostileToken();
        tok = TokToken(address(token));
        usdc = new MockUSDC();
        feed = new MockFeed(8, 250_000);
        oracle = new UsdOracle(address(feed), address(0), 1 days, 1 hours);
        pricing = new PricingPolicy(OWNER, address(oracle), new PricingPolicy.InitialPlan[](0));
        // Generous, so that a walk of some weeks spends credits and reaches the cap.
        creditCap = 1_000_000e18;
        creditRate = 1e14;
        _deployMarket(market, address(token));
        if (withFold) fold = new EventFold(contracts_);
        _startFold();
        _populate();
        _endFold();
    }

    /// @dev Each step is a block of its own; seconds pass only where the walk says so.
    modifier step() {
        vm.roll(block.number + 1);
        _startFold();
        _;
        _endFold();
    }

    function _populate() private {
        token.mint(HOLDER, 1_000_000_000e18);
        tokSupply = 1_000_000_000e18;
        tokOf[HOLDER] = tokSupply;
        for (uint256 i = 0; i < PARTIES; ++i) {
            parties.push(vm.addr(_key(i)));
            _settleIn(parties[i], PARTY_TOK);
            vm.prank(parties[i]);
            deposits.topUp(FIRST_DEPOSIT);
        }
        for (uint256 i = 0; i < ARBITRATORS; ++i) {
            arbitrators.push(address(uint160(0xA4B0 + i)));
            _settleIn(arbitrators[i], ARBITRATOR_TOK);
            // The last three stay away until the walk registers them.
            if (i < 7) _register(arbitrators[i], 10_000e18 + i * 1_500e18);
        }
        _settleIn(STRANGER, PARTY_TOK);
        _settleIn(OUTSIDER, PARTY_TOK);
        holders.push(HOLDER);
        holders.push(OWNER);
        holders.push(GUARDIAN);
        holders.push(TREASURY);
        holders.push(address(this));
        holders.push(COURT);
        vm.prank(HOLDER);
        token.approve(address(gateway), type(uint256).max);
        vm.startPrank(OWNER);
        staking.activateStaking();
        pricing.setPlan("basic", IPricingPolicy.Plan({ listPriceUsd: 9e6, tokDiscountBps: 2000, tokAllowed: true }));
        vm.stopPrank();
    }

    function _settleIn(address user, uint256 tokAmount) private {
        vm.prank(HOLDER);
        token.transfer(user, tokAmount);
        _spendTok(HOLDER, tokAmount);
        tokOf[user] += tokAmount;
        usdc.mint(user, WALLET_USDC);
        usdcSupply += WALLET_USDC;
        vm.startPrank(user);
        token.approve(address(gateway), type(uint256).max);
        usdc.approve(address(deposits), type(uint256).max);
        usdc.approve(address(gateway), type(uint256).max);
        vm.stopPrank();
        holders.push(user);
    }

    function _register(address account, uint256 bond) internal {
        _spendTok(account, bond);
        uint256 gas = _as(account);
        arbitration.register(bond);
        _did("register", gas);
    }

    /// @dev Starts a measured call, the only one of its step. The market is cold, as it is for a transaction of its own.
    function _as(address caller) internal returns (uint256) {
        // Cooling what this very transaction created would undo it.
        if (address(this).code.length != 0) _cool();
        vm.prank(caller);
        return gasleft();
    }

    function _cool() private {
        vm.cool(address(registry));
        vm.cool(address(escrow));
        vm.cool(address(deposits));
        vm.cool(address(gateway));
        vm.cool(address(staking));
        vm.cool(address(arbitration));
        vm.cool(address(reputation));
        vm.cool(address(token));
    }

    function _did(string memory action, uint256 gasBefore) internal {
        uint256 used = gasBefore - gasleft();
        if (used > costliest) {
            costliest = used;
            costliestAction = action;
        }
        if (++countOf[action] == 1) actions.push(action);
    }

    /// @dev Whether a call would go through; leaves no trace either way, though forge would log it.
    function _wouldSucceed(address caller, address target, bytes memory data) internal returns (bool works) {
        bool wasFolding = folding;
        _endFold();
        try this.attempt(caller, target, data) { }
        catch (bytes memory reason) {
            works = reason.length == 1;
        }
        if (wasFolding) _startFold();
    }

    /// @dev Always reverts: with one byte after a success, with nothing after a failure.
    function attempt(address caller, address target, bytes calldata data) external {
        require(msg.sender == address(this));
        vm.prank(caller);
        (bool ok,) = target.call(data);
        assembly ("memory-safe") {
            revert(0, ok)
        }
    }

    function _rng(uint256 seed) internal view returns (Rng memory) {
        return Rng(uint256(keccak256(abi.encode(seed, SALT))));
    }

    /// @dev A number below `n`. A linear congruence is enough here and far cheaper than a hash.
    function _next(Rng memory r, uint256 n) internal pure returns (uint256) {
        unchecked {
            r.state = r.state * 0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251f86c6a11d0c18e95 + 1;
            return (r.state >> 128) % n;
        }
    }

    function _between(Rng memory r, uint256 min, uint256 max) internal pure returns (uint256) {
        return min + _next(r, max - min + 1);
    }

    /// @dev One in `n` hardly ever answers: a poster in a review, a panel member in its case.
    function _isSilent(uint256 who, uint256 when, uint256 n) internal view returns (bool) {
        return uint256(keccak256(abi.encode(who, when, SALT))) % n == 0;
    }

    /// @dev Where to look first: mostly at the task that moved last or whose boundary has just been reached.
    function _from(Rng memory r) internal view returns (uint256 start, uint256 count) {
        count = live.length;
        if (count == 0) return (0, 0);
        start = _next(r, count);
        if (_next(r, 4) == 0) return (start, count);
        for (uint256 i = 0; i < count; ++i) {
            if (live[i] == focus) return (i, count);
        }
    }

    function _key(uint256 party) internal pure returns (uint256) {
        return 0xA11 + party;
    }

    function _keyOf(address party) internal view returns (uint256) {
        for (uint256 i = 0; i < PARTIES; ++i) {
            if (parties[i] == party) return _key(i);
        }
        revert("not a party");
    }

    function _freshNonce() internal returns (uint256) {
        return nextNonce++;
    }

    function _useNonce(address account, uint256 nonce) internal {
        usedNonces.push(UsedNonce(account, nonce));
        if (++usesOf[account][nonce] > 1) ++reusedNonces;
    }

    /// @dev Keeps a call whose signatures have just been used.
    function _keepSpent(address caller, bytes memory data) internal {
        spentCallers.push(caller);
        spentCalls.push(data);
    }

    function _spendTok(address account, uint256 amount) internal {
        tokOf[account] -= amount;
    }

    /// @dev Books what an access fee takes. Call it before the fee is charged.
    function _bookFee(address payer) internal {
        if (staking.creditsOf(payer) >= ACTION_CREDIT) {
            creditsSpent += ACTION_CREDIT;
            creditsSpentBy[payer] += ACTION_CREDIT;
        } else {
            _spendTok(payer, ACCESS_FEE);
            tokOf[TREASURY] += ACCESS_FEE * 6 / 10;
        }
    }

    /// @dev Books what an entry takes: the fee and the exit deposit.
    function _bookEntry(address payer) internal {
        _bookFee(payer);
        _spendTok(payer, EXIT_DEPOSIT);
    }

    /// @dev What `payer` could still spend in TOK after an entry; false when it cannot pay for one.
    function _afterEntry(address payer) internal view returns (bool canPay, uint256 rest) {
        rest = _spendable(payer);
        uint256 price = EXIT_DEPOSIT + (staking.creditsOf(payer) >= ACTION_CREDIT ? 0 : ACCESS_FEE);
        return rest < price ? (false, 0) : (true, rest - price);
    }

    /// @dev An exit deposit that was spent is shared out like a fee.
    function _bookSpentExit(Ghost storage ghost, bool ofPoster) internal {
        if (_unlockExit(ghost, ofPoster)) tokOf[TREASURY] += EXIT_DEPOSIT * 6 / 10;
    }

    /// @dev One that was forfeited is the Union's.
    function _bookForfeitedExit(Ghost storage ghost, bool ofPoster) internal {
        _unlockExit(ghost, ofPoster);
    }

    function _bookReturnedExit(Ghost storage ghost, bool ofPoster) internal {
        if (_unlockExit(ghost, ofPoster)) tokOf[ofPoster ? ghost.terms.poster : ghost.worker] += EXIT_DEPOSIT;
    }

    function _unlockExit(Ghost storage ghost, bool ofPoster) private returns (bool locked) {
        locked = ofPoster ? ghost.posterLocked : ghost.workerLocked;
        if (ofPoster) ghost.posterLocked = false;
        else ghost.workerLocked = false;
    }

    /// @dev What a judge lost.
    function _bookBurnt(uint256 amount) internal {
        tokSupply -= amount;
    }

    /// @dev What a case that closed moved in TOK, by the shares and the stake that it had before, and the end of its task.
    function _booksClose(uint256 taskId, IArbitration.Dispute memory was) internal {
        IArbitration.Dispute memory closed = arbitration.disputeOf(taskId);
        Ghost storage ghost = ghosts[taskId];
        bool byRuling = closed.ending == IArbitration.Ending.DECIDED || closed.ending == IArbitration.Ending.RULED;
        uint256 gap = uint256(was.amount) * (closed.askBps - closed.offerBps) / BPS;
        uint256 courtShare = closed.ending == IArbitration.Ending.DECIDED ? gap / 100 : 0;
        if (courtShare > 1_000e18) courtShare = 1_000e18;
        ghost.paid += courtShare;
        tokOf[COURT] += courtShare;
        bool workerWon = closed.workerBps == closed.askBps;
        bool byWords = closed.ending == IArbitration.Ending.CONCEDED;
        bool nothing = byWords && closed.workerBps == 0;
        uint256 toWorker = was.amount / 100;
        if (byRuling) toWorker = _lostStake(was);
        if (closed.ending == IArbitration.Ending.TIMED_OUT || nothing || (byRuling && !workerWon)) toWorker = 0;
        _bookStake(ghost, was.stake, toWorker);
        if (byRuling || byWords) _bookForfeitedExit(ghost, workerWon && !nothing);
        _booksEnd(taskId, (was.amount - courtShare) * closed.workerBps / BPS, TaskState.RESOLVED);
    }

    /// @dev What a ruling takes of the stake.
    function _lostStake(IArbitration.Dispute memory dispute) internal pure returns (uint256) {
        uint256 gap = uint256(dispute.amount) * (dispute.askBps - dispute.offerBps) / BPS;
        uint256 lost = gap * 2 < dispute.amount ? dispute.amount / 20 : gap / 10;
        return lost < dispute.stake ? lost : dispute.stake;
    }

    /// @dev The opener's stake: a part for the worker, the rest back.
    function _bookStake(Ghost storage ghost, uint256 stake, uint256 toWorker) internal {
        if (toWorker > stake) toWorker = stake;
        tokOf[ghost.worker] += toWorker;
        tokOf[ghost.terms.poster] += stake - toWorker;
    }

    function _spendable(address account) internal view returns (uint256) {
        return token.blocked(account) ? 0 : token.balanceOf(account);
    }

    function _began(uint256 taskId, TaskTerms memory terms, address worker) internal {
        Ghost storage ghost = ghosts[taskId];
        ghost.terms = terms;
        ghost.worker = worker;
        ghost.posterLocked = true;
        ghost.workerLocked = worker != address(0);
        for (uint256 i = 0; i < terms.amounts.length; ++i) {
            ghost.total += terms.amounts[i];
        }
        live.push(taskId);
        _useNonce(terms.poster, terms.nonce);
    }

    function _booksFund(uint256 taskId, uint256 amount) internal {
        ghosts[taskId].funded += amount;
        _spendTok(ghosts[taskId].terms.poster, amount);
    }

    function _booksPay(uint256 taskId, uint256 amount) internal {
        ghosts[taskId].paid += amount;
        tokOf[ghosts[taskId].worker] += amount;
    }

    function _ghostHeld(Ghost storage ghost) internal view returns (uint256) {
        return ghost.funded - ghost.paid - ghost.returned;
    }

    /// @dev The task must be over: the worker gets `workerAmount`, the poster the rest.
    function _booksEnd(uint256 taskId, uint256 workerAmount, TaskState end) internal {
        Ghost storage ghost = ghosts[taskId];
        if (workerAmount != 0) _booksPay(taskId, workerAmount);
        uint256 rest = _ghostHeld(ghost);
        ghost.returned += rest;
        tokOf[ghost.terms.poster] += rest;
        _bookReturnedExit(ghost, true);
        _bookReturnedExit(ghost, false);
        ghost.end = end;
        for (uint256 i = 0; i < live.length; ++i) {
            if (live[i] != taskId) continue;
            live[i] = live[live.length - 1];
            live.pop();
            return;
        }
        revert("ended twice");
    }

    function _isPrivate(Ghost storage ghost) internal view returns (bool) {
        return uint256(ghost.terms.scope) == 1;
    }

    /// @dev The last second of whoever has the duty now; after it exactly one default applies.
    function _waitEnd(uint256 taskId, Task memory task) internal view returns (uint256) {
        if (task.state == TaskState.POSTED) return task.claimDeadline - params.claimCutoff;
        if (task.state == TaskState.CLAIMED) return _claimEnd(task);
        if (task.state == TaskState.ACTIVE) {
            if (task.reviewEnd == 0) return task.deadline;
            return _isPayable(task) ? task.reviewEnd : _graceEnd(task);
        }
        IArbitration.Dispute memory dispute = arbitration.disputeOf(taskId);
        if (dispute.phase == IArbitration.DisputePhase.OPEN) return dispute.consentEnd;
        if (dispute.phase == IArbitration.DisputePhase.EVIDENCE) {
            return _bothSpoke(dispute) ? dispute.rulingEnd : dispute.evidenceEnd;
        }
        return dispute.phase == IArbitration.DisputePhase.RULED ? dispute.appealEnd : dispute.courtEnd;
    }

    function _claimEnd(Task memory task) internal view returns (uint256) {
        return task.claimedAt + params.fundingWindow;
    }

    function _bothSpoke(IArbitration.Dispute memory dispute) internal pure returns (bool) {
        return dispute.posterSpoke && dispute.workerSpoke;
    }

    function _graceEnd(Task memory task) internal view returns (uint256) {
        return task.reviewEnd + _noticeOf(task);
    }

    function _noticeOf(Task memory task) internal view returns (uint256) {
        return task.reviewWindow < params.minRevisionTime ? params.minRevisionTime : task.reviewWindow;
    }

    /// @dev Whether silence pays for what is in review.
    function _isPayable(Task memory task) internal pure returns (bool) {
        return task.receipted || task.store == address(0);
    }

    function _hashTerms(TaskTerms memory terms) internal view override returns (bytes32) {
        return agreements.hashTerms(terms);
    }

    function _disputePhase(uint256 taskId) internal view override returns (uint8) {
        return uint8(arbitration.phaseOf(taskId));
    }

    function _startFold() private {
        if (address(fold) == address(0)) return;
        folding = true;
        vm.recordLogs();
    }

    function _endFold() private {
        if (!folding) return;
        folding = false;
        fold.applyLogs(vm.getRecordedLogs());
    }
}
