import { createChainReader, getMarketDeployment } from '@svc/chain'
import { eventJson, formatEvent } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { compare } from './compare.ts'
import { UnverifiableError, type Verdict, type VerifyDeps } from './verifyAnswer.ts'

/**
 * Whether an event, from the stream or a list, is a log of that market's contracts at exactly that position, with these
 * arguments. It is read at the newest block, which the verdict names.
 */
export async function verifyEvent(
  market: Market,
  event: unknown,
  { providers, deployments }: VerifyDeps,
): Promise<Verdict> {
  const { success, data } = eventJson.safeParse(event)
  if (!success) throw new UnverifiableError('Not a valid event of the API.')
  const { blockNumber, logIndex } = data
  const after = { block: BigInt(blockNumber), logIndex: logIndex - 1 }
  const reader = createChainReader(providers, getMarketDeployment(deployments))
  const { events, block: head } = await reader.listEvents(market, { limit: 1, after })
  const [found] = events
  const isThere = found?.blockNumber === BigInt(blockNumber) && found.logIndex === logIndex
  const chain = isThere ? formatEvent(found, market) : `Block ${blockNumber} has no such event at ${logIndex}.`
  const comparison = compare(event, JSON.parse(JSON.stringify(chain)))
  return { equal: comparison.differences.length === 0, block: head, ...comparison, notProven: [], notFromChain: [] }
}
