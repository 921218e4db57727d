import { RateLimitedError, type Rpc, RpcResponseError } from '@svc/chain'
import { getHeader } from './header.ts'

/** Finds out which blocks are final. */
export interface Finality {
  /** Returns the newest final block of a provider whose newest block is `head`. */
  read: (rpc: Rpc, head: bigint) => Promise<bigint>
  /** Names of the providers that do not know the tag `finalized`. */
  withoutTag: () => readonly string[]
}

export interface FinalityOptions {
  /** A block with this many blocks after it counts as final at a provider that does not know the tag `finalized`. */
  depth?: number
  /** How long an answer is used. Finality moves in minutes, blocks in milliseconds. */
  refreshMs?: number
  onChange?: (provider: string, knowsTag: boolean) => void
  now?: () => number
}

/** Blocks after which a block counts as final there. About half an hour of blocks of 200 ms. The chain finalizes in less. */
export const finalDepth = 9_000
/** A provider without the tag is asked for it again after this long: it may have changed. */
const retryTagMs = 10 * 60_000

/**
 * Reads the finalized block of each provider, from time to time. At a provider that rejects the tag, or answers it with null, a
 * depth decides instead.
 */
export function createFinality(options: FinalityOptions = {}): Finality {
  const { depth = finalDepth, refreshMs = 0, onChange, now = Date.now } = options
  const known = new Map<string, { final: bigint | null; until: number }>()

  return {
    async read(rpc, head) {
      const found = known.get(rpc.name)
      if (found && now() < found.until) return found.final ?? countBack(head)
      const final = await readTag(rpc)
      known.set(rpc.name, { final, until: now() + (final === null && refreshMs > 0 ? retryTagMs : refreshMs) })
      if ((final === null) !== (found ? found.final === null : false)) onChange?.(rpc.name, final !== null)
      return final ?? countBack(head)
    },
    withoutTag: () => [...known].filter(([, { final }]) => final === null).map(([name]) => name),
  }

  function countBack(head: bigint): bigint {
    return head > BigInt(depth) ? head - BigInt(depth) : 0n
  }
}

/** Returns the finalized block of a provider; null if it does not know the tag. */
async function readTag(rpc: Rpc): Promise<bigint | null> {
  try {
    return (await getHeader(rpc, 'finalized'))?.number ?? null
  } catch (error) {
    if (error instanceof RpcResponseError && !(error instanceof RateLimitedError)) return null
    throw error
  }
}
