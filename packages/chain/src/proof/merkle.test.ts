import { createMerkleProof, MerklePatriciaTrie } from '@ethereumjs/mpt'
import { bytesToHex, type Hex, hexToBytes, keccak256, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { verifyMerkleProof } from './merkle.ts'

/** Keys without a common prefix, and keys that share nearly all of it, whose nodes are embedded in each other. */
const hashKey = (index: number): Hex => {
  const hash = keccak256(numberToHex(index))
  return index % 3 === 0 ? hash : `0x${'ab'.repeat(28 + (index % 2))}${hash.slice(2, 2 + 2 * (4 - (index % 2)))}`
}

const makeEntry = (index: number): Hex =>
  index % 2 === 0 ? numberToHex(1 + (index % 100), { size: 1 }) : keccak256(numberToHex(index))

async function buildTrie(keys: readonly number[]) {
  const trie = new MerklePatriciaTrie()
  for (const index of keys) await trie.put(hexToBytes(hashKey(index)), hexToBytes(makeEntry(index)))
  const getProof = async (key: Hex): Promise<Hex[]> =>
    (await createMerkleProof(trie, hexToBytes(key))).map((node) => bytesToHex(node))
  return { root: bytesToHex(trie.root()), proofOf: getProof }
}

test.each([1, 2, 3, 7, 40, 300])(
  'in a trie of %i keys proves the keys that exist and the absence of others',
  async (size) => {
    const { root, proofOf: getProof } = await buildTrie(Array.from({ length: size }, (_, index) => index))
    for (let index = 0; index < 2 * size; index++) {
      const key = hashKey(index)
      const expected = index < size ? makeEntry(index) : null
      expect(verifyMerkleProof(root, key, await getProof(key)), key).toBe(expected)
    }
  },
)

test('a changed proof never proves another value', async () => {
  const { root, proofOf: getProof } = await buildTrie(Array.from({ length: 60 }, (_, index) => index))
  for (let index = 0; index < 80; index++) {
    const proof = await getProof(hashKey(index))
    const truth = verifyMerkleProof(root, hashKey(index), proof)
    const forgeries = [
      [],
      proof.slice(1),
      proof.slice(0, -1),
      proof.toReversed(),
      [...proof.slice(0, -1), `${proof.at(-1)?.slice(0, -1)}${proof.at(-1)?.endsWith('0') ? '1' : '0'}` as Hex],
      await getProof(hashKey((index + 1) % 60)),
    ]
    for (const forgery of forgeries)
      expect([truth, 'refused'], `${index}`).toContain(attempt(() => verifyMerkleProof(root, hashKey(index), forgery)))
  }
})

test('an empty trie has no keys, and another root is rejected', async () => {
  const { root: empty } = await buildTrie([])
  expect(verifyMerkleProof(empty, hashKey(1), [])).toBeNull()
  const { proofOf: getProof } = await buildTrie([1, 2])
  const proof = await getProof(hashKey(1))
  expect(() => verifyMerkleProof(keccak256('0x01'), hashKey(1), proof)).toThrow('of another trie')
})

function attempt(work: () => Hex | null): Hex | null | 'refused' {
  try {
    return work()
  } catch {
    return 'refused'
  }
}
