// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC1271 } from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import { ClaimPolicy, Receipt, Settlement, Signature, TaskScope, TaskTerms } from "../../src/types/Task.sol";
import { Base } from "../Base.sol";
import { vm } from "../Vm.sol";

/// @dev A wallet that agrees to everything: the final court has no key, and must be refused for what it is.
contract AgreeableWallet is IERC1271 {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return IERC1271.isValidSignature.selector;
    }
}

/// @dev Every cell of situation x operation x role, and of every guard that can fail. The expectations are generated from
/// the lifecycle and dispute tables: packages/protocol/vectors/cells.json says what each call must answer, error or next
/// state, and scripts/gen/cells.ts how a call is encoded there.
contract CellsTest is Base {
    uint256 private constant ID = 1;
    bytes32 private constant HASH = keccak256("hash");
    string private constant FILE = "packages/protocol/vectors/cells.json";

    /// @dev A call, decoded.
    struct Call {
        string operation;
        address caller;
        address other;
        address poster;
        uint256 amount;
        uint256 receipt;
        bool otherMilestone;
        bool noHash;
        bool unsigned;
        bool wrongDigest;
        bool permitted;
        bool forWorker;
        bool unfounded;
        bool stored;
        bool named;
        bool permitOnly;
        bool pending;
    }

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
        // Old enough to be drawn.
        vm.warp(block.timestamp + 7 days);
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
            if (ok) {
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
            receipt: (bits >> 9) & 3,
            otherMilestone: _flag(bits, 0),
            noHash: _flag(bits, 1),
            unsigned: _flag(bits, 2),
            wrongDigest: _flag(bits, 3),
            permitted: _flag(bits, 4),
            forWorker: _flag(bits, 5),
            unfounded: _flag(bits, 6),
            stored: _flag(bits, 7),
            named: _flag(bits, 8),
            permitOnly: _flag(bits, 9),
            pending: _flag(bits, 10)
        });
    }

    function _flag(uint256 bits, uint256 index) private pure returns (bool) {
        return (bits >> (11 + index)) & 1 == 1;
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
            vm.startPrank(address(registry));
            deposits.penalise(ID, POSTER, TREASURY, 3e6);
            if (setup == 2) deposits.charge(ID, POSTER, TREASURY, deposits.freeOf(POSTER));
            else deposits.reserve(ID + 1, POSTER, deposits.freeOf(POSTER));
            vm.stopPrank();
        } else if (setup == 4) {
            uint256 free = deposits.freeOf(WORKER);
            vm.prank(address(registry));
            deposits.charge(ID, WORKER, TREASURY, free);
        } else if (setup == 5) {
            _empty(POSTER);
        } else if (setup == 6) {
            _empty(WORKER);
        } else if (setup == 7) {
            vm.prank(ARBITRATOR);
            arbitration.requestUnbond();
        }
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
        string memory operation = call.operation;
        uint256 milestone = registry.taskOf(ID).current + (call.otherMilestone ? 1 : 0);
        bytes32 hash = call.noHash ? bytes32(0) : HASH;
        bytes memory data;
        if (_same(operation, "post")) {
            data = abi.encodeCall(registry.post, (_termsFor(call, call.caller), TEXT, call.amount));
        } else if (_same(operation, "create")) {
            data = _encodeCreate(call);
        } else if (_same(operation, "fund")) {
            data = abi.encodeCall(registry.fund, (ID, call.amount));
        } else if (_same(operation, "claim")) {
            data = _encodeClaim(call);
        } else if (_same(operation, "markDelivered")) {
            data = abi.encodeCall(registry.markDelivered, (ID, milestone, hash, _receiptFor(call)));
        } else if (_same(operation, "attachReceipt")) {
            data = abi.encodeCall(registry.attachReceipt, (ID, milestone, _receiptFor(call)));
        } else if (_same(operation, "requestRevision")) {
            data = abi.encodeCall(registry.requestRevision, (ID, milestone, hash));
        } else if (_same(operation, "openDispute")) {
            data = abi.encodeCall(registry.openDispute, (ID, milestone, hash, call.amount));
        } else if (_same(operation, "release")) {
            data = abi.encodeCall(registry.release, (ID, milestone));
        } else if (_same(operation, "releaseLapsed")) {
            data = abi.encodeCall(registry.releaseLapsed, (ID, milestone));
        } else if (_same(operation, "mutualCancel")) {
            data = _encodeCancel(call);
        } else if (_same(operation, "settleDispute")) {
            data = abi.encodeCall(registry.settleDispute, (ID, Settlement(0, false, false, 0, address(0))));
        } else {
            data = _encodeDispute(call, hash);
            if (data.length != 0) return (address(arbitration), data);
            // The rest of the registry takes the task's number alone.
            data = abi.encodeWithSignature(string.concat(operation, "(uint256)"), ID);
        }
        return (address(registry), data);
    }

    /// @return Nothing for an operation of the registry.
    function _encodeDispute(Call memory call, bytes32 hash) private returns (bytes memory) {
        string memory operation = call.operation;
        if (_same(operation, "propose")) return abi.encodeCall(arbitration.propose, (ID, call.other));
        if (_same(operation, "submitEvidence")) {
            return abi.encodeCall(arbitration.submitEvidence, (ID, hash, call.amount));
        }
        if (_same(operation, "resolve")) return abi.encodeCall(arbitration.resolve, (ID, call.forWorker, hash));
        if (_same(operation, "decide")) {
            return abi.encodeCall(arbitration.decide, (ID, call.forWorker, call.unfounded, hash));
        }
        if (_same(operation, "register")) return abi.encodeCall(arbitration.register, (call.amount));
        if (_same(operation, "requestUnbond")) return abi.encodeCall(arbitration.requestUnbond, ());
        if (_same(operation, "escalate")) return abi.encodeCall(arbitration.escalate, (ID));
        if (_same(operation, "finalize")) return abi.encodeCall(arbitration.finalize, (ID));
        if (_same(operation, "resolveTimedOut")) return abi.encodeCall(arbitration.resolveTimedOut, (ID));
        if (!_same(operation, "seat")) return "";
        uint256 drawBlock = arbitration.disputeOf(ID).drawBlock;
        if (drawBlock != 0 && !call.pending) {
            vm.roll(drawBlock + 1);
            vm.setBlockhash(drawBlock, keccak256("draw"));
        }
        return abi.encodeCall(arbitration.seat, (ID));
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

    /// @dev None, a good one, one that ends a second too early, and one that the store did not sign. The store is STRANGER.
    function _receiptFor(Call memory call) private view returns (Receipt memory receipt) {
        uint64 reviewEnd = uint64(block.timestamp) + registry.taskOf(ID).reviewWindow;
        uint64 until = call.receipt == 2 ? reviewEnd - 1 : reviewEnd;
        receipt = _receipt(registry, ID, HASH, until, call.receipt == 3 ? POSTER_KEY : STRANGER_KEY);
        if (call.receipt == 0) receipt.signature = "";
    }

    function _encodeCancel(Call memory call) private returns (bytes memory) {
        uint64 expiry = uint64(block.timestamp);
        uint256 workerKey = call.unsigned ? STRANGER_KEY : WORKER_KEY;
        Signature memory byPoster = _cancelSignature(registry, ID, call.amount, POSTER_KEY, _nonce(), expiry);
        Signature memory byWorker = _cancelSignature(registry, ID, call.amount, workerKey, _nonce(), expiry);
        return abi.encodeCall(registry.mutualCancel, (ID, call.amount, byPoster, byWorker));
    }

    function _same(string memory a, string memory b) private pure returns (bool) {
        return keccak256(bytes(a)) == keccak256(bytes(b));
    }
}
