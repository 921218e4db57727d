import type { PreparedJson } from '@svc/operations'
import { fees } from '@svc/protocol'
import { useMemo } from 'react'
import { useApi } from '../api.ts'
import type { RequestedAction } from './readBack.ts'
import { usePrepared } from './usePrepared.ts'

/** The errors of the contracts that a larger deposit cures. */
const cured: readonly string[] = ['DepositTooLow', 'InsufficientDeposit']

/**
 * The top-up that an action needs first, if a deposit that is too low is all that keeps the wallet from it. Null if there is none.
 */
export function useTopUp(prepared: PreparedJson | undefined, enabled: boolean) {
  const isShort = enabled && prepared?.simulation.status === 'refused' && cured.includes(prepared.simulation.error.name)
  const { taskId, market = 'standard', from = '', action } = prepared ?? {}
  const steps = useApi('listSteps', { id: taskId ?? '', address: from }, isShort && taskId !== undefined)
  const wallet = useApi('getWallet', { address: from, market }, isShort && taskId === undefined)
  const rules = steps.body?.blocked.filter((each) => each.action === action)
  const free = wallet.body?.deposit.freeUnits
  const amountUsdc = useMemo(() => {
    if (!isShort) return null
    if (rules) {
      const [only, ...others] = rules
      const isTopUp = others.length === 0 && only?.cure?.action === 'top-up' && only.cure.by === 'you'
      return isTopUp ? (only.cure?.input.amountUsdc ?? null) : null
    }
    const missing = free === undefined ? 0n : fees.entryDepositUsdc - BigInt(free)
    return missing > 0n ? String(missing) : null
  }, [isShort, rules, free])
  const asked = useMemo<RequestedAction | null>(
    () => (amountUsdc === null ? null : { action: 'top-up', input: { market, amountUsdc }, from }),
    [amountUsdc, market, from],
  )
  const found = usePrepared(asked, enabled)
  const isReading = isShort && (taskId === undefined ? wallet.isPending : steps.isPending)
  // A top-up that would be refused too, for want of USDC, helps nobody.
  const isPossible = found.body?.simulation.status === 'succeeds'
  return {
    asked: isPossible ? asked : null,
    body: isPossible ? found.body : undefined,
    /** How much the deposit lacks, also if the wallet cannot pay it. */
    missingUsdc: amountUsdc,
    isPending: isReading || found.isPending,
  }
}
