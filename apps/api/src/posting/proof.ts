import type { BlockRef, MarketContracts, Mined, RawLog } from '@svc/chain'
import { marketNumber, toBytes } from '@svc/index'
import type { Market } from '@svc/protocol'
import { type ContractName, decodeLog, type EventKind, type MarketEvents } from '@svc/protocol/fold'
import { HttpError } from '@svc/serve'
import type { Sql } from 'postgres'
import { isAddressEqual } from 'viem'

/** One log of one block. */
export interface Proof {
  market: Market
  block: BlockRef
  log: RawLog
}

/** The events of one kind that a market's contract left in a transaction, with their logs. Refuses one that failed. */
export function eventsOf<kind extends EventKind>(
  { succeeded, logs, block }: Mined,
  contracts: MarketContracts,
  kind: kind,
): { log: RawLog; args: MarketEvents[kind]['args'] }[] {
  if (!succeeded) throw contradicts('txHash', 'The transaction failed.')
  const contract = kind.slice(0, kind.indexOf('.')) as ContractName
  return logs.flatMap((log) => {
    if (!isAddressEqual(log.address, contracts[contract])) return []
    const place = { block: { number: Number(block.number), timestamp: block.timestamp }, logIndex: log.logIndex }
    const event = decodeLog(contract, { ...log, ...place })
    return event?.kind === kind ? [{ log, args: event.args as MarketEvents[kind]['args'] }] : []
  })
}

/** The transaction does not say what the request does. */
export function contradicts(field: string, message: string): HttpError {
  return new HttpError(422, 'TX_CONTRADICTS', message, { field })
}

/** Whether the index has been past the block of a proof and does not have its log: the log is not on the chain any more. */
export async function isReplaced(sql: Sql, { market, block, log }: Proof): Promise<boolean> {
  const [row] = await sql<{ known: boolean }[]>`
    select exists (
      select from market.event e where e.market = c.market and e.block = ${String(block.number)}
        and e.log_index = ${log.logIndex} and e.tx = ${toBytes(log.transactionHash)}
        and e.topics = ${topicBytes(log)} and e.data = ${toBytes(log.data)}) as known
    from market.cursor c
    where c.market = ${marketNumber(market)} and c.halted is null and c.number >= ${String(block.number)}`
  return row !== undefined && !row.known
}

export const topicBytes = ({ topics }: RawLog): Buffer => Buffer.concat(topics.map(toBytes))
