import type { MailLog, SavedItem } from '@svc/work'
import { type Address, getAddress, isAddress } from 'viem'
import * as z from 'zod/mini'
import { changeValue, loadValue } from '../work/database.ts'

/** The most messages that this browser keeps for a wallet. The oldest go first; the store has them for a while longer. */
const maxItems = 20_000

const address = z.pipe(
  z.string().check(z.refine((text) => isAddress(text), 'not an address')),
  z.transform((text) => getAddress(text)),
)
const saved = z.object({
  cursor: z.nullable(z.string()),
  items: z.array(
    z.object({
      line: z.string(),
      from: address,
      postedAt: z.number(),
      to: z.optional(z.array(address)),
      task: z.optional(z.string()),
      isWaiting: z.optional(z.boolean()),
    }),
  ),
})
const none: z.output<typeof saved> = { cursor: null, items: [] }

/** Keeps the messages of a wallet in this browser. What cannot be read is fetched from the store again. */
export function createBrowserMailLog(wallet: Address, store: Address): MailLog {
  const key = `${wallet}-${store}`.toLowerCase()
  const parse = (value: unknown) => {
    const { success, data } = z.safeParse(saved, value)
    return success ? data : none
  }
  return {
    load: async () => parse(await loadValue('mail', key)),
    append: (items: readonly SavedItem[], cursor) =>
      changeValue('mail', key, (value) => ({ cursor, items: [...parse(value).items, ...items].slice(-maxItems) })),
  }
}
