// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { ITaskLens } from "../../src/interfaces/ITaskLens.sol";
import { Books } from "../Books.sol";
import { vm } from "../Vm.sol";

contract TaskLensDisputesOfTest is Books {
    function test_AnswersEmptyList() external view {
        vm.assertEq(lens.disputesOf(new uint256[](0)).length, 0);
    }

    function test_AnswersNothingOfATaskWithoutDispute() external {
        uint256[] memory ids = new uint256[](3);
        ids[0] = _active();
        ids[1] = 77;
        ITaskLens.DisputeView[] memory views = lens.disputesOf(ids);
        for (uint256 i = 0; i < 3; ++i) {
            ITaskLens.DisputeView memory expected;
            expected.taskId = ids[i];
            vm.assertEq(abi.encode(views[i]), abi.encode(expected));
        }
    }

    function test_KeepsOrder() external {
        uint256[] memory ids = new uint256[](4);
        ids[1] = _disputed();
        ids[0] = _seated();
        ids[2] = ids[0];
        ids[3] = _posted();
        ITaskLens.DisputeView[] memory views = lens.disputesOf(ids);
        vm.assertEq(uint256(views[0].dispute.phase), uint256(IArbitration.DisputePhase.EVIDENCE));
        vm.assertEq(uint256(views[1].dispute.phase), uint256(IArbitration.DisputePhase.OPEN));
        vm.assertEq(abi.encode(views[2]), abi.encode(views[0]));
        vm.assertEq(uint256(views[3].dispute.phase), uint256(IArbitration.DisputePhase.NONE));
        for (uint256 i = 0; i < 4; ++i) {
            vm.assertEq(views[i].taskId, ids[i]);
        }
    }

    function test_ShowsTheDisputeAsArbitrationHasIt() external {
        uint256[] memory ids = new uint256[](1);
        ids[0] = _seated();
        vm.prank(WORKER);
        arbitration.submitEvidence(ids[0], EVIDENCE, 9_000);
        _after(arbitration.disputeOf(ids[0]).evidenceEnd);
        vm.prank(ARBITRATOR);
        arbitration.resolve(ids[0], 1, false, EVIDENCE);
        vm.prank(WORKER);
        arbitration.escalate(ids[0]);
        ITaskLens.DisputeView memory seen = lens.disputesOf(ids)[0];
        vm.assertEq(abi.encode(seen.dispute), abi.encode(arbitration.disputeOf(ids[0])));
        vm.assertEq(uint256(seen.dispute.phase), uint256(IArbitration.DisputePhase.COURT));
        vm.assertEq(seen.dispute.judge, ARBITRATOR);
        vm.assertEq(seen.dispute.askBps, 9_000);
        vm.assertTrue(seen.dispute.appealed);
    }

    function test_AnswersTheParams() external {
        string[2] memory markets = ["standard", "micro"];
        for (uint256 i = 0; i < 2; ++i) {
            _deployMarket(markets[i], address(tok));
            vm.assertEq(abi.encode(lens.params()), abi.encode(params));
            vm.assertEq(registry.paramsHash(), keccak256(abi.encode(params)));
            vm.assertEq(arbitration.paramsHash(), registry.paramsHash());
            vm.assertEq(agreements.paramsHash(), registry.paramsHash());
        }
    }
}
