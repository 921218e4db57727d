// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// Deployed unchanged from OpenZeppelin: imported so that forge compiles it and `pnpm gen` finds its bytecode.
import { TimelockController } from "@openzeppelin/contracts/governance/TimelockController.sol";
