// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Ownable, Ownable2Step } from "@openzeppelin/contracts/access/Ownable2Step.sol";
import { Pausable } from "@openzeppelin/contracts/utils/Pausable.sol";
import { IEntryPause } from "../interfaces/IEntryPause.sol";

/// @title A brake on entries
abstract contract EntryPause is Ownable2Step, Pausable, IEntryPause {
    /// @inheritdoc IEntryPause
    address public guardian;

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

    function _setGuardian(address guardian_) private {
        guardian = guardian_;
        emit GuardianSet(guardian_);
    }

    function _checkGuardian() private view {
        if (msg.sender != guardian && msg.sender != owner()) revert NotGuardian(msg.sender);
    }
}
