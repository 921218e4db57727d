import {
  accounts,
  createScene,
  type Devnet,
  getChainTime,
  type Scene,
  sendCall,
  sendTokens,
  sendTopUp,
  setUpMarkets,
  startDevnet,
} from '@svc/devnet'
import { hashTaskText, taskScopes } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { type Hex, parseUnits, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { callTool } from '../../apps/tools/src/callTool.ts'
import { serveHttp } from '../../apps/tools/src/http.ts'
import { openMarkets } from '../../apps/tools/src/market.ts'
import { createToolServer } from '../../apps/tools/src/server.ts'
import type { ToolDeps } from '../../apps/tools/src/tool.ts'
import { createToolDeps } from '../../apps/tools/src/toolDeps.ts'
import { tools } from '../../apps/tools/src/tools/index.ts'
import { connect } from '../../apps/tools/test/connect.ts'
import { type Injection, injections } from './injections.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const poster = accounts.ada
const worker = accounts.emeka.address
/** Control and invisible characters. Line feeds are escaped in JSON. */
const hidden = /[\p{Cc}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\u2800\ufff9-\ufffb]/u

let devnet: Devnet
let deps: ToolDeps
/** Task 1 has plain text. Each of the others has one injection and the same numbers. */
const toTaskId = (injection: Injection) => `v2:standard:${injections.indexOf(injection) + 2}`

beforeAll(async () => {
  devnet = await startDevnet()
  await setUpMarkets(devnet.client, devnet.deployments)
  const scene = createScene(devnet.client, devnet.deployments, 'standard')
  // Every live task reserves 13 USD of its poster's deposit.
  await sendTokens(devnet.client, devnet.deployments, poster.address, { tok: 0n, usdc: parseUnits('6000', 6) })
  await sendTopUp(scene, poster, parseUnits('6000', 6))
  const claimDeadline = BigInt((await getChainTime(devnet.client)) + 10 * 86_400)
  for (const [index, text] of ['Translate a page', ...injections.map(({ text }) => text)].entries()) {
    await postText(scene, text, BigInt(index + 1), claimDeadline)
  }
  deps = createToolDeps(openMarkets([devnet.rpcUrl], devnet.deployments), 'http://127.0.0.1:9')
})
afterAll(() => devnet?.stop())

/** Publishes a raw text, which the contract cannot prevent. */
async function postText({ client, contracts, params }: Scene, text: string, nonce: bigint, claimDeadline: bigint) {
  const terms = {
    poster: poster.address,
    amounts: [100n * 10n ** 18n],
    durations: [BigInt(params.minDuration)],
    reviewWindow: BigInt(params.minReviewWindow),
    maxRevisions: 1,
    arbitrator: zeroAddress,
    store: zeroAddress,
    criteriaHash: hashTaskText(text),
    scope: taskScopes.indexOf('OPEN'),
    claimPolicy: 0,
    claimDeadline,
    nonce,
  }
  const call = { address: contracts.taskRegistry, abi: taskRegistryAbi, functionName: 'post' } as const
  await sendCall(client, poster, { ...call, args: [terms, text, 0n] })
}

interface Said {
  isError: boolean
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: searched as a whole.
  json: any
}

async function call(name: string, args: Record<string, unknown>, given: ToolDeps = deps): Promise<Said> {
  const tool = tools.find((each) => each.name === name)
  if (!tool) throw new Error(`There is no tool ${name}.`)
  const { content, isError = false } = await callTool(tool, args, given, (error) => {
    throw error
  })
  const text = content[0]?.type === 'text' ? content[0].text : ''
  return { isError, text, json: JSON.parse(text) }
}

/** Removes the untrusted fields of a value. */
function trusted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(trusted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => !name.startsWith('untrusted'))
  return Object.fromEntries(entries.map(([name, each]) => [name, trusted(each)]))
}

function collectStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => [name, ...collectStrings(each)])
}

/** Expects the injection only in untrusted fields, and no control codes anywhere. */
function expectHarmless(said: Said, { name, marker }: Injection): void {
  expect(JSON.stringify(trusted(said.json)), name).not.toContain(marker)
  expect(hidden.exec(said.text), name).toBeNull()
  // Escaped characters become active again when JSON is parsed.
  for (const each of collectStrings(said.json)) expect(hidden.exec(each.replaceAll('\n', '')), name).toBeNull()
}

test('there are 300 of them', () => {
  expect(injections).toHaveLength(300)
  expect(new Set(injections.map(({ text }) => text)).size).toBe(300)
})

