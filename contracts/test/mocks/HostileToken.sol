// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ERC20 } from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @dev An ERC-20 that misbehaves on demand. As deployed it is honest; anyone may mint, make tokens vanish and switch faults on.
contract HostileToken is ERC20 {
    /// @dev What `transfer` and `transferFrom` return, whatever they really did.
    enum Answer {
        TRUE,
        FALSE,
        NOTHING
    }

    error Blocked(address account);

    Answer public answer;
    /// Transfers move nothing.
    bool public still;
    /// Taken out of what the receiver gets, in basis points.
    uint256 public feeBps;
    mapping(address account => bool) public blocked;

    /// Called once, after the next transfer has moved; `callbackSucceeded` and `callbackResult` tell how it went.
    address public callbackTarget;
    bytes public callbackData;
    bool public callbackSucceeded;
    bytes public callbackResult;

    constructor() ERC20("Hostile", "HOSTILE") { }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function vanish(address from, uint256 amount) external {
        _burn(from, amount);
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }

    function setAnswer(Answer answer_) external {
        answer = answer_;
    }

    function setStill(bool still_) external {
        still = still_;
    }

    function setFee(uint256 feeBps_) external {
        feeBps = feeBps_;
    }

    /// @dev Transfers from or to a blocked account revert.
    function setBlocked(address account, bool blocked_) external {
        blocked[account] = blocked_;
    }

    function setCallback(address target, bytes calldata data) external {
        callbackTarget = target;
        callbackData = data;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        _spendAllowance(from, msg.sender, amount);
        return _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        if (blocked[from]) revert Blocked(from);
        if (blocked[to]) revert Blocked(to);

        if (!still) {
            uint256 fee = amount * feeBps / 10_000;
            _transfer(from, to, amount - fee);
            if (fee != 0) _burn(from, fee);
        }
        _callBack();

        if (answer == Answer.NOTHING) {
            assembly ("memory-safe") {
                return(0, 0)
            }
        }
        return answer == Answer.TRUE;
    }

    function _callBack() private {
        address target = callbackTarget;
        if (target == address(0)) return;

        delete callbackTarget;
        (callbackSucceeded, callbackResult) = target.call(callbackData);
    }
}
