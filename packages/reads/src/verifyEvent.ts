import { createChainReader, marketPlaces } from '@svc/chain'
import type { Market } from '@svc/protocol'
import { eventJson, eventJsonOf } from '@svc/protocol/http'
import { compare } from './compare.ts'
import { UnverifiableError, type Verdict, type VerifyDeps } from './verifyAnswer.ts'

/**
 * Whether an event, of the stream or of a list, is a log of that market's contracts at its very place in the chain, with
 * these arguments. It is read at the newest block, which the verdict names.
 */
export async function verifyEvent(
  market: Market,
  event: unknown,
  { providers, deployments }: VerifyDeps,
): Promise<Verdict> {
  const { success, data } = eventJson.safeParse(event)
  if (!success) throw new UnverifiableError('This is no event as the API writes them.')
  const { blockNumber, logIndex } = data
  const after = { block: BigInt(blockNumber), logIndex: logIndex - 1 }
  const reader = createChainReader(providers, marketPlaces(deployments))
  const { events, block: head } = await reader.listEvents(market, { limit: 1, after })
  const [found] = events
  const isThere = found?.blockNumber === BigInt(blockNumber) && found.logIndex === logIndex
  const chain = isThere ? eventJsonOf(found, market) : `Block ${blockNumber} has no such event at ${logIndex}.`
  const comparison = compare(event, JSON.parse(JSON.stringify(chain)))
  return { equal: comparison.differences.length === 0, block: head, ...comparison, notProven: [], notFromChain: [] }
}
