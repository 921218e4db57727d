import type { Market } from '@svc/protocol'
import type { SignedStatement } from '@svc/protocol/work'
import type { Address } from 'viem'
import { ToolError, type ToolWork } from '../tool.ts'
import { withWorkErrors } from './toolWork.ts'

/** What a draft says about its store: a wallet, "none", or nothing. */
interface StoreChoice {
  market?: Market | undefined
  store?: Address | 'none' | undefined
  poster: Address
}

const noStoreWarning =
  'No store: any delivered hash is paid if the poster does not answer in time. Leave store out to use that of the market.'

/**
 * Chooses the store of terms: the market's own with the poster's key statement, unless the draft names another one or "none".
 * Throws `ToolError` if nobody can say which store the market has: silence would then pay for any hash.
 */
export async function chooseStore(
  { store, market = 'standard', poster }: StoreChoice,
  work: ToolWork,
): Promise<{ fields: { store: Address | 'none'; statement?: SignedStatement }; warnings: string[] }> {
  const without = { fields: { store: 'none' as const }, warnings: [noStoreWarning] }
  if (store === 'none') return without
  const found = store ? { address: store } : await withWorkErrors(() => work.findMarketStore(market))
  if (!found) return without
  const statement = await withWorkErrors(() => work.readStatement(poster))
  if (!statement) {
    throw new ToolError('NOT_SIGNED_IN', `${poster} has no key statement on this machine.`, 'Call svc_work_sign_in.')
  }
  return { fields: { store: found.address, statement }, warnings: [] }
}