describe('on chain, as the text of a task', () => {
  test('they stay in untrusted fields of a task, and change no other field', async () => {
    const sameFields = async (id: string) => {
      const said = await call('svc_get_task', { id, address: worker, timeline: true })
      const { task } = trusted(said.json) as { task: Record<string, unknown> }
      const own = ['id', 'criteriaHash', 'settlementDigest', 'claimDigest', 'timeline', 'postedAt', 'postedBlock']
      const rest = Object.entries(task).filter(([name]) => ![...own, 'removedCharacters'].includes(name))
      return { said, rest: Object.fromEntries(rest) }
    }
    const plain = await sameFields('v2:standard:1')
    let marked = 0
    for (const injection of injections) {
      const { said, rest } = await sameFields(toTaskId(injection))
      expectHarmless(said, injection)
      expect(rest, injection.name).toEqual(plain.rest)
      expect(said.json.task.untrustedTitle.length).toBeLessThanOrEqual(120)
      expect(said.json.task.untrustedCriteria.length).toBeLessThanOrEqual(8_192)
      marked += Number(said.text.includes(injection.marker))
    }
    // The text is there, and the agent can evaluate it.
    expect(marked).toBe(300)
  })

  test('they never change what to do next', async () => {
    const isClaim = ({ action }: { action: string }) => action === 'claim-task'
    for (const wallet of [poster.address, worker]) {
      const listSteps = async (id: string) => {
        const said = await call('svc_task_next_steps', { id, address: wallet })
        // The digest of the terms contains the hash of the text.
        const { claimDigest = '<none>' } = said.json.steps.find(isClaim) ?? {}
        return { said, same: said.text.replaceAll(id, '<id>').replaceAll(claimDigest, '<digest>') }
      }
      const plain = await listSteps('v2:standard:1')
      expect(plain.said.json.steps.length).toBeGreaterThan(0)
      for (const injection of injections) {
        const { said, same } = await listSteps(toTaskId(injection))
        expectHarmless(said, injection)
        expect(same, injection.name).toBe(plain.same)
      }
    }
  })

  test('they stay in untrusted fields of a prepared claim, and change no call', async () => {
    const prepareClaim = (taskId: string) =>
      call('svc_prepare', { action: 'claim-task', input: { taskId }, address: worker, calls: true })
    const listTargets = ({ json }: Said) => json.sendCalls.calls.map(({ to }: { to: string }) => to)
    const plain = listTargets(await prepareClaim('v2:standard:1'))
    for (const injection of injections.filter((_, index) => index % 15 === 7)) {
      const said = await prepareClaim(toTaskId(injection))
      expectHarmless(said, injection)
      expect(listTargets(said)).toEqual(plain)
      expect(said.json.untrustedTitle.length).toBeLessThanOrEqual(120)
    }
  })

  test('they stay in untrusted fields of lists', async () => {
    const ids = new Set<string>()
    const look = async (name: string, args: Record<string, unknown>) => {
      const said = await call(name, { ...args, limit: 50 })
      const ours = JSON.stringify(trusted(said.json))
      expect(injections.filter(({ marker }) => ours.includes(marker))).toEqual([])
      for (const each of collectStrings(said.json)) expect(hidden.exec(each)).toBeNull()
      for (const { id } of said.json.tasks) ids.add(id)
      return said.json.meta.nextCursor as string | null
    }
    for (let cursor: string | undefined | null; cursor !== null; ) {
      cursor = await look('svc_list_open_tasks', cursor ? { cursor } : {})
    }
    expect(ids.size).toBe(301)
    await look('svc_list_recent_tasks', {})
    await look('svc_list_tasks_by_poster', { address: poster.address })
  })

  test('they stay in untrusted fields of resources, and digests are still verified', async () => {
    const onFault = (error: unknown) => {
      throw error
    }
    const server = await serveHttp(() => createToolServer(deps, onFault), { port: 0, onError: onFault })
    const client = await connect(new URL(`http://127.0.0.1:${server.port}/mcp`), 'auto')
    const { resources } = await client.listResources()
    expect(resources.map(({ name }) => name).every((name) => /^v2:standard:\d+$/.test(name))).toBe(true)
    for (const injection of injections.filter((_, index) => index % 12 === 3)) {
      const id = toTaskId(injection)
      for (const uri of [`svc://tasks/${id}`, `svc://terms/${id}`]) {
        const [content] = (await client.readResource({ uri })).contents as { text: string }[]
        const text = content?.text ?? ''
        expectHarmless({ isError: false, text, json: JSON.parse(text) }, injection)
      }
      const said = await call('svc_verify_settlement_digest', { id })
      expectHarmless(said, injection)
      expect(said.json.matches, injection.name).toBe(true)
    }
    await client.close()
    await server.close(1_000)
  })
})

