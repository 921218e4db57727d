// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Signature, TaskScope, TaskTerms } from "../../src/types/Task.sol";
import { Base } from "../Base.sol";
import { vm } from "../Vm.sol";

/// @dev Every cell of situation x operation x role. The expectations are generated from the lifecycle and dispute tables:
/// packages/protocol/vectors/cells.json says what each call must answer, error or next state.
contract CellsTest is Base {
    uint256 private constant ID = 1;
    bytes32 private constant HASH = keccak256("hash");

    string private _json;

    function setUp() public override {
        super.setUp();
        _json = vm.readFile("packages/protocol/vectors/cells.json");
        _register(ARBITRATOR, 20_000e18);
    }

    function fixtureSituation() public view returns (string[] memory) {
        return vm.parseJsonStringArray(vm.readFile("packages/protocol/vectors/cells.json"), ".situations");
    }

    function tableCells(string memory situation) public {
        string memory path = string.concat(".", situation);
        _reach(path);
        string[] memory operations = vm.parseJsonStringArray(_json, string.concat(path, ".operations"));
        string[] memory roles = vm.parseJsonStringArray(_json, string.concat(path, ".roles"));
        uint256[] memory errors = vm.parseJsonUintArray(_json, string.concat(path, ".errors"));
        uint256[] memory states = vm.parseJsonUintArray(_json, string.concat(path, ".states"));
        uint256[] memory phases = vm.parseJsonUintArray(_json, string.concat(path, ".phases"));
        for (uint256 i = 0; i < operations.length; ++i) {
            string memory cell = string.concat(situation, " ", operations[i], " ", roles[i]);
            uint256 snapshot = vm.snapshotState();
            (bool ok, bytes memory answer) = _call(operations[i], _wallet(roles[i]));
            vm.assertEq(ok, errors[i] == 0, cell);
            if (ok) {
                vm.assertEq(uint256(_state(ID)), states[i], cell);
                vm.assertEq(uint256(arbitration.disputeOf(ID).phase), phases[i], cell);
            } else {
                // forge-lint: disable-next-line(unsafe-typecast)
                vm.assertEq(uint256(uint32(bytes4(answer))), errors[i], cell);
            }
            vm.revertToState(snapshot);
        }
    }

    /// @dev Brings task 1 into the situation by the same steps as the model took.
    function _reach(string memory path) private {
        string[] memory steps = vm.parseJsonStringArray(_json, string.concat(path, ".steps"));
        string[] memory actors = vm.parseJsonStringArray(_json, string.concat(path, ".actors"));
        uint256[] memory times = vm.parseJsonUintArray(_json, string.concat(path, ".times"));
        uint256 start = block.timestamp;
        for (uint256 i = 0; i < steps.length; ++i) {
            vm.warp(start + times[i]);
            (bool ok,) = _call(steps[i], _wallet(actors[i]));
            vm.assertTrue(ok, string.concat(path, " ", steps[i]));
        }
        vm.warp(start + times[steps.length]);
    }

    function _wallet(string memory role) private view returns (address) {
        if (_same(role, "poster")) return POSTER;
        if (_same(role, "worker")) return WORKER;
        if (_same(role, "arbitrator")) return ARBITRATOR;
        return STRANGER;
    }

    /// @dev A call as a well-meaning caller makes it: right milestone, digest, hash and signatures.
    function _call(string memory operation, address caller) private returns (bool, bytes memory) {
        (address to, bytes memory data) = _encode(operation, caller);
        vm.prank(caller);
        return to.call(data);
    }

    function _encode(string memory operation, address caller) private returns (address, bytes memory) {
        uint256 current = registry.taskOf(ID).current;
        if (_same(operation, "post")) {
            TaskTerms memory terms = _terms();
            terms.poster = caller;
            return (address(registry), abi.encodeCall(registry.post, (terms, TEXT, 0)));
        }
        if (_same(operation, "create")) return (address(registry), _encodeCreate());
        if (_same(operation, "fund")) {
            uint256 missing = registry.taskOf(ID).total - escrow.accountOf(ID).funded;
            return (address(registry), abi.encodeCall(registry.fund, (ID, missing)));
        }
        if (_same(operation, "claim")) {
            return (address(registry), abi.encodeCall(registry.claim, (ID, _digestFor(ID, caller))));
        }
        if (_same(operation, "markDelivered")) {
            return (address(registry), abi.encodeCall(registry.markDelivered, (ID, current, HASH)));
        }
        if (_same(operation, "requestRevision")) {
            return (address(registry), abi.encodeCall(registry.requestRevision, (ID, current, HASH)));
        }
        if (_same(operation, "openDispute")) {
            return (address(registry), abi.encodeCall(registry.openDispute, (ID, current, HASH)));
        }
        if (_same(operation, "release")) return (address(registry), abi.encodeCall(registry.release, (ID, current)));
        if (_same(operation, "releaseLapsed")) {
            return (address(registry), abi.encodeCall(registry.releaseLapsed, (ID, current)));
        }
        if (_same(operation, "mutualCancel")) return (address(registry), _encodeCancel());
        if (_same(operation, "settleDispute")) {
            return (address(registry), abi.encodeCall(registry.settleDispute, (ID, 5_000)));
        }
        return _encodeDispute(operation);
    }

    function _encodeDispute(string memory operation) private returns (address, bytes memory) {
        if (_same(operation, "propose")) {
            return (address(arbitration), abi.encodeCall(arbitration.propose, (ID, ARBITRATOR)));
        }
        if (_same(operation, "seat")) {
            uint256 drawBlock = arbitration.disputeOf(ID).drawBlock;
            if (drawBlock != 0) {
                vm.roll(drawBlock + 1);
                vm.setBlockhash(drawBlock, keccak256("draw"));
            }
            return (address(arbitration), abi.encodeCall(arbitration.seat, (ID)));
        }
        if (_same(operation, "submitEvidence")) {
            return (address(arbitration), abi.encodeCall(arbitration.submitEvidence, (ID, HASH)));
        }
        if (_same(operation, "resolve")) {
            return (address(arbitration), abi.encodeCall(arbitration.resolve, (ID, 6_000, HASH)));
        }
        if (_isOneOf(operation, "escalate", "finalize", "resolveTimedOut")) {
            return (address(arbitration), abi.encodeWithSignature(string.concat(operation, "(uint256)"), ID));
        }
        // The rest of the registry takes the task's number alone.
        return (address(registry), abi.encodeWithSignature(string.concat(operation, "(uint256)"), ID));
    }

    function _encodeCreate() private returns (bytes memory) {
        TaskTerms memory terms = _terms();
        terms.scope = TaskScope.PRIVATE;
        uint64 expiry = uint64(block.timestamp);
        Signature memory byPoster = _acceptance(registry, terms, WORKER, POSTER_KEY, _nonce(), expiry);
        Signature memory byWorker = _acceptance(registry, terms, WORKER, WORKER_KEY, _nonce(), expiry);
        return abi.encodeCall(registry.create, (terms, WORKER, byPoster, byWorker));
    }

    function _encodeCancel() private returns (bytes memory) {
        uint64 expiry = uint64(block.timestamp);
        Signature memory byPoster = _cancelSignature(registry, ID, 5_000, POSTER_KEY, _nonce(), expiry);
        Signature memory byWorker = _cancelSignature(registry, ID, 5_000, WORKER_KEY, _nonce(), expiry);
        return abi.encodeCall(registry.mutualCancel, (ID, 5_000, byPoster, byWorker));
    }

    function _isOneOf(string memory text, string memory a, string memory b, string memory c)
        private
        pure
        returns (bool)
    {
        return _same(text, a) || _same(text, b) || _same(text, c);
    }

    function _same(string memory a, string memory b) private pure returns (bool) {
        return keccak256(bytes(a)) == keccak256(bytes(b));
    }
}
