import { encodeRlpNumber, hashHeader } from '@svc/chain'
import { createNode, formatHeader, type RpcNode, type SimBlock, type Simulation } from '@svc/simulation/chain'
import { createKeccak } from 'hash-wasm'
import { type Hex, hexToBytes, keccak256, toBytes, toRlp } from 'viem'

/** A chain in which most blocks have no events. */
export interface SparseChain {
  node: RpcNode
  head: number
}

/** Blocks without events at the end, so that all with events are final. */
const [tail, unfinal] = [10_000, 6_000]
/** Where a header has the hash of its parent, and its number: numbers of the same length stand at the same place. */
const [parentAt, numberAt] = [4, 450]
const hasher = await createKeccak(256)
/** A number of one byte may stand elsewhere. */
const firstFast = 256

/**
 * Puts `spread - 1` empty blocks between two blocks of a simulated chain, and serves it. Their headers are real, linked by hash, but only
 * the hashes are kept.
 */
export function createSparseChain(simulation: Simulation, spread: number, empty: SimBlock): SparseChain {
  const { blocks } = simulation.chain
  const last = empty.number - 1
  const head = last * spread + tail
  const dense = createNode(simulation)
  const hashes = Buffer.alloc(32 * (head + 1))
  const hashAt = (number: number): Hex => `0x${hashes.toString('hex', 32 * number, 32 * (number + 1))}`

  const blockAt = (number: number): Omit<SimBlock, 'hash'> => {
    const place = Math.min(last, Math.floor(number / spread))
    const nearest = blocks[place] ?? empty
    const content = place * spread === number ? nearest : empty
    const parentHash = number === 0 ? nearest.parentHash : hashAt(number - 1)
    return { ...content, number, parentHash, timestamp: nearest.timestamp }
  }
  let template: Uint8Array | null = null
  for (let number = 0; number <= head; number++) {
    const hasOwn = number % spread === 0 || number === last * spread + 1
    const isLonger = Number.isInteger(Math.log2(number) / 8)
    if (hasOwn || number < firstFast || isLonger) {
      template = null
      hashes.set(hexToBytes(hashHeader(formatHeader(blockAt(number)))), 32 * number)
      continue
    }
    template ??= toBytes(encode(blockAt(number)))
    template.set(hashes.subarray(32 * (number - 1), 32 * number), parentAt)
    template.set(toBytes(number), numberAt)
    hashes.set(hasher.init().update(template).digest('binary'), 32 * number)
  }

  const find = (tag: unknown): number | null => {
    if (tag === 'latest') return head
    if (tag === 'finalized' || tag === 'safe') return head - unfinal
    return Number(tag) <= head ? Number(tag) : null
  }
  return {
    head,
    node: {
      answer(method, params) {
        if (method === 'eth_getBlockByNumber') {
          const number = find(params[0])
          return { result: number === null ? null : { ...formatHeader(blockAt(number)), hash: hashAt(number) } }
        }
        if (method === 'eth_blockNumber') return { result: toHex(head) }
        if (method === 'eth_getLogs') {
          const { fromBlock, toBlock, address } = params[0] as { fromBlock: Hex; toBlock: Hex; address: readonly Hex[] }
          const wanted = new Set(address.map((each) => each.toLowerCase()))
          const places = [Math.ceil(Number(fromBlock) / spread), Math.min(last, Math.floor(Number(toBlock) / spread))]
          return {
            result: blocks.slice(places[0], (places[1] ?? 0) + 1).flatMap(({ logs, number, timestamp }) => {
              const at = number * spread
              const position = { blockNumber: toHex(at), blockHash: hashAt(at), blockTimestamp: toHex(timestamp) }
              return logs
                .filter((log) => wanted.has(log.address))
                .map(({ transactionIndex, logIndex, ...log }) => ({
                  ...log,
                  ...position,
                  transactionIndex: toHex(transactionIndex),
                  logIndex: toHex(logIndex),
                  removed: false,
                }))
            }),
          }
        }
        // What does not depend on a block.
        return dense.answer(method, params)
      },
    },
  }
}

const toHex = (value: number): Hex => `0x${value.toString(16)}`

/** A header as it is hashed: see `hashHeader`. */
function encode(block: Omit<SimBlock, 'hash'>): Hex {
  const each = formatHeader(block)
  const encoded = toRlp([
    each.parentHash,
    each.sha3Uncles,
    each.miner,
    each.stateRoot,
    each.transactionsRoot,
    each.receiptsRoot,
    each.logsBloom,
    ...[each.difficulty, each.number, each.gasLimit, each.gasUsed, each.timestamp].map((each) => encodeRlpNumber(each)),
    each.extraData,
    each.mixHash,
    each.nonce,
    encodeRlpNumber(each.baseFeePerGas),
  ])
  if (keccak256(encoded) !== hashHeader(each)) throw new Error('The header was encoded in another way.')
  return encoded
}
