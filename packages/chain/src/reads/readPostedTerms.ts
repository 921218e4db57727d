import type { TaskTerms } from '@svc/protocol'
import type { MarketEvent } from '@svc/protocol/fold'
import { numberToHex } from 'viem'
import { ChainReadError } from '../errors.ts'
import { getLogs } from '../logs.ts'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import { decodeTimelineEntry } from './entries.ts'

/** Reads the terms of a task from the log of its posting. */
export async function readPostedTerms(
  provider: Provider,
  contracts: MarketAddresses,
  number: bigint,
  postedBlock: number,
): Promise<TaskTerms> {
  const block = BigInt(postedBlock)
  const filter = { address: contracts.taskRegistry, topics: [null, numberToHex(number, { size: 32 })] }
  const logs = await getLogs(provider.rpc, filter, { from: block, to: block })
  const entries = await Promise.all(logs.map((log) => decodeTimelineEntry(provider, log, contracts)))
  return findPostedTerms(
    entries.map(({ event }) => event),
    provider,
    number,
  )
}

/** Finds the terms in the events of a task. Throws if the provider lacks the log of its posting. */
export function findPostedTerms(events: readonly MarketEvent[], { rpc }: Provider, number: bigint): TaskTerms {
  const posted = events.find((event) => event.name === 'TaskPosted' || event.name === 'TaskCreated')
  if (posted) return posted.args.terms
  throw new ChainReadError(`${rpc.name} has task ${number} but not the log of its posting.`, { retryable: true })
}
