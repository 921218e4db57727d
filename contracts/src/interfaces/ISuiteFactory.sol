// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Creates the contracts of a suite at addresses that are known beforehand
/// @notice The contracts name each other in their constructors. Their addresses therefore cannot follow from their code, and
/// follow from the factory and their place in it instead. The factory has no part in a suite that is complete.
interface ISuiteFactory {
    error NotDeployer(address caller);
    error WrongIndex(uint256 index, uint256 next);

    /// @notice Creates the next contract. Deployer only.
    /// @dev A creation that is sent twice fails the second time. What a constructor reverts with is passed on.
    /// @param index How many contracts the factory has created before.
    /// @param creationCode The creation code with the constructor's arguments.
    /// @return instance The address of the new contract.
    function create(uint256 index, bytes calldata creationCode) external returns (address instance);

    /// @notice Who may create contracts here.
    /// @return The deployer.
    function deployer() external view returns (address);

    /// @notice How many contracts were created here.
    /// @return The index of the next one.
    function created() external view returns (uint256);
}
