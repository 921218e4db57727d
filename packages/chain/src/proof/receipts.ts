import { type Address, type Hex, isHex, keccak256, numberToHex, toRlp } from 'viem'
import { parseLogs, type RawLog } from '../logs.ts'
import type { Rpc } from '../rpc.ts'
import { encodeRlpNumber } from './header.ts'
import { ProofError } from './merkle.ts'

/**
 * Returns the logs of a block that these contracts emitted, and proves that there are no others: all receipts of the block must
 * hash to the root in its header. Throws `ProofError` if they do not. The hashes of the transactions are not proven.
 */
export async function proveBlockLogs(
  rpc: Rpc,
  { number, hash, receiptsRoot }: { number: bigint; hash: Hex; receiptsRoot: Hex },
  addresses: readonly Address[],
): Promise<RawLog[]> {
  const receipts = await rpc.request('eth_getBlockReceipts', [hash])
  if (!Array.isArray(receipts) || computeReceiptsRoot(receipts) !== receiptsRoot)
    throw new ProofError(`of the logs of block ${number} fails: ${rpc.name} returned other receipts`)
  const wanted = new Set(addresses.map((address) => address.toLowerCase()))
  const logs = parseLogs(
    rpc,
    receipts.flatMap(({ logs }) => logs),
  )
  return logs
    .map((log, logIndex) => ({ ...log, logIndex, blockNumber: number, blockHash: hash }))
    .filter(({ address }) => wanted.has(address.toLowerCase()))
}

/** Computes the root of the receipts of a block, as nodes return them. Throws `ProofError` if one is incomplete. */
export function computeReceiptsRoot(receipts: readonly unknown[]): Hex {
  return computeListRoot(receipts.map((receipt) => encodeReceipt((receipt ?? {}) as Record<string, unknown>)))
}

/** Deposits of the OP stack have two more fields, which their receipts include since the Canyon fork. */
const depositType = '0x7e'

function encodeReceipt({
  type,
  status,
  root,
  cumulativeGasUsed,
  logsBloom,
  logs,
  ...rest
}: Record<string, unknown>): Hex {
  const outcome = isHex(status) ? encodeRlpNumber(status) : root
  if (!isHex(outcome) || !isHex(cumulativeGasUsed) || !isHex(logsBloom) || !Array.isArray(logs))
    throw new ProofError('has an incomplete receipt')
  const fields = [outcome, encodeRlpNumber(cumulativeGasUsed), logsBloom, logs.map(encodeLog)]
  const { depositNonce, depositReceiptVersion } = rest
  if (type === depositType && isHex(depositNonce) && isHex(depositReceiptVersion))
    fields.push(encodeRlpNumber(depositNonce), encodeRlpNumber(depositReceiptVersion))
  const encoded = toRlp(fields)
  const kind = isHex(type) ? Number(type) : 0
  return kind === 0 ? encoded : `${numberToHex(kind, { size: 1 })}${encoded.slice(2)}`
}

function encodeLog({ address, topics, data }: Record<string, unknown>) {
  if (!isHex(address) || !isHex(data) || !Array.isArray(topics) || !topics.every((topic) => isHex(topic)))
    throw new ProofError('has an incomplete log')
  return [address, topics, data]
}

/** Computes the root of the Merkle Patricia trie whose keys are the encoded positions of these values. */
export function computeListRoot(values: readonly Hex[]): Hex {
  const entries = values.map((value, index) => ({ path: toRlp(encodeRlpNumber(numberToHex(index))).slice(2), value }))
  return keccak256(toRlp(buildNode(entries, 0)))
}

type Node = Hex | readonly Node[]

/** Builds the node of entries that share the first nibbles of their paths. No path is the beginning of another. */
function buildNode(entries: readonly { path: string; value: Hex }[], at: number): Node {
  const [first, second] = entries
  if (!first) return '0x'
  if (!second) return [encodePath(first.path.slice(at), true), first.value]
  let shared = at
  while (entries.every(({ path }) => path[shared] === first.path[shared])) shared++
  if (shared > at) return [encodePath(first.path.slice(at, shared), false), refer(buildNode(entries, shared))]
  const children = Array.from({ length: 16 }, (_, nibble) => {
    const below = entries.filter(({ path }) => Number.parseInt(path[at] ?? '', 16) === nibble)
    return refer(buildNode(below, at + 1))
  })
  return [...children, '0x']
}

/** A node of 32 bytes or more is referred to by its hash; a shorter one is embedded. */
function refer(node: Node): Node {
  if (node === '0x') return node
  const encoded = toRlp(node)
  return encoded.length >= 66 ? keccak256(encoded) : node
}

function encodePath(nibbles: string, isLeaf: boolean): Hex {
  const flag = (isLeaf ? 2 : 0) + (nibbles.length % 2)
  return `0x${flag}${nibbles.length % 2 === 1 ? '' : '0'}${nibbles}`
}
