// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20Permit } from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";

/// @dev The caller's ERC-2612 signature over an allowance of exactly what the call may take.
struct TokenPermit {
    /// Until when the token accepts it, in Unix seconds.
    uint256 deadline;
    uint8 v;
    bytes32 r;
    bytes32 s;
}

/// @title Allowances by signature instead of by a transaction
library TokenPermits {
    /// @dev A permit that somebody sent to the token first has given the allowance already. A failure is therefore not one
    /// here: the allowance decides.
    function give(TokenPermit calldata permit, address token, address spender, uint256 amount) internal {
        // solhint-disable no-empty-blocks
        try IERC20Permit(token).permit(msg.sender, spender, amount, permit.deadline, permit.v, permit.r, permit.s) { }
            catch { }
        // solhint-enable no-empty-blocks
    }
}
