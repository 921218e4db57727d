/** The id of a message of the event stream: block, log index, and the mark of the block. */
export const streamIdPattern = /^(\d{1,15}):(\d{1,10})(?::([0-9a-f]{8}))?$/

/** A position in the event feed, and the mark of its block. */
export interface StreamPosition {
  block: bigint
  logIndex: number
  /** First 8 hex digits of the block hash; null if the id has none, so that a replaced block cannot be noticed. */
  mark: string | null
}

/** Parses an id of the event stream: `block:logIndex:mark`, or `block:logIndex` alone. Returns null for anything else. */
export function parseStreamId(text: string): StreamPosition | null {
  const [, block, logIndex, mark = null] = streamIdPattern.exec(text) ?? []
  if (block === undefined || logIndex === undefined || Number(logIndex) >= 2 ** 31) return null
  return { block: BigInt(block), logIndex: Number(logIndex), mark }
}

/** Writes a cursor of the event feed. */
export const formatEventCursor = ({ block, logIndex }: Omit<StreamPosition, 'mark'>): string => `${block}:${logIndex}`

/** The mark of a block in a stream id: the first 8 hex digits of its hash. */
export const blockMark = (blockHash: string): string => blockHash.slice(2, 10)

/** Writes the stream id of an event: its position, and the mark of its block while that block can be replaced. */
export const formatStreamId = (event: { blockNumber: bigint; logIndex: number; blockHash: string | null }): string =>
  `${event.blockNumber}:${event.logIndex}${event.blockHash === null ? '' : `:${blockMark(event.blockHash)}`}`
