import { sunsetNotice } from '@svc/protocol/internal/money'
import { type Address, zeroAddress } from 'viem'
import { type Frame, refuseUnless } from './frame.ts'

/** The contracts that have an owner. */
type Owned = 'taskRegistry' | 'stakingVault'

/** Emits the events of a market's constructors, in the order of the deployment. */
export function deployed(frame: Frame, owner: Address, guardian: Address): void {
  frame.emit('stakingVault', 'OwnershipTransferred', zeroAddress, owner)
  frame.emit('taskRegistry', 'OwnershipTransferred', zeroAddress, owner)
  frame.emit('taskRegistry', 'GuardianSet', guardian)
}

/** TaskRegistry.setGuardian, without a check that the caller is the owner, here and below. */
export function setGuardian(frame: Frame, guardian: Address): void {
  frame.emit('taskRegistry', 'GuardianSet', guardian)
}

/** TaskRegistry.sunset. */
export function sunset(frame: Frame, endsAt: bigint): void {
  const own = frame.state.own.edit('own')
  const isOver = own.sunsetAt !== 0 && frame.now >= own.sunsetAt
  refuseUnless(!isOver && endsAt >= own.sunsetAt && endsAt >= frame.now + sunsetNotice, 'InvalidSunset')
  own.sunsetAt = Number(endsAt)
  frame.emit('taskRegistry', 'SunsetScheduled', endsAt)
}

/** Ownable2Step.transferOwnership. */
export function transferOwnership(frame: Frame, contract: Owned, to: Address): void {
  const own = frame.state.own.edit('own')
  own.pendingOwners = { ...own.pendingOwners, [contract]: to }
  frame.emit(contract, 'OwnershipTransferStarted', frame.from, to)
}

/** Ownable2Step.acceptOwnership. In the simulation an owner only transfers to itself. */
export function acceptOwnership(frame: Frame, contract: Owned): void {
  const own = frame.state.own.edit('own')
  refuseUnless(own.pendingOwners[contract] === frame.from, 'OwnableUnauthorizedAccount')
  own.pendingOwners = { ...own.pendingOwners, [contract]: null }
  frame.emit(contract, 'OwnershipTransferred', frame.from, frame.from)
}
