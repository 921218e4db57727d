import type { Provider, RawLog } from '@svc/chain'
import type { BlockHeader, Cursor } from '@svc/index'
import type { Address, Hex } from 'viem'
import { DoubtError } from './doubt.ts'
import { getHeader, getHeaders } from './header.ts'
import { readLogs } from './readLogs.ts'
import { readSettled } from './readSettled.ts'

/** What an index does next. */
export type Step =
  /** There is nothing new. */
  | { kind: 'wait' }
  /** These blocks follow the cursor, with all our logs in them. At or below `settled` nothing is ever taken back. */
  | {
      kind: 'append'
      headers: readonly BlockHeader[]
      logs: readonly RawLog[]
      finalized: bigint
      settled: bigint
      /** There are more blocks already. */
      more: boolean
    }
  /** The chain went another way after this block. */
  | { kind: 'rollback'; to: bigint }
  /** The chain went another way before the oldest block we know: nothing we have can be trusted. */
  | { kind: 'halt'; reason: string }

export interface StepOptions {
  chainId: number
  addresses: readonly Address[]
  /** The hash that the index has for a block; null where it keeps none. */
  hashAt: (number: bigint) => Promise<Hex | null>
  /** The oldest block whose hash the index keeps; only a fork asks for it. */
  oldest: () => Promise<bigint>
  /** At most so many blocks a step. */
  maxBlocks: number
  /** A block that has fewer after it may be taken back, whatever is said to be final. */
  unsettled?: bigint
}

/**
 * Decides the next step from what providers say, believing none of them alone where there are two. Every block must be the
 * child of the one before, so only a chain that we hold the beginning of can be followed.
 */
export async function nextStep(
  providers: readonly Provider[],
  cursor: Pick<Cursor, 'number' | 'hash' | 'timestamp'>,
  options: StepOptions,
): Promise<Step> {
  const [first, second, ...others] = providers
  if (!first) throw new DoubtError('There is no provider to ask.')
  const { rpc } = first
  await checkChain(first, options.chainId)
  const head = await getHeader(rpc, 'latest')
  if (!head) throw new DoubtError(`${rpc.name} has no latest block.`)
  const reached = head.number < cursor.number ? head.number : cursor.number
  const here = reached === head.number ? head : await getHeader(rpc, reached)
  const ours = reached === cursor.number ? cursor.hash : await options.hashAt(reached)
  if (!here) throw new DoubtError(`${rpc.name} has block ${head.number} but not ${reached}.`)
  if (ours !== null && here.hash !== ours) return forkOf(providers, reached, options)
  if (head.number <= cursor.number) return { kind: 'wait' }

  const { maxBlocks, addresses, unsettled = 8_000n } = options
  const most = cursor.number + BigInt(maxBlocks)
  const finalized = (await getHeader(rpc, 'finalized'))?.number ?? 0n
  const deep = min(finalized, head.number - unsettled)
  const settled = second && deep > cursor.number ? min(deep, await deepOf(second, unsettled)) : 0n
  if (second && settled > cursor.number) {
    const last = min(most, settled)
    const read = await readSettled([first, second, ...others], addresses, cursor, last)
    return { kind: 'append', ...read, finalized, settled: last, more: true }
  }
  const last = min(most, head.number)
  const headers = await getHeaders(rpc, cursor.number + 1n, last)
  // It went another way since it was asked for our last block: next time it will say so.
  if (headers[0]?.parentHash !== cursor.hash)
    throw new DoubtError(`${rpc.name} does not build on block ${cursor.number}.`)
  const logs = await readLogs(providers, addresses, headers)
  // What one alone calls its head is no measure where there is a second.
  const kept = min(deep, second ? last - unsettled : last)
  return { kind: 'append', headers, logs, finalized, settled: kept, more: last < head.number }
}

/** The newest block that this provider holds final and that is deep enough. */
async function deepOf({ rpc }: Provider, unsettled: bigint): Promise<bigint> {
  const [head, finalized] = await Promise.all([getHeader(rpc, 'latest'), getHeader(rpc, 'finalized')])
  return head && finalized ? min(finalized.number, head.number - unsettled) : 0n
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** The last block that the index and the chain share. */
async function forkOf(providers: readonly Provider[], different: bigint, options: StepOptions): Promise<Step> {
  const [first] = providers
  if (!first) throw new DoubtError('There is no provider to ask.')
  // A chain that split stays split, so the border is found by halving.
  const oldest = await options.oldest()
  let [low, high] = [oldest - 1n, different]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    const [theirs, ours] = [await getHeader(first.rpc, middle), await options.hashAt(middle)]
    if (theirs?.hash === ours) low = middle
    else high = middle
  }
  // To take blocks back two must say so; to give the index up, all.
  const witnesses = low < oldest ? providers : providers.slice(0, 2)
  await confirmFork(witnesses.length > 1 ? witnesses : [...witnesses, ...witnesses], high, options)
  return low < oldest
    ? { kind: 'halt', reason: `The chain went another way before block ${oldest}, the oldest that is kept` }
    : { kind: 'rollback', to: low }
}

/** Demands that all of them have the same block there, and that it is not ours. */
async function confirmFork(witnesses: readonly Provider[], number: bigint, options: StepOptions): Promise<void> {
  const ours = await options.hashAt(number)
  const hashes = new Set<Hex | null>()
  for (const witness of witnesses) {
    await checkChain(witness, options.chainId)
    hashes.add((await getHeader(witness.rpc, number))?.hash ?? null)
  }
  if (hashes.size !== 1 || hashes.has(null) || hashes.has(ours)) {
    throw new DoubtError(`Not everybody has another block ${number} than the index.`)
  }
}

async function checkChain({ rpc }: Provider, chainId: number): Promise<void> {
  const id = Number(await rpc.request('eth_chainId', []))
  if (id !== chainId) throw new DoubtError(`${rpc.name} is on chain ${id}, not ${chainId}.`)
}
