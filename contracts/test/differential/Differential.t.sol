// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ClaimPolicy, Receipt, Signature, Task, TaskScope, TaskTerms } from "../../src/types/Task.sol";
import { vm } from "../Vm.sol";
import { Snapshot } from "./Snapshot.sol";

/// @dev Lives the lives of test/differential/generate.ts on the contracts: after every call the error, the state of all
/// tasks and disputes and all balances must be the model's.
contract DifferentialTest is Snapshot {
    struct Step {
        uint256 operation;
        uint256 caller;
        uint256 taskId;
        uint256 time;
        uint256 milestone;
        uint256 amount;
        uint256 poster;
        uint256 other;
        bool hashGiven;
        bool digestMatches;
        bool permitted;
        bool signed;
        uint256 receipt;
        bool forWorker;
        bool wrongCase;
        bytes4 refusal;
        bytes32 state;
        bytes terms;
    }

    struct Terms {
        uint256[] amounts;
        uint64[] durations;
        uint64 reviewWindow;
        uint8 maxRevisions;
        uint256 arbitrator;
        uint256 store;
        uint8 claimPolicy;
        uint64 claimDeadline;
    }

    string private constant FILE = "contracts/cache/differential.txt";
    string[] private _operations;
    /// @dev By place, from 1.
    address[] private _wallets;

    function setUp() public override {
        for (uint256 i = 0; i < WALLETS; ++i) {
            _wallets.push(vm.addr(_key(i)));
        }
        _wallets.push(COURT);
        vm.chainId(8453);
        vm.roll(1_000_000);
        vm.warp(1_800_000_000);
    }

    function test_theContractsLiveAsTheModel() public {
        uint256 count = vm.parseUint(vm.readLine(FILE));
        _operations = abi.decode(vm.parseBytes(vm.readLine(FILE)), (string[]));
        for (uint256 i = 0; i < count; ++i) {
            uint256 snapshot = vm.snapshotState();
            // Its own call, so that the memory of one life is gone before the next.
            this.live(i);
            vm.revertToStateAndDelete(snapshot);
        }
    }

    function live(uint256 number) external {
        (string memory market, Step[] memory steps) = abi.decode(vm.parseBytes(vm.readLine(FILE)), (string, Step[]));
        _deploy(market);
        for (uint256 i = 1; i <= WALLETS; ++i) {
            _endow(_wallet(i));
        }
        for (uint256 i = 0; i < steps.length; ++i) {
            string memory where = string.concat(
                "sequence ", vm.toString(number), " step ", vm.toString(i), " ", _operations[steps[i].operation]
            );
            vm.warp(steps[i].time);
            (address to, bytes memory data, address caller) = _encode(steps[i]);
            vm.prank(caller);
            (bool ok, bytes memory answer) = to.call(data);
            vm.assertEq(bytes32(ok ? bytes4(0) : bytes4(answer)), bytes32(steps[i].refusal), where);
            vm.assertEq(keccak256(abi.encode(_snapshot())), steps[i].state, where);
        }
    }

    function _endow(address wallet) private {
        vm.prank(HOLDER);
        tok.transfer(wallet, 60_000e18);
        usdc.mint(wallet, 120e6);
        vm.startPrank(wallet);
        tok.approve(address(gateway), type(uint256).max);
        usdc.approve(address(deposits), type(uint256).max);
        deposits.topUp(60e6);
        vm.stopPrank();
    }

    function _wallet(uint256 index) internal view override returns (address) {
        return _wallets[index];
    }

    function _key(uint256 index) private pure returns (uint256) {
        return 0x1000 + index;
    }

    function _encode(Step memory step) private returns (address to, bytes memory data, address caller) {
        string memory operation = _operations[step.operation];
        caller = _wallet(step.caller);
        to = address(registry);
        uint256 id = step.taskId;
        bytes32 hash = step.hashGiven ? PROOF : bytes32(0);
        uint256 milestone = step.milestone == 0xff ? registry.taskOf(id).current : step.milestone;
        if (_is(operation, "post")) {
            data = abi.encodeCall(registry.post, (_termsOf(step, step.caller), TEXT, step.amount));
        } else if (_is(operation, "create")) {
            data = _encodeCreate(step);
        } else if (_is(operation, "fund")) {
            data = abi.encodeCall(registry.fund, (id, step.amount));
        } else if (_is(operation, "claim")) {
            data = _encodeClaim(step, caller);
        } else if (_is(operation, "markDelivered")) {
            data = abi.encodeCall(registry.markDelivered, (id, milestone, hash, _receiptOf(step)));
        } else if (_is(operation, "allowWorker")) {
            data = abi.encodeCall(registry.allowWorker, (id, _wallet(step.other)));
        } else if (_is(operation, "requestRevision")) {
            data = abi.encodeCall(registry.requestRevision, (id, milestone, hash));
        } else if (_is(operation, "openDispute")) {
            data = abi.encodeCall(registry.openDispute, (id, milestone, hash, step.amount));
        } else if (_is(operation, "release")) {
            data = abi.encodeCall(registry.release, (id, milestone));
        } else if (_is(operation, "releaseLapsed")) {
            data = abi.encodeCall(registry.releaseLapsed, (id, milestone));
        } else if (_is(operation, "mutualCancel")) {
            data = _encodeCancel(step);
        } else if (_is(operation, "topUp")) {
            (to, data) = (address(deposits), abi.encodeCall(deposits.topUp, (step.amount)));
        } else if (_is(operation, "withdrawDeposit")) {
            (to, data) = (address(deposits), abi.encodeCall(deposits.withdraw, (step.amount, caller)));
        } else if (_is(operation, "pauseEntries") || _is(operation, "unpauseEntries")) {
            (data, caller) = (abi.encodeWithSignature(string.concat(operation, "()")), GUARDIAN);
        } else {
            data = _encodeArbitration(operation, step, hash);
            if (data.length != 0) return (address(arbitration), data, caller);
            data = abi.encodeWithSignature(string.concat(operation, "(uint256)"), id);
        }
    }

    /// @return Nothing for an operation of the registry.
    function _encodeArbitration(string memory operation, Step memory step, bytes32 hash)
        private
        view
        returns (bytes memory)
    {
        uint256 id = step.taskId;
        uint256 number = arbitration.disputeOf(id).number + (step.wrongCase ? 1 : 0);
        if (_is(operation, "propose")) return abi.encodeCall(arbitration.propose, (id, _wallet(step.other)));
        if (_is(operation, "submitEvidence")) {
            return abi.encodeCall(arbitration.submitEvidence, (id, hash, step.amount));
        }
        if (_is(operation, "stepDown")) return abi.encodeCall(arbitration.stepDown, (id));
        if (_is(operation, "resolve")) {
            return abi.encodeCall(arbitration.resolve, (id, number, step.forWorker, hash));
        }
        if (_is(operation, "decide")) {
            return abi.encodeCall(arbitration.decide, (id, number, step.forWorker, hash));
        }
        if (_is(operation, "escalate")) return abi.encodeCall(arbitration.escalate, (id));
        if (_is(operation, "finalize")) return abi.encodeCall(arbitration.finalize, (id));
        if (_is(operation, "resolveTimedOut")) return abi.encodeCall(arbitration.resolveTimedOut, (id));
        if (_is(operation, "register")) return abi.encodeCall(arbitration.register, (step.amount));
        if (_is(operation, "requestUnbond")) return abi.encodeCall(arbitration.requestUnbond, ());
        if (_is(operation, "unbond")) return abi.encodeCall(arbitration.unbond, ());
        return "";
    }

    /// @dev None, a good one, one for no byte, one that ends a second too early, and one that the store did not sign.
    function _receiptOf(Step memory step) private view returns (Receipt memory receipt) {
        Task memory task = registry.taskOf(step.taskId);
        uint256 review = task.reviewWindow;
        if (review < params.minRevisionTime) review = params.minRevisionTime;
        uint256 until = block.timestamp + review + params.evidenceWindow + params.rulingWindow + params.appealWindow
            + params.courtWindow - (step.receipt == 3 ? 1 : 0);
        uint256 key = step.receipt == 4 ? 1 : _keyOf(task.store, 2);
        receipt = _receipt(registry, step.taskId, PROOF, uint64(until), key);
        if (step.receipt == 0) receipt.signature = "";
        if (step.receipt == 2) receipt.size = 0;
    }

    /// @dev The key of a wallet, or another one if it has none.
    function _keyOf(address wallet, uint256 otherwise) private view returns (uint256) {
        for (uint256 i = 1; i < WALLETS; ++i) {
            if (_wallet(i) == wallet) return _key(i);
        }
        return otherwise;
    }

    function _termsOf(Step memory step, uint256 poster) private returns (TaskTerms memory terms) {
        Terms memory given = abi.decode(step.terms, (Terms));
        terms = TaskTerms({
            poster: _wallet(poster),
            amounts: given.amounts,
            durations: given.durations,
            reviewWindow: given.reviewWindow,
            maxRevisions: given.maxRevisions,
            arbitrator: given.arbitrator == 0 ? address(0) : _wallet(given.arbitrator),
            store: given.store == 0 ? address(0) : _wallet(given.store),
            criteriaHash: keccak256(bytes(TEXT)),
            scope: TaskScope.OPEN,
            claimPolicy: ClaimPolicy(given.claimPolicy),
            claimDeadline: given.claimDeadline,
            nonce: _nonce()
        });
    }

    function _encodeCreate(Step memory step) private returns (bytes memory) {
        TaskTerms memory terms = _termsOf(step, step.poster);
        terms.scope = TaskScope.PRIVATE;
        address worker = _wallet(step.other);
        uint64 expiry = uint64(block.timestamp);
        Signature memory byPoster = _acceptance(registry, terms, worker, _key(step.poster), _nonce(), expiry);
        Signature memory byWorker = _acceptance(registry, terms, worker, _key(step.other), _nonce(), expiry);
        if (!step.signed) byWorker.data = byPoster.data;
        return abi.encodeCall(registry.create, (terms, worker, byPoster, byWorker));
    }

    function _encodeClaim(Step memory step, address caller) private returns (bytes memory) {
        uint256 id = step.taskId;
        bytes32 digest = step.digestMatches ? _digestFor(id, caller) : bytes32(uint256(1));
        if (!step.permitted) return abi.encodeCall(registry.claim, (id, digest));
        uint256 key = _keyOf(registry.taskOf(id).poster, 1);
        Signature memory permit = _permit(registry, id, caller, key, _nonce(), uint64(block.timestamp));
        return abi.encodeCall(registry.claimWithPermit, (id, digest, permit));
    }

    function _encodeCancel(Step memory step) private returns (bytes memory) {
        uint256 id = step.taskId;
        uint256 posterKey = _keyOf(registry.taskOf(id).poster, 1);
        uint256 workerKey = step.signed ? _keyOf(registry.taskOf(id).worker, 2) : 3;
        uint64 expiry = uint64(block.timestamp);
        Signature memory byPoster = _cancelSignature(registry, id, step.amount, posterKey, _nonce(), expiry);
        Signature memory byWorker = _cancelSignature(registry, id, step.amount, workerKey, _nonce(), expiry);
        return abi.encodeCall(registry.mutualCancel, (id, step.amount, byPoster, byWorker));
    }

    function _is(string memory a, string memory b) private pure returns (bool) {
        return keccak256(bytes(a)) == keccak256(bytes(b));
    }
}
