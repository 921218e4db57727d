import * as z from 'zod/mini'
import type { Market } from '../market.ts'
import { formatTaskId } from '../taskId.ts'
import { count, hashText, moment, taskIdText } from './scalars.ts'

/** An event of a market's contracts. */
export const eventJson = z.object({
  event: z.string(),
  contract: z.string(),
  /** The task it is about; null where it is about none. */
  taskId: z.nullable(taskIdText),
  /** Its arguments by name; numbers that can be large are decimal strings. */
  args: z.record(z.string(), z.unknown()),
  blockNumber: count,
  logIndex: count,
  timestamp: moment,
  transactionHash: hashText,
})

export type EventJson = z.infer<typeof eventJson>

interface Entry {
  name: string
  contract: string
  task: bigint | null
  args: object
  blockNumber: bigint
  logIndex: number
  timestamp: number
  transactionHash: string
}

/** An event on the wire. */
export function eventJsonOf({ name, task, args, blockNumber, ...same }: Entry, market: Market): EventJson {
  return {
    event: name,
    contract: same.contract,
    taskId: task === null || task === 0n ? null : formatTaskId({ market, number: task }),
    args: plain(args) as Record<string, unknown>,
    blockNumber: Number(blockNumber),
    logIndex: same.logIndex,
    timestamp: same.timestamp,
    transactionHash: same.transactionHash,
  }
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]))
}
