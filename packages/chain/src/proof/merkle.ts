import { fromRlp, type Hex, isHex, keccak256, toRlp } from 'viem'
import { ChainReadError } from '../errors.ts'

/** The root of an empty trie. */
const emptyRoot = keccak256(toRlp('0x'))

/** A path of 32 bytes has 64 nibbles, so no proof has more nodes than this. */
const maxNodes = 65

type Node = readonly (Hex | Node)[]

/**
 * Returns the value of a 32-byte key in the Merkle Patricia trie with this root; null if the nodes prove that the key is
 * absent. Throws `ProofError` if the nodes prove neither, which means that some are forged or missing.
 */
export function verifyMerkleProof(root: Hex, key: Hex, nodes: readonly Hex[]): Hex | null {
  if (root === emptyRoot) return null
  if (nodes.length > maxNodes)
    throw new ProofError(`has ${nodes.length} nodes, but a valid one has at most ${maxNodes}`)
  const path = key.slice(2)
  let [taken, at] = [0, 0]
  let node = hashed(root)
  // A node embedded in another is not in the list, but always consumes some of the path, so this ends.
  for (;;) {
    if (node.length === 17) {
      const child = node[Number.parseInt(path[at] ?? '', 16)]
      if (child === undefined) throw new ProofError('ends in a branch')
      at++
      if (child === '0x') return null
      node = next(child)
      continue
    }
    const [prefix, rest] = node
    if (node.length !== 2 || typeof prefix !== 'string' || rest === undefined)
      throw new ProofError('has an invalid node')
    const { nibbles, isLeaf } = decodePath(prefix)
    if (!path.startsWith(nibbles, at)) return null
    at += nibbles.length
    if (!isLeaf) {
      if (nibbles === '') throw new ProofError('has an empty extension node')
      node = next(rest)
      continue
    }
    if (at !== path.length || typeof rest !== 'string') throw new ProofError('ends before the key')
    return rest
  }

  function next(child: Hex | Node): Node {
    return typeof child === 'string' ? hashed(child) : child
  }

  /** Returns the next node of the list, which must have this hash. */
  function hashed(hash: Hex): Node {
    const bytes = nodes[taken++]
    if (bytes === undefined) throw new ProofError('is missing a node')
    if (keccak256(bytes) !== hash) throw new ProofError('has a node of another trie')
    const decoded = fromRlp(bytes, 'hex') as Hex | Node
    if (typeof decoded === 'string') throw new ProofError('has an invalid node')
    return decoded
  }
}

/** Decodes the path of a leaf or extension node: a nibble of flags, then one of padding if the path is even. */
function decodePath(prefix: Hex): { nibbles: string; isLeaf: boolean } {
  const flags = Number.parseInt(prefix[2] ?? '', 16)
  if (!isHex(prefix) || !(flags <= 3)) throw new ProofError('has an invalid path')
  return { nibbles: prefix.slice(flags % 2 === 1 ? 3 : 4), isLeaf: flags >= 2 }
}

/** A proof is invalid. Retryable, because another provider may return a valid one. */
export class ProofError extends ChainReadError {
  override name = 'ProofError'

  constructor(reason: string) {
    super(`The proof ${reason}.`, { retryable: true })
  }
}
