import { fromRlp, type Hex, isHex, keccak256, toRlp } from 'viem'
import { ChainReadError } from '../errors.ts'

/** The root of a trie without any entry. */
const emptyRoot = keccak256(toRlp('0x'))

/** A path of 32 bytes has 64 nibbles, each one node deep at most. */
const maxNodes = 65

type Node = readonly (Hex | Node)[]

/**
 * The value that a Merkle Patricia trie with this root has under a key of 32 bytes; null where the nodes prove that it has
 * none. Refuses nodes that prove neither: then whoever gave them made something up, or left something out.
 */
export function provenValue(root: Hex, key: Hex, nodes: readonly Hex[]): Hex | null {
  if (root === emptyRoot) return null
  if (nodes.length > maxNodes) throw new ProofError(`has ${nodes.length} nodes, more than any trie needs`)
  const path = key.slice(2)
  let [taken, at] = [0, 0]
  let node = hashed(root)
  // A node within a node takes no step in the list, but always some of the path.
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
    if (node.length !== 2 || typeof prefix !== 'string' || rest === undefined) throw new ProofError('has no node')
    const { nibbles, isLeaf } = partOf(prefix)
    if (!path.startsWith(nibbles, at)) return null
    at += nibbles.length
    if (!isLeaf) {
      if (nibbles === '') throw new ProofError('has an extension by nothing')
      node = next(rest)
      continue
    }
    if (at !== path.length || typeof rest !== 'string') throw new ProofError('ends before its key')
    return rest
  }

  function next(child: Hex | Node): Node {
    return typeof child === 'string' ? hashed(child) : child
  }

  /** The next node of the list, which must be the one that is meant. */
  function hashed(hash: Hex): Node {
    const bytes = nodes[taken++]
    if (bytes === undefined) throw new ProofError('lacks a node')
    if (keccak256(bytes) !== hash) throw new ProofError('has a node that is not of this trie')
    const decoded = fromRlp(bytes, 'hex') as Hex | Node
    if (typeof decoded === 'string') throw new ProofError('has no node')
    return decoded
  }
}

/** The part of the path in a leaf or an extension: a nibble of flags, one of padding where the part is even. */
function partOf(prefix: Hex): { nibbles: string; isLeaf: boolean } {
  const flags = Number.parseInt(prefix[2] ?? '', 16)
  if (!isHex(prefix) || !(flags <= 3)) throw new ProofError('has a path that is none')
  return { nibbles: prefix.slice(flags % 2 === 1 ? 3 : 4), isLeaf: flags >= 2 }
}

/** A proof that proves nothing. `retryable`: another provider may be honest. */
export class ProofError extends ChainReadError {
  override name = 'ProofError'

  constructor(reason: string) {
    super(`The proof ${reason}.`, { retryable: true })
  }
}
