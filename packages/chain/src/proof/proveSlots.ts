import { type Address, fromRlp, type Hex, isHex, keccak256, numberToHex } from 'viem'
import type { Provider } from '../providers.ts'
import type { ProvenBlock } from './header.ts'
import { ProofError, verifyMerkleProof } from './merkle.ts'

/**
 * Reads storage slots of a contract and proves each with `eth_getProof` against the state root of a block. The values that the
 * provider states are ignored; only what its trie nodes prove is used.
 */
export async function proveSlots(
  { rpc }: Provider,
  address: Address,
  slots: readonly bigint[],
  { number, stateRoot }: ProvenBlock,
): Promise<bigint[]> {
  const keys = slots.map((slot) => numberToHex(slot, { size: 32 }))
  const answer = (await rpc.request('eth_getProof', [address, keys, numberToHex(number)])) as Record<string, unknown>
  const account = verifyMerkleProof(stateRoot, keccak256(address), parseNodes(answer?.accountProof))
  const fields = account === null ? [] : (fromRlp(account, 'hex') as Hex[])
  const [, , storageRoot] = fields
  if (fields.length !== 4 || !isHex(storageRoot)) throw new ProofError(`shows no contract at ${address}`)
  const proofs = new Map(parseStorageProofs(answer).map(({ key, proof }) => [key, proof]))
  return slots.map((slot, index) => {
    const nodes = proofs.get(slot)
    if (!nodes) throw new ProofError(`of slot ${keys[index]} is missing`)
    const value = verifyMerkleProof(storageRoot, keccak256(keys[index] ?? '0x'), nodes)
    const word = value === null ? '0x' : (fromRlp(value, 'hex') as Hex)
    // Zero has no entry in the trie, or an empty one.
    return word === '0x' ? 0n : BigInt(word)
  })
}

function parseStorageProofs({ storageProof }: Record<string, unknown>): { key: bigint; proof: Hex[] }[] {
  if (!Array.isArray(storageProof)) throw new ProofError('has no list of storage proofs')
  return storageProof.map(({ key, proof }: Record<string, unknown>) => {
    // Some nodes return the key with leading zeros and some without.
    if (!isHex(key)) throw new ProofError('has an invalid key')
    return { key: BigInt(key), proof: parseNodes(proof) }
  })
}

function parseNodes(nodes: unknown): Hex[] {
  if (!Array.isArray(nodes) || !nodes.every((node) => isHex(node))) throw new ProofError('has no list of trie nodes')
  return nodes
}
