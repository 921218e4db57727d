// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Base } from "../Base.sol";
import { HostileToken } from "../mocks/HostileToken.sol";
import { DisputeExits } from "./DisputeExits.sol";
import { TaskExits } from "./TaskExits.sol";
import { HostileMarket } from "./HostileMarket.sol";

/// @dev The token turns against the market once the task is under way.
contract TokenExitsTest is TaskExits, DisputeExits, HostileMarket {
    function setUp() public override(Base, HostileMarket) {
        HostileMarket.setUp();
    }

    function _worlds() internal pure override returns (string[] memory worlds) {
        worlds = new string[](5);
        worlds[0] = "calm";
        worlds[1] = "blocks both parties";
        worlds[2] = "says yes and moves nothing";
        worlds[3] = "says no and moves nothing";
        worlds[4] = "moves and says nothing";
    }

    function _adversity() internal override {
        if (_inWorld("blocks both parties")) {
            hostile.setBlocked(POSTER, true);
            hostile.setBlocked(WORKER, true);
        } else if (_inWorld("says yes and moves nothing")) {
            hostile.setStill(true);
        } else if (_inWorld("says no and moves nothing")) {
            hostile.setStill(true);
            hostile.setAnswer(HostileToken.Answer.FALSE);
        } else if (_inWorld("moves and says nothing")) {
            hostile.setAnswer(HostileToken.Answer.NOTHING);
        }
    }

    function _canLock() internal view override returns (bool) {
        return _inWorld("calm") || _inWorld("moves and says nothing");
    }

    function _canShare() internal view override returns (bool) {
        return !_inWorld("says yes and moves nothing") && !_inWorld("says no and moves nothing");
    }

    /// @dev Blocked parties need no cure: what waits for them goes elsewhere.
    function _cure() internal override {
        hostile.setStill(false);
        hostile.setAnswer(HostileToken.Answer.TRUE);
    }
}
