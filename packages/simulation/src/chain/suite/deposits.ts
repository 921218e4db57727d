import type { Address } from 'viem'
import { performForWallet } from './engine.ts'
import type { Frame } from './frame.ts'

/** DepositVault.topUpFor. */
export function topUpFor(frame: Frame, agent: Address, amount: bigint): void {
  performForWallet(frame, 'topUp', agent, { amount })
  frame.state.own.edit('own').totalDeposits += amount
  frame.emit('depositVault', 'ToppedUp', agent, frame.from, amount)
  frame.tokenLog()
}

/** DepositVault.withdraw. */
export function withdrawDeposit(frame: Frame, amount: bigint, to: Address): void {
  performForWallet(frame, 'withdrawDeposit', frame.from, { amount })
  frame.state.own.edit('own').totalDeposits -= amount
  frame.emit('depositVault', 'Withdrawn', frame.from, to, amount)
  frame.tokenLog()
}
