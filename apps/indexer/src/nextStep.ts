import type { Provider, RawLog } from '@svc/chain'
import type { BlockHeader, Cursor } from '@svc/index'
import type { Address, Hex } from 'viem'
import { ProviderDisagreementError } from './errors.ts'
import { getHeader, getHeaders } from './header.ts'
import { readSettledBlocks } from './readSettledBlocks.ts'
import { readVerifiedLogs } from './readVerifiedLogs.ts'

/** The next step of an index. */
export type Step =
  /** There are no new blocks. */
  | { kind: 'wait' }
  /** These blocks follow the cursor, with all logs of our contracts. Blocks up to `settled` are never rolled back. */
  | {
      kind: 'append'
      headers: readonly BlockHeader[]
      logs: readonly RawLog[]
      finalized: bigint
      settled: bigint
      /** Whether there are more blocks already. */
      more: boolean
    }
  /** The chain reorganised after this block. */
  | { kind: 'rollback'; to: bigint }
  /** The chain reorganised before the oldest stored header, so the index cannot be rolled back. */
  | { kind: 'halt'; reason: string }

export interface StepOptions {
  chainId: number
  addresses: readonly Address[]
  /** Returns the hash that the index stored for a block; null if it stored none. */
  hashAt: (number: bigint) => Promise<Hex | null>
  /** Returns the oldest block whose hash the index stored. Called only after a reorg. */
  oldest: () => Promise<bigint>
  /** The most blocks per step. */
  maxBlocks: number
  /** A block with fewer blocks after it may be rolled back, even if the provider calls it final. */
  unsettled?: bigint
}

/**
 * Decides the next step from the data of the providers. With two or more, none is trusted alone. Every block must be the child
 * of the one before, so the index only follows the chain that it began with.
 */
export async function decideNextStep(
  providers: readonly Provider[],
  cursor: Pick<Cursor, 'number' | 'hash' | 'timestamp'>,
  options: StepOptions,
): Promise<Step> {
  const [first, second, ...others] = providers
  if (!first) throw new ProviderDisagreementError('There are no providers.')
  const { rpc } = first
  await assertChainId(first, options.chainId)
  const head = await getHeader(rpc, 'latest')
  if (!head) throw new ProviderDisagreementError(`${rpc.name} has no latest block.`)
  const reached = head.number < cursor.number ? head.number : cursor.number
  const here = reached === head.number ? head : await getHeader(rpc, reached)
  const ours = reached === cursor.number ? cursor.hash : await options.hashAt(reached)
  if (!here) throw new ProviderDisagreementError(`${rpc.name} has block ${head.number} but not ${reached}.`)
  if (ours !== null && here.hash !== ours) return findFork(providers, reached, options)
  if (head.number <= cursor.number) return { kind: 'wait' }

  const { maxBlocks, addresses, unsettled = 8_000n } = options
  const most = cursor.number + BigInt(maxBlocks)
  const finalized = (await getHeader(rpc, 'finalized'))?.number ?? 0n
  const deep = min(finalized, head.number - unsettled)
  const settled = second && deep > cursor.number ? min(deep, await getSettledBlock(second, unsettled)) : 0n
  if (second && settled > cursor.number) {
    const last = min(most, settled)
    const read = await readSettledBlocks([first, second, ...others], addresses, cursor, last)
    return { kind: 'append', ...read, finalized, settled: last, more: true }
  }
  const last = min(most, head.number)
  const headers = await getHeaders(rpc, cursor.number + 1n, last)
  // The provider reorganised since it returned our last block. The next attempt will detect it.
  if (headers[0]?.parentHash !== cursor.hash)
    throw new ProviderDisagreementError(`${rpc.name} does not build on block ${cursor.number}.`)
  const logs = await readVerifiedLogs(providers, addresses, headers)
  // With a second provider, the head that one of them reports is not trusted alone.
  const newlySettled = min(deep, second ? last - unsettled : last)
  return { kind: 'append', headers, logs, finalized, settled: newlySettled, more: last < head.number }
}

/** Returns the newest block that this provider reports as final and that is deep enough. */
async function getSettledBlock({ rpc }: Provider, unsettled: bigint): Promise<bigint> {
  const [head, finalized] = await Promise.all([getHeader(rpc, 'latest'), getHeader(rpc, 'finalized')])
  return head && finalized ? min(finalized.number, head.number - unsettled) : 0n
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Finds the last block that the index and the chain share, and decides between rollback and halt. */
async function findFork(providers: readonly Provider[], different: bigint, options: StepOptions): Promise<Step> {
  const [first] = providers
  if (!first) throw new ProviderDisagreementError('There are no providers.')
  // Two chains that diverged stay different, so a binary search finds the last common block.
  const oldest = await options.oldest()
  let [low, high] = [oldest - 1n, different]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    const [theirs, ours] = [await getHeader(first.rpc, middle), await options.hashAt(middle)]
    if (theirs?.hash === ours) low = middle
    else high = middle
  }
  // Two providers must confirm a rollback, all of them a halt.
  const witnesses = low < oldest ? providers : providers.slice(0, 2)
  await confirmFork(witnesses.length > 1 ? witnesses : [...witnesses, ...witnesses], high, options)
  return low < oldest
    ? { kind: 'halt', reason: `The chain reorganised before block ${oldest}, the oldest header in the index` }
    : { kind: 'rollback', to: low }
}

/** Checks that all witnesses have the same block at this number, and that it is not the one in the index. */
async function confirmFork(witnesses: readonly Provider[], number: bigint, options: StepOptions): Promise<void> {
  const ours = await options.hashAt(number)
  const hashes = new Set<Hex | null>()
  for (const witness of witnesses) {
    await assertChainId(witness, options.chainId)
    hashes.add((await getHeader(witness.rpc, number))?.hash ?? null)
  }
  if (hashes.size !== 1 || hashes.has(null) || hashes.has(ours)) {
    throw new ProviderDisagreementError(`The providers do not agree that block ${number} of the index was replaced.`)
  }
}

async function assertChainId({ rpc }: Provider, chainId: number): Promise<void> {
  const id = Number(await rpc.request('eth_chainId', []))
  if (id !== chainId) throw new ProviderDisagreementError(`${rpc.name} is on chain ${id}, not ${chainId}.`)
}