describe('as text and terms that an agent passes on', () => {
  test('they are rejected without being repeated, or stay in untrusted fields', async () => {
    let built = 0
    for (const injection of injections) {
      const { words } = injection
      const given = {
        poster: poster.address,
        worker,
        store: 'none',
        document: true,
        title: words.slice(0, 100).toWellFormed(),
        criteria: words,
        milestones: [{ title: words.slice(0, 100).toWellFormed(), amount: '10', duration: '48 hours' }],
      }
      const terms = await call('svc_build_task_terms', given)
      expectHarmless(terms, injection)
      if (terms.isError) continue
      built += 1
      const document = terms.json.untrustedTerms
      for (const [name, args] of [
        ['svc_build_xmtp_proposal', { terms: document, sender: worker }],
        ['svc_build_xmtp_acceptance_template', { terms: document }],
        ['svc_verify_settlement_digest', { terms: document }],
      ] as const) {
        const said = await call(name, args)
        expect(said.isError, `${injection.name}: ${said.text}`).toBe(false)
        expectHarmless(said, injection)
      }
    }
    expect(built).toBeGreaterThan(50)
  })

  test('they are not repeated in errors about a name, an id, an amount or a key', async () => {
    const milestones = (amount: string) => [{ title: 'All of it', amount, duration: '48 hours' }]
    const task = { poster: poster.address, title: 'A', criteria: 'B' }
    for (const injection of injections) {
      const short = injection.words.slice(0, 60).toWellFormed()
      for (const [name, args] of [
        ['svc_get_task', { id: injection.words }],
        ['svc_get_task', { id: 'v2:standard:1', [short]: 1 }],
        ['svc_list_open_tasks', { market: injection.words }],
        ['svc_list_open_tasks', { cursor: short.slice(0, 40) }],
        ['svc_build_task_terms', { ...task, milestones: milestones(short) }],
        ['svc_build_xmtp_proposal', { terms: { [short]: short, title: short }, sender: worker }],
        ['svc_request_status', { requestId: injection.words }],
        ['svc_prepare', { action: short, input: {}, address: worker }],
        ['svc_prepare', { action: 'top-up', input: { [short]: '1' }, address: worker }],
        [
          'svc_prepare',
          { action: 'claim-task', input: { taskId: short, permit: { [short]: short } }, address: worker },
        ],
      ] as const) {
        const said = await call(name, args)
        expect(said.isError, injection.name).toBe(true)
        expectHarmless(said, injection)
      }
    }
  })
})

test('they are not passed on from a gateway', async () => {
  const requestId = 'req_AbCdEfGhIjKlMnOpQrStUv'
  const hash = `0x${'a'.repeat(64)}` as Hex
  for (const injection of injections) {
    const { words } = injection
    const answer = {
      action: 'post-task',
      title: words,
      explain: words,
      market: 'standard',
      version: '2.0.0',
      chainId: '0x2105',
      from: poster.address,
      atomicRequired: false,
      calls: [],
      decoded: [
        {
          label: words,
          to: poster.address,
          contract: 'taskRegistry',
          function: words,
          args: [{ name: 'text', value: words }],
        },
      ],
      costs: [{ what: words, amount: words }],
      deadline: words,
      simulation: { status: 'refused', call: 0, error: { name: words, message: words, wayOut: words } },
      block: { number: 1, hash, timestamp: 1 },
      requestId,
      approvalUrl: `javascript:${words}`,
      statusUrl: words,
      status: 'pending',
      statusCode: 100,
      settled: false,
      createdAt: '2026-11-15T00:00:00Z',
      expiresAt: '2026-11-15T00:00:00Z',
      transactionHashes: [hash],
    }
    const said = await call('svc_request_status', { requestId }, { ...deps, askGateway: async () => answer })
    expect(said.isError, said.text).toBe(false)
    expectHarmless(said, injection)
    expect(said.json.approvalUrl).toBe('')
    const strange = await call(
      'svc_request_status',
      { requestId },
      { ...deps, askGateway: async () => ({ ...answer, action: words, requestId: words }) },
    )
    expectHarmless(strange, injection)
    expect(strange.json.code).toBe('GATEWAY_UNREACHABLE')
  }
})
