import { minBond, unbondCooldown } from '@svc/protocol/internal/money'
import type { Call } from './facts.ts'
import { addTo, readWithdrawable, sendTok } from './money.ts'
import { type Arbitrator, finalCourt, newArbitrator, type World } from './world.ts'

type AccountOperation = (world: World, call: Call) => ((own: World) => void) | string

const poor = 'ERC20InsufficientBalance'

/** What a wallet does with its own deposit or bond. These calls concern no task, so they are in no table. */
export const accountOperations: Readonly<Record<string, AccountOperation>> = {
  topUp: (world, { caller, args: { amount = 0n } = {} }) => {
    if (amount === 0n) return 'ZeroAmount'
    if ((world.usdc[caller] ?? 0n) < amount) return poor
    return (own) => moveDeposit(own, caller, amount)
  },
  withdrawDeposit: (world, { caller, args: { amount = 0n } = {} }) => {
    if (amount === 0n) return 'ZeroAmount'
    if (amount > readWithdrawable(world, caller)) return 'InsufficientDeposit'
    return (own) => moveDeposit(own, caller, -amount)
  },
  register: (world, { caller, args: { amount = 0n } = {} }) => {
    if (caller === finalCourt) return 'CourtCannotJudge'
    const arbitrator = world.arbitrators[caller] ?? newArbitrator
    const bond = arbitrator.bond + amount
    if (bond < minBond) return 'BondTooLow'
    if ((world.tok[caller] ?? 0n) < amount) return poor
    return (own) => {
      setArbitrator(own, caller, { ...arbitrator, bond, unbondAt: 0 })
      sendTok(own, caller, 'arbitration', amount)
    }
  },
  requestUnbond: (world, { caller }) => {
    const arbitrator = world.arbitrators[caller] ?? newArbitrator
    if (arbitrator.bond === 0n) return 'NothingToWithdraw'
    return (own) => {
      setArbitrator(own, caller, { ...arbitrator, unbondAt: world.now + unbondCooldown })
    }
  },
  unbond: (world, { caller }) => {
    const arbitrator = world.arbitrators[caller] ?? newArbitrator
    if (arbitrator.unbondAt === 0) return 'NotUnbonding'
    if (world.now < arbitrator.unbondAt) return 'UnbondCooldown'
    if (arbitrator.openCases !== 0) return 'BondInUse'
    return (own) => {
      setArbitrator(own, caller, { ...arbitrator, bond: 0n, unbondAt: 0 })
      sendTok(own, 'arbitration', caller, arbitrator.bond)
    }
  },
  // The contracts check that the caller is the owner or the guardian; their own tests cover it.
  pauseEntries: (world) => (world.entriesPaused ? 'EnforcedPause' : pause(true)),
  unpauseEntries: (world) => (world.entriesPaused ? pause(false) : 'ExpectedPause'),
}

function moveDeposit(own: World, wallet: string, amount: bigint): void {
  addTo(own, 'deposits', wallet, amount)
  addTo(own, 'usdc', wallet, -amount)
  addTo(own, 'usdc', 'depositVault', amount)
}

const pause = (paused: boolean) => (own: World) => {
  own.entriesPaused = paused
}

function setArbitrator(own: World, wallet: string, arbitrator: Arbitrator): void {
  own.arbitrators = { ...own.arbitrators, [wallet]: arbitrator }
}
