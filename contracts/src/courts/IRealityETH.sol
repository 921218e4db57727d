// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The part of Reality.eth 3.0 that a court needs
interface IRealityETH {
    /// @notice Asks a question. What is sent is the bounty of the first right answer.
    /// @param templateId The template of the question; 0 is yes or no.
    /// @param question What goes into the template, parted by U+241F.
    /// @param arbitrator Who could overrule the answers; zero for nobody.
    /// @param timeout How long an answer must stand before it is final.
    /// @param openingTs Until when nobody may answer; zero for at once.
    /// @param nonce Tells equal questions apart.
    /// @param minBond The least bond of an answer.
    /// @return The id of the question.
    function askQuestionWithMinBond(
        uint256 templateId,
        string calldata question,
        address arbitrator,
        uint32 timeout,
        uint32 openingTs,
        uint256 nonce,
        uint256 minBond
    ) external payable returns (bytes32);

    /// @notice Answers a question for somebody. What is sent is the bond, at least twice the last one.
    /// @param questionId The question.
    /// @param answer The answer.
    /// @param maxPrevious Fails if the last bond is higher; zero for any.
    /// @param answerer Who gets the bond back.
    function submitAnswerFor(bytes32 questionId, bytes32 answer, uint256 maxPrevious, address answerer) external payable;

    /// @notice The final answer; fails while there is none.
    /// @param questionId The question.
    /// @return The answer.
    function resultFor(bytes32 questionId) external view returns (bytes32);
}
