// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { IReputationRegistry } from "../../src/interfaces/IReputationRegistry.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Settlement, Task, TaskState, TaskTerms } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskRegistrySettleDisputeTest is Books {
    function test_RevertWhen_CallerIsNotArbitration() external {
        uint256 taskId = _disputed();
        address[7] memory callers = [POSTER, WORKER, STRANGER, OWNER, GUARDIAN, ARBITRATOR, COURT];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.Unauthorized.selector, callers[i]));
            vm.prank(callers[i]);
            registry.settleDispute(taskId, _share(5000));
        }
    }

    function test_SharesDisputedMilestoneOnly() external {
        uint16[3] memory shares = [uint16(0), 2500, 10_000];
        for (uint256 i = 0; i < shares.length; ++i) {
            _assertSettles(_disputed(), _share(shares[i]), FIRST, FIRST * shares[i] / 10_000);
        }
        uint256 taskId = _active();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _deliver(taskId);
        _dispute(taskId, POSTER);
        _assertSettles(taskId, _share(2500), SECOND, 100e18);
    }

    function test_TakesCourtShareBeforeDividing() external {
        uint256 taskId = _disputed();
        Settlement memory settlement = _share(5000);
        settlement.courtShare = 6e18;
        settlement.court = COURT;
        _assertSettles(taskId, settlement, FIRST, 297e18);
    }

    function test_RecordsPaymentAndFreesThisTaskOnly() external {
        uint256 other = _active();
        uint256 taskId = _disputed();
        _vet(taskId);
        _settle(taskId, _share(2500));
        IReputationRegistry.Reputation memory expected;
        expected.paid = 150e18;
        _assertReputation(POSTER, expected);
        expected.paid = 0;
        expected.earned = 150e18;
        _assertReputation(WORKER, expected);
        _assertReserves(other, 13e6, 13e6);
        _assertExits(other, uint256(EXIT), uint256(EXIT));
    }

    /// @dev To the Union in full; nothing more of a poster that gave notice before.
    function test_ForfeitsTheExitDepositOfTheLoser() external {
        address[3] memory losers = [POSTER, WORKER, POSTER];
        for (uint256 i = 0; i < 3; ++i) {
            uint256 taskId = _active();
            if (i == 2) {
                vm.prank(POSTER);
                registry.dismiss(taskId);
            }
            _deliver(taskId);
            _dispute(taskId, POSTER);
            Settlement memory settlement = _share(0);
            settlement.loser = losers[i];
            Gains memory gains;
            if (i < 2) gains = _exitForfeited();
            gains.posterTok = int256(TOTAL) + (i == 1 ? EXIT : int256(0));
            gains.workerTok = i == 1 ? int256(0) : EXIT;
            _mark();
            _settle(taskId, settlement);
            _assertGains(gains);
            _assertSettled(taskId, TaskState.RESOLVED);
        }
    }

    function testFuzz_LosesNothing(uint96 first, uint96 second, uint16 workerBps, uint16 courtBps) external {
        TaskTerms memory terms = _terms();
        terms.amounts[0] = uint256(first) % 400_000e18 + 1;
        terms.amounts[1] = uint256(second) % 400_000e18 + 1;
        Settlement memory settlement = _share(workerBps % 10_001);
        settlement.courtShare = uint128(terms.amounts[0] * (courtBps % 101) / 10_000);
        settlement.court = COURT;
        uint256 taskId = _activeWith(terms, terms.amounts[0] + terms.amounts[1]);
        _deliver(taskId);
        _dispute(taskId, POSTER);
        uint256 share = (terms.amounts[0] - settlement.courtShare) * settlement.workerBps / 10_000;
        _assertSettles(taskId, settlement, terms.amounts[0], share);
    }

    /// @dev Of the disputed milestone, the worker gets this share; what else the task holds is the poster's.
    function _assertSettles(uint256 taskId, Settlement memory settlement, uint256 milestone, uint256 toWorker) private {
        Task memory expected = _task(taskId);
        vm.assertEq(arbitration.disputeOf(taskId).amount, milestone);
        uint256 paid = escrow.accountOf(taskId).released;
        uint256 toPoster = escrow.heldOf(taskId) - toWorker - settlement.courtShare;
        Gains memory gains = _exitsReturned();
        gains.workerTok += int256(toWorker);
        gains.courtTok = int256(uint256(settlement.courtShare));
        gains.posterTok += int256(toPoster);
        _mark();
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskResolved(taskId, settlement.workerBps, toWorker, settlement.courtShare);
        if (settlement.courtShare != 0) {
            vm.expectEmit(address(escrow));
            emit IEscrowVault.Released(taskId, COURT, settlement.courtShare, false);
        }
        _settle(taskId, settlement);

        _assertGains(gains);
        _assertAccount(taskId, expected.total, paid + toWorker + settlement.courtShare, toPoster);
        expected.state = TaskState.RESOLVED;
        expected.workerBps = settlement.workerBps;
        expected.ruled = true;
        _assertTask(taskId, expected);
        _assertSettled(taskId, TaskState.RESOLVED);
    }

    function _share(uint16 workerBps) private pure returns (Settlement memory settlement) {
        settlement.workerBps = workerBps;
    }

    function _settle(uint256 taskId, Settlement memory settlement) private {
        vm.prank(address(arbitration));
        registry.settleDispute(taskId, settlement);
    }
}
