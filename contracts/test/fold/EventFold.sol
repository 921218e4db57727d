// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { Ownable2Step } from "@openzeppelin/contracts/access/Ownable2Step.sol";
import { Arbitration } from "../../src/Arbitration.sol";
import { DepositVault } from "../../src/DepositVault.sol";
import { EscrowVault } from "../../src/EscrowVault.sol";
import { PaymentGateway } from "../../src/PaymentGateway.sol";
import { ReputationRegistry } from "../../src/ReputationRegistry.sol";
import { StakingVault } from "../../src/StakingVault.sol";
import { TaskRegistry } from "../../src/TaskRegistry.sol";
import { Contracts } from "../../src/types/Market.sol";
import { Task, TaskTerms } from "../../src/types/Task.sol";
import { Vm, vm } from "../Vm.sol";
import { hashTerms } from "./TermsHash.sol";
import { AccountFold } from "./AccountFold.sol";
import { CaseFold } from "./CaseFold.sol";

/// @dev Rebuilds the state of a market from its logs alone, as an index does. The checks compare it with the contracts' storage.
/// The number in front of a message names the invariant.
contract EventFold is CaseFold, AccountFold {
    TaskRegistry private immutable REGISTRY;
    EscrowVault private immutable ESCROW;
    DepositVault private immutable DEPOSITS;
    PaymentGateway private immutable GATEWAY;
    StakingVault private immutable STAKING;
    Arbitration private immutable ARBITRATION;
    ReputationRegistry private immutable REPUTATION;

    address private immutable TOK;

    bool private paused;
    address private guardian;
    address private owner;

    constructor(Contracts memory contracts_) {
        TOK = contracts_.tok;
        REGISTRY = TaskRegistry(contracts_.taskRegistry);
        ESCROW = EscrowVault(contracts_.escrowVault);
        DEPOSITS = DepositVault(contracts_.depositVault);
        GATEWAY = PaymentGateway(contracts_.paymentGateway);
        STAKING = StakingVault(contracts_.stakingVault);
        ARBITRATION = Arbitration(contracts_.arbitration);
        REPUTATION = ReputationRegistry(contracts_.reputationRegistry);
        // A fold that starts after the deployment does not see the events of the constructor.
        guardian = REGISTRY.guardian();
        owner = REGISTRY.owner();
    }

    function applyLogs(Vm.Log[] memory logs) external {
        for (uint256 i = 0; i < logs.length; ++i) {
            Vm.Log memory log = logs[i];
            address emitter = log.emitter;
            if (emitter == address(REGISTRY)) _foldMarket(log);
            else if (emitter == address(ESCROW)) _foldEscrow(log);
            else if (emitter == address(DEPOSITS)) _foldDeposits(log);
            else if (emitter == address(ARBITRATION)) _foldArbitration(log);
            else if (emitter == address(REPUTATION)) _foldReputation(log);
            else if (emitter == address(STAKING)) _foldStaking(log);
            else if (emitter == address(GATEWAY)) _foldGateway(log);
        }
    }

    function checkMarket() external view {
        vm.assertEq(REGISTRY.taskCount(), taskCount, "13: task count");
        vm.assertEq(REGISTRY.paused(), paused, "13: paused");
        vm.assertEq(REGISTRY.guardian(), guardian, "13: guardian");
        vm.assertEq(REGISTRY.owner(), owner, "13: owner");
        vm.assertEq(STAKING.totalStakedTok(), totalStaked, "13: total staked");
    }

    function checkTask(uint256 taskId) external view {
        Task memory stored = REGISTRY.taskOf(taskId);
        _same(abi.encode(stored), abi.encode(tasks[taskId]), "13: task", taskId);
        vm.assertEq(REGISTRY.allowedWorkerOf(taskId), allowed[taskId], "13: the worker allowed");
        _same(abi.encode(ESCROW.accountOf(taskId)), abi.encode(accounts[taskId]), "13: escrow account", taskId);
        _same(abi.encode(ARBITRATION.disputeOf(taskId)), abi.encode(disputes[taskId]), "13: dispute", taskId);
        _checkParty(taskId, stored.poster);
        _checkParty(taskId, stored.worker);
    }

    function _checkParty(uint256 taskId, address agent) private view {
        vm.assertEq(DEPOSITS.reserveOf(taskId, agent), reserveOf[taskId][agent], "13: reserve of a party");
        vm.assertEq(ESCROW.exitDepositOf(taskId, agent), exitDeposits[taskId][agent], "13: exit deposit of a party");
    }

    function checkAccount(address account) external view {
        vm.assertEq(DEPOSITS.balanceOf(account), depositOf[account], "13: deposit");
        vm.assertEq(DEPOSITS.reservedOf(account), reservedOf[account], "13: reserved");
        vm.assertEq(ESCROW.withdrawableOf(account), deferred[account], "13: deferred payments");
        vm.assertEq(ARBITRATION.withdrawableOf(account), unpaid[account], "13: payments of arbitration that wait");
        vm.assertEq(GATEWAY.paidUntil(account, "basic"), paidUntil[account]["basic"], "13: plan");
        uint256 id = uint160(account);
        _same(abi.encode(ARBITRATION.arbitratorOf(account)), abi.encode(records[account]), "13: arbitrator", id);
        _same(abi.encode(REPUTATION.reputationOf(account)), abi.encode(reputations[account]), "13: reputation", id);
        Stake memory stake = _stakeNow(account);
        vm.assertEq(STAKING.stakedOf(account), stake.staked, "13: stake");
        // Between two accruals credits and rewards grow with time alone, without an event.
        if (accruedAt != block.timestamp && totalStaked != 0) return;
        vm.assertEq(STAKING.creditsOf(account), stake.credits, "13: credits");
        vm.assertEq(STAKING.rewardsOf(account), stake.rewards, "13: rewards");
    }

    function _foldMarket(Vm.Log memory log) private {
        bytes32 kind = log.topics[0];
        if (kind == keccak256("Paused(address)")) paused = true;
        else if (kind == keccak256("Unpaused(address)")) paused = false;
        else if (kind == keccak256("GuardianSet(address)")) guardian = address(uint160(uint256(log.topics[1])));
        else if (kind == Ownable.OwnershipTransferred.selector) owner = address(uint160(uint256(log.topics[2])));
        else if (kind != Ownable2Step.OwnershipTransferStarted.selector) _foldRegistry(log);
    }

    function _same(bytes memory stored, bytes memory folded, string memory what, uint256 id) private pure {
        if (keccak256(stored) == keccak256(folded)) return;
        vm.assertEq(stored, folded, string.concat(what, " ", vm.toString(id)));
    }

    function _hashTerms(TaskTerms memory terms) internal view override returns (bytes32) {
        return hashTerms(terms, GATEWAY.market(), TOK);
    }

    function _gateway() internal view override returns (address) {
        return address(GATEWAY);
    }
}
