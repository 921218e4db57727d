// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { SuiteFactory } from "../../src/SuiteFactory.sol";
import { TokToken } from "../../src/TokToken.sol";
import { ISuiteFactory } from "../../src/interfaces/ISuiteFactory.sol";
import { vm } from "../Vm.sol";

contract Failing {
    error Refused(uint256 value);

    constructor(uint256 value) {
        revert Refused(value);
    }
}

contract SuiteFactoryTest {
    address private constant HOLDER = address(0x401DE2);

    SuiteFactory private factory;

    function setUp() external {
        factory = new SuiteFactory(address(this));
    }

    function test_KeepsItsDeployer() external view {
        require(factory.deployer() == address(this), "deployer");
        require(factory.created() == 0, "created");
    }

    function test_RevertWhen_CallerIsNotTheDeployer() external {
        vm.expectRevert(abi.encodeWithSelector(ISuiteFactory.NotDeployer.selector, HOLDER));
        vm.prank(HOLDER);
        factory.create(0, tok());
    }

    function test_RevertWhen_IndexIsNotTheNextOne() external {
        vm.expectRevert(abi.encodeWithSelector(ISuiteFactory.WrongIndex.selector, 1, 0));
        factory.create(1, tok());
        factory.create(0, tok());
        vm.expectRevert(abi.encodeWithSelector(ISuiteFactory.WrongIndex.selector, 0, 1));
        factory.create(0, tok());
    }

    function test_RevertWhen_TheConstructorReverts() external {
        bytes memory failing = abi.encodePacked(type(Failing).creationCode, abi.encode(7));
        vm.expectRevert(abi.encodeWithSelector(Failing.Refused.selector, 7));
        factory.create(0, failing);
        require(factory.created() == 0, "created");
    }

    function test_CreatesAtTheAddressOfItsIndex() external {
        for (uint256 i = 0; i < 3; ++i) {
            address instance = factory.create(i, tok());
            require(instance == vm.computeCreateAddress(address(factory), i + 1), "address");
            require(TokToken(instance).balanceOf(HOLDER) == 1_000_000_000e18, "constructor");
            require(factory.created() == i + 1, "created");
        }
    }

    function tok() private view returns (bytes memory) {
        return abi.encodePacked(type(TokToken).creationCode, abi.encode(HOLDER));
    }
}
