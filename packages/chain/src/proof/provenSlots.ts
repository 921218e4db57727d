import { type Address, fromRlp, type Hex, isHex, keccak256, numberToHex } from 'viem'
import type { Provider } from '../providers.ts'
import type { ProvenBlock } from './header.ts'
import { ProofError, provenValue } from './merkle.ts'

/**
 * Storage of one contract, slot by slot, proven by `eth_getProof` against the state root of a block. What the provider says
 * the values are is not looked at: only what its nodes prove.
 */
export async function provenSlots(
  { rpc }: Provider,
  address: Address,
  slots: readonly bigint[],
  { number, stateRoot }: ProvenBlock,
): Promise<bigint[]> {
  const keys = slots.map((slot) => numberToHex(slot, { size: 32 }))
  const answer = (await rpc.request('eth_getProof', [address, keys, numberToHex(number)])) as Record<string, unknown>
  const account = provenValue(stateRoot, keccak256(address), nodesOf(answer?.accountProof))
  const fields = account === null ? [] : (fromRlp(account, 'hex') as Hex[])
  const [, , storageRoot] = fields
  if (fields.length !== 4 || !isHex(storageRoot)) throw new ProofError(`shows that there is no contract at ${address}`)
  const proofs = new Map(storageProofsOf(answer).map(({ key, proof }) => [key, proof]))
  return slots.map((slot, index) => {
    const nodes = proofs.get(slot)
    if (!nodes) throw new ProofError(`of slot ${keys[index]} is missing`)
    const value = provenValue(storageRoot, keccak256(keys[index] ?? '0x'), nodes)
    const word = value === null ? '0x' : (fromRlp(value, 'hex') as Hex)
    // Zero is kept as nothing, with an entry or without one.
    return word === '0x' ? 0n : BigInt(word)
  })
}

function storageProofsOf({ storageProof }: Record<string, unknown>): { key: bigint; proof: Hex[] }[] {
  if (!Array.isArray(storageProof)) throw new ProofError('has no storage')
  return storageProof.map(({ key, proof }: Record<string, unknown>) => {
    // Nodes write the key as they like: with all its zeros or none.
    if (!isHex(key)) throw new ProofError('has a key that is none')
    return { key: BigInt(key), proof: nodesOf(proof) }
  })
}

function nodesOf(nodes: unknown): Hex[] {
  if (!Array.isArray(nodes) || !nodes.every((node) => isHex(node))) throw new ProofError('has no list of nodes')
  return nodes
}
