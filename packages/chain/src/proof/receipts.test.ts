import { MerklePatriciaTrie } from '@ethereumjs/mpt'
import { bytesToHex, type Hex, hexToBytes, keccak256, numberToHex, toRlp } from 'viem'
import { expect, test } from 'vitest'
import type { Rpc } from '../rpc.ts'
import { encodeRlpNumber } from './header.ts'
import { computeListRoot, computeReceiptsRoot, proveBlockLogs } from './receipts.ts'

const makeValue = (index: number): Hex => (index % 3 === 0 ? '0x01' : keccak256(numberToHex(index)))

test.each([0, 1, 2, 17, 127, 128, 129, 300])('the root of a list of %i is that of a trie', async (count) => {
  const trie = new MerklePatriciaTrie()
  const values = Array.from({ length: count }, (_, index) => makeValue(index))
  for (const [index, value] of values.entries())
    await trie.put(hexToBytes(toRlp(encodeRlpNumber(numberToHex(index)))), hexToBytes(value))
  expect(computeListRoot(values)).toBe(bytesToHex(trie.root()))
})

const ours = '0x00000000000000000000000000000000000000aa'
const other = '0x00000000000000000000000000000000000000bb'
const log = (address: Hex, data: Hex) => ({
  address,
  topics: [],
  data,
  blockNumber: '0x7',
  blockHash: keccak256('0x07'),
  transactionHash: keccak256('0x08'),
  logIndex: '0x63',
})
const receipt = (type: string, logs: readonly object[]) => ({
  type,
  status: '0x1',
  cumulativeGasUsed: '0x5208',
  logsBloom: `0x${'0'.repeat(512)}`,
  logs,
  ...(type === '0x7e' && { depositNonce: '0x10', depositReceiptVersion: '0x1' }),
})
const receipts = [
  receipt('0x7e', []),
  receipt('0x0', [log(other, '0x01')]),
  receipt('0x2', [log(ours, '0x02'), log(ours, '0x03')]),
]
const header = { number: 7n, hash: keccak256('0x07'), receiptsRoot: computeReceiptsRoot(receipts) }
const provider = (answer: unknown): Rpc => ({ name: 'node', request: async () => answer })

test('proves the logs of some contracts, at their positions in the block', async () => {
  const logs = await proveBlockLogs(provider(receipts), header, [ours])
  expect(logs.map(({ logIndex, data }) => [logIndex, data])).toEqual([
    [1, '0x02'],
    [2, '0x03'],
  ])
})

test.each([
  ['a log left out', [receipts[0], receipts[1], receipt('0x2', [log(ours, '0x02')])]],
  ['a receipt left out', receipts.slice(0, 2)],
  ['other data', [receipts[0], receipts[1], receipt('0x2', [log(ours, '0x02'), log(ours, '0x04')])]],
  ['another address', [receipts[0], receipts[1], receipt('0x2', [log(ours, '0x02'), log(other, '0x03')])]],
  ['another type', [receipts[0], receipts[1], { ...receipts[2], type: '0x1' }]],
  ['another deposit', [{ ...receipts[0], depositNonce: '0x11' }, receipts[1], receipts[2]]],
  ['no receipts', null],
  ['an incomplete receipt', [{}]],
])('%s proves nothing', async (_, answer) => {
  await expect(proveBlockLogs(provider(answer), header, [ours])).rejects.toMatchObject({ name: 'ProofError' })
})
