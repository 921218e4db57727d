import { expect, test } from 'vitest'
import { findProvider, isDeclined, readWalletError } from './provider.ts'
import { parseWalletAnswer, readChainId, WalletAnswerError } from './walletAnswers.ts'

const hash = `0x${'ab'.repeat(32)}` as const

test('a valid answer is parsed, without what is not used', () => {
  expect(parseWalletAnswer('eth_sendTransaction', hash)).toBe(hash)
  expect(parseWalletAnswer('wallet_sendCalls', { id: 'batch-1', capabilities: {} })).toEqual({ id: 'batch-1' })
  expect(parseWalletAnswer('wallet_sendCalls', 'batch-1')).toEqual({ id: 'batch-1' })
  expect(parseWalletAnswer('eth_getTransactionReceipt', null)).toBeNull()
  const receipt = { status: '0x1', blockNumber: '0x10', gasUsed: '0x5208', logs: [{ address: '0x1', topics: 'none' }] }
  expect(parseWalletAnswer('eth_getTransactionReceipt', receipt)).toEqual({
    status: '0x1',
    blockNumber: '0x10',
    logs: [],
  })
})

test.each([
  ['eth_sendTransaction', undefined],
  ['eth_sendTransaction', { hash }],
  ['eth_sendTransaction', '0xabcd'],
  ['wallet_sendCalls', { batch: 1 }],
  ['wallet_getCallsStatus', { status: 'CONFIRMED' }],
  ['wallet_getCallsStatus', { status: 200, receipts: [{ status: '0x1', blockNumber: '0x10' }] }],
  ['eth_getTransactionReceipt', { status: '0x1', blockNumber: null }],
  ['eth_getTransactionByHash', { nonce: 7 }],
  ['eth_getTransactionCount', '0x'],
  ['eth_getBlockByNumber', { number: '0x10' }],
] as const)('an invalid answer to %s is an error that says what to do', (method, answer) => {
  expect(() => parseWalletAnswer(method, answer)).toThrow(WalletAnswerError)
  expect(() => parseWalletAnswer(method, answer)).toThrow(
    `Your wallet gave an invalid answer to ${method}. Check in your wallet what it sent before you start again.`,
  )
})

test.each([
  ['0x2105', 8453],
  [8453, 8453],
  ['8453', 8453],
  ['', null],
  ['base', null],
  [undefined, null],
])('a wallet that answers %o is on chain %o', (answer, chain) => {
  expect(readChainId(answer)).toBe(chain)
})

test('only an EIP-1193 provider is used', async () => {
  const provider = { request: async () => null }
  expect(await findProvider({ getProvider: async () => provider })).toBe(provider)
  expect(await findProvider({ getProvider: async () => ({ request: 'eth_accounts' }) })).toBeNull()
  expect(await findProvider({ getProvider: async () => undefined })).toBeNull()
  expect(await findProvider(undefined)).toBeNull()
})

test('whatever a wallet throws, its code and message can be read', () => {
  expect(isDeclined({ code: 4001, message: 'User rejected the request.' })).toBe(true)
  expect(isDeclined(new Error('User rejected the request.'))).toBe(false)
  for (const error of [undefined, null, 'rejected', { code: '4001', message: 7 }]) {
    expect(readWalletError(error)).toEqual({ code: null, message: '' })
  }
})
