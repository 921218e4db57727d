// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Contracts } from "../../src/types/Market.sol";
import { ClaimPolicy, TaskScope, TaskTerms } from "../../src/types/Task.sol";

/// @dev A poster that posts many tasks in one transaction, each through the registry's own `post`. It must hold the TOK
/// of the fees and exit deposits and the USDC of the deposit before it is used.
contract BatchPoster {
    struct Job {
        string text;
        uint128 amount;
        uint128 fundAmount;
        uint64 duration;
        uint64 reviewWindow;
        /// Seconds from the block of the post.
        uint64 claimFor;
    }

    ITaskRegistry private immutable REGISTRY;
    IDepositVault private immutable DEPOSITS;

    uint256 private _nonce;

    constructor(Contracts memory contracts_) {
        REGISTRY = ITaskRegistry(contracts_.taskRegistry);
        DEPOSITS = IDepositVault(contracts_.depositVault);
        IERC20(contracts_.tok).approve(contracts_.paymentGateway, type(uint256).max);
        IERC20(contracts_.usdc).approve(contracts_.depositVault, type(uint256).max);
    }

    function deposit(uint256 amount) external {
        DEPOSITS.topUp(amount);
    }

    /// @dev Goes round the jobs until `count` tasks are posted.
    function post(Job[] calldata jobs, uint256 count) external {
        TaskTerms memory terms;
        terms.poster = address(this);
        terms.amounts = new uint256[](1);
        terms.durations = new uint64[](1);
        terms.maxRevisions = 1;
        terms.scope = TaskScope.OPEN;
        terms.claimPolicy = ClaimPolicy.ANYONE;
        uint256 nonce = _nonce;
        for (uint256 i = 0; i < count; ++i) {
            Job calldata job = jobs[i % jobs.length];
            terms.amounts[0] = job.amount;
            terms.durations[0] = job.duration;
            terms.reviewWindow = job.reviewWindow;
            terms.criteriaHash = keccak256(bytes(job.text));
            terms.claimDeadline = uint64(block.timestamp) + job.claimFor;
            terms.nonce = nonce++;
            REGISTRY.post(terms, job.text, job.fundAmount);
        }
        _nonce = nonce;
    }
}
