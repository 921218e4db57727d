import { formatTaskId, type Market } from '@svc/protocol'
import { findEventBundle } from '@svc/protocol/internal/work'
import * as z from 'zod'
import { eventBundleJson } from './bundle.ts'
import { count, hashText, moment, taskIdText } from './scalars.ts'

/** An event of a market's contracts. */
export const eventJson = z
  .object({
    event: z.string().describe('Name of the event in the contract, such as `TaskPosted`.'),
    contract: z.string().describe('Name of the contract that emitted it, such as `taskRegistry`.'),
    taskId: z.nullable(taskIdText).describe('Task that the event is about; null if it is not about a task.'),
    args: z
      .record(z.string(), z.unknown())
      .describe('Arguments of the event by name. Integers of more than 48 bits are decimal strings.'),
    bundle: z
      .nullable(eventBundleJson)
      .describe('Bundle of work that the event puts on chain; null if none. The task has its author and revision.'),
    blockNumber: count.describe('Number of its block.'),
    logIndex: count.describe('Index of its log in the block.'),
    timestamp: moment.describe('Time of its block, in unix seconds.'),
    transactionHash: hashText.describe('Hash of its transaction.'),
  })
  .describe('An event of the contracts of one market.')

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
export function formatEvent({ name, task, args, blockNumber, ...same }: Entry, market: Market): EventJson {
  return {
    event: name,
    contract: same.contract,
    taskId: task === null || task === 0n ? null : formatTaskId({ market, number: task }),
    args: formatEventArgs(args),
    bundle: findEventBundle({ name, args }),
    blockNumber: Number(blockNumber),
    logIndex: same.logIndex,
    timestamp: same.timestamp,
    transactionHash: same.transactionHash,
  }
}

/** The arguments of an event on the wire. */
export const formatEventArgs = (args: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).map(([name, each]) => [name, plain(each)]))

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]))
}
