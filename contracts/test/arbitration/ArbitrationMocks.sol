// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ERC20 } from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";

contract MockTok is ERC20("Tok", "TOK") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
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
    error EmptyPenalty();

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
        uint256 missing = target - reserveOf[taskId][agent];
        if (freeOf(agent) < missing) revert InsufficientDeposit(agent, freeOf(agent), missing);
        _add(taskId, agent, missing);
    }

    function refill(uint256 taskId, address agent, uint256 target) external {
        uint256 held = reserveOf[taskId][agent];
        if (held >= target) return;
        uint256 free = freeOf(agent);
        _add(taskId, agent, target - held < free ? target - held : free);
    }

    function unreserve(uint256 taskId, address agent) external {
        reservedOf[agent] -= reserveOf[taskId][agent];
        reserveOf[taskId][agent] = 0;
    }

    function penalise(uint256 taskId, address agent, address to, uint256 amount) external returns (uint256 paid) {
        if (amount == 0) revert EmptyPenalty();
        uint256 held = reserveOf[taskId][agent];
        paid = amount < held ? amount : held;
        reserveOf[taskId][agent] = held - paid;
        reservedOf[agent] -= paid;
        balanceOf[agent] -= paid;
        balanceOf[to] += paid;
    }

    function _add(uint256 taskId, address agent, uint256 amount) private {
        reserveOf[taskId][agent] += amount;
        reservedOf[agent] += amount;
    }
}

contract MockReputation {
    event DisputeRecorded(uint256 indexed taskId, address indexed winner, address indexed loser);

    uint256 public records;

    function recordDispute(uint256 taskId, address winner, address loser) external {
        records += 1;
        emit DisputeRecorded(taskId, winner, loser);
    }
}

/// @dev The registry as arbitration sees it: it opens and withdraws cases, and is told how they ended.
contract MockRegistry {
    IArbitration private _arbitration;
    MockDeposits private immutable DEPOSITS;
    mapping(uint256 taskId => uint256) public settlements;
    mapping(uint256 taskId => uint256) public settledBps;

    constructor(MockDeposits deposits) {
        DEPOSITS = deposits;
    }

    function setArbitration(IArbitration arbitration) external {
        _arbitration = arbitration;
    }

    function open(uint256 taskId, address opener, bytes32 hash, address poster, address worker, address named)
        external
    {
        _arbitration.open(taskId, opener, hash, poster, worker, named);
    }

    function concede(uint256 taskId) external {
        _arbitration.concede(taskId);
    }

    function abandon(uint256 taskId) external {
        IArbitration.Dispute memory dispute = _arbitration.disputeOf(taskId);
        _arbitration.abandon(taskId);
        DEPOSITS.unreserve(taskId, dispute.poster);
        DEPOSITS.unreserve(taskId, dispute.worker);
    }

    function settleDispute(uint256 taskId, uint256 workerBps) external {
        require(msg.sender == address(_arbitration));
        IArbitration.Dispute memory dispute = _arbitration.disputeOf(taskId);
        require(dispute.phase == IArbitration.DisputePhase.CLOSED);
        settlements[taskId] += 1;
        settledBps[taskId] = workerBps;
        DEPOSITS.unreserve(taskId, dispute.poster);
        DEPOSITS.unreserve(taskId, dispute.worker);
    }
}
