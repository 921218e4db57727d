// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

contract PropertiesTest is ArbitrationBase {
    uint256 private constant COUNT = 5;

    uint256 private _seed;
    uint256 private _minted;

    function test_Liveness_FromEveryPhase() external {
        registerMany(COUNT);
        register(JUDGE, BOND);
        opened();
        _assertLive();
        propose(JUDGE, JUDGE);
        speak(WORKER, ASK);
        _assertLive();
        uint256 id = vm.snapshotState();
        vm.warp(dispute().rulingEnd + 1);
        arbitration.resolveTimedOut(TASK);
        _assertLive();
        vm.revertToState(id);
        rule(JUDGE, true);
        _assertLive();
        escalate(POSTER);
        _assertLive();
    }

    function testFuzz_Walk_ConservesAndEnds(uint256 seed) external {
        _seed = seed;
        registerMany(COUNT);
        _minted = tok.totalSupply();
        _open();
        for (uint256 i = 0; i < 40; ++i) {
            _step();
            _assertConsistent();
        }
        if (_isLive()) _strangersClose();
        _assertConsistent();
    }

    /// @dev One random call, mostly one that moves the case on; refused ones change nothing.
    function _step() private {
        IArbitration.Dispute memory d = dispute();
        IArbitration.DisputePhase phase = d.phase;
        uint256 action = _next(16);
        address party = _next(2) == 0 ? POSTER : WORKER;
        address account = arb(_next(COUNT));
        if (action == 0) return vm.warp(block.timestamp + _next(50 hours));
        if (action == 1) return _moveBond(account, party);
        if (action == 2) return _try(STRANGER, abi.encodeCall(arbitration.resolveTimedOut, (TASK)));
        if (action == 3) return tok.refuse(_next(3) == 0 ? party : address(0));
        if (action == 4) {
            uint256 share = _next(3) == 0 ? _next(10_001) : d.offerBps + _next(d.askBps - d.offerBps + 1);
            return _try(party, abi.encodeCall(arbitration.submitEvidence, (TASK, HASH, share)));
        }
        if (action == 5 && _next(4) == 0 && _isLive() && !d.ruled) {
            return _next(2) == 0 ? registry.concede(TASK) : registry.abandon(TASK);
        }
        if (phase == IArbitration.DisputePhase.CLOSED) {
            _open();
        } else if (phase == IArbitration.DisputePhase.OPEN) {
            _moveOpen(action, account);
        } else if (phase == IArbitration.DisputePhase.EVIDENCE) {
            if (action == 15) vm.warp(d.rulingEnd + 1);
            if (action < 10) _try(POSTER, abi.encodeCall(arbitration.submitEvidence, (TASK, HASH, d.offerBps)));
            if (action < 10) _try(WORKER, abi.encodeCall(arbitration.submitEvidence, (TASK, HASH, d.askBps)));
            if (action == 14) _try(d.judge, abi.encodeCall(arbitration.stepDown, (TASK)));
            if (action > 10 && action != 15 && block.timestamp <= d.evidenceEnd) vm.warp(d.evidenceEnd + 1);
            _try(d.judge, abi.encodeCall(arbitration.resolve, (TASK, d.number, action % 2 == 0, REASON)));
        } else if (phase == IArbitration.DisputePhase.RULED) {
            if (action == 15) vm.warp(d.appealEnd + 1);
            _try(party, abi.encodeCall(arbitration.escalate, (TASK)));
            _try(STRANGER, abi.encodeCall(arbitration.finalize, (TASK)));
        } else {
            if (action == 15) vm.warp(d.courtEnd + 1);
            _try(COURT, abi.encodeCall(arbitration.decide, (TASK, d.number, action % 2 == 0, REASON)));
        }
    }

    function _moveOpen(uint256 action, address account) private {
        if (action < 9) {
            _try(POSTER, abi.encodeCall(arbitration.propose, (TASK, account)));
            _try(WORKER, abi.encodeCall(arbitration.propose, (TASK, account)));
            _try(account, abi.encodeCall(arbitration.propose, (TASK, account)));
        } else {
            if (action > 11) vm.warp(block.timestamp + _next(50 hours));
            _try(STRANGER, abi.encodeCall(arbitration.resolveTimedOut, (TASK)));
        }
    }

    function _open() private {
        tok.refuse(address(0));
        deposits.give(POSTER, 20e6);
        deposits.give(WORKER, 20e6);
        IArbitration.Case memory case_ = caseBy(_next(2) == 0 ? POSTER : WORKER, 1 + _next(9_999));
        case_.amount = uint128(1 + _next(80_000e18));
        if (_next(3) == 0) (case_.named, case_.proposed) = (arb(_next(COUNT)), arb(_next(COUNT)));
        open(case_);
    }

    function _moveBond(address account, address party) private {
        uint256 amount = _next(40_000e18);
        tok.mint(account, amount);
        _minted += amount;
        _try(account, abi.encodeCall(arbitration.register, (amount)));
        _try(party, abi.encodeCall(arbitration.withdraw, (STRANGER)));
        if (_next(2) == 0) _try(arb(_next(COUNT)), abi.encodeCall(arbitration.requestUnbond, ()));
        _try(arb(_next(COUNT)), abi.encodeCall(arbitration.unbond, ()));
    }

    function _try(address caller, bytes memory data) private {
        vm.prank(caller);
        (bool done,) = address(arbitration).call(data);
        done;
    }

    function _assertConsistent() private view {
        IArbitration.Dispute memory d = dispute();
        uint256 bonded = 0;
        uint256 held = 0;
        uint256 burnt = 0;
        for (uint256 i = 0; i < COUNT; ++i) {
            IArbitration.Arbitrator memory record = arbitration.arbitratorOf(arb(i));
            bool sits = _isLive() && d.judge == arb(i);
            vm.assertEq(record.openCases, sits ? 1 : 0, "open cases");
            vm.assertEq(record.locked, sits ? arbitration.lockFor(d.amount) : 0, "locked");
            vm.assertLe(record.locked, record.bond, "a lock is backed");
            burnt += record.slashed;
            bonded += record.bond;
            held += deposits.balanceOf(arb(i));
        }
        vm.assertEq(arbitration.totalBonded(), bonded, "bonds");
        vm.assertEq(tok.totalSupply(), _minted - burnt, "what judges lost is burnt");
        vm.assertEq(arbitration.totalStakes(), d.stake, "stakes");
        uint256 withdrawable = arbitration.withdrawableOf(POSTER) + arbitration.withdrawableOf(WORKER);
        vm.assertEq(arbitration.totalWithdrawable(), withdrawable, "withdrawable");
        assertBacked();
        held += deposits.balanceOf(POSTER) + deposits.balanceOf(WORKER);
        held += deposits.balanceOf(COURT);
        vm.assertEq(held, 2 * DEPOSIT + d.number * 40e6, "deposits");

        vm.assertTrue(d.judge != POSTER && d.judge != WORKER && d.judge != COURT, "the judge is a third");
        vm.assertLe(d.offerBps, d.askBps, "shares");
        if (_isLive()) vm.assertTrue(d.offerBps < d.askBps, "something to decide");
        else vm.assertEq(d.stake, 0, "stake of a closed case");
    }

    function _isLive() private view returns (bool) {
        return arbitration.phaseOf(TASK) != IArbitration.DisputePhase.CLOSED;
    }

    function _assertLive() private {
        uint256 id = vm.snapshotState();
        _strangersClose();
        vm.revertToState(id);
    }

    /// @dev Nobody but strangers calls.
    function _strangersClose() private {
        uint256 settled = registry.settlements(TASK);
        vm.startPrank(STRANGER);
        for (uint256 i = 0; _isLive(); ++i) {
            vm.assertLt(i, 2);
            vm.warp(block.timestamp + EVIDENCE + RULING + DECISION + 1);
            if (dispute().phase == IArbitration.DisputePhase.RULED) arbitration.finalize(TASK);
            else arbitration.resolveTimedOut(TASK);
        }
        vm.stopPrank();
        vm.assertEq(registry.settlements(TASK), settled + 1);
    }

    function _next(uint256 bound) private returns (uint256) {
        _seed = uint256(keccak256(abi.encode(_seed)));
        return _seed % bound;
    }
}
