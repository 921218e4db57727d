import type { Provider, RawLog } from '@svc/chain'
import type { BlockHeader, Cursor } from '@svc/index'
import type { Address, Hex } from 'viem'
import type { MustProve } from './checkLogs.ts'
import { ContestedBlockError, FalseDataError, formatNames, ProviderDisagreementError } from './errors.ts'
import { createFinality, type Finality } from './finality.ts'
import { getHeader, getHeaders, type Header } from './header.ts'
import type { PushedHeads } from './headSocket.ts'
import { maxBlocksByHash, readBlockLogs } from './readBlockLogs.ts'
import { readSettledBlocks } from './readSettledBlocks.ts'
import { readVerifiedLogs } from './readVerifiedLogs.ts'

/** The next step of an index. */
export type Step =
  /** There are no new blocks that two providers have. */
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
      /** Names of the providers that agreed on it: two, if there are two. */
      agreed: readonly string[]
      /** How many blocks one of them is behind the other. */
      gap: bigint
    }
  /** The chain reorganised after this block. */
  | { kind: 'rollback'; to: bigint }
  /** The chain reorganised before the oldest stored header, so the index cannot be rolled back. */
  | { kind: 'halt'; reason: string }

/** A provider that may push its heads. */
export interface FollowedProvider extends Provider {
  heads?: PushedHeads | undefined
}

export interface StepOptions {
  chainId: number
  addresses: readonly Address[]
  /** Returns the hash that the index stored for a block; null if it stored none. */
  readHash: (number: bigint) => Promise<Hex | null>
  /** Returns the oldest block whose hash the index stored. Called only after a reorg. */
  oldest: () => Promise<bigint>
  /** The most blocks per step whose headers are all read. */
  maxBlocks: number
  /** The most blocks per step of those that are final, of which only a few headers are read; `maxBlocks` if not given. */
  maxSettledBlocks?: number
  /** Decides what is final; by default each provider is asked at every step. */
  finality?: Finality | undefined
  /** A block with fewer blocks after it may be rolled back, even if the provider calls it final. */
  unsettled?: bigint
  /** False while a provider is doubted: then every block is read with its header. */
  allTrusted?: boolean
  /** Blocks that an audit found wrong, or all while a provider is alone because the others are refuted. */
  mustProve?: MustProve | undefined
}

/** Two providers whose heads are this many blocks apart are reported: about 10 s. */
const maxHeadGap = 50n

/**
 * Decides the next step from the data of the providers. With two or more, none is trusted alone: a block counts once two of them
 * have it. Every block must be the child of the one before, so the index only follows the chain that it began with.
 */
