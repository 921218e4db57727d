// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { ERC20Burnable } from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IArbitration } from "../interfaces/IArbitration.sol";
import { IPaymentGateway } from "../interfaces/IPaymentGateway.sol";
import { BPS, Contracts } from "../types/Market.sol";
import { TokenPermit, TokenPermits } from "../types/TokenPermit.sol";

/// @dev Whoever has less at stake does not judge.
uint256 constant MIN_BOND = 10_000e18;
/// @dev A judge locks more than its ruling can move, so that a bought ruling costs more than it brings.
uint256 constant JUDGE_LOCK_BPS = 12_500;
/// @dev The least a judge locks, however small the case, and what one loses that took a case and said nothing.
uint256 constant MIN_JUDGE_LOCK = 2_000e18;
uint256 constant UNBOND_COOLDOWN = 7 days;

/// @title Arbitrators and the TOK they bond
/// @dev The contract's TOK is at all times the sum of bonds, openers' stakes and what could not be paid out.
abstract contract Arbitrators is IArbitration {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;
    using TokenPermits for TokenPermit;

    IERC20 private immutable TOK;
    IPaymentGateway private immutable GATEWAY;
    /// @inheritdoc IArbitration
    address public immutable finalCourt;

    /// @inheritdoc IArbitration
    uint256 public totalBonded;
    /// @inheritdoc IArbitration
    uint256 public totalStakes;
    /// @inheritdoc IArbitration
    uint256 public totalWithdrawable;
    /// @inheritdoc IArbitration
    mapping(address account => uint256) public withdrawableOf;

    mapping(address account => Arbitrator) internal _arbitrators;
    address[] private _roster;
    mapping(address account => bool) private _isListed;

    constructor(Contracts memory contracts_) {
        TOK = IERC20(contracts_.tok);
        GATEWAY = IPaymentGateway(contracts_.paymentGateway);
        finalCourt = contracts_.finalCourt;
    }

    /// @inheritdoc IArbitration
    function registerWithPermit(uint256 amount, TokenPermit calldata permit) external {
        permit.give(address(TOK), address(GATEWAY), amount);
        register(amount);
    }

    /// @inheritdoc IArbitration
    function register(uint256 amount) public {
        if (msg.sender == finalCourt) revert CourtCannotJudge(msg.sender);
        Arbitrator storage arbitrator = _arbitrators[msg.sender];
        uint256 bond = arbitrator.bond + amount;
        if (bond < MIN_BOND) revert BondTooLow(bond, MIN_BOND);

        if (!_isListed[msg.sender]) {
            _isListed[msg.sender] = true;
            _roster.push(msg.sender);
        }
        arbitrator.bond = bond.toUint128();
        arbitrator.unbondAt = 0;
        totalBonded += amount;
        emit ArbitratorRegistered(msg.sender, amount, bond);

        _pull(msg.sender, amount);
    }

    /// @inheritdoc IArbitration
    function requestUnbond() external {
        Arbitrator storage arbitrator = _arbitrators[msg.sender];
        if (arbitrator.bond == 0) revert NothingToWithdraw(msg.sender);

        uint256 unbondAt = block.timestamp + UNBOND_COOLDOWN;
        arbitrator.unbondAt = uint40(unbondAt);
        emit UnbondRequested(msg.sender, unbondAt);
    }

    /// @inheritdoc IArbitration
    function unbond() external returns (uint256 amount) {
        Arbitrator storage arbitrator = _arbitrators[msg.sender];
        if (arbitrator.unbondAt == 0) revert NotUnbonding(msg.sender);
        if (block.timestamp < arbitrator.unbondAt) revert UnbondCooldown(msg.sender, arbitrator.unbondAt);
        if (arbitrator.openCases != 0) revert BondInUse(msg.sender, arbitrator.openCases);

        amount = arbitrator.bond;
        arbitrator.bond = 0;
        arbitrator.unbondAt = 0;
        totalBonded -= amount;
        emit Unbonded(msg.sender, amount);

        TOK.safeTransfer(msg.sender, amount);
    }

    /// @inheritdoc IArbitration
    function withdraw(address to) external returns (uint256 amount) {
        amount = withdrawableOf[msg.sender];
        if (amount == 0) revert NothingToWithdraw(msg.sender);

        withdrawableOf[msg.sender] = 0;
        totalWithdrawable -= amount;
        emit Withdrawn(msg.sender, to, amount);

        TOK.safeTransfer(to, amount);
    }

    /// @inheritdoc IArbitration
    function isEligible(address arbitrator, uint256 amount) public view returns (bool) {
        Arbitrator storage record = _arbitrators[arbitrator];
        return record.bond >= MIN_BOND && record.unbondAt == 0 && record.locked + lockFor(amount) <= record.bond;
    }

    /// @inheritdoc IArbitration
    function lockFor(uint256 amount) public pure returns (uint256) {
        return Math.max(amount * JUDGE_LOCK_BPS / BPS, MIN_JUDGE_LOCK);
    }

    /// @inheritdoc IArbitration
    function arbitratorOf(address arbitrator) external view returns (Arbitrator memory) {
        return _arbitrators[arbitrator];
    }

    /// @inheritdoc IArbitration
    function arbitratorsFrom(uint256 start, uint256 count) external view returns (address[] memory accounts) {
        uint256 length = _roster.length;
        accounts = new address[](start < length ? Math.min(count, length - start) : 0);
        for (uint256 i = 0; i < accounts.length; ++i) {
            accounts[i] = _roster[start + i];
        }
    }

    /// @inheritdoc IArbitration
    function arbitratorCount() external view returns (uint256) {
        return _roster.length;
    }

    /// @dev Locks a part of the bond until the case closes.
    function _lock(uint256 taskId, address judge, uint256 amount, uint256 rulingEnd) internal {
        Arbitrator storage arbitrator = _arbitrators[judge];
        uint256 locked = lockFor(amount);
        arbitrator.locked += locked.toUint128();
        arbitrator.openCases += 1;
        emit JudgeSeated(taskId, judge, locked, rulingEnd);
    }

    /// @dev The judge may take its bond out again, as far as this case goes.
    function _free(uint256 taskId, address judge, uint256 amount) internal {
        Arbitrator storage arbitrator = _arbitrators[judge];
        uint256 locked = lockFor(amount);
        arbitrator.locked -= uint128(locked);
        arbitrator.openCases -= 1;
        emit JudgeFreed(taskId, judge, locked);
    }

    /// @dev Burns a part of a bond, never more than the case locked of it: no party, no court and no operator gains from a
    /// fault of a judge.
    function _slash(uint256 taskId, address account, uint256 amount) internal {
        Arbitrator storage arbitrator = _arbitrators[account];
        uint256 bond = arbitrator.bond - amount;
        arbitrator.bond = uint128(bond);
        arbitrator.slashed += uint128(amount);
        totalBonded -= amount;
        emit ArbitratorSlashed(taskId, account, amount, bond);
        ERC20Burnable(address(TOK)).burn(amount);
    }

    function _takeStake(address from, uint256 amount) internal {
        totalStakes += amount;
        _pull(from, amount);
    }

    /// @dev A receiver that cannot be paid must not stop the case from ending: its money waits for `withdraw`.
    function _pay(uint256 taskId, address to, uint256 amount) internal {
        if (amount == 0) return;
        uint256 before = TOK.balanceOf(address(this));
        TOK.trySafeTransfer(to, amount);
        bool deferred = TOK.balanceOf(address(this)) >= before;
        if (deferred) {
            withdrawableOf[to] += amount;
            totalWithdrawable += amount;
        }
        emit Paid(taskId, to, amount, deferred);
    }

    /// @dev Exactly the amount, whatever the token says about the transfer.
    function _pull(address from, uint256 amount) private {
        if (amount == 0) return;
        uint256 before = TOK.balanceOf(address(this));
        GATEWAY.pull(from, amount);
        uint256 received = TOK.balanceOf(address(this)) - before;
        if (received != amount) revert UnexpectedAmount(amount, received);
    }
}
