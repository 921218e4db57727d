import { claimPolicies, taskScopes, taskStates } from '@svc/protocol'
import { deriveMilestoneState } from '@svc/protocol/internal/fold'
import type { TaskRecord } from '@svc/protocol/records'
import { type Address, encodeAbiParameters, getAddress, type Hex, keccak256, numberToHex } from 'viem'
import type { MarketAddresses } from '../market.ts'
import type { Provider, Providers } from '../providers.ts'
import { decodeEnum } from '../views.ts'
import { type ProvenBlock, proveHeader } from './header.ts'
import { proveSlots } from './proveSlots.ts'
import { type Member, storage } from './storage.ts'

/** A task as storage proofs of a block show it. Storage has the hash of the terms, not the settlement digest. */
export interface ProvenTask {
  /** Null if the proof shows that the task does not exist. */
  task: (Omit<TaskRecord, 'settlementDigest'> & { termsHash: Hex }) | null
  block: ProvenBlock
}

/**
 * Proves a task at the block with this hash without trusting the provider: the header must hash to it, and every storage slot
 * needs a proof against the header's state root. Only the hash and the contract addresses are trusted.
 */
export function proveTask(
  providers: Providers,
  contracts: Pick<MarketAddresses, 'taskRegistry' | 'escrowVault'>,
  number: bigint,
  blockHash: Hex,
): Promise<ProvenTask> {
  return providers.read(async (provider) => {
    const block = await proveHeader(provider, blockHash)
    const read = <M extends Members>(address: Hex, start: bigint, members: M) =>
      readStruct(provider, address, start, members, block)
    const task = await read(contracts.taskRegistry, hashMappingSlot(storage.tasks, number), storage.Task)
    if (taskStates[Number(task.state)] === 'NONE') return { task: null, block }
    const account = await read(contracts.escrowVault, hashMappingSlot(storage.accounts, number), storage.Account)
    const milestones = []
    for (let index = 0n; index < task.milestoneCount; index++) {
      const start = hashMappingSlot(hashMappingSlot(storage.milestones, number), index)
      milestones.push(await read(contracts.taskRegistry, start, storage.Milestone))
    }
    return { task: toTaskRecord(number, task, account, milestones), block }
  })
}

function toTaskRecord(
  number: bigint,
  task: Struct<typeof storage.Task>,
  account: Struct<typeof storage.Account>,
  milestones: readonly Struct<typeof storage.Milestone>[],
): ProvenTask['task'] {
  const progress = {
    state: decodeEnum(taskStates, Number(task.state)),
    current: Number(task.current),
    reviewEnd: Number(task.reviewEnd),
    workerBps: Number(task.workerBps),
    ruled: task.ruled !== 0n,
  }
  return {
    ...progress,
    number,
    poster: toAddress(task.poster),
    worker: task.worker === 0n ? null : toAddress(task.worker),
    scope: decodeEnum(taskScopes, Number(task.scope)),
    claimPolicy: decodeEnum(claimPolicies, Number(task.claimPolicy)),
    milestones: milestones.map(({ amount, duration }, index) => ({
      amount,
      duration: Number(duration),
      state: deriveMilestoneState(progress, index),
    })),
    maxRevisions: Number(task.maxRevisions),
    revisions: Number(task.revisions),
    reviewWindow: Number(task.reviewWindow),
    arbitrator: task.arbitrator === 0n ? null : toAddress(task.arbitrator),
    store: task.store === 0n ? null : toAddress(task.store),
    receipted: task.receipted !== 0n,
    underNotice: task.underNotice !== 0n,
    total: task.total,
    ...account,
    postedAt: Number(task.postedAt),
    postedBlock: Number(task.postedBlock),
    claimDeadline: Number(task.claimDeadline),
    claimedAt: Number(task.claimedAt),
    fundedAtClaim: task.fundedAtClaim !== 0n,
    deadline: Number(task.deadline),
    termsHash: numberToHex(task.termsHash, { size: 32 }),
  }
}

const toAddress = (word: bigint): Address => getAddress(numberToHex(word, { size: 20 }))

type Members = Readonly<Record<string, Member>>
type Struct<M extends Members> = Record<keyof M, bigint>

/** Reads the members of a struct that begins at a slot. */
async function readStruct<M extends Members>(
  provider: Provider,
  address: Hex,
  start: bigint,
  members: M,
  block: ProvenBlock,
): Promise<Struct<M>> {
  const last = Math.max(...Object.values(members).map(({ slot }) => slot))
  const slots = Array.from({ length: last + 1 }, (_, slot) => start + BigInt(slot))
  const words = await proveSlots(provider, address, slots, block)
  const cut = ({ slot, offset, bytes }: Member) =>
    ((words[slot] ?? 0n) >> BigInt(8 * offset)) & ((1n << BigInt(8 * bytes)) - 1n)
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, cut(member)])) as Struct<M>
}

/** Returns the slot at which an entry of a mapping begins. */
function hashMappingSlot(mapping: bigint, key: bigint): bigint {
  return BigInt(keccak256(encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [key, mapping])))
}
