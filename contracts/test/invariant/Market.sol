// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Walk } from "./Walk.sol";
import { World } from "./World.sol";
import { Deposits } from "./checks/Deposits.sol";
import { Money } from "./checks/Money.sol";
import { Signatures } from "./checks/Signatures.sol";
import { Stakes } from "./checks/Stakes.sol";
import { Waits } from "./checks/Waits.sol";

/// @dev A market, the walk through it and every check of it.
contract Market is Walk, Money, Deposits, Stakes, Signatures, Waits {
    constructor(string memory market, uint256 salt, bool folding) World(market, salt, folding) { }

    /// @dev All that can be told from the books, which is all but what acts.
    function checkBooks() external view {
        checkEscrow();
        checkEnded();
        checkCompleted();
        checkUndelivered();
        checkSupply();
        checkWallets();
        checkOutsiders();
        checkRouters();
        checkDeposits();
        checkReservedSums();
        checkReserves();
        checkWithdrawable();
        checkExitDeposits();
        checkBonds();
        checkJudges();
        checkStakes();
        checkCredits();
        checkNonces();
        checkDigests();
        checkGas();
        checkAttacks();
    }

    function liveTasks() external view returns (uint256[] memory) {
        return live;
    }

    function actionCount() external view returns (uint256) {
        return actions.length;
    }
}
