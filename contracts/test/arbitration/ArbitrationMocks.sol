// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ERC20 } from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import { ERC20Burnable } from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { Settlement } from "../../src/types/Task.sol";

/// @dev Can be told to refuse one receiver.
contract MockTok is ERC20("Tok", "TOK"), ERC20Burnable {
    error Refused(address to);

    address private _refused;

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function refuse(address to) external {
        _refused = to;
    }

    function _update(address from, address to, uint256 amount) internal override {
        if (to != address(0) && to == _refused) revert Refused(to);
        super._update(from, to, amount);
    }
}

/// @dev The router, with a token that may keep a part of what it moves.
contract MockGateway {
    MockTok private immutable TOK;
    uint256 public kept;

    constructor(MockTok tok) {
        TOK = tok;
    }

    function setKept(uint256 kept_) external {
        kept = kept_;
    }

    function pull(address from, uint256 amount) external {
        TOK.transferFrom(from, msg.sender, amount - kept);
    }
}

/// @dev The ledger of the deposit vault without its token.
contract MockDeposits {
    error InsufficientDeposit(address agent, uint256 free, uint256 needed);

    mapping(address agent => uint256) public balanceOf;
    mapping(address agent => uint256) public reservedOf;
    mapping(uint256 taskId => mapping(address agent => uint256)) public reserveOf;

    function give(address agent, uint256 amount) external {
        balanceOf[agent] += amount;
    }

    function take(address agent, uint256 amount) external {
        balanceOf[agent] -= amount;
    }

    function freeOf(address agent) public view returns (uint256) {
        return balanceOf[agent] - reservedOf[agent];
    }

    function reserve(uint256 taskId, address agent, uint256 target) external {
        uint256 held = reserveOf[taskId][agent];
        uint256 missing = target > held ? target - held : 0;
        if (freeOf(agent) < missing) revert InsufficientDeposit(agent, freeOf(agent), missing);
        reserveOf[taskId][agent] += missing;
        reservedOf[agent] += missing;
    }

    function unreserve(uint256 taskId, address agent) external {
        reservedOf[agent] -= reserveOf[taskId][agent];
        reserveOf[taskId][agent] = 0;
    }

    function penalise(uint256 taskId, address agent, address to, uint256 amount) external returns (uint256 paid) {
        uint256 held = reserveOf[taskId][agent];
        paid = amount < held ? amount : held;
        reserveOf[taskId][agent] = held - paid;
        reservedOf[agent] -= paid;
        balanceOf[agent] -= paid;
        balanceOf[to] += paid;
    }
}

contract MockReputation {
    mapping(uint256 taskId => uint256) public records;
    address public winner;
    address public loser;

    function recordDispute(uint256 taskId, address winner_, address loser_) external {
        records[taskId] += 1;
        (winner, loser) = (winner_, loser_);
    }
}

/// @dev The registry as arbitration sees it: it opens and withdraws cases, and is told how they ended.
contract MockRegistry {
    IArbitration private _arbitration;
    MockDeposits private immutable DEPOSITS;
    mapping(uint256 taskId => uint256) public settlements;
    mapping(uint256 taskId => Settlement) private _settled;

    constructor(MockDeposits deposits) {
        DEPOSITS = deposits;
    }

    function setArbitration(IArbitration arbitration) external {
        _arbitration = arbitration;
    }

    /// @dev The parties of a new task have reserved what a lost dispute costs.
    function open(uint256 taskId, IArbitration.Case calldata case_) external {
        if (DEPOSITS.reserveOf(taskId, case_.worker) == 0) {
            DEPOSITS.reserve(taskId, case_.poster, 13e6);
            DEPOSITS.reserve(taskId, case_.worker, 13e6);
        }
        _arbitration.open(taskId, case_);
    }

    /// @dev The task goes on, so the reserves stay.
    function concede(uint256 taskId) external {
        _arbitration.concede(taskId);
    }

    function abandon(uint256 taskId) external {
        _arbitration.abandon(taskId);
        _letGo(taskId);
    }

    function settleDispute(uint256 taskId, Settlement calldata settlement) external {
        require(msg.sender == address(_arbitration));
        require(_arbitration.phaseOf(taskId) == IArbitration.DisputePhase.CLOSED);
        settlements[taskId] += 1;
        _settled[taskId] = settlement;
        _letGo(taskId);
    }

    function settled(uint256 taskId) external view returns (Settlement memory) {
        return _settled[taskId];
    }

    function _letGo(uint256 taskId) private {
        IArbitration.Dispute memory dispute = _arbitration.disputeOf(taskId);
        DEPOSITS.unreserve(taskId, dispute.poster);
        DEPOSITS.unreserve(taskId, dispute.worker);
    }
}
