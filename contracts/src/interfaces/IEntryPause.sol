// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A brake on entries
/// @notice All that the owner or the guardian can do to a market: stop new tasks, claims and early funding. Exits have
/// no brake, so a lost or hostile key can never hold money.
interface IEntryPause {
    event GuardianSet(address indexed guardian);

    error NotGuardian(address caller);

    /// @notice Stops entries. Guardian or owner.
    function pauseEntries() external;

    /// @notice Lets entries in again. Guardian or owner.
    function unpauseEntries() external;

    /// @notice Names another guardian. Owner only.
    function setGuardian(address guardian_) external;

    /// @notice Who may pause entries besides the owner.
    function guardian() external view returns (address);
}
