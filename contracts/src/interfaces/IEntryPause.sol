// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A brake on entries, and their end
/// @notice All that the owner or the guardian can do to a market: stop new tasks, claims and early funding, for a while
/// or, with notice, for good. Exits have no brake, so a lost or hostile key can never hold money.
interface IEntryPause {
    event GuardianSet(address indexed guardian);
    /// @notice From this moment on the market takes no entries, unless it is moved later before.
    /// @param endsAt Unix time in seconds.
    event SunsetScheduled(uint256 endsAt);

    error NotGuardian(address caller);
    error InvalidSunset(uint256 endsAt);
    error EntriesEnded(uint256 endsAt);

    /// @notice Stops entries. Guardian or owner.
    function pauseEntries() external;

    /// @notice Lets entries in again. Guardian or owner.
    function unpauseEntries() external;

    /// @notice Names another guardian. Owner only.
    /// @param guardian_ The new guardian, or zero for none.
    function setGuardian(address guardian_) external;

    /// @notice Ends entries for good from a moment at least 30 days ahead. Until then it can be moved, only later. Owner only.
    /// @dev Running tasks finish under their rules; a task that nobody claimed can still be cancelled.
    /// @param endsAt The first second without entries, as unix time.
    function sunset(uint256 endsAt) external;

    /// @notice Who may pause entries besides the owner.
    /// @return The guardian, or zero if there is none.
    function guardian() external view returns (address);

    /// @notice When entries end for good.
    /// @return The first second without entries, as unix time; zero if no end is set.
    function sunsetAt() external view returns (uint256);
}
