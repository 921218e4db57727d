import { claimPolicies, taskScopes, taskStates } from '@svc/protocol'
import { milestoneStateOf } from '@svc/protocol/fold'
import type { TaskRecord } from '@svc/protocol/records'
import { type Address, encodeAbiParameters, getAddress, type Hex, keccak256, numberToHex } from 'viem'
import type { MarketAddresses } from '../market.ts'
import type { Provider, Providers } from '../providers.ts'
import { nameOf } from '../views.ts'
import { type ProvenBlock, provenHeader } from './header.ts'
import { provenSlots } from './provenSlots.ts'
import { type Member, storage } from './storage.ts'

/** A task as the storage of a block proves it. Its digest is not stored: it is made of the terms, whose hash is. */
export interface ProvenTask {
  /** Null where it is proven that there is no such task. */
  task: (Omit<TaskRecord, 'settlementDigest'> & { termsHash: Hex }) | null
  block: ProvenBlock
}

/**
 * Proves a task at the block with this hash, whatever the provider says: the header must hash to it, and every slot must have
 * its proof against the header's state root. What is trusted is the hash, and that the contracts are where they are said to be.
 */
export function proveTask(
  providers: Providers,
  contracts: Pick<MarketAddresses, 'taskRegistry' | 'escrowVault'>,
  number: bigint,
  blockHash: Hex,
): Promise<ProvenTask> {
  return providers.read(async (provider) => {
    const block = await provenHeader(provider, blockHash)
    const read = <M extends Members>(address: Hex, start: bigint, members: M) =>
      readStruct(provider, address, start, members, block)
    const task = await read(contracts.taskRegistry, entryOf(storage.tasks, number), storage.Task)
    if (taskStates[Number(task.state)] === 'NONE') return { task: null, block }
    const account = await read(contracts.escrowVault, entryOf(storage.accounts, number), storage.Account)
    const milestones = []
    for (let index = 0n; index < task.milestoneCount; index++) {
      const start = entryOf(entryOf(storage.milestones, number), index)
      milestones.push(await read(contracts.taskRegistry, start, storage.Milestone))
    }
    return { task: recordOf(number, task, account, milestones), block }
  })
}

function recordOf(
  number: bigint,
  task: Struct<typeof storage.Task>,
  account: Struct<typeof storage.Account>,
  milestones: readonly Struct<typeof storage.Milestone>[],
): ProvenTask['task'] {
  const progress = {
    state: nameOf(taskStates, Number(task.state)),
    current: Number(task.current),
    reviewEnd: Number(task.reviewEnd),
    workerBps: Number(task.workerBps),
    ruled: task.ruled !== 0n,
  }
  return {
    ...progress,
    number,
    poster: addressOf(task.poster),
    worker: task.worker === 0n ? null : addressOf(task.worker),
    scope: nameOf(taskScopes, Number(task.scope)),
    claimPolicy: nameOf(claimPolicies, Number(task.claimPolicy)),
    milestones: milestones.map(({ amount, duration }, index) => ({
      amount,
      duration: Number(duration),
      state: milestoneStateOf(progress, index),
    })),
    maxRevisions: Number(task.maxRevisions),
    revisions: Number(task.revisions),
    reviewWindow: Number(task.reviewWindow),
    arbitrator: task.arbitrator === 0n ? null : addressOf(task.arbitrator),
    total: task.total,
    ...account,
    postedAt: Number(task.postedAt),
    postedBlock: Number(task.postedBlock),
    claimDeadline: Number(task.claimDeadline),
    claimedAt: Number(task.claimedAt),
    deadline: Number(task.deadline),
    termsHash: numberToHex(task.termsHash, { size: 32 }),
  }
}

const addressOf = (word: bigint): Address => getAddress(numberToHex(word, { size: 20 }))

type Members = Readonly<Record<string, Member>>
type Struct<M extends Members> = Record<keyof M, bigint>

/** The members of a struct that begins at a slot. */
async function readStruct<M extends Members>(
  provider: Provider,
  address: Hex,
  start: bigint,
  members: M,
  block: ProvenBlock,
): Promise<Struct<M>> {
  const last = Math.max(...Object.values(members).map(({ slot }) => slot))
  const slots = Array.from({ length: last + 1 }, (_, slot) => start + BigInt(slot))
  const words = await provenSlots(provider, address, slots, block)
  const cut = ({ slot, offset, bytes }: Member) =>
    ((words[slot] ?? 0n) >> BigInt(8 * offset)) & ((1n << BigInt(8 * bytes)) - 1n)
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, cut(member)])) as Struct<M>
}

/** Where the entry of a mapping begins. */
function entryOf(mapping: bigint, key: bigint): bigint {
  return BigInt(keccak256(encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [key, mapping])))
}