export async function decideNextStep(
  providers: readonly FollowedProvider[],
  cursor: Pick<Cursor, 'number' | 'hash' | 'timestamp'>,
  options: StepOptions,
): Promise<Step> {
  const [first, second, ...others] = providers
  if (!first) throw new ProviderDisagreementError('There are no providers.', [])
  const { rpc } = first
  const [head, theirs] = await Promise.all([readHead(first), second && readHead(second)])
  if (head.number <= cursor.number) {
    const ours = head.number === cursor.number ? cursor.hash : await options.readHash(head.number)
    if (ours !== null && head.hash !== ours) return followFork(providers, head.number, ours, options)
  }
  // Only blocks that both have can be compared.
  const shared = theirs ? min(head.number, theirs.number) : head.number
  const gap = theirs ? head.number + theirs.number - 2n * shared : 0n
  if (shared <= cursor.number) {
    if (second && theirs) {
      assertHeadsAreClose([first, head], [second, theirs])
      const [ahead, top] = head.number > theirs.number ? [first, head] : ([second, theirs] as const)
      // One that is behind cannot confirm that the chain has another block by now, but must not hide it either. Nobody is
      // doubted for it: the one behind may hear of the reorganisation a moment later.
      if (top.number > cursor.number && (await readHashBelow(ahead, top, cursor.number)) !== cursor.hash)
        throw new ContestedBlockError(`${formatNames([first, second])} have different blocks ${cursor.number}.`, [])
    }
    return { kind: 'wait' }
  }

  const names = [first, ...(second ? [second] : [])].map(({ rpc }) => rpc.name)
  const { maxBlocks, maxSettledBlocks = maxBlocks, addresses, unsettled = 8_000n } = options
  const { allTrusted = true, finality = createFinality() } = options
  const finalized = await finality.read(rpc, head.number)
  const deep = min(finalized, head.number - unsettled)
  const settled =
    second && theirs && deep > cursor.number
      ? min(deep, min(await finality.read(second.rpc, theirs.number), theirs.number - unsettled))
      : 0n
  if (second && settled > cursor.number && allTrusted) {
    if (await isReplaced(first, cursor)) return followFork(providers, cursor.number, cursor.hash, options)
    const last = min(cursor.number + BigInt(maxSettledBlocks), settled)
    const read = await readSettledBlocks([first, second, ...others], addresses, cursor, last)
    return { kind: 'append', ...read, finalized, settled: last, more: true, agreed: names, gap }
  }
  const last = min(cursor.number + BigInt(maxBlocks), shared)
  const [headers, confirmed] = await Promise.all([
    readHeaders(first, head, cursor.number + 1n, last),
    second && theirs && readHeaderAt(second, theirs, last),
  ])
  if (headers[0]?.parentHash !== cursor.hash) {
    if (await isReplaced(first, cursor)) return followFork(providers, cursor.number, cursor.hash, options)
    // The provider reorganised since it returned its head. The next attempt will detect it.
    throw new ProviderDisagreementError(`${rpc.name} does not build on block ${cursor.number}.`, [first])
  }
  // Headers are linked by hash, so the last one vouches for all of them.
  if (second && headers.at(-1)?.hash !== confirmed?.hash)
    throw new ProviderDisagreementError(`${formatNames([first, second])} have different blocks ${last}.`, [
      first,
      second,
    ])
  const logs =
    headers.length <= maxBlocksByHash
      ? await readBlockLogs(providers, addresses, headers, options.mustProve)
      : await readVerifiedLogs(providers, addresses, headers, confirmed, options.mustProve)
  // With a second provider, the head that one of them reports is not trusted alone.
  const newlySettled = min(deep, second ? last - unsettled : last)
  return { kind: 'append', headers, logs, finalized, settled: newlySettled, more: last < shared, agreed: names, gap }
}

/** Returns the newest block of a provider: the one that it pushed, or else the one that it returns. */
async function readHead(provider: FollowedProvider): Promise<Header> {
  const { rpc, heads } = provider
  const head = heads?.latest() ?? (await getHeader(rpc, 'latest'))
  if (!head) throw new ProviderDisagreementError(`${rpc.name} has no latest block.`, [provider])
  return head
}

/** Throws if one of two providers has stopped, or claims blocks that the other does not have. */
function assertHeadsAreClose(a: readonly [Provider, Header], b: readonly [Provider, Header]): void {
  const [[behind, low], [ahead, high]] = a[1].number < b[1].number ? [a, b] : [b, a]
  if (high.number - low.number <= maxHeadGap) return
  throw new ProviderDisagreementError(
    `${behind.rpc.name} is at block ${low.number}, ${high.number - low.number} blocks behind ${ahead.rpc.name}.`,
    [behind, ahead],
  )
}

/** Returns consecutive headers. Those that the provider pushed are not fetched. */
async function readHeaders(provider: FollowedProvider, head: Header, from: bigint, to: bigint): Promise<Header[]> {
  const { rpc, heads } = provider
  const pushed: Header[] = []
  for (let at: Header | undefined = head; at && at.number >= from; at = heads?.byHash(at.parentHash)) {
    if (at.number <= to) pushed.unshift(at)
  }
  const [known] = pushed
  if (known?.number === from) return pushed
  const fetched = await getHeaders(rpc, from, known ? known.number - 1n : to)
  if (known && fetched.at(-1)?.hash !== known.parentHash)
    throw new ProviderDisagreementError(`${rpc.name} reorganised block ${known.number - 1n} while it was read.`, [
      provider,
    ])
  return [...fetched, ...pushed]
}

