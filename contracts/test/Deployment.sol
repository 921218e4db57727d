// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Agreements } from "../src/Agreements.sol";
import { Arbitration } from "../src/Arbitration.sol";
import { DepositVault } from "../src/DepositVault.sol";
import { EscrowVault } from "../src/EscrowVault.sol";
import { PaymentGateway } from "../src/PaymentGateway.sol";
import { PricingPolicy } from "../src/PricingPolicy.sol";
import { ReputationRegistry } from "../src/ReputationRegistry.sol";
import { StakingVault } from "../src/StakingVault.sol";
import { TaskLens } from "../src/TaskLens.sol";
import { TaskRegistry } from "../src/TaskRegistry.sol";
import { TaskScopeRegistry } from "../src/TaskScopeRegistry.sol";
import { TokToken } from "../src/TokToken.sol";
import { UsdOracle } from "../src/UsdOracle.sol";
import { IPricingPolicy } from "../src/interfaces/IPricingPolicy.sol";
import { Contracts, MarketParams } from "../src/types/Market.sol";
import { MockFeed } from "./mocks/MockFeed.sol";
import { MockUSDC } from "./mocks/MockUSDC.sol";
import { vm } from "./Vm.sol";

/// @dev One market, wired as in production and with the parameters the TypeScript side publishes.
abstract contract Deployment {
    address internal constant OWNER = address(0x0A11CE);
    address internal constant GUARDIAN = address(0x6A4D);
    address internal constant TREASURY = address(0x7EA5);
    address internal constant HOLDER = address(0x401D);
    address internal constant COURT = address(0xC0C4);

    /// @dev 1,000,000 TOK earn one credit in four days.
    uint128 internal creditCap = 100_000e18;
    uint64 internal creditRate = 2.5e11;

    TokToken internal tok;
    MockUSDC internal usdc;
    MockFeed internal feed;
    UsdOracle internal oracle;
    PricingPolicy internal pricing;
    TaskScopeRegistry internal scopes;
    Agreements internal agreements;
    EscrowVault internal escrow;
    DepositVault internal deposits;
    PaymentGateway internal gateway;
    StakingVault internal staking;
    Arbitration internal arbitration;
    ReputationRegistry internal reputation;
    TaskRegistry internal registry;
    TaskLens internal lens;
    MarketParams internal params;
    Contracts internal contracts_;

    function _deploy(string memory market) internal {
        tok = new TokToken(HOLDER);
        usdc = new MockUSDC();
        feed = new MockFeed(8, 250_000);
        oracle = new UsdOracle(address(feed), address(0), 1 days, 1 hours);
        pricing = new PricingPolicy(OWNER, address(oracle), new PricingPolicy.InitialPlan[](0));
        _deployMarket(market, address(tok));
        vm.prank(OWNER);
        pricing.setPlan("basic", IPricingPolicy.Plan({ listPriceUsd: 9e6, tokDiscountBps: 2000, tokAllowed: true }));
    }

    /// @dev The market's own contracts around a token of choice. The order is the nonce order.
    function _deployMarket(string memory market, address token) internal {
        params = _params(market);
        uint64 nonce = vm.getNonce(address(this));
        contracts_ = Contracts({
            tok: token,
            usdc: address(usdc),
            taskScopeRegistry: vm.computeCreateAddress(address(this), nonce),
            agreements: vm.computeCreateAddress(address(this), nonce + 1),
            escrowVault: vm.computeCreateAddress(address(this), nonce + 2),
            depositVault: vm.computeCreateAddress(address(this), nonce + 3),
            paymentGateway: vm.computeCreateAddress(address(this), nonce + 4),
            stakingVault: vm.computeCreateAddress(address(this), nonce + 5),
            arbitration: vm.computeCreateAddress(address(this), nonce + 6),
            reputationRegistry: vm.computeCreateAddress(address(this), nonce + 7),
            taskRegistry: vm.computeCreateAddress(address(this), nonce + 8),
            pricingPolicy: address(pricing),
            usdOracle: address(oracle),
            treasury: TREASURY,
            finalCourt: _finalCourt(nonce)
        });
        scopes = new TaskScopeRegistry(contracts_);
        agreements = new Agreements(contracts_, params);
        escrow = new EscrowVault(contracts_);
        deposits = new DepositVault(contracts_);
        gateway = new PaymentGateway(contracts_, market);
        staking = new StakingVault(contracts_, OWNER, creditCap, creditRate);
        arbitration = new Arbitration(contracts_, params);
        reputation = new ReputationRegistry(contracts_, address(0));
        registry = new TaskRegistry(contracts_, params, OWNER, GUARDIAN);
        lens = new TaskLens(contracts_, params, address(0));
        vm.assertEq(address(registry), contracts_.taskRegistry);
        _openCourt();
    }

    /// @param nonce The nonce of the market's first contract; ten are created.
    function _finalCourt(uint64 nonce) internal view virtual returns (address) {
        nonce;
        return COURT;
    }

    /// @dev Creates a final court that is a contract, right after the market.
    // solhint-disable-next-line no-empty-blocks
    function _openCourt() internal virtual { }

    function _params(string memory market) private view returns (MarketParams memory p) {
        string memory json = vm.readFile("packages/protocol/vectors/params.json");
        p.market = market;
        p.vetWindow = _param(json, market, "vetWindow");
        p.fundingWindow = _param(json, market, "fundingWindow");
        p.minReviewWindow = _param(json, market, "minReviewWindow");
        p.maxReviewWindow = _param(json, market, "maxReviewWindow");
        p.maxClaimDeadline = _param(json, market, "maxClaimDeadline");
        p.claimCutoff = _param(json, market, "claimCutoff");
        p.minDuration = _param(json, market, "minDuration");
        p.maxDuration = _param(json, market, "maxDuration");
        p.minRevisionTime = _param(json, market, "minRevisionTime");
        p.consentWindow = _param(json, market, "consentWindow");
        p.evidenceWindow = _param(json, market, "evidenceWindow");
        p.rulingWindow = _param(json, market, "rulingWindow");
        p.appealWindow = _param(json, market, "appealWindow");
        p.courtWindow = _param(json, market, "courtWindow");
    }

    function _param(string memory json, string memory market, string memory key) private pure returns (uint32) {
        return uint32(vm.parseJsonUint(json, string.concat(".", market, ".", key)));
    }
}
