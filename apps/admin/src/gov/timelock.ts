import type { ChainClient } from '@svc/chain'
import { timelockControllerAbi as abi } from '@svc/devnet/timelock'
import type { SafeCall } from '@svc/protocol/internal/steps'
import { type Address, encodeFunctionData, type Hex, keccak256, stringToHex, zeroHash } from 'viem'
import { AdminError } from '../adminError.ts'
import type { Change } from './changes.ts'

/** What can be done with a change of the owner. */
export const stages = ['schedule', 'execute', 'cancel'] as const
export type Stage = (typeof stages)[number]

const states = ['unset', 'waiting', 'ready', 'done'] as const

/** A change in the timelock. */
interface Operation {
  id: Hex
  state: (typeof states)[number]
  /** When it can be executed, in unix seconds; 0 if it is not scheduled. */
  readyAt: number
}

type Batch = readonly [readonly Address[], readonly bigint[], readonly Hex[], Hex, Hex]

/** `label` tells apart two changes with the same calls. */
const toBatch = ({ calls }: Change, label: string): Batch => [
  calls.map(({ to }) => to),
  calls.map(() => 0n),
  calls.map(({ data }) => data),
  zeroHash,
  label === '' ? zeroHash : keccak256(stringToHex(label)),
]

/** Reads where a change stands. */
async function readOperation(client: ChainClient, address: Address, change: Change, label: string): Promise<Operation> {
  const args = toBatch(change, label)
  const id = await client.readContract({ address, abi, functionName: 'hashOperationBatch', args })
  const [state, readyAt] = await Promise.all([
    client.readContract({ address, abi, functionName: 'getOperationState', args: [id] }),
    client.readContract({ address, abi, functionName: 'getTimestamp', args: [id] }),
  ])
  return { id, state: states[state] ?? 'unset', readyAt: Number(readyAt) }
}

/** Builds the call of the timelock for one stage of a change. Throws if the change is not at that stage. */
export async function buildTimelockCall(
  client: ChainClient,
  { timelock, change, label, stage }: { timelock: Address; change: Change; label: string; stage: Stage },
): Promise<SafeCall> {
  const batch = toBatch(change, label)
  const { id, state, readyAt } = await readOperation(client, timelock, change, label)
  const fail = (why: string) => new AdminError(`Cannot ${stage} "${change.summary}": ${why}.`)
  if (stage === 'schedule') {
    if (state !== 'unset') throw fail(state === 'done' ? 'it was done before; give another --label' : 'it is scheduled')
    const delay = await client.readContract({ address: timelock, abi, functionName: 'getMinDelay' })
    return { to: timelock, data: encodeFunctionData({ abi, functionName: 'scheduleBatch', args: [...batch, delay] }) }
  }
  if (stage === 'cancel') {
    if (state !== 'waiting' && state !== 'ready') throw fail('it is not scheduled')
    return { to: timelock, data: encodeFunctionData({ abi, functionName: 'cancel', args: [id] }) }
  }
  // A node's state "waiting" is that of its last block. The next one may already be late enough.
  if (state === 'waiting') throw fail(`it can be executed from ${new Date(readyAt * 1_000).toISOString()}`)
  if (state !== 'ready') throw fail(state === 'done' ? 'it was done before' : 'it is not scheduled')
  return { to: timelock, data: encodeFunctionData({ abi, functionName: 'executeBatch', args: batch }) }
}
