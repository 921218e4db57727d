// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { IArbitration } from "../../src/interfaces/IArbitration.sol";
import { IDepositVault } from "../../src/interfaces/IDepositVault.sol";
import { IEscrowVault } from "../../src/interfaces/IEscrowVault.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { IStakingVault } from "../../src/interfaces/IStakingVault.sol";
import { ITaskRegistry } from "../../src/interfaces/ITaskRegistry.sol";
import { ClaimPolicy, Receipt, Signature, TaskScope, TaskTerms } from "../../src/types/Task.sol";
import { readVectors } from "./Columns.sol";
import { vm } from "../Vm.sol";

/// @dev The calldata of every action of packages/protocol, as the compiler writes it for the same input.
contract CalldataTest {
    uint256 private constant TASK = 7;
    uint256 private constant MILESTONE = 2;
    uint256 private constant SHARE = 2500;
    uint256 private constant OFFER = 7500;
    uint256 private constant AMOUNT_TOK = 1500e18;
    uint256 private constant AMOUNT_USDC = 45e6;

    string[] private _names;
    bytes[] private _data;
    uint256 private _checked;

    function test_EveryActionCallsWhatTheInterfaceSays() public {
        string memory json = readVectors("calls");
        _names = vm.parseJsonStringArray(json, ".names");
        _data = vm.parseJsonBytesArray(json, ".data");
        vm.assertEq(_names.length, _data.length);
        _check("approve-usdc-vault", abi.encodeCall(IERC20.approve, (address(_at(0xc3)), AMOUNT_USDC)));
        _check("approve-tok-router", abi.encodeCall(IERC20.approve, (address(_at(0xc5)), AMOUNT_TOK)));
        _check("top-up", abi.encodeCall(IDepositVault.topUp, (AMOUNT_USDC)));
        _check("emergency-top-up", abi.encodeCall(IDepositVault.topUpFor, (_at(0xa1), AMOUNT_USDC)));
        _check("withdraw-deposit", abi.encodeCall(IDepositVault.withdraw, (AMOUNT_USDC, _at(0xa2))));
        _check("post-task", abi.encodeCall(ITaskRegistry.post, (_terms(), "A text.", 1e18)));
        _check("create-task", abi.encodeCall(ITaskRegistry.create, (_terms(), _at(0xa3), _signature(2), _signature(3))));
        _check("fund-task", abi.encodeCall(ITaskRegistry.fund, (TASK, AMOUNT_TOK)));
        _check("allow-worker", abi.encodeCall(ITaskRegistry.allowWorker, (TASK, _at(0xa3))));
        _check("claim-task", abi.encodeCall(ITaskRegistry.claimWithPermit, (TASK, keccak256("digest"), _signature(1))));
        _check("start-work", abi.encodeCall(ITaskRegistry.activate, (TASK)));
        _check(
            "submit-proof",
            abi.encodeCall(ITaskRegistry.markDelivered, (TASK, MILESTONE, keccak256("proof"), _receipt()))
        );
        _check(
            "request-revision", abi.encodeCall(ITaskRegistry.requestRevision, (TASK, MILESTONE, keccak256("reason")))
        );
        _check("accept-milestone", abi.encodeCall(ITaskRegistry.release, (TASK, MILESTONE)));
        _check("release-lapsed", abi.encodeCall(ITaskRegistry.releaseLapsed, (TASK, MILESTONE)));
        _check("complete-task", abi.encodeCall(ITaskRegistry.complete, (TASK)));
        _check("cancel-task", abi.encodeCall(ITaskRegistry.cancel, (TASK)));
        _check("leave-task", abi.encodeCall(ITaskRegistry.leaveTask, (TASK)));
        _check("dismiss-worker", abi.encodeCall(ITaskRegistry.dismiss, (TASK)));
        _check("expire-task", abi.encodeCall(ITaskRegistry.expire, (TASK)));
        _check("mutual-cancel", abi.encodeCall(ITaskRegistry.mutualCancel, (TASK, SHARE, _signature(4), _signature(5))));
        _check("withdraw-payout", abi.encodeCall(IEscrowVault.withdraw, (_at(0xa2))));
        _check("invalidate-nonce", abi.encodeCall(ITaskRegistry.invalidateNonce, (77)));
        _check(
            "open-dispute", abi.encodeCall(ITaskRegistry.openDispute, (TASK, MILESTONE, keccak256("evidence"), OFFER))
        );
        _check("propose-arbitrator", abi.encodeCall(IArbitration.propose, (TASK, _at(0xa4))));
        _check("step-down", abi.encodeCall(IArbitration.stepDown, (TASK)));
        _check("submit-evidence", abi.encodeCall(IArbitration.submitEvidence, (TASK, keccak256("evidence"), OFFER)));
        _check("resolve-dispute", abi.encodeCall(IArbitration.resolve, (TASK, 2, true, keccak256("reason"))));
        _check("escalate", abi.encodeCall(IArbitration.escalate, (TASK)));
        _check("decide-dispute", abi.encodeCall(IArbitration.decide, (TASK, 2, true, keccak256("reason"))));
        _check("finalize-dispute", abi.encodeCall(IArbitration.finalize, (TASK)));
        _check("resolve-timed-out", abi.encodeCall(IArbitration.resolveTimedOut, (TASK)));
        _check("register-arbitrator", abi.encodeCall(IArbitration.register, (AMOUNT_TOK)));
        _check("request-unbond", abi.encodeCall(IArbitration.requestUnbond, ()));
        _check("unbond", abi.encodeCall(IArbitration.unbond, ()));
        _check("withdraw-award", abi.encodeCall(IArbitration.withdraw, (_at(0xa2))));
        _check("buy-plan", abi.encodeCall(IPaymentGateway.buyPlan, ("basic", _at(0xa5), _at(0xc1), 9e6)));
        _check("stake", abi.encodeCall(IStakingVault.stake, (AMOUNT_TOK)));
        _check("unstake", abi.encodeCall(IStakingVault.unstake, (AMOUNT_TOK)));
        _check("claim-rewards", abi.encodeCall(IStakingVault.claimRewards, ()));
        vm.assertEq(_checked, _names.length);
    }

    /// @dev Vectors and checks stand in the same order.
    function _check(string memory name, bytes memory expected) private {
        vm.assertEq(_names[_checked], name);
        vm.assertEq(keccak256(_data[_checked]), keccak256(expected), name);
        ++_checked;
    }

    function _at(uint8 byte_) private pure returns (address) {
        return address(uint160(uint160(byte_) * (type(uint160).max / 255)));
    }

    function _signature(uint256 nonce) private pure returns (Signature memory) {
        bytes memory data = new bytes(65);
        for (uint256 i = 0; i < data.length; ++i) {
            data[i] = 0x5a;
        }
        return Signature({ nonce: nonce, expiry: 1_800_000_000, data: data });
    }

    function _receipt() private pure returns (Receipt memory) {
        bytes memory signature = new bytes(65);
        for (uint256 i = 0; i < signature.length; ++i) {
            signature[i] = 0x5b;
        }
        return Receipt({ size: 123_456, until: 1_800_000_000, signature: signature });
    }

    function _terms() private pure returns (TaskTerms memory terms) {
        terms.poster = _at(0xa6);
        terms.amounts = new uint256[](2);
        (terms.amounts[0], terms.amounts[1]) = (3e18, 4e18);
        terms.durations = new uint64[](2);
        (terms.durations[0], terms.durations[1]) = (1 days, 2 days);
        terms.reviewWindow = 3 days;
        terms.maxRevisions = 1;
        terms.arbitrator = _at(0xa4);
        terms.store = _at(0xa7);
        terms.criteriaHash = keccak256("criteria");
        terms.scope = TaskScope.PRIVATE;
        terms.claimPolicy = ClaimPolicy.PERMIT;
        terms.claimDeadline = 1_800_000_000;
        terms.nonce = 42;
    }
}
