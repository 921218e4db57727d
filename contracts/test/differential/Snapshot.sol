// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { Task } from "../../src/types/Task.sol";
import { Base } from "../Base.sol";

/// @dev Everything the contracts and the model must agree on, as words: the order is that of test/differential/snapshot.ts.
abstract contract Snapshot is Base {
    /// @dev Users, arbitrators, and the final court as the last.
    uint256 internal constant WALLETS = 16;

    struct Words {
        uint256[] items;
        uint256 count;
    }

    function _wallet(uint256 index) internal view virtual returns (address);

    function _snapshot() internal view returns (uint256[] memory items) {
        Words memory words = Words(new uint256[](4096), 0);
        for (uint256 i = 1; i <= WALLETS; ++i) {
            _pushWallet(words, _wallet(i));
        }
        _push(words, tok.balanceOf(address(escrow)));
        _push(words, tok.balanceOf(address(staking)));
        _push(words, tok.balanceOf(address(arbitration)));
        _push(words, tok.balanceOf(TREASURY));
        _push(words, 1_000_000_000e18 - tok.totalSupply());
        _push(words, usdc.balanceOf(address(deposits)));
        _push(words, deposits.balanceOf(TREASURY));
        for (uint256 taskId = 1; taskId <= registry.taskCount(); ++taskId) {
            _pushTask(words, taskId);
            _pushDispute(words, taskId);
        }
        items = words.items;
        uint256 count = words.count;
        assembly ("memory-safe") {
            mstore(items, count)
        }
    }

    function _pushWallet(Words memory words, address wallet) private view {
        IArbitration.Arbitrator memory arbitrator = arbitration.arbitratorOf(wallet);
        _push(words, tok.balanceOf(wallet));
        _push(words, usdc.balanceOf(wallet));
        _push(words, deposits.balanceOf(wallet));
        _push(words, deposits.reservedOf(wallet));
        _push(words, deposits.withdrawableOf(wallet));
        _push(words, arbitrator.bond);
        _push(words, arbitrator.locked);
        _push(words, arbitrator.unbondAt);
        _push(words, arbitrator.openCases);
        _push(words, arbitrator.resolved);
        _push(words, arbitrator.timedOut);
        _push(words, arbitrator.overturned);
        _push(words, arbitrator.slashed);
    }

    function _pushTask(Words memory words, uint256 taskId) private view {
        Task memory task = registry.taskOf(taskId);
        IEscrowVault.Account memory account = escrow.accountOf(taskId);
        _push(words, uint256(task.state));
        _push(words, _indexOf(task.poster));
        _push(words, _indexOf(task.worker));
        _push(words, task.current);
        _push(words, task.revisions);
        _push(words, task.claimedAt);
        _push(words, task.fundedAtClaim ? 1 : 0);
        _push(words, task.deadline);
        _push(words, task.reviewEnd);
        _push(words, task.receipted ? 1 : 0);
        _push(words, task.underNotice ? 1 : 0);
        _push(words, _indexOf(registry.allowedWorkerOf(taskId)));
        _push(words, task.workerBps);
        _push(words, task.ruled ? 1 : 0);
        _push(words, task.total);
        _push(words, account.funded);
        _push(words, account.released);
        _push(words, account.refunded);
        for (uint256 i = 1; i <= WALLETS; ++i) {
            _push(words, deposits.reserveOf(taskId, _wallet(i)));
            _push(words, escrow.exitDepositOf(taskId, _wallet(i)));
        }
    }

    function _pushDispute(Words memory words, uint256 taskId) private view {
        IArbitration.Dispute memory dispute = arbitration.disputeOf(taskId);
        _push(words, dispute.number);
        _push(words, uint256(dispute.phase));
        _push(words, uint256(dispute.ending));
        _push(words, dispute.openedByPoster ? 1 : 0);
        _push(words, dispute.posterSpoke ? 1 : 0);
        _push(words, dispute.workerSpoke ? 1 : 0);
        _push(words, dispute.ruled ? 1 : 0);
        _push(words, dispute.forWorker ? 1 : 0);
        _push(words, dispute.appealed ? 1 : 0);
        _push(words, _indexOf(dispute.judge));
        _push(words, _indexOf(dispute.named));
        _push(words, _indexOf(dispute.posterProposal));
        _push(words, _indexOf(dispute.workerProposal));
        _push(words, dispute.offerBps);
        _push(words, dispute.askBps);
        _push(words, dispute.workerBps);
        _push(words, dispute.amount);
        _push(words, dispute.stake);
        _push(words, dispute.openedAt);
        _push(words, dispute.consentEnd);
        _push(words, dispute.evidenceEnd);
        _push(words, dispute.rulingEnd);
        _push(words, dispute.appealEnd);
        _push(words, dispute.courtEnd);
    }

    function _push(Words memory words, uint256 word) private pure {
        words.items[words.count++] = word;
    }

    function _indexOf(address wallet) private view returns (uint256) {
        if (wallet == address(0)) return 0;
        for (uint256 i = 1; i <= WALLETS; ++i) {
            if (wallet == _wallet(i)) return i;
        }
        revert("unknown wallet");
    }
}
