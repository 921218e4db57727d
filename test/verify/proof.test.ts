import {
  createChainReader,
  createProviders,
  createRpc,
  createViemChain,
  getMarketDeployment,
  type Providers,
  type Rpc,
} from '@svc/chain'
import { buildWorld, type DemoTask, type Devnet, multicall3, startDevnet, worldSpan } from '@svc/devnet'
import { buildResponseMeta } from '@svc/operations'
import { taskLensAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { reads, verifyAnswer } from '@svc/reads'
import { decodeFunctionResult, encodeEventTopics, encodeFunctionResult, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'

const present = Math.floor(Date.now() / 1000)
let devnet: Devnet
let demoTasks: DemoTask[]
beforeAll(async () => {
  devnet = await startDevnet({ genesisTime: present - worldSpan })
  ;({ tasks: demoTasks } = await buildWorld(devnet.client, devnet.deployments, present))
})
afterAll(() => devnet?.stop())

/** Creates one provider, with `lie` changing its answers. */
function createFaultyProviders(lie: (method: string, answer: unknown) => unknown = (_, answer) => answer): Providers {
  const honest = createRpc({ name: 'anvil', url: devnet.rpcUrl })
  const rpc: Rpc = { ...honest, request: async (method, params) => lie(method, await honest.request(method, params)) }
  return createProviders([rpc], createViemChain(8453, multicall3), { attempts: 1 })
}

/** The answer of an API that reads through these providers. */
async function readAnswer(path: string, providers: Providers): Promise<unknown> {
  const reader = createChainReader(providers, getMarketDeployment(devnet.deployments))
  const id = path.split('=')[1] ?? ''
  const market = id.includes('micro') ? 'micro' : 'standard'
  const found = await reads.getTask.ask({ id }).run(reader, devnet.deployments)
  if (!('body' in found)) throw new Error('The task route answered with text.')
  return JSON.parse(JSON.stringify({ ...found.body, meta: buildResponseMeta(market, found.block) }))
}

const verify = (path: string, body: unknown, providers: Providers, proof = true) =>
  verifyAnswer(`http://localhost${path}`, body, { providers, deployments: devnet.deployments }, { proof })

test('every task of the demo world is proven', async () => {
  const honest = createFaultyProviders()
  const states = new Set<string>()
  const notProven = ['task.dispute', 'task.timeline', 'task.claimableUntil', 'task.allowedWorker', 'task.bundles']
  for (const { market, taskId } of demoTasks) {
    const path = `/api/market/task?id=v2:${market}:${taskId}`
    const answer = await readAnswer(path, honest)
    const verdict = await verify(path, answer, honest)
    states.add((answer as { task: { state: string } }).task.state)
    expect(verdict.differences, path).toEqual([])
    expect(verdict).toMatchObject({ equal: true, notProven })
  }
  expect(states.size).toBeGreaterThan(5)
})

test('a provider and an API with the same lie are believed without a proof, and exposed with one', async () => {
  const path = '/api/market/task?id=v2:micro:1'
  const lying = createFaultyProviders((method, answer) =>
    method === 'eth_call' ? addReleasedWei(answer as Hex) : answer,
  )
  const lie = await readAnswer(path, lying)
  expect((await verify(path, lie, lying, false)).equal).toBe(true)
  expect((await verify(path, lie, lying)).differences.map(({ path: at }) => at)).toEqual(['task.releasedTokWei'])
  expect((await verify(path, await readAnswer(path, createFaultyProviders()), lying)).equal).toBe(true)
})

test('a provider cannot lie about the proof itself', async () => {
  const path = '/api/market/task?id=v2:micro:1'
  const answer = await readAnswer(path, createFaultyProviders())
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
    const lying = createFaultyProviders((method, answer) =>
      method === 'eth_getProof' ? change(answer as never) : answer,
    )
    await expect(verify(path, answer, lying)).rejects.toThrow(/^The proof/)
  }
  const other = await devnet.client.getBlock({ blockNumber: 1n })
  for (const change of [{ stateRoot: other.stateRoot }, { timestamp: '0x1' }, { extraData: '0x00' }]) {
    const lying = createFaultyProviders((method, answer) =>
      method === 'eth_getBlockByHash' ? { ...(answer as object), ...change } : answer,
    )
    await expect(verify(path, answer, lying)).rejects.toThrow(/did not return a header with this hash/)
  }
})

test('terms and text must match the proven hashes', async () => {
  const path = '/api/market/task?id=v2:micro:1'
  const answer = await readAnswer(path, createFaultyProviders())
  // The first letter of the title, and the end of the terms, which holds the durations.
  const lies = [
    (log: RpcLog) => ({ ...log, data: log.data.replace(/(227469746c65223a22)../, '$17a') }),
    (log: RpcLog) => (log.topics[0] === posted ? { ...log, data: log.data.replace(/.$/, '1') } : log),
  ]
  for (const lie of lies) {
    const lying = createFaultyProviders((method, answer) =>
      method === 'eth_getLogs' ? (answer as RpcLog[]).map(lie) : answer,
    )
    await expect(verify(path, answer, lying)).rejects.toThrow(/differs? from the provider's logs/)
  }
})

interface RpcLog {
  topics: readonly Hex[]
  data: string
}

const [posted] = encodeEventTopics({ abi: taskRegistryAbi, eventName: 'TaskPosted' })

/** The lens' answer, with one more TOK wei released to the worker. */
function addReleasedWei(result: Hex): Hex {
  const lens = { abi: taskLensAbi, functionName: 'tasksOf' } as const
  try {
    const views = decodeFunctionResult({ ...lens, data: result })
    return encodeFunctionResult({ ...lens, result: views.map((each) => ({ ...each, released: each.released + 1n })) })
  } catch {
    return result
  }
}
