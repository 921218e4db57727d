// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Ownable, Ownable2Step } from "@openzeppelin/contracts/access/Ownable2Step.sol";
import { Pausable } from "@openzeppelin/contracts/utils/Pausable.sol";

/// @title A brake on entries
/// @notice All that the owner or the guardian can do to a market: stop new tasks, claims and early funding. Exits have
/// no brake, so a lost or hostile key can never hold money.
abstract contract EntryPause is Ownable2Step, Pausable {
    event GuardianSet(address indexed guardian);

    error NotGuardian(address caller);

    address public guardian;

    constructor(address owner_, address guardian_) Ownable(owner_) {
        _setGuardian(guardian_);
    }

    function pauseEntries() external {
        _checkGuardian();
        _pause();
    }

    function unpauseEntries() external {
        _checkGuardian();
        _unpause();
    }

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
