// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { Task, TaskState } from "../../src/types/Task.sol";
import { Base } from "../Base.sol";
import { Vm, vm } from "../Vm.sol";

/// @dev Everything anyone owns. A test takes the books, acts, writes down what it expects, and compares.
abstract contract Bookkeeping is Base {
    /// @dev Earns one Action Credit in a tenth of a day.
    uint256 private constant CREDIT_STAKE = 40_000_000e18;

    struct Purse {
        uint256 tok;
        uint256 usdc;
        uint256 deposit;
        uint256 reserved;
        uint256 credits;
    }

    struct Books {
        Purse poster;
        Purse worker;
        Purse stranger;
        Purse treasury;
        uint256 unionTok;
        uint256 rewardReserve;
        uint256 escrowTok;
        uint256 escrowHeld;
        uint256 exitDeposits;
        uint256 gatewayTok;
        uint256 vaultUsdc;
        uint256 totalDeposits;
    }

    function _books() internal view returns (Books memory books) {
        books.poster = _purse(POSTER);
        books.worker = _purse(WORKER);
        books.stranger = _purse(STRANGER);
        books.treasury = _purse(TREASURY);
        books.unionTok = tok.balanceOf(address(staking));
        books.rewardReserve = staking.rewardReserve();
        books.escrowTok = tok.balanceOf(address(escrow));
        books.escrowHeld = escrow.totalHeld();
        books.exitDeposits = escrow.totalExitDeposits();
        books.gatewayTok = tok.balanceOf(address(gateway));
        books.vaultUsdc = usdc.balanceOf(address(deposits));
        books.totalDeposits = deposits.totalDeposits();
    }

    /// @dev Writes down an access fee paid in TOK.
    function _fee(Books memory books, Purse memory payer) internal pure {
        payer.tok -= 1_000e18;
        books.treasury.tok += 600e18;
        books.unionTok += 400e18;
        books.rewardReserve += 400e18;
    }

    /// @dev Writes down an exit deposit locked.
    function _locked(Books memory books, Purse memory agent) internal pure {
        agent.tok -= 1_000e18;
        books.escrowTok += 1_000e18;
        books.exitDeposits += 1_000e18;
    }

    /// @dev Writes down an exit deposit given back.
    function _unlocked(Books memory books, Purse memory agent) internal pure {
        agent.tok += 1_000e18;
        books.escrowTok -= 1_000e18;
        books.exitDeposits -= 1_000e18;
    }

    /// @dev Writes down an exit deposit shared out like an access fee.
    function _spent(Books memory books) internal pure {
        books.escrowTok -= 1_000e18;
        books.exitDeposits -= 1_000e18;
        books.treasury.tok += 600e18;
        books.unionTok += 400e18;
        books.rewardReserve += 400e18;
    }

    /// @dev Writes down an entry paid in TOK: fee, exit deposit, reserve.
    function _entered(Books memory books, Purse memory agent) internal pure {
        _fee(books, agent);
        _locked(books, agent);
        agent.reserved += 8e6;
    }

    /// @dev Writes down a penalty: from a reserve into the treasury's deposit.
    function _penalty(Books memory books, Purse memory agent, uint256 amount) internal pure {
        agent.deposit -= amount;
        agent.reserved -= amount;
        books.treasury.deposit += amount;
    }

    /// @dev Writes down TOK put into the escrow.
    function _escrowed(Books memory books, Purse memory from, uint256 amount) internal pure {
        from.tok -= amount;
        books.escrowTok += amount;
        books.escrowHeld += amount;
    }

    /// @dev Writes down TOK given back out of the escrow.
    function _returned(Books memory books, Purse memory to, uint256 amount) internal pure {
        to.tok += amount;
        books.escrowTok -= amount;
        books.escrowHeld -= amount;
    }

    function _assertBooks(Books memory expected) internal view {
        Books memory books = _books();
        _assertPurse(books.poster, expected.poster, "poster");
        _assertPurse(books.worker, expected.worker, "worker");
        _assertPurse(books.stranger, expected.stranger, "stranger");
        _assertPurse(books.treasury, expected.treasury, "treasury");
        vm.assertEq(books.unionTok, expected.unionTok, "union TOK");
        vm.assertEq(books.rewardReserve, expected.rewardReserve, "reward reserve");
        vm.assertEq(books.escrowTok, expected.escrowTok, "escrow TOK");
        vm.assertEq(books.escrowHeld, expected.escrowHeld, "escrow held");
        vm.assertEq(books.exitDeposits, expected.exitDeposits, "exit deposits");
        vm.assertEq(books.gatewayTok, expected.gatewayTok, "gateway TOK");
        vm.assertEq(books.vaultUsdc, expected.vaultUsdc, "vault USDC");
        vm.assertEq(books.totalDeposits, expected.totalDeposits, "total deposits");
    }

    function _assertAccount(uint256 taskId, uint256 funded, uint256 released, uint256 refunded) internal view {
        IEscrowVault.Account memory account = escrow.accountOf(taskId);
        vm.assertEq(account.funded, funded, "funded");
        vm.assertEq(account.released, released, "released");
        vm.assertEq(account.refunded, refunded, "refunded");
    }

    function _assertReserves(uint256 taskId, uint256 ofPoster, uint256 ofWorker) internal view {
        vm.assertEq(deposits.reserveOf(taskId, POSTER), ofPoster, "poster's reserve");
        vm.assertEq(deposits.reserveOf(taskId, WORKER), ofWorker, "worker's reserve");
    }

    /// @dev Every field at once.
    function _assertTask(uint256 taskId, Task memory expected) internal view {
        vm.assertEq(abi.encode(registry.taskOf(taskId)), abi.encode(expected));
    }

    function _assertExits(uint256 taskId, uint256 ofPoster, uint256 ofWorker) internal view {
        vm.assertEq(escrow.exitDepositOf(taskId, POSTER), ofPoster, "poster's exit deposit");
        vm.assertEq(escrow.exitDepositOf(taskId, WORKER), ofWorker, "worker's exit deposit");
    }

    /// @dev Brings a user's whole deposit to `amount`, as a case that it lost would.
    function _setDeposit(address user, uint256 amount) internal {
        uint256 balance = deposits.balanceOf(user);
        if (balance > amount) {
            vm.prank(address(arbitration));
            deposits.charge(0, user, HOLDER, balance - amount);
        } else if (balance < amount) {
            vm.prank(user);
            deposits.topUp(amount - balance);
        }
        vm.assertEq(deposits.balanceOf(user), amount, "deposit");
    }

    /// @dev Leaves a user with `amount` TOK.
    function _setTok(address user, uint256 amount) internal {
        uint256 spare = tok.balanceOf(user) - amount;
        vm.prank(user);
        tok.transfer(HOLDER, spare);
    }

    /// @dev Gives users exactly one Action Credit each, by staking a little while before the test begins.
    function _giveCredit(address one, address two) internal {
        vm.prank(OWNER);
        staking.activateStaking();
        _stake(one, CREDIT_STAKE);
        _stake(two, CREDIT_STAKE);
        vm.warp(block.timestamp + 0.1 days);
        _unstake(one, CREDIT_STAKE);
        _unstake(two, CREDIT_STAKE);
        vm.assertEq(staking.creditsOf(one), 1e18, "one credit");
        vm.assertEq(staking.creditsOf(two), 1e18, "one credit");
    }

    /// @dev From here on the test runs in the other market, with the same token.
    function _moveToMicro() internal {
        _deployMarket("micro", address(tok));
        _enrich(POSTER);
        _enrich(WORKER);
        _enrich(STRANGER);
    }

    /// @dev A fresh task in any state but NONE.
    function _taskIn(TaskState state) internal returns (uint256 taskId) {
        if (state == TaskState.POSTED) return _posted();
        if (state == TaskState.CLAIMED) return _claimed();
        if (state == TaskState.ACTIVE) return _active();
        if (state == TaskState.DISPUTED) return _disputed();
        if (state == TaskState.COMPLETED) {
            taskId = _active();
            vm.prank(POSTER);
            registry.complete(taskId);
        } else if (state == TaskState.CANCELLED) {
            taskId = _posted();
            vm.prank(POSTER);
            registry.cancel(taskId);
        } else if (state == TaskState.EXPIRED) {
            taskId = _posted();
            _after(_task(taskId).claimDeadline);
            registry.expire(taskId);
        } else {
            taskId = _disputed();
            _mutualCancel(taskId, 5_000);
        }
    }

    /// @dev Asserts that a call, whose first argument is a task id, is refused in all states but these two.
    function _assertRefusedOutside(TaskState one, TaskState other, address caller, bytes memory data) internal {
        for (uint256 i = 1; i <= uint256(type(TaskState).max); ++i) {
            TaskState state = TaskState(i);
            if (state == one || state == other) continue;
            uint256 snapshot = vm.snapshotState();
            uint256 taskId = _taskIn(state);
            _assertState(taskId, state);
            _assertRefused(caller, taskId, data, abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, i));
            vm.revertToState(snapshot);
        }
        _assertRefused(caller, 77, data, abi.encodeWithSelector(ITaskRegistry.TaskNotFound.selector, 77));
        _assertRefused(caller, 0, data, abi.encodeWithSelector(ITaskRegistry.TaskNotFound.selector, 0));
    }

    /// @dev How many of the recorded logs are of this event.
    function _logsOf(bytes32 topic) internal returns (uint256 count) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] == topic) ++count;
        }
    }

    function _expectInsufficientDeposit(address agent, uint256 free, uint256 needed) internal {
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientDeposit.selector, agent, free, needed));
    }

    function _expectDepositTooLow(address agent, uint256 balance, uint256 needed) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.DepositTooLow.selector, agent, balance, needed));
    }

    function _expectTokShort(address wallet, uint256 balance, uint256 needed) internal {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, wallet, balance, needed));
    }

    function _expect(bytes4 selector, uint256 taskId, uint256 value) internal {
        vm.expectRevert(abi.encodeWithSelector(selector, taskId, value));
    }

    function _expect(bytes4 selector, uint256 taskId, address caller) internal {
        vm.expectRevert(abi.encodeWithSelector(selector, taskId, caller));
    }

    function _assertRefused(address caller, uint256 taskId, bytes memory data, bytes memory reason) private {
        assembly ("memory-safe") {
            mstore(add(data, 0x24), taskId)
        }
        vm.prank(caller);
        (bool success, bytes memory answer) = address(registry).call(data);
        vm.assertFalse(success, "accepted");
        vm.assertEq(answer, reason);
    }

    function _purse(address owner) private view returns (Purse memory) {
        return Purse({
            tok: tok.balanceOf(owner),
            usdc: usdc.balanceOf(owner),
            deposit: deposits.balanceOf(owner),
            reserved: deposits.reservedOf(owner),
            credits: staking.creditsOf(owner)
        });
    }

    function _assertPurse(Purse memory purse, Purse memory expected, string memory owner) private pure {
        vm.assertEq(purse.tok, expected.tok, string.concat(owner, " TOK"));
        vm.assertEq(purse.usdc, expected.usdc, string.concat(owner, " USDC"));
        vm.assertEq(purse.deposit, expected.deposit, string.concat(owner, " deposit"));
        vm.assertEq(purse.reserved, expected.reserved, string.concat(owner, " reserved"));
        vm.assertEq(purse.credits, expected.credits, string.concat(owner, " credits"));
    }

    function _stake(address user, uint256 amount) private {
        vm.prank(HOLDER);
        tok.transfer(user, amount);
        vm.prank(user);
        staking.stake(amount);
    }

    function _unstake(address user, uint256 amount) private {
        vm.startPrank(user);
        staking.unstake(amount);
        tok.transfer(HOLDER, amount);
        vm.stopPrank();
    }
}
