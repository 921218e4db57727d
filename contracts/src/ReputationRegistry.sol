// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import { IReputationRegistry } from "./interfaces/IReputationRegistry.sol";
import { Contracts } from "./types/Market.sol";

/// @dev Counters stop at their maximum instead of reverting: a record must never block an exit.
contract ReputationRegistry is IReputationRegistry {
    using SafeCast for uint256;

    address private immutable TASK_REGISTRY;
    address private immutable ARBITRATION;

    /// @inheritdoc IReputationRegistry
    address public immutable predecessor;

    mapping(address account => Reputation) private _reputations;

    /// @dev Keyed by the lower address, then the higher: who paid whom first makes no difference.
    mapping(address lower => mapping(address higher => bool)) private _haveSettled;

    modifier only(address caller) {
        if (msg.sender != caller) revert Unauthorized(msg.sender);
        _;
    }

    /// @param predecessor_ The registry of the market that this one replaces, or zero.
    constructor(Contracts memory contracts_, address predecessor_) {
        TASK_REGISTRY = contracts_.taskRegistry;
        ARBITRATION = contracts_.arbitration;
        predecessor = predecessor_;
    }

    /// @inheritdoc IReputationRegistry
    function recordPayment(uint256 taskId, address poster, address worker, uint256 amount)
        external
        only(TASK_REGISTRY)
    {
        if (amount == 0) return;

        Reputation storage payer = _reputations[poster];
        Reputation storage payee = _reputations[worker];
        payer.paid = _plus(payer.paid, amount);
        payee.earned = _plus(payee.earned, amount);
        emit PaymentRecorded(taskId, poster, worker, amount);
    }

    /// @inheritdoc IReputationRegistry
    function recordCompletion(uint256 taskId, address poster, address worker) external only(TASK_REGISTRY) {
        Reputation storage payer = _reputations[poster];
        Reputation storage payee = _reputations[worker];
        payer.completedAsPoster = _next(payer.completedAsPoster);
        payee.completedAsWorker = _next(payee.completedAsWorker);
        (address lower, address higher) = poster < worker ? (poster, worker) : (worker, poster);
        if (!_haveSettled[lower][higher]) {
            _haveSettled[lower][higher] = true;
            payer.distinctCounterparties = _next(payer.distinctCounterparties);
            payee.distinctCounterparties = _next(payee.distinctCounterparties);
        }
        emit CompletionRecorded(taskId, poster, worker);
    }

    /// @inheritdoc IReputationRegistry
    function recordLeave(uint256 taskId, address worker) external only(TASK_REGISTRY) {
        _reputations[worker].leaves = _next(_reputations[worker].leaves);
        emit LeaveRecorded(taskId, worker);
    }

    /// @inheritdoc IReputationRegistry
    function recordDismissal(uint256 taskId, address poster) external only(TASK_REGISTRY) {
        _reputations[poster].dismissals = _next(_reputations[poster].dismissals);
        emit DismissalRecorded(taskId, poster);
    }

    /// @inheritdoc IReputationRegistry
    function recordLapse(uint256 taskId, address account) external only(TASK_REGISTRY) {
        _reputations[account].lapses = _next(_reputations[account].lapses);
        emit LapseRecorded(taskId, account);
    }

    /// @inheritdoc IReputationRegistry
    function recordDispute(uint256 taskId, address winner, address loser) external only(ARBITRATION) {
        // A win counts if somebody ruled, a loss always: nobody gains by losing to oneself.
        if (winner != address(0)) _reputations[winner].disputesWon = _next(_reputations[winner].disputesWon);
        _reputations[loser].disputesLost = _next(_reputations[loser].disputesLost);
        emit DisputeRecorded(taskId, winner, loser);
    }

    /// @inheritdoc IReputationRegistry
    function reputationOf(address account) external view returns (Reputation memory) {
        return _reputations[account];
    }

    /// @inheritdoc IReputationRegistry
    function reputationsOf(address[] calldata accounts) external view returns (Reputation[] memory reputations) {
        reputations = new Reputation[](accounts.length);
        for (uint256 i = 0; i < accounts.length; i++) {
            reputations[i] = _reputations[accounts[i]];
        }
    }

    function _next(uint32 counter) private pure returns (uint32) {
        return counter == type(uint32).max ? counter : counter + 1;
    }

    function _plus(uint128 sum, uint256 amount) private pure returns (uint128) {
        return Math.min(Math.saturatingAdd(sum, amount), type(uint128).max).toUint128();
    }
}
