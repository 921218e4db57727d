import { createMerkleProof, MerklePatriciaTrie } from '@ethereumjs/mpt'
import { bytesToHex, type Hex, hexToBytes, keccak256, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { provenValue } from './merkle.ts'

/** Keys that share nothing, and keys that share nearly all, whose nodes lie within each other. */
const keyOf = (index: number): Hex => {
  const hash = keccak256(numberToHex(index))
  return index % 3 === 0 ? hash : `0x${'ab'.repeat(28 + (index % 2))}${hash.slice(2, 2 + 2 * (4 - (index % 2)))}`
}

const entryOf = (index: number): Hex =>
  index % 2 === 0 ? numberToHex(1 + (index % 100), { size: 1 }) : keccak256(numberToHex(index))

async function trieOf(keys: readonly number[]) {
  const trie = new MerklePatriciaTrie()
  for (const index of keys) await trie.put(hexToBytes(keyOf(index)), hexToBytes(entryOf(index)))
  const proofOf = async (key: Hex): Promise<Hex[]> =>
    (await createMerkleProof(trie, hexToBytes(key))).map((node) => bytesToHex(node))
  return { root: bytesToHex(trie.root()), proofOf }
}

test.each([1, 2, 3, 7, 40, 300])(
  'in a trie of %i keys what is there is proven, and what is not is proven to be missing',
  async (size) => {
    const { root, proofOf } = await trieOf(Array.from({ length: size }, (_, index) => index))
    for (let index = 0; index < 2 * size; index++) {
      const key = keyOf(index)
      const expected = index < size ? entryOf(index) : null
      expect(provenValue(root, key, await proofOf(key)), key).toBe(expected)
    }
  },
)

test('whatever is changed in a proof, it never proves anything else', async () => {
  const { root, proofOf } = await trieOf(Array.from({ length: 60 }, (_, index) => index))
  for (let index = 0; index < 80; index++) {
    const proof = await proofOf(keyOf(index))
    const truth = provenValue(root, keyOf(index), proof)
    const lies = [
      [],
      proof.slice(1),
      proof.slice(0, -1),
      proof.toReversed(),
      [...proof.slice(0, -1), `${proof.at(-1)?.slice(0, -1)}${proof.at(-1)?.endsWith('0') ? '1' : '0'}` as Hex],
      await proofOf(keyOf((index + 1) % 60)),
    ]
    for (const lie of lies)
      expect([truth, 'refused'], `${index}`).toContain(attempt(() => provenValue(root, keyOf(index), lie)))
  }
})

test('an empty trie has nothing, and another root is refused', async () => {
  const { root: empty } = await trieOf([])
  expect(provenValue(empty, keyOf(1), [])).toBeNull()
  const { proofOf } = await trieOf([1, 2])
  const proof = await proofOf(keyOf(1))
  expect(() => provenValue(keccak256('0x01'), keyOf(1), proof)).toThrow('not of this trie')
})

function attempt(work: () => Hex | null): Hex | null | 'refused' {
  try {
    return work()
  } catch {
    return 'refused'
  }
}
