import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import {
  buildReceiptTypedData,
  findReceiptProblem,
  formatReceiptHeader,
  parseReceiptHeader,
  type Receipt,
  type ReceiptUse,
} from './receipt.ts'

// Signed by x402's own library, @x402/extensions 2.27.0, with the first of anvil's keys.
const signed = {
  format: 'eip712',
  payload: {
    version: 1,
    network: 'eip155:8453',
    resourceUrl: 'https://market.example/v1/tasks/v2:standard:7/claim',
    payer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    issuedAt: 1794695640,
    transaction: '',
  },
  signature:
    '0x57fd2a22ca3ea9f8514e9123aa4dccff57f72f8dcf5680660970e5a5845b4ac85c3d73e01c5d655797ddc033d8da02adfb9b5f9a5bf209613100672b419d59d31b',
} as const satisfies Receipt
const use: ReceiptUse = {
  baseUrl: 'https://market.example/',
  taskId: { market: 'standard', number: 7n },
  chainId: 8453,
  signer: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  now: 1794695700,
}

test('an x402 receipt is valid for the claim it names', async () => {
  expect(await findReceiptProblem(signed, use)).toBeNull()
  expect(await findReceiptProblem(signed, { ...use, now: 1794696240 })).toBeNull()
})

test.each<[string, Partial<ReceiptUse>]>([
  ['another task', { taskId: { market: 'standard', number: 8n } }],
  ['the other market', { taskId: { market: 'micro', number: 7n } }],
  ['another gateway', { baseUrl: 'https://market.example.evil' }],
  ['another chain', { chainId: 1 }],
  ['another signer', { signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }],
  ['ten minutes and a second later', { now: 1794696241 }],
  ['before it was issued', { now: 1794695609 }],
])('it is not valid for %s', async (_, change) => {
  expect(await findReceiptProblem(signed, { ...use, ...change })).toMatch(/^The receipt .*\.$/)
})

test('a receipt with any changed field is rejected', async () => {
  const changes = [{ payer: use.signer }, { issuedAt: 1794695641 }, { transaction: `0x${'0'.repeat(64)}` }]
  for (const change of changes) {
    const forged: Receipt = { ...signed, payload: { ...signed.payload, ...change } }
    expect(await findReceiptProblem(forged, use)).toBe('The receipt was not signed by this gateway.')
  }
})

test('we sign the same typed data as x402', async () => {
  const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
  expect(await account.signTypedData(buildReceiptTypedData(signed))).toBe(signed.signature)
})

test('a receipt survives its header; any other header is not a receipt', () => {
  expect(parseReceiptHeader(formatReceiptHeader(signed))).toEqual(signed)
  for (const value of ['', 'e30=', 'not base64!', btoa('{"format":"eip712"}'), btoa(' '.repeat(5_000))]) {
    expect(parseReceiptHeader(value)).toBeNull()
  }
})
