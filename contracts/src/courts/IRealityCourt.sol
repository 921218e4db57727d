// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IArbitration } from "../interfaces/IArbitration.sol";
import { IDepositVault } from "../interfaces/IDepositVault.sol";

/// @title A final court that asks the public through Reality.eth
/// @notice Anyone may ask a case, answer it and carry the answer; nobody can do anything else. It takes what the public
/// can open: a case is asked only if a party has published its evidence. An answer that comes late changes nothing.
interface IRealityCourt {
    /// @dev A market that names this court, and how its cases are asked.
    struct Seat {
        IArbitration arbitration;
        IDepositVault deposits;
        /// Cases are asked when this much of the court's window is left. Before, the parties publish.
        uint32 answerTime;
        /// How long an answer must stand before it is final.
        uint32 timeout;
        /// The least bond of an answer, in wei of the chain's coin.
        uint128 minBond;
    }

    /// @dev Evidence that everybody can open.
    struct Evidence {
        bytes32 evidenceHash;
        string uri;
    }

    /// @dev Where a case stands.
    struct CourtCase {
        /// Zero until the case is asked.
        bytes32 questionId;
        /// From when and until when it may be asked; zero if it is not before the court.
        uint256 askFrom;
        uint256 askUntil;
        Evidence poster;
        Evidence worker;
    }

    event EvidencePublished(
        address indexed arbitration,
        uint256 indexed taskId,
        uint256 number,
        address indexed party,
        bytes32 evidenceHash,
        string uri
    );
    event Asked(address indexed arbitration, uint256 indexed taskId, uint256 number, bytes32 indexed questionId);
    /// @param payee Who got the fees of the case; zero if nobody answered through this court.
    event Carried(
        address indexed arbitration,
        uint256 indexed taskId,
        bytes32 indexed questionId,
        bool forWorker,
        address payee,
        uint256 usdc,
        uint256 tok
    );
    event Swept(address indexed arbitration, uint256 usdc, uint256 tok);

    error UnknownMarket(address arbitration);
    error WindowsDoNotFit(uint256 answerTime, uint256 timeout);
    error NotAParty(uint256 taskId, address caller);
    error NotBeforeCourt(uint256 taskId);
    error BadEvidence();
    error NothingPublished(uint256 taskId);
    error AlreadyAsked(uint256 taskId, bytes32 questionId);
    error NotAsked(uint256 taskId);
    error AskTooEarly(uint256 taskId, uint256 askFrom);
    error AskTooLate(uint256 taskId, uint256 askUntil);
    /// @param answer What the public said instead of yes or no.
    error NoRuling(uint256 taskId, bytes32 answer);

    /// @notice A party says where everybody can open its evidence. The last word before the case is asked counts.
    /// @param arbitration The market's arbitration.
    /// @param taskId The task.
    /// @param evidenceHash The hash of the evidence.
    /// @param uri Where it can be opened: 1 to 256 characters of RFC 3986.
    function publish(IArbitration arbitration, uint256 taskId, bytes32 evidenceHash, string calldata uri) external;

    /// @notice Asks the public about a case. What is sent is a bounty for the answer.
    /// @param arbitration The market's arbitration.
    /// @param taskId The task.
    /// @return questionId The question at Reality.eth.
    function ask(IArbitration arbitration, uint256 taskId) external payable returns (bytes32 questionId);

    /// @notice Answers a case. Who gives the final answer here gets the court's fees of the case.
    /// @dev Sent on to Reality.eth in the caller's name: bond and winnings are between the two.
    /// @param arbitration The market's arbitration.
    /// @param taskId The task.
    /// @param forWorker Whose share.
    /// @param maxPrevious Fails if the last bond is higher; zero for any.
    function answer(IArbitration arbitration, uint256 taskId, bool forWorker, uint256 maxPrevious) external payable;

    /// @notice Carries the final answer to the market, and pays the court's fees of the case to whoever gave it here.
    /// @param arbitration The market's arbitration.
    /// @param taskId The task.
    function carry(IArbitration arbitration, uint256 taskId) external;

    /// @notice Sends what belongs to nobody to the address that was named at deployment: fees of cases that the parties
    /// ended, and of cases that nobody answered here.
    /// @param arbitration The market's arbitration.
    function sweep(IArbitration arbitration) external;

    /// @notice Where the open case of a task stands.
    /// @param arbitration The market's arbitration.
    /// @param taskId The task.
    /// @return The case.
    function caseOf(IArbitration arbitration, uint256 taskId) external view returns (CourtCase memory);

    /// @notice How the cases of a market are asked.
    /// @param arbitration The market's arbitration.
    /// @return The seat; of another market it is empty.
    function seatOf(IArbitration arbitration) external view returns (Seat memory);

    /// @notice The Reality.eth that is asked.
    /// @return Its address.
    function reality() external view returns (address);

    /// @notice The token of the court's share.
    /// @return Its address.
    function tok() external view returns (address);

    /// @notice Who gets what belongs to nobody.
    /// @return The address.
    function remainderTo() external view returns (address);

    /// @notice The rules by which answers are right, as a URI.
    /// @return The URI.
    function policy() external view returns (string memory);
}
