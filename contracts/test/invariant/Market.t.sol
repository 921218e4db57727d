// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { vm } from "../Vm.sol";
import { Market } from "./Market.sol";

/// @dev How forge asks a test which functions to call.
struct FuzzSelector {
    address addr;
    bytes4[] selectors;
}

/// @dev A walk through a market for forge to repeat. Each invariant has a seed of its own, or all would take the same
/// walks; WALK_SALT in the environment turns all of them into others. The handlers draw what they need from one number,
/// so forge need not collect values from storage and code.
abstract contract Walked {
    Market internal market;

    function _open(string memory name, bool withFold) internal {
        vm.warp(1_800_000_000);
        vm.roll(1_000_000);
        vm.chainId(8453);
        market = new Market(name, vm.envOr("WALK_SALT", 0), withFold);
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(market);
    }

    function targetSelectors() external view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(market), market.moves());
    }

    /// @dev Whatever an invariant looks at on the way, at the end of each walk all books are held against the contracts.
    function afterInvariant() external view {
        market.checkBooks();
    }
}

/// forge-config: default.invariant.include-storage = false
/// forge-config: default.invariant.include-push-bytes = false
/// forge-config: default.invariant.max-fuzz-dictionary-values = 100
/// forge-config: default.invariant.check-interval = 10
contract BooksInvariants is Walked {
    function setUp() external {
        _open("standard", false);
    }

    /// @dev Properties 1, 2, 3, 9, 10, 11, 12 and 14: every check runs on the way of every walk.
    /// forge-config: default.fuzz.seed = "0x01"
    /// forge-config: ci.invariant.runs = 128
    /// forge-config: deep.invariant.runs = 8000
    function invariant_booksHold() external view {
        market.checkBooks();
    }
}

/// @dev These act on the market to see what would come; forge takes back what an invariant does.
/// forge-config: default.invariant.include-storage = false
/// forge-config: default.invariant.include-push-bytes = false
/// forge-config: default.invariant.max-fuzz-dictionary-values = 100
/// forge-config: default.invariant.check-interval = 25
contract WaitsInvariants is Walked {
    function setUp() external {
        _open("micro", false);
    }

    /// @dev Property 4.
    /// forge-config: default.fuzz.seed = "0x04"
    function invariant_timeAndStrangersAloneEndEveryTask() external {
        market.checkEnds();
        market.checkBooks();
    }

    /// @dev Property 5.
    /// forge-config: default.fuzz.seed = "0x05"
    function invariant_unansweredDeliveriesArePaid() external {
        market.checkUnanswered();
        market.checkWallets();
    }

    /// @dev Property 6.
    /// forge-config: default.fuzz.seed = "0x06"
    function invariant_undeliveredWorkIsGivenBack() external {
        market.checkUndelivered();
        market.checkNeverDelivered();
        market.checkUndelivered();
    }

    /// @dev Property 7.
    /// forge-config: default.fuzz.seed = "0x07"
    /// forge-config: default.invariant.check-interval = 10
    function invariant_oneDefaultAtMostAndNoWaitWithoutEnd() external {
        market.checkDefaults();
    }

    /// @dev Property 10.
    /// forge-config: default.fuzz.seed = "0x2a"
    function invariant_aPennilessOrPausedSideBlocksNobody() external {
        market.checkRights();
    }
}

/// forge-config: default.invariant.include-storage = false
/// forge-config: default.invariant.include-push-bytes = false
/// forge-config: default.invariant.max-fuzz-dictionary-values = 100
/// forge-config: default.invariant.check-interval = 10
contract EventsInvariants is Walked {
    function setUp() external {
        _open("standard", true);
    }

    /// @dev Property 8.
    /// forge-config: default.fuzz.seed = "0x08"
    function invariant_eachMilestoneIsSettledOnce() external view {
        market.checkSettledOnce();
    }

    /// @dev Property 13.
    /// forge-config: default.fuzz.seed = "0x0d"
    function invariant_eventsAloneRebuildTheState() external view {
        market.checkEvents();
    }
}