/** Returns the header of one block, at most the head. */
async function readHeaderAt({ rpc, heads }: FollowedProvider, head: Header, number: bigint): Promise<Header | null> {
  let at: Header | undefined = head
  while (at && at.number > number) at = heads?.byHash(at.parentHash)
  return at ?? getHeader(rpc, number)
}

/** Returns the hash of a block below the head; null if the provider does not have it. */
async function readHashBelow(provider: FollowedProvider, head: Header, number: bigint): Promise<Hex | null> {
  if (head.number === number + 1n) return head.parentHash
  return (await readHeaderAt(provider, head, number))?.hash ?? null
}

/** Returns whether a provider has another block in place of the cursor's. */
async function isReplaced(provider: Provider, cursor: Pick<Cursor, 'number' | 'hash'>): Promise<boolean> {
  const { rpc } = provider
  const here = await getHeader(rpc, cursor.number)
  if (!here) throw new ProviderDisagreementError(`${rpc.name} has later blocks but not ${cursor.number}.`, [provider])
  return here.hash !== cursor.hash
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Two providers must have replaced our block before the fork is searched for. */
async function followFork(
  providers: readonly Provider[],
  number: bigint,
  ours: Hex,
  options: StepOptions,
): Promise<Step> {
  const pair = providers.slice(0, 2)
  await confirmFork(pair.length > 1 ? pair : [...pair, ...pair], number, ours, options)
  return findFork(providers, number, options)
}

/** Finds the last block that the index and the chain share, and decides between rollback and halt. */
async function findFork(providers: readonly Provider[], different: bigint, options: StepOptions): Promise<Step> {
  const [first] = providers
  if (!first) throw new ProviderDisagreementError('There are no providers.', [])
  // Two chains that diverged stay different, so a binary search finds the last common block.
  const oldest = await options.oldest()
  let [low, high] = [oldest - 1n, different]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    const [theirs, ours] = [await getHeader(first.rpc, middle), await options.readHash(middle)]
    if (theirs?.hash === ours) low = middle
    else high = middle
  }
  // Two providers must confirm a rollback, all of them a halt.
  const witnesses = low < oldest ? providers : providers.slice(0, 2)
  await confirmFork(
    witnesses.length > 1 ? witnesses : [...witnesses, ...witnesses],
    high,
    await options.readHash(high),
    options,
  )
  return low < oldest
    ? { kind: 'halt', reason: `The chain reorganised before block ${oldest}, the oldest header in the index` }
    : { kind: 'rollback', to: low }
}

/**
 * Checks that all witnesses have the same block at this number, and that it is not the one in the index. A hash that the index
 * no longer has confirms nothing: it may have been pruned while the next step was read.
 */
async function confirmFork(
  witnesses: readonly Provider[],
  number: bigint,
  ours: Hex | null,
  options: StepOptions,
): Promise<void> {
  const hashes = new Set<Hex | null>()
  for (const witness of witnesses) {
    await assertChainId(witness, options.chainId)
    hashes.add((await getHeader(witness.rpc, number))?.hash ?? null)
  }
  if (ours === null || hashes.size !== 1 || hashes.has(null) || hashes.has(ours)) {
    throw new ContestedBlockError(
      `${formatNames(witnesses)} do not agree that block ${number} of the index was replaced.`,
      witnesses,
    )
  }
}

/** Throws if a provider is on another chain. Once there is an index, hashes bind it to its chain. */
export async function assertChainId(provider: Provider, chainId: number): Promise<void> {
  const id = Number(await provider.rpc.request('eth_chainId', []))
  if (id !== chainId) throw new FalseDataError(`${provider.rpc.name} is on chain ${id}, not ${chainId}.`, [provider])
}
