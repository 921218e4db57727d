import { keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { checkChain, WrongChainError } from './checkChain.ts'
import { createCheckedRpc } from './checkedProviders.ts'
import { type Deployments, marketNames, sharedNames } from './deployments.ts'
import { ChainReadError } from './errors.ts'
import type { Rpc } from './rpc.ts'
import { listContracts } from './verifyDeployments.ts'

let next = 1
const makeAddresses = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, `0x${String(next++).padStart(40, '0')}`])) as Record<
    Name,
    `0x${string}`
  >
const suite: Deployments = {
  chainId: 8453,
  startBlock: 0,
  shared: makeAddresses(sharedNames),
  markets: { standard: makeAddresses(marketNames), micro: makeAddresses(marketNames) },
}
const makeCode = (address: string) => `0xfe${address.slice(2)}` as const
const deployments: Deployments = {
  ...suite,
  codeHashes: Object.fromEntries(listContracts(suite).map(({ address }) => [address, keccak256(makeCode(address))])),
}
const registry = deployments.markets.micro.taskRegistry

/** A provider whose answers can be changed, and the methods that it was asked for. */
function createFakeRpc() {
  const asked: string[] = []
  const state: { chainId: string; codes: Record<string, string>; isDown: boolean } = {
    chainId: '0x2105',
    codes: {},
    isDown: false,
  }
  const rpc: Rpc = {
    name: 'provider 1',
    async request(method, [first]) {
      asked.push(method)
      if (state.isDown) throw new ChainReadError('provider 1 cannot be reached.', { retryable: true })
      if (method === 'eth_chainId') return state.chainId
      return method === 'eth_getCode' ? (state.codes[String(first)] ?? makeCode(String(first))) : '0x7'
    },
  }
  return { rpc, asked, state }
}

test('a check compares the chain id and the code of every contract, or of the registries alone', async () => {
  const { rpc, asked, state } = createFakeRpc()
  await checkChain(rpc, deployments, 'all')
  expect(asked.filter((method) => method === 'eth_getCode')).toHaveLength(24)
  asked.length = 0
  await checkChain(rpc, deployments, 'registries')
  expect(asked).toEqual(['eth_chainId', 'eth_getCode', 'eth_getCode'])

  state.codes = { [deployments.markets.micro.taskLens]: '0xfe' }
  await expect(checkChain(rpc, deployments, 'all')).rejects.toThrow(
    /its code of micro taskLens at 0x\d+ is not the one/,
  )
  await checkChain(rpc, deployments, 'registries')
  state.codes = { [registry]: '0x' }
  await expect(checkChain(rpc, deployments, 'registries')).rejects.toThrow(
    `provider 1 is refused: it has no contract at ${registry}, the address of micro taskRegistry.`,
  )
  state.chainId = '0x14a34'
  await expect(checkChain(rpc, deployments, 'registries')).rejects.toThrow(
    'provider 1 is refused: it is on chain 84532, but the contracts are on chain 8453.',
  )
  for (const nothing of ['', 'eight', '0x1fffffffffffffff']) {
    state.chainId = nothing || 'null'
    await expect(checkChain(rpc, deployments, 'registries')).rejects.not.toBeInstanceOf(WrongChainError)
  }
})

test('without hashes in the file, the code of this version is expected', async () => {
  const { rpc } = createFakeRpc()
  await expect(checkChain(rpc, suite, 'registries')).rejects.toThrow(
    /standard taskRegistry at 0x\d+ is not the contract of this version/,
  )
})

test('a provider is checked before its first call and every few minutes, and is not asked while it is wrong', async () => {
  const { rpc, asked, state } = createFakeRpc()
  const refusals: string[] = []
  let time = 0
  const checked = createCheckedRpc(rpc, deployments, {
    now: () => time,
    onRefused: ({ message }) => refusals.push(message),
  })
  const readBlock = () => checked.request('eth_blockNumber', [])
  const check = ['eth_chainId', 'eth_getCode', 'eth_getCode']
  const settle = () => new Promise((done) => setImmediate(done))

  // Calls of the same moment share one check.
  expect(await Promise.all([readBlock(), readBlock()])).toEqual(['0x7', '0x7'])
  expect(asked).toEqual([...check, 'eth_blockNumber', 'eth_blockNumber'])
  asked.length = 0
  time = 179_999
  await readBlock()
  expect(asked).toEqual(['eth_blockNumber'])

  // It is switched to another chain. The call that begins the check still goes out; the next one does not.
  state.chainId = '0x14a34'
  time = 180_000
  await readBlock()
  await settle()
  asked.length = 0
  await expect(readBlock()).rejects.toBeInstanceOf(WrongChainError)
  await expect(readBlock()).rejects.toBeInstanceOf(WrongChainError)
  expect(asked).toEqual([])
  expect(refusals).toEqual([checked.refused()?.message])

  // It is asked again a little later, and used again once it is right.
  state.chainId = '0x2105'
  time += 10_000
  await expect(readBlock()).rejects.toBeInstanceOf(WrongChainError)
  await settle()
  expect(await readBlock()).toBe('0x7')
  expect(checked.refused()).toBeNull()
})

test('silence proves nothing: a provider that was right stays, and one that was never checked is not used', async () => {
  const { rpc, asked, state } = createFakeRpc()
  let time = 0
  const checked = createCheckedRpc(rpc, deployments, { now: () => time })
  state.isDown = true
  await expect(checked.request('eth_blockNumber', [])).rejects.toThrow('cannot be reached')
  expect(asked).toEqual(['eth_chainId'])
  state.isDown = false
  await checked.request('eth_blockNumber', [])
  state.isDown = true
  time = 200_000
  await expect(checked.request('eth_blockNumber', [])).rejects.toThrow('cannot be reached')
  state.isDown = false
  expect(await checked.request('eth_blockNumber', [])).toBe('0x7')
})
