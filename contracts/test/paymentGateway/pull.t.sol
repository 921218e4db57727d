// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { ShortStrings } from "@openzeppelin/contracts/utils/ShortStrings.sol";
import { PaymentGateway } from "../../src/PaymentGateway.sol";
import { IPaymentGateway } from "../../src/interfaces/IPaymentGateway.sol";
import { Contracts } from "../../src/types/Market.sol";
import { vm } from "../Vm.sol";
import { bound } from "../bound.sol";
import { PaymentGatewayBase } from "./PaymentGatewayBase.sol";

contract PaymentGatewayPullTest is PaymentGatewayBase {
    function test_RevertWhen_TheCallerIsNotAVault() external {
        address[5] memory callers = [PAYER, REGISTRY, TREASURY, address(gateway), address(this)];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.Unauthorized.selector, callers[i]));
            gateway.pull(PAYER, 1);
        }
    }

    function test_MovesTheAmountToTheCallingVault() external {
        address[3] memory callers = [ESCROW, ARBITRATION, address(vault)];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.prank(callers[i]);
            gateway.pull(PAYER, 5e18 + i);
            vm.assertEq(tok.balanceOf(callers[i]), 5e18 + i);
        }
        vm.assertEq(tok.balanceOf(PAYER), WEALTH - 15e18 - 3);
        _assertGatewayIsEmpty();
    }

    function test_RevertGiven_TheAllowanceIsAWeiShort() external {
        _allow(5e18 - 1);
        vm.prank(ESCROW);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(gateway), 5e18 - 1, 5e18)
        );
        gateway.pull(PAYER, 5e18);
    }

    function test_RevertGiven_TheTokenOnlySaysNo() external {
        vm.mockCall(address(tok), abi.encodeWithSelector(IERC20.transferFrom.selector), abi.encode(false));
        vm.prank(ESCROW);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(tok)));
        gateway.pull(PAYER, 1);
    }

    function testFuzz_MovesExactlyTheAmount(uint256 allowed, uint256 amount) external {
        allowed = bound(allowed, 0, WEALTH);
        amount = bound(amount, 0, allowed);
        _allow(allowed);
        vm.prank(ARBITRATION);
        gateway.pull(PAYER, amount);
        vm.assertEq(tok.balanceOf(ARBITRATION), amount);
        vm.assertEq(tok.balanceOf(PAYER), WEALTH - amount);
        vm.assertEq(tok.allowance(PAYER, address(gateway)), allowed - amount);
    }

    function test_ReturnsItsMarket() external view {
        vm.assertEq(gateway.market(), "standard");
    }

    function test_RevertWhen_TheMarketNameIsTooLong() external {
        Contracts memory contracts;
        string memory name = "a market with a name of 32 bytes";
        vm.expectRevert(abi.encodeWithSelector(ShortStrings.StringTooLong.selector, name));
        this.deployGateway(contracts, name);
    }

    /// @dev In a call of its own: `expectRevert` does not see a `new` that dynamic test linking replaced.
    function deployGateway(Contracts calldata contracts, string calldata name) external returns (PaymentGateway) {
        return new PaymentGateway(contracts, name);
    }
}
