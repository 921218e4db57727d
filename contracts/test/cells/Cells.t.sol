// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC1271 } from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import { ClaimPolicy, Receipt, Settlement, Signature, TaskScope, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Refusals } from "./Refusals.sol";

/// @dev A wallet that agrees to everything: the final court has no key, and must be refused for what it is.
contract AgreeableWallet is IERC1271 {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return IERC1271.isValidSignature.selector;
    }
}

/// @dev Every cell of situation x operation x role, and of every guard that can fail. The expectations are generated from
/// the lifecycle and dispute tables: packages/protocol/vectors/cells.json says what each call must answer, error or next
/// state, and scripts/gen/cells.ts how a call is encoded there. Refusals.sol adds the values of each error.
contract CellsTest is Refusals {
    bytes32 private constant HASH = keccak256("hash");
    string private constant FILE = "packages/protocol/vectors/cells.json";

    /// @dev The columns of a situation. The calls of the steps come first, then those of the cells.
    struct Columns {
        uint256[] times;
        uint256[] operations;
        uint256[] calls;
        uint256[] amounts;
        uint256[] setups;
        uint256[] errors;
        uint256[] states;
        uint256[] phases;
    }

    string private _json;
    string[] private _operations;

    function setUp() public override {
        super.setUp();
        _json = vm.readFile(FILE);
        _operations = vm.parseJsonStringArray(_json, ".operations");
        _enrich(COURT);
        vm.etch(COURT, type(AgreeableWallet).runtimeCode);
        _register(ARBITRATOR, 20_000e18);
    }

    function fixtureSituation() public view returns (string[] memory) {
        return vm.parseJsonStringArray(vm.readFile(FILE), ".situations");
    }

    function tableCells(string memory situation) public {
        Columns memory columns = _read(string.concat(".", situation));
        uint256 steps = columns.times.length - 1;
        _reach(situation, columns, steps);
        for (uint256 i = 0; i < columns.errors.length; ++i) {
            uint256 snapshot = vm.snapshotState();
            _prepare(columns.setups[i]);
            Call memory call = _decode(columns, steps + i);
            string memory cell = string.concat(
                situation, " ", call.operation, " ", vm.toString(call.caller), " cell ", vm.toString(i)
            );
            (bool ok, bytes memory answer) = _call(call);
            // forge-lint: disable-next-line(unsafe-typecast)
            vm.assertEq(ok ? 0 : uint256(uint32(bytes4(answer))), columns.errors[i], cell);
            if (!ok) {
                // forge-lint: disable-next-line(unsafe-typecast)
                vm.assertEq(answer, _refusal(bytes4(answer), call), cell);
            } else {
                vm.assertEq(uint256(_state(ID)), columns.states[i], cell);
                vm.assertEq(uint256(arbitration.phaseOf(ID)), columns.phases[i], cell);
            }
            vm.revertToStateAndDelete(snapshot);
        }
    }

    function _read(string memory path) private view returns (Columns memory) {
        return Columns({
            times: _column(path, ".times"),
            operations: _column(path, ".operations"),
            calls: _column(path, ".calls"),
            amounts: _column(path, ".amounts"),
            setups: _column(path, ".setups"),
            errors: _column(path, ".errors"),
            states: _column(path, ".states"),
            phases: _column(path, ".phases")
        });
    }

    function _column(string memory path, string memory name) private view returns (uint256[] memory) {
        return vm.parseJsonUintArray(_json, string.concat(path, name));
    }

    /// @dev Brings task 1 into the situation by the same steps as the model took.
    function _reach(string memory situation, Columns memory columns, uint256 steps) private {
        uint256 start = block.timestamp;
        for (uint256 i = 0; i < steps; ++i) {
            vm.warp(start + columns.times[i]);
            Call memory call = _decode(columns, i);
            (bool ok,) = _call(call);
            vm.assertTrue(ok, string.concat(situation, " ", call.operation));
        }
        vm.warp(start + columns.times[steps]);
    }

    function _decode(Columns memory columns, uint256 i) private view returns (Call memory) {
        uint256 bits = columns.calls[i];
        return Call({
            operation: _operations[columns.operations[i]],
            caller: _wallet(bits & 7),
            other: _wallet((bits >> 3) & 7),
            poster: _wallet((bits >> 6) & 7),
            amount: columns.amounts[i],
            receipt: (bits >> 9) & 7,
            otherMilestone: _flag(bits, 0),
            noHash: _flag(bits, 1),
            unsigned: _flag(bits, 2),
            wrongDigest: _flag(bits, 3),
            permitted: _flag(bits, 4),
            forWorker: _flag(bits, 5),
            wrongCase: _flag(bits, 6),
            stored: _flag(bits, 7),
            named: _flag(bits, 8),
            permitOnly: _flag(bits, 9)
        });
    }

    function _flag(uint256 bits, uint256 index) private pure returns (bool) {
        return (bits >> (12 + index)) & 1 == 1;
    }

    function _wallet(uint256 role) private view returns (address) {
        address[5] memory wallets = [POSTER, WORKER, STRANGER, ARBITRATOR, COURT];
        return wallets[role];
    }

    /// @dev What happens right before the call, in the order of the model's setups.
    function _prepare(uint256 setup) private {
        if (setup == 1) {
            vm.prank(GUARDIAN);
            registry.pauseEntries();
        } else if (setup == 2 || setup == 3) {
            vm.prank(address(registry));
            deposits.penalise(ID, POSTER, TREASURY, 6e6);
            _spread(POSTER, setup == 2);
        } else if (setup == 4) {
            _spread(WORKER, true);
        } else if (setup == 5) {
            _empty(POSTER);
        } else if (setup == 6) {
            _empty(WORKER);
        } else if (setup == 7) {
            vm.prank(ARBITRATOR);
            arbitration.requestUnbond();
        }
    }

    /// @dev Another task reserves all that was free, and may take it.
    function _spread(address wallet, bool taken) private {
        uint256 free = deposits.freeOf(wallet);
        vm.startPrank(address(registry));
        deposits.reserve(ID + 1, wallet, free);
        if (taken) deposits.penalise(ID + 1, wallet, TREASURY, free);
        vm.stopPrank();
    }

    function _empty(address wallet) private {
        uint256 balance = tok.balanceOf(wallet);
        vm.prank(wallet);
        tok.transfer(TREASURY, balance);
    }

    function _call(Call memory call) private returns (bool, bytes memory) {
        (address to, bytes memory data) = _encode(call);
        vm.prank(call.caller);
        return to.call(data);
    }

    function _encode(Call memory call) private returns (address, bytes memory) {
        uint256 milestone = registry.taskOf(ID).current + (call.otherMilestone ? 1 : 0);
        bytes32 hash = call.noHash ? bytes32(0) : HASH;
        bytes memory data;
        if (_is(call, "post")) {
            data = abi.encodeCall(registry.post, (_termsFor(call, call.caller), TEXT, call.amount));
        } else if (_is(call, "create")) {
            data = _encodeCreate(call);
        } else if (_is(call, "fund")) {
            data = abi.encodeCall(registry.fund, (ID, call.amount));
        } else if (_is(call, "claim")) {
            data = _encodeClaim(call);
        } else if (_is(call, "markDelivered")) {
            data = abi.encodeCall(registry.markDelivered, (ID, milestone, hash, _receiptFor(call)));
        } else if (_is(call, "allowWorker")) {
            data = abi.encodeCall(registry.allowWorker, (ID, call.other));
        } else if (_is(call, "requestRevision")) {
            data = abi.encodeCall(registry.requestRevision, (ID, milestone, hash));
        } else if (_is(call, "openDispute")) {
            data = abi.encodeCall(registry.openDispute, (ID, milestone, hash, call.amount));
        } else if (_is(call, "release")) {
            data = abi.encodeCall(registry.release, (ID, milestone));
        } else if (_is(call, "releaseLapsed")) {
            data = abi.encodeCall(registry.releaseLapsed, (ID, milestone));
        } else if (_is(call, "mutualCancel")) {
            data = _encodeCancel(call);
        } else if (_is(call, "settleDispute")) {
            data = abi.encodeCall(registry.settleDispute, (ID, Settlement(0, address(0), 0, address(0))));
        } else {
            data = _encodeDispute(call, hash);
            if (data.length != 0) return (address(arbitration), data);
            // The rest of the registry takes the task's number alone.
            data = abi.encodeWithSignature(string.concat(call.operation, "(uint256)"), ID);
        }
        return (address(registry), data);
    }

    /// @return Nothing for an operation of the registry.
    function _encodeDispute(Call memory call, bytes32 hash) private view returns (bytes memory) {
        uint256 number = arbitration.disputeOf(ID).number + (call.wrongCase ? 1 : 0);
        if (_is(call, "propose")) return abi.encodeCall(arbitration.propose, (ID, call.other));
        if (_is(call, "stepDown")) return abi.encodeCall(arbitration.stepDown, (ID));
        if (_is(call, "submitEvidence")) {
            return abi.encodeCall(arbitration.submitEvidence, (ID, hash, call.amount));
        }
        if (_is(call, "resolve")) return abi.encodeCall(arbitration.resolve, (ID, number, call.forWorker, hash));
        if (_is(call, "decide")) return abi.encodeCall(arbitration.decide, (ID, number, call.forWorker, hash));
        if (_is(call, "escalate")) return abi.encodeCall(arbitration.escalate, (ID));
        if (_is(call, "finalize")) return abi.encodeCall(arbitration.finalize, (ID));
        if (_is(call, "resolveTimedOut")) return abi.encodeCall(arbitration.resolveTimedOut, (ID));
        return "";
    }

    function _termsFor(Call memory call, address poster) private returns (TaskTerms memory terms) {
        terms = _terms();
        terms.poster = poster;
        if (call.stored) terms.store = STRANGER;
        if (call.named) terms.arbitrator = ARBITRATOR;
        if (call.permitOnly) terms.claimPolicy = ClaimPolicy.PERMIT;
    }

    function _encodeCreate(Call memory call) private returns (bytes memory) {
        TaskTerms memory terms = _termsFor(call, call.poster);
        terms.scope = TaskScope.PRIVATE;
        uint64 expiry = uint64(block.timestamp);
        Signature memory byPoster = _acceptance(registry, terms, call.other, POSTER_KEY, _nonce(), expiry);
        Signature memory byWorker = _acceptance(registry, terms, call.other, WORKER_KEY, _nonce(), expiry);
        if (call.unsigned) byWorker.data = byPoster.data;
        return abi.encodeCall(registry.create, (terms, call.other, byPoster, byWorker));
    }

    function _encodeClaim(Call memory call) private returns (bytes memory) {
        bytes32 digest = call.wrongDigest ? bytes32(uint256(1)) : _digestFor(ID, call.caller);
        if (!call.permitted) return abi.encodeCall(registry.claim, (ID, digest));
        Signature memory permit = _permit(registry, ID, call.caller, POSTER_KEY, _nonce(), uint64(block.timestamp));
        return abi.encodeCall(registry.claimWithPermit, (ID, digest, permit));
    }

    /// @dev None, a good one, one for no byte, one that ends a second too early, and one that the store did not sign. The
    /// store is STRANGER.
    function _receiptFor(Call memory call) private view returns (Receipt memory receipt) {
        uint64 until = uint64(_receiptEnd()) - (call.receipt == 3 ? 1 : 0);
        receipt = _receipt(registry, ID, HASH, until, call.receipt == 4 ? POSTER_KEY : STRANGER_KEY);
        if (call.receipt == 0) receipt.signature = "";
        if (call.receipt == 2) receipt.size = 0;
    }

    function _encodeCancel(Call memory call) private returns (bytes memory) {
        uint64 expiry = uint64(block.timestamp);
        uint256 workerKey = call.unsigned ? STRANGER_KEY : WORKER_KEY;
        Signature memory byPoster = _cancelSignature(registry, ID, call.amount, POSTER_KEY, _nonce(), expiry);
        Signature memory byWorker = _cancelSignature(registry, ID, call.amount, workerKey, _nonce(), expiry);
        return abi.encodeCall(registry.mutualCancel, (ID, call.amount, byPoster, byWorker));
    }
}
