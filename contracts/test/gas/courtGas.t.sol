// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IRealityCourt } from "../../src/courts/IRealityCourt.sol";
import { CourtBase } from "../courts/CourtBase.sol";
import { Vm, vm } from "../Vm.sol";

/// @dev Every call of a court that asks Reality.eth, at its dearest. `carry` has the whole end of a disputed task in it.
/// forge-config: default.isolate = true
/// forge-config: ci.isolate = true
/// forge-config: deep.isolate = true
/// forge-config: lite.isolate = true
contract CourtGasTest is CourtBase {
    event log(string);

    function test_CourtCase() external {
        uint256 taskId = _appealed();
        string memory uri = string.concat("https://worker.example/", _long());
        bytes memory publish = abi.encodeCall(IRealityCourt.publish, (arbitration, taskId, HASH, uri));
        _measure("court-publish", WORKER, 0, publish);
        _measure("court-publish", POSTER, 0, publish);
        vm.warp(court.caseOf(arbitration, taskId).askFrom);
        _measure("court-ask", STRANGER, 0.01 ether, abi.encodeCall(IRealityCourt.ask, (arbitration, taskId)));
        bytes memory answer = abi.encodeCall(IRealityCourt.answer, (arbitration, taskId, true, 0));
        _measure("court-answer", FIRST_ANSWERER, MIN_BOND, answer);
        _finish(court.caseOf(arbitration, taskId).questionId);
        _measure("court-carry", STRANGER, 0, abi.encodeCall(IRealityCourt.carry, (arbitration, taskId)));
    }

    function test_Sweep() external {
        uint256 taskId = _called();
        vm.prank(POSTER);
        registry.release(taskId, 0);
        _measure("court-sweep", STRANGER, 0, abi.encodeCall(IRealityCourt.sweep, (arbitration)));
    }

    function _measure(string memory name, address caller, uint256 value, bytes memory data) private {
        vm.prank(caller);
        (bool success,) = address(court).call{ value: value }(data);
        vm.assertTrue(success, name);
        Vm.Gas memory used = vm.lastCallGas();
        uint256 supplied = used.gasTotalUsed + uint256(uint64(used.gasRefunded));
        emit log(string.concat("gas ", name, " ", vm.toString(supplied)));
        vm.assertLt(supplied, 2_000_000);
    }

    /// @dev With the name of the host, 256 characters.
    function _long() private pure returns (string memory) {
        bytes memory text = new bytes(233);
        for (uint256 i = 0; i < text.length; ++i) {
            text[i] = "x";
        }
        return string(text);
    }
}
