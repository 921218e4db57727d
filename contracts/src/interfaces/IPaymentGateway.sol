// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TokenPermit } from "../types/TokenPermit.sol";

/// @title The TOK router: access fees, plan purchases, and the one address wallets give a TOK allowance to
/// @notice Holds nothing between calls.
interface IPaymentGateway {
    /// @dev What an access fee was paid for. FORFEIT: an exit deposit was lost to a missed duty or a ruling.
    enum AccessAction {
        POST,
        CLAIM,
        DISMISS,
        LEAVE,
        FORFEIT
    }

    /// @notice Exactly one of `tokPaid` and `creditSpent` is not zero.
    event AccessFeePaid(
        uint256 indexed taskId, address indexed payer, AccessAction action, uint256 tokPaid, uint256 creditSpent
    );
    /// @param usd What the amount was worth when paid, 6 decimals.
    event PlanPurchased(
        string market,
        bytes32 indexed planId,
        address indexed beneficiary,
        address indexed payer,
        address asset,
        uint256 amount,
        uint256 usd,
        uint256 paidUntil
    );

    error Unauthorized(address caller);
    error AssetNotAccepted(address asset);
    error PriceAboveMaximum(uint256 amount, uint256 maxAmount);
    error ZeroBeneficiary();

    /// @notice Takes one Action Credit if the payer has a whole one, else exactly 1,000 TOK. Registry only.
    /// @param taskId The task.
    /// @param payer Who pays.
    /// @param action What for: POST or CLAIM.
    function chargeAccessFee(uint256 taskId, address payer, AccessAction action) external;

    /// @notice Shares out an exit deposit that the escrow vault has just sent here. Escrow vault only.
    /// @param taskId The task.
    /// @param payer Whose it was.
    /// @param action What it paid for: DISMISS, LEAVE or FORFEIT.
    function shareExitDeposit(uint256 taskId, address payer, AccessAction action) external;

    /// @notice Moves TOK from a wallet that allowed the gateway to the calling vault. Escrow, staking, arbitration only.
    /// @param from The wallet.
    /// @param amount How much.
    function pull(address from, uint256 amount) external;

    /// @notice Buys 30 days of a plan, appended to what is already paid.
    /// @param planId The plan.
    /// @param beneficiary Who may post by it.
    /// @param asset TOK or USDC.
    /// @param maxAmount The most the caller will pay, in units of the asset.
    /// @return paidUntil Until when the plan is paid now.
    function buyPlan(bytes32 planId, address beneficiary, address asset, uint256 maxAmount)
        external
        returns (uint256 paidUntil);

    /// @notice As `buyPlan`, with the allowance in the same transaction. A permit that was used already does no harm.
    /// @param planId The plan.
    /// @param beneficiary Who may post by it.
    /// @param asset TOK or USDC.
    /// @param maxAmount The most the caller will pay, in units of the asset.
    /// @param permit The caller's signature that lets this gateway take `maxAmount`.
    /// @return paidUntil Until when the plan is paid now.
    function buyPlanWithPermit(
        bytes32 planId,
        address beneficiary,
        address asset,
        uint256 maxAmount,
        TokenPermit calldata permit
    ) external returns (uint256 paidUntil);

    /// @notice Until when a plan of this market is paid for a wallet.
    /// @param beneficiary The wallet.
    /// @param planId The plan.
    /// @return The time; zero if never.
    function paidUntil(address beneficiary, bytes32 planId) external view returns (uint256);

    /// @notice The name of the market.
    /// @return `standard` or `micro`.
    function market() external view returns (string memory);
}
