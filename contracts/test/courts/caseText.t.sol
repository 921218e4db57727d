// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { CaseText } from "../../src/courts/CaseText.sol";
import { IRealityCourt } from "../../src/courts/IRealityCourt.sol";
import { vm } from "../Vm.sol";

/// @dev The words of a question, without a market.
contract CaseTextTest {
    bytes internal constant ALLOWED =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?#[]@!$&'()*+,;=%";

    function test_Question_OfAFirstDecision() external pure {
        _assertQuestion(
            false,
            false,
            "",
            "https://w.example",
            "",
            "none published.",
            "https://w.example (hash 0x0000000000000000000000000000000000000000000000000000000000000007)."
        );
    }

    function test_Question_OfAnAppeal() external pure {
        string memory byPoster =
            "https://p.example (hash 0x0000000000000000000000000000000000000000000000000000000000000007).";
        string memory appeal = " A judge ruled for the worker; this is the appeal.";
        _assertQuestion(true, true, "https://p.example", "", appeal, byPoster, "none published.");
        appeal = " A judge ruled for the poster; this is the appeal.";
        _assertQuestion(true, false, "https://p.example", "", appeal, byPoster, "none published.");
    }

    function _assertQuestion(
        bool ruled,
        bool forWorker,
        string memory posterUri,
        string memory workerUri,
        string memory appeal,
        string memory byPoster,
        string memory byWorker
    ) private pure {
        IArbitration.Dispute memory dispute;
        (dispute.number, dispute.amount, dispute.offerBps, dispute.askBps) = (3, 20, 9, 1_010);
        (dispute.ruled, dispute.forWorker) = (ruled, forWorker);
        IRealityCourt.Evidence[2] memory evidence = [_evidence(posterUri), _evidence(workerUri)];
        string memory text = string.concat(
            "Who is right in case 3 of task 5 at 0x00000000000000000000000000000000000000ff? The milestone is 20 TOK wei. Yes: the worker, who asks for 10.10 % of it. No: the poster, who offers 0.09 %.",
            appeal,
            " Evidence of the poster: ",
            byPoster,
            " Evidence of the worker: ",
            byWorker,
            unicode" Links and what they show are claims of that party. Answer by the policy at P. If you cannot open what decides the case, the answer is invalid.␟task-market-court␟en_US"
        );
        vm.assertEq(CaseText.question(address(0xFF), 5, dispute, evidence, "P"), text);
    }

    function _evidence(string memory uri) private pure returns (IRealityCourt.Evidence memory) {
        return
            IRealityCourt.Evidence({
                evidenceHash: bytes(uri).length == 0 ? bytes32(0) : bytes32(uint256(7)), uri: uri
            });
    }

    /// @dev Each of the 256 bytes, as the only one and as the last one.
    function test_IsUri_TakesTheCharactersOfUris() external pure {
        for (uint256 code = 0; code < 256; ++code) {
            bool isAllowed = false;
            for (uint256 i = 0; i < ALLOWED.length; ++i) {
                if (uint8(ALLOWED[i]) == code) isAllowed = true;
            }
            bytes memory text = abi.encodePacked(uint8(code));
            vm.assertEq(CaseText.isUri(text), isAllowed);
            vm.assertEq(CaseText.isUri(bytes.concat("a", text)), isAllowed);
        }
    }

    function test_IsUri_IsOneTo256Long() external pure {
        vm.assertFalse(CaseText.isUri(""));
        vm.assertTrue(CaseText.isUri(_letters(256)));
        vm.assertFalse(CaseText.isUri(_letters(257)));
    }

    function _letters(uint256 count) private pure returns (bytes memory text) {
        text = new bytes(count);
        for (uint256 i = 0; i < count; ++i) {
            text[i] = "a";
        }
    }
}
