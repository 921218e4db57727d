import type { AnyAction } from '@svc/protocol/actions'
import { zeroAddress } from 'viem'
import { type Field, fieldsOf } from './field.ts'
import { termsInput } from './termsInput.ts'

/** The arguments of a row: what the task, the terms, the wallet or the market's default answers may be left out. */
export function fieldsOfAction(action: AnyAction): Field[] {
  // Only the names count: the values come with the task itself.
  const standing = { task: { current: 0, total: 0n, funded: 0n }, account: () => ({ tok: 0n }) }
  const known = Object.keys(action.known?.(standing as never, zeroAddress) ?? {})
  const { shape } = action.input
  return fieldsOf(action.input, {
    ...Object.fromEntries(known.map((name) => [name, 'as the task stands'])),
    market: 'terms' in shape ? 'that of the terms, or standard' : 'standard',
    settlementDigest: 'of the terms on chain, which are shown',
    to: 'the wallet itself',
    beneficiary: 'the wallet itself',
    ...('tier' in shape && { maxAmount: 'the price on chain' }),
  }).map((field) => (field.name === 'terms' ? { ...field, schema: termsInput } : field))
}
