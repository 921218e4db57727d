// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

contract PropertiesTest is ArbitrationBase {
    uint256 private constant COUNT = 12;

    uint256 private _seed;
    uint256 private _deposited;

    function setUp() public override {
        super.setUp();
        registerMany(COUNT);
    }

    function test_Liveness_FromEveryPhase() external {
        open(WORKER, address(0));
        _assertLive();
        vm.warp(dispute().consentEnd + 1);
        arbitration.seat(TASK);
        _assertLive();
        for (uint256 tier = 0; tier < 3; ++tier) {
            uint256 id = vm.snapshotState();
            seatOrDraw();
            _assertLive();
            if (tier > 0) {
                speakBoth();
                vote(panel()[0], 3_000);
                _assertLive();
                vm.revertToState(id);
                seatOrDraw();
            }
            vm.warp(dispute().rulingEnd + 1);
            arbitration.resolveTimedOut(TASK);
            _assertLive();
            seatOrDraw();
            _assertLive();
            vm.revertToState(id);

            seatOrDraw();
            speakBoth();
            voteAll(5_000);
            _assertLive();
            if (tier < 2) {
                escalate(tier == 0 ? WORKER : POSTER);
                _assertLive();
            }
        }
    }

    function testFuzz_Walk_ConservesAndEnds(uint256 seed) external {
        _seed = seed;
        _deposited = 2 * DEPOSIT;
        open(_next(2) == 0 ? WORKER : POSTER, _next(3) == 0 ? arb(_next(COUNT)) : address(0));
        for (uint256 i = 0; i < 40; ++i) {
            _step();
            _assertConserved();
        }
        if (dispute().phase != IArbitration.DisputePhase.CLOSED) _strangersClose();
        _assertConserved();
    }

    /// @dev One random call, mostly one that moves the case on; refused ones change nothing.
    function _step() private {
        IArbitration.DisputePhase phase = dispute().phase;
        uint256 action = _next(16);
        address party = _next(2) == 0 ? POSTER : WORKER;
        address account = arb(_next(COUNT));
        if (action == 0) return vm.warp(block.timestamp + _next(50 hours));
        if (action == 1) return _moveBond(account, party);
        if (action == 2) return _try(STRANGER, abi.encodeCall(arbitration.resolveTimedOut, (TASK)));
        if (action == 3) return _try(party, abi.encodeCall(arbitration.propose, (TASK, account)));
        if (action == 4) return _try(party, abi.encodeCall(arbitration.submitEvidence, (TASK, HASH)));
        if (phase == IArbitration.DisputePhase.CLOSED) {
            registry.open(TASK, party, HASH, POSTER, WORKER, action < 8 ? account : address(0));
        } else if (action == 5 && _next(6) == 0) {
            _next(2) == 0 ? registry.concede(TASK) : registry.abandon(TASK);
        } else if (phase == IArbitration.DisputePhase.OPEN) {
            vm.roll(block.number + _next(8));
            _try(STRANGER, abi.encodeCall(arbitration.seat, (TASK)));
        } else if (phase == IArbitration.DisputePhase.EVIDENCE) {
            if (action < 10) {
                _try(POSTER, abi.encodeCall(arbitration.submitEvidence, (TASK, HASH)));
                _try(WORKER, abi.encodeCall(arbitration.submitEvidence, (TASK, HASH)));
            }
            if (action == 15) vm.warp(dispute().rulingEnd + 1);
            _voteRandom();
        } else {
            if (action == 15) vm.warp(dispute().appealEnd + 1);
            _try(party, abi.encodeCall(arbitration.escalate, (TASK)));
            _try(STRANGER, abi.encodeCall(arbitration.finalize, (TASK)));
        }
    }

    function _moveBond(address account, address party) private {
        uint256 amount = _next(12_000e18);
        tok.mint(account, amount);
        _try(account, abi.encodeCall(arbitration.register, (amount)));
        _try(party, abi.encodeCall(arbitration.withdraw, (party)));
        if (_next(2) == 0) _try(arb(_next(COUNT)), abi.encodeCall(arbitration.requestUnbond, ()));
        _try(arb(_next(COUNT)), abi.encodeCall(arbitration.unbond, ()));
    }

    /// @dev Each member votes, most of the time.
    function _voteRandom() private {
        address[] memory members = panel();
        for (uint256 i = 0; i < members.length; ++i) {
            if (_next(3) == 0) continue;
            _try(members[i], abi.encodeCall(arbitration.resolve, (TASK, _next(10_001), REASON)));
        }
    }

    function _try(address caller, bytes memory data) private {
        vm.prank(caller);
        (bool done,) = address(arbitration).call(data);
        done;
    }

    function _assertConserved() private view {
        uint256 bonded = 0;
        uint256 held = 0;
        uint256 openCases = 0;
        for (uint256 i = 0; i < COUNT; ++i) {
            IArbitration.Arbitrator memory record = arbitration.arbitratorOf(arb(i));
            bonded += record.bond;
            openCases += record.openCases;
            held += deposits.balanceOf(arb(i));
        }
        uint256 withdrawable = arbitration.withdrawableOf(POSTER) + arbitration.withdrawableOf(WORKER);
        vm.assertEq(arbitration.totalBonded(), bonded);
        vm.assertEq(arbitration.totalWithdrawable(), withdrawable);
        vm.assertEq(tok.balanceOf(address(arbitration)), bonded + withdrawable);
        vm.assertEq(held + deposits.balanceOf(POSTER) + deposits.balanceOf(WORKER), _deposited);

        IArbitration.Seat[] memory seats = bench();
        bool live = dispute().phase != IArbitration.DisputePhase.CLOSED;
        vm.assertLe(seats.length, 9);
        for (uint256 i = 0; i < seats.length; ++i) {
            if (live && !seats[i].voted) openCases -= 1;
            vm.assertTrue(seats[i].arbitrator != POSTER && seats[i].arbitrator != WORKER);
            for (uint256 j = 0; j < i; ++j) {
                vm.assertTrue(seats[i].arbitrator != seats[j].arbitrator);
            }
        }
        vm.assertEq(openCases, 0);
    }

    function _assertLive() private {
        uint256 id = vm.snapshotState();
        _strangersClose();
        vm.revertToState(id);
    }

    /// @dev Nobody but strangers calls, and nobody draws a panel.
    function _strangersClose() private {
        uint256 settled = registry.settlements(TASK);
        vm.startPrank(STRANGER);
        for (uint256 i = 0; dispute().phase != IArbitration.DisputePhase.CLOSED; ++i) {
            vm.assertLt(i, 4);
            vm.warp(block.timestamp + EVIDENCE + RULING + CONSENT + 1);
            if (dispute().phase == IArbitration.DisputePhase.RULED) arbitration.finalize(TASK);
            else arbitration.resolveTimedOut(TASK);
        }
        vm.stopPrank();
        vm.assertEq(registry.settlements(TASK), settled + 1);
    }

    /// @dev Seats a drawn panel, whether or not the draw is already scheduled.
    function seatOrDraw() private {
        if (dispute().drawBlock == 0) arbitration.seat(TASK);
        reveal(HASH);
        arbitration.seat(TASK);
    }

    function _next(uint256 bound) private returns (uint256) {
        _seed = uint256(keccak256(abi.encode(_seed)));
        return _seed % bound;
    }
}
