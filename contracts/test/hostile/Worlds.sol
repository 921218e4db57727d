// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { TaskState } from "../../src/types/Task.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

/// @dev The same story told in many worlds: each enters in good times, meets the adversity of its world, and must end with
/// exactly the same money as in the calm one, all of it out of the vaults.
abstract contract Worlds is Books {
    address internal constant SAFE = address(0x5AFE);

    /// @dev Shown when a test fails: in which world.
    event log(string);

    string internal world;

    function _worlds() internal pure virtual returns (string[] memory);

    /// @dev What happens to the market of this world once the task is under way.
    function _adversity() internal virtual;

    /// @dev Whether the poster can still lock TOK of its wallet.
    function _canLock() internal view virtual returns (bool) {
        return true;
    }

    /// @dev Whether a spent exit deposit reaches the treasury and the Union; else it waits for the gateway.
    function _canShare() internal view virtual returns (bool) {
        return true;
    }

    /// @dev The token comes to its senses, if that is what it takes to move what waits.
    function _cure() internal virtual { }

    /// @dev Time passes a limit.
    function _pass(uint256 limit) internal virtual {
        _after(limit);
    }

    modifier inEveryWorld() {
        string[] memory worlds = _worlds();
        uint256 calm = vm.snapshotState();
        for (uint256 i = 0; i < worlds.length; ++i) {
            world = worlds[i];
            emit log(worlds[i]);
            _;
            vm.assertTrue(vm.revertToState(calm));
        }
    }

    function _inWorld(string memory name) internal view returns (bool) {
        return keccak256(bytes(world)) == keccak256(bytes(name));
    }

    function _strike() internal {
        _adversity();
        _mark();
    }

    /// @dev The books are right, and everybody can take every token and every dollar away.
    function _assertOut(uint256 taskId, TaskState state, Gains memory gains) internal {
        _assertSettled(taskId, state);
        _assertGains(gains);
        _cure();
        address[4] memory parties = [POSTER, WORKER, ARBITRATOR, COURT];
        for (uint256 i = 0; i < parties.length; ++i) {
            _takeOut(parties[i]);
        }
        vm.assertEq(escrow.totalHeld() + escrow.totalExitDeposits(), 0);
        vm.assertEq(tok.balanceOf(address(escrow)), escrow.withdrawableOf(address(gateway)), "left in the vault");
        vm.assertEq(tok.balanceOf(address(arbitration)), arbitration.totalBonded(), "left in arbitration");
    }

    function _takeOut(address party) private {
        uint256 waiting = _tokOf(party) - tok.balanceOf(party);
        uint256 deposit = deposits.balanceOf(party);
        uint256 safeTok = tok.balanceOf(SAFE);
        uint256 safeUsd = usdc.balanceOf(SAFE);
        vm.startPrank(party);
        if (escrow.withdrawableOf(party) != 0) escrow.withdraw(SAFE);
        if (arbitration.withdrawableOf(party) != 0) arbitration.withdraw(SAFE);
        if (deposit != 0) deposits.withdraw(deposit, SAFE);
        vm.stopPrank();
        vm.assertEq(tok.balanceOf(SAFE) - safeTok, waiting, "deferred TOK");
        vm.assertEq(usdc.balanceOf(SAFE) - safeUsd, deposit, "deposit");
        vm.assertEq(deposits.balanceOf(party), 0);
        vm.assertEq(deposits.reservedOf(party), 0);
    }

    /// @dev An exit deposit that somebody spent.
    function _addSpent(Gains memory gains) internal view {
        if (!_canShare()) return;
        gains.treasuryTok += EXIT * 6 / 10;
        gains.unionTok += EXIT * 4 / 10;
    }

    /// @dev One that somebody forfeited.
    function _addForfeited(Gains memory gains) internal view {
        if (_canShare()) gains.unionTok += EXIT;
    }

    function _expire(uint256 taskId) internal {
        vm.prank(STRANGER);
        registry.expire(taskId);
    }

    function _release(uint256 taskId, uint256 milestone) internal {
        vm.prank(POSTER);
        registry.release(taskId, milestone);
    }

    function _timeOut(uint256 taskId) internal {
        vm.prank(STRANGER);
        arbitration.resolveTimedOut(taskId);
    }

    function _finalize(uint256 taskId) internal {
        _pass(arbitration.disputeOf(taskId).appealEnd);
        vm.prank(STRANGER);
        arbitration.finalize(taskId);
    }

    function _judge(uint256 taskId, bool forWorker) internal {
        _speak(taskId, WORKER, 10_000);
        _pass(arbitration.disputeOf(taskId).evidenceEnd);
        vm.prank(ARBITRATOR);
        arbitration.resolve(taskId, 1, forWorker, PROOF);
    }

    function _speak(uint256 taskId, address party, uint256 shareBps) internal {
        vm.prank(party);
        arbitration.submitEvidence(taskId, EVIDENCE, shareBps);
    }
}
