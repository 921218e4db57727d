// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ERC20 } from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import { ERC20Burnable } from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import { ERC20Permit } from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import { ERC3009 } from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";

/// @title The service token: a supply that only shrinks, no owner, no hooks
/// @notice ERC-2612 permits and ERC-3009 authorizations with random nonces share one EIP-712 domain ("Tok", "1").
contract TokToken is ERC20, ERC20Burnable, ERC20Permit, ERC3009 {
    /// @param holder Receives the whole supply of 1,000,000,000 TOK.
    constructor(address holder) ERC20("Tok", "TOK") ERC20Permit("Tok") {
        _mint(holder, 1_000_000_000e18);
    }
}
