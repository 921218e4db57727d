// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { vm } from "../Vm.sol";
import { bound } from "../bound.sol";
import { ArbitrationBase } from "./ArbitrationBase.sol";

contract EvidenceTest is ArbitrationBase {
    function test_AShareThatStaysCountsAsSpoken() external {
        opened();
        vm.assertFalse(dispute().workerSpoke);
        vm.expectEmit(address(arbitration));
        emit IArbitration.EvidenceSubmitted(TASK, WORKER, HASH, 10_000);
        speak(WORKER, 10_000);
        vm.assertTrue(dispute().workerSpoke);
        vm.assertEq(dispute().askBps, 10_000);
    }

    function testFuzz_EachSideMovesOnlyTowardsTheOther(uint16[12] memory shares, uint256 seed) external {
        opened();
        (uint256 offer, uint256 ask) = (OFFER, 10_000);
        for (uint256 i = 0; i < shares.length; ++i) {
            uint256 share = bound(shares[i], 0, 10_001);
            bool byPoster = (seed >> i) & 1 == 0;
            vm.prank(byPoster ? POSTER : WORKER);
            (bool done,) = address(arbitration).call(abi.encodeCall(IArbitration.submitEvidence, (TASK, HASH, share)));
            vm.assertEq(done, share >= offer && share <= ask);
            if (done && byPoster) offer = share;
            else if (done) ask = share;
            vm.assertEq(dispute().offerBps, offer);
            vm.assertEq(dispute().askBps, ask);
            bool met = offer == ask;
            vm.assertEq(dispute().phase == IArbitration.DisputePhase.CLOSED, met);
            if (met) return;
        }
    }

    function test_Everything_IsAConcession() external {
        seated();
        mark();
        speak(POSTER, 10_000);
        assertGains(paid(3_600e18, 400e18, -5e6, 0, 5e6, 0));
        assertClosed(10_000, IArbitration.Ending.CONCEDED);
        assertSettled(10_000, 0, POSTER);
        assertRecorded(address(0), POSTER);
    }

    function test_NothingAskedFor_CostsTheWorker() external {
        open(caseBy(POSTER, 0));
        mark();
        speak(WORKER, 0);
        assertGains(paid(int256(STAKE), 0, 5e6, -5e6, 0, 0));
        assertClosed(0, IArbitration.Ending.CONCEDED);
        assertSettled(0, 0, WORKER);
        assertRecorded(address(0), WORKER);
    }

    function test_InBetween_IsAnAgreement() external {
        heard();
        mark();
        speak(POSTER, ASK);
        assertGains(paid(3_600e18, 400e18, -2.5e6, -2.5e6, 5e6, 0));
        assertClosed(ASK, IArbitration.Ending.SETTLED);
        assertSettled(ASK, 0, address(0));
        assertRecorded(address(0), address(0));
    }
}
