import { type Address, zeroAddress } from 'viem'
import { check, type Frame } from './frame.ts'

/** The contracts that have an owner. */
type Owned = 'taskRegistry' | 'stakingVault'

/** What a market's constructors leave, in the order of the deployment: noise that every reader of logs meets first. */
export function deployed(frame: Frame, owner: Address, guardian: Address): void {
  frame.emit('stakingVault', 'OwnershipTransferred', zeroAddress, owner)
  frame.emit('taskRegistry', 'OwnershipTransferred', zeroAddress, owner)
  frame.emit('taskRegistry', 'GuardianSet', guardian)
}

/** TaskRegistry.setGuardian; that the caller is the owner is taken for granted, here and below. */
export function setGuardian(frame: Frame, guardian: Address): void {
  frame.emit('taskRegistry', 'GuardianSet', guardian)
}

/** Ownable2Step.transferOwnership. */
export function transferOwnership(frame: Frame, contract: Owned, to: Address): void {
  const own = frame.state.own.edit('own')
  own.pendingOwners = { ...own.pendingOwners, [contract]: to }
  frame.emit(contract, 'OwnershipTransferStarted', frame.from, to)
}

/** Ownable2Step.acceptOwnership. The simulation's owners only ever hand over to themselves. */
export function acceptOwnership(frame: Frame, contract: Owned): void {
  const own = frame.state.own.edit('own')
  check(own.pendingOwners[contract] === frame.from, 'OwnableUnauthorizedAccount')
  own.pendingOwners = { ...own.pendingOwners, [contract]: null }
  frame.emit(contract, 'OwnershipTransferred', frame.from, frame.from)
}
