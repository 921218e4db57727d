import {
  chainOf,
  createChainReader,
  createProviders,
  createRpc,
  marketPlaces,
  type Providers,
  type Rpc,
} from '@svc/chain'
import { buildWorld, type Devnet, multicall3, startDevnet, type Told, worldSpan } from '@svc/devnet'
import { taskLensAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { metaJsonOf } from '@svc/protocol/http'
import { task as taskRow, verifyAnswer } from '@svc/reads'
import { decodeFunctionResult, encodeEventTopics, encodeFunctionResult, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'

const present = Math.floor(Date.now() / 1000)
let devnet: Devnet
let told: Told[]
beforeAll(async () => {
  devnet = await startDevnet({ genesisTime: present - worldSpan })
  told = await buildWorld(devnet.client, devnet.deployments, present)
})
afterAll(() => devnet?.stop())

/** The chain as one provider tells it, who may lie. */
function providersOf(lie: (method: string, answer: unknown) => unknown = (_, answer) => answer): Providers {
  const honest = createRpc({ name: 'anvil', url: devnet.rpcUrl })
  const rpc: Rpc = { ...honest, request: async (method, params) => lie(method, await honest.request(method, params)) }
  return createProviders([rpc], chainOf(8453, multicall3), { attempts: 1 })
}

/** What an API that sees the chain through these providers would answer. */
async function answerOf(path: string, providers: Providers): Promise<unknown> {
  const reader = createChainReader(providers, marketPlaces(devnet.deployments))
  const id = path.split('=')[1] ?? ''
  const market = id.includes('micro') ? 'micro' : 'standard'
  const found = await taskRow.read({ id }, reader, devnet.deployments)
  if (!('body' in found)) throw new Error('A task is no text.')
  return JSON.parse(JSON.stringify({ ...found.body, meta: metaJsonOf(market, found.block, false) }))
}

const verify = (path: string, body: unknown, providers: Providers, proof = true) =>
  verifyAnswer(`http://localhost${path}`, body, { providers, deployments: devnet.deployments }, { proof })

test('every task of the demo world is proven', async () => {
  const honest = providersOf()
  const states = new Set<string>()
  for (const { market, taskId } of told) {
    const path = `/api/market/task?id=v2:${market}:${taskId}`
    const answer = await answerOf(path, honest)
    const verdict = await verify(path, answer, honest)
    states.add((answer as { task: { state: string } }).task.state)
    expect(verdict.differences, path).toEqual([])
    expect(verdict).toMatchObject({ equal: true, notProven: ['task.dispute', 'task.timeline'] })
  }
  expect(states.size).toBeGreaterThan(5)
})

test('a provider and an API that tell the same lie are believed without a proof, and found out with one', async () => {
  const path = '/api/market/task?id=v2:micro:1'
  const lying = providersOf((method, answer) => (method === 'eth_call' ? richer(answer as Hex) : answer))
  const lie = await answerOf(path, lying)
  expect((await verify(path, lie, lying, false)).equal).toBe(true)
  expect((await verify(path, lie, lying)).differences.map(({ path: at }) => at)).toEqual(['task.releasedTokWei'])
  expect((await verify(path, await answerOf(path, providersOf()), lying)).equal).toBe(true)
})

test('a provider cannot lie about the proof itself', async () => {
  const path = '/api/market/task?id=v2:micro:1'
  const answer = await answerOf(path, providersOf())
  const proofs: readonly ((proof: Record<string, never[]>) => unknown)[] = [
    (proof) => ({ ...proof, storageProof: [] }),
    (proof) => ({ ...proof, accountProof: proof.accountProof?.slice(1) }),
    (proof) => ({ ...proof, storageProof: proof.storageProof?.map((each: object) => ({ ...each, proof: [] })) }),
    ({ storageProof = [], ...proof }) => ({
      ...proof,
      storageProof: storageProof.map((each: { key: Hex }, index) => ({
        ...((storageProof[index + 1] ?? each) as object),
        key: each.key,
      })),
    }),
    () => null,
  ]
  for (const change of proofs) {
    const lying = providersOf((method, said) => (method === 'eth_getProof' ? change(said as never) : said))
    await expect(verify(path, answer, lying)).rejects.toThrow(/^The proof/)
  }
  const other = await devnet.client.getBlock({ blockNumber: 1n })
  for (const change of [{ stateRoot: other.stateRoot }, { timestamp: '0x1' }, { extraData: '0x00' }]) {
    const lying = providersOf((method, said) =>
      method === 'eth_getBlockByHash' ? { ...(said as object), ...change } : said,
    )
    await expect(verify(path, answer, lying)).rejects.toThrow(/no header that hashes to it/)
  }
})

test('terms and text are bound to what is proven', async () => {
  const path = '/api/market/task?id=v2:micro:1'
  const answer = await answerOf(path, providersOf())
  // The first letter of the title, and the end of the terms, where the durations stand.
  const lies = [
    (log: RpcLog) => ({ ...log, data: log.data.replace(/(227469746c65223a22)../, '$17a') }),
    (log: RpcLog) => (log.topics[0] === posted ? { ...log, data: log.data.replace(/.$/, '1') } : log),
  ]
  for (const lie of lies) {
    const lying = providersOf((method, said) => (method === 'eth_getLogs' ? (said as RpcLog[]).map(lie) : said))
    await expect(verify(path, answer, lying)).rejects.toThrow(/than the provider's logs/)
  }
})

interface RpcLog {
  topics: readonly Hex[]
  data: string
}

const [posted] = encodeEventTopics({ abi: taskRegistryAbi, eventName: 'TaskPosted' })

/** The lens' answer with one more TOK wei paid to the worker. */
function richer(result: Hex): Hex {
  const lens = { abi: taskLensAbi, functionName: 'tasksOf' } as const
  try {
    const views = decodeFunctionResult({ ...lens, data: result })
    return encodeFunctionResult({ ...lens, result: views.map((each) => ({ ...each, released: each.released + 1n })) })
  } catch {
    return result
  }
}
