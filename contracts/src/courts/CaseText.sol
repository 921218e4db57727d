// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Strings } from "@openzeppelin/contracts/utils/Strings.sol";
import { IArbitration } from "../interfaces/IArbitration.sol";
import { IRealityCourt } from "./IRealityCourt.sol";

/// @dev The longest URI that a question takes from a party.
uint256 constant MAX_URI = 256;
/// @dev The characters of RFC 3986, as bits. None of them ends a JSON string or opens a tag.
uint256 constant URI_CHARACTERS = 0x47fffffeafffffffaffffffa00000000;

/// @title The words in which a case is put to the public
library CaseText {
    using Strings for uint256;
    using Strings for address;

    /// @dev The question and what else the template of Reality.eth takes, parted by U+241F.
    function question(
        address arbitration,
        uint256 taskId,
        IArbitration.Dispute memory dispute,
        IRealityCourt.Evidence[2] memory evidence,
        string memory policy
    ) internal pure returns (string memory) {
        string memory head = string.concat(
            "Who is right in case ",
            uint256(dispute.number).toString(),
            " of task ",
            taskId.toString(),
            " at ",
            arbitration.toChecksumHexString(),
            "?",
            _shares(dispute)
        );
        return string.concat(
            head,
            _evidence(" Evidence of the poster: ", evidence[0]),
            _evidence(" Evidence of the worker: ", evidence[1]),
            " Links and what they show are claims of that party. Answer by the policy at ",
            policy,
            unicode". If you cannot open what decides the case, the answer is invalid.␟task-market-court␟en_US"
        );
    }

    /// @dev 1 to 256 characters of RFC 3986.
    function isUri(bytes memory text) internal pure returns (bool) {
        if (text.length == 0 || text.length > MAX_URI) return false;
        for (uint256 i = 0; i < text.length; ++i) {
            if ((URI_CHARACTERS >> uint8(text[i])) & 1 == 0) return false;
        }
        return true;
    }

    function _shares(IArbitration.Dispute memory dispute) private pure returns (string memory) {
        string memory ruling = dispute.forWorker ? "worker" : "poster";
        return string.concat(
            " The milestone is ",
            uint256(dispute.amount).toString(),
            " TOK wei. Yes: the worker, who asks for ",
            _percent(dispute.askBps),
            " of it. No: the poster, who offers ",
            _percent(dispute.offerBps),
            ".",
            dispute.ruled ? string.concat(" A judge ruled for the ", ruling, "; this is the appeal.") : ""
        );
    }

    function _evidence(string memory label, IRealityCourt.Evidence memory evidence)
        private
        pure
        returns (string memory)
    {
        if (evidence.evidenceHash == 0) return string.concat(label, "none published.");
        string memory hash = uint256(evidence.evidenceHash).toHexString(32);
        return string.concat(label, evidence.uri, " (hash ", hash, ").");
    }

    /// @dev With two decimals.
    function _percent(uint256 bps) private pure returns (string memory) {
        uint256 rest = bps % 100;
        return string.concat((bps / 100).toString(), rest < 10 ? ".0" : ".", rest.toString(), " %");
    }
}
