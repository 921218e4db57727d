// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Ownable, Ownable2Step } from "@openzeppelin/contracts/access/Ownable2Step.sol";
import { Pausable } from "@openzeppelin/contracts/utils/Pausable.sol";
import { IEntryPause } from "../interfaces/IEntryPause.sol";

/// @title A brake on entries, and their end
abstract contract EntryPause is Ownable2Step, Pausable, IEntryPause {
    uint256 private constant SUNSET_NOTICE = 30 days;

    /// @inheritdoc IEntryPause
    address public guardian;

    /// @inheritdoc IEntryPause
    uint256 public sunsetAt;

    constructor(address owner_, address guardian_) Ownable(owner_) {
        _setGuardian(guardian_);
    }

    /// @inheritdoc IEntryPause
    function pauseEntries() external {
        _checkGuardian();
        _pause();
    }

    /// @inheritdoc IEntryPause
    function unpauseEntries() external {
        _checkGuardian();
        _unpause();
    }

    /// @inheritdoc IEntryPause
    function setGuardian(address guardian_) external onlyOwner {
        _setGuardian(guardian_);
    }

    /// @inheritdoc IEntryPause
    function sunset(uint256 endsAt) external onlyOwner {
        uint256 present = sunsetAt;
        bool ended = present != 0 && block.timestamp >= present;
        if (ended || endsAt < present || endsAt < block.timestamp + SUNSET_NOTICE) revert InvalidSunset(endsAt);

        sunsetAt = endsAt;
        emit SunsetScheduled(endsAt);
    }

    /// @dev Every entry calls this, and nothing else does: duties and exits have no brake.
    function _requireEntriesOpen() internal view {
        uint256 endsAt = sunsetAt;
        if (endsAt != 0 && block.timestamp >= endsAt) revert EntriesEnded(endsAt);
        super._requireNotPaused();
    }

    /// @dev So that `whenNotPaused` on an entry also knows the end.
    function _requireNotPaused() internal view override {
        _requireEntriesOpen();
    }

    function _setGuardian(address guardian_) private {
        guardian = guardian_;
        emit GuardianSet(guardian_);
    }

    function _checkGuardian() private view {
        if (msg.sender != guardian && msg.sender != owner()) revert NotGuardian(msg.sender);
    }
}
