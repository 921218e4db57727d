import type { BlockRef, MarketContracts, MinedTransaction, RawLog } from '@svc/chain'
import { marketNumber, toBytes } from '@svc/index'
import { ServiceError } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { type ContractName, decodeLog, type EventKind } from '@svc/protocol/fold'
import type { MarketEvents } from '@svc/protocol/internal/fold'
import type { Sql } from 'postgres'
import { isAddressEqual } from 'viem'

/** One log of one block. */
export interface Proof {
  market: Market
  block: BlockRef
  log: RawLog
}

/** Returns a market contract's events of one kind in a transaction, with their logs. Rejects a failed transaction. */
export function decodeMatchingEvents<kind extends EventKind>(
  { succeeded, logs, block }: MinedTransaction,
  contracts: MarketContracts,
  kind: kind,
): { log: RawLog; args: MarketEvents[kind]['args'] }[] {
  if (!succeeded) throw createContradictionError('txHash', 'The transaction failed.')
  const contract = kind.slice(0, kind.indexOf('.')) as ContractName
  return logs.flatMap((log) => {
    if (!isAddressEqual(log.address, contracts[contract])) return []
    const place = { block: { number: Number(block.number), timestamp: block.timestamp }, logIndex: log.logIndex }
    const event = decodeLog(contract, { ...log, ...place })
    return event?.kind === kind ? [{ log, args: event.args as MarketEvents[kind]['args'] }] : []
  })
}

/** The transaction contradicts the request. */
export function createContradictionError(field: string, message: string): ServiceError {
  return new ServiceError('TX_CONTRADICTS', message, { field })
}

/** Whether the index has passed the block of a proof without its log: the log is no longer on the chain. */
export async function isReplaced(sql: Sql, { market, block, log }: Proof): Promise<boolean> {
  const [row] = await sql<{ known: boolean }[]>`
    select exists (
      select from market.event e where e.market = c.market and e.block = ${String(block.number)}
        and e.log_index = ${log.logIndex} and e.tx = ${toBytes(log.transactionHash)}
        and e.topics = ${encodeTopics(log)} and e.data = ${toBytes(log.data)}) as known
    from market.cursor c
    where c.market = ${marketNumber(market)} and c.halted is null and c.number >= ${String(block.number)}`
  return row !== undefined && !row.known
}

export const encodeTopics = ({ topics }: RawLog): Buffer => Buffer.concat(topics.map(toBytes))
