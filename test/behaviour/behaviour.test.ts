import { apiRoutes, gatewayRoutes } from '@svc/operations'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tools } from '../../apps/tools/src/tools/index.ts'
import { runs } from '../harness/runs.ts'
import { type Answer, type Call, isList, isObject, type Json } from './call.ts'
import { type CheckName, checkNames, listChecks } from './checks/index.ts'
import { formatMisses, planTrials, type Result, rememberReads, type Trial, tryMutation } from './runChecks.ts'
import { type BehaviourWorld, startBehaviourWorld } from './world.ts'

let world: BehaviourWorld
let call: Call
let checks: ReturnType<typeof listChecks>
beforeAll(async () => {
  world = await startBehaviourWorld()
  call = rememberReads(world.call)
  checks = listChecks(world)
})
afterAll(() => world?.stop())

const trials = new Map<CheckName, Trial[]>()

describe('agrees with the chain', () => {
  test.concurrent.each(checkNames)('%s', async (name) => {
    trials.set(name, await planTrials(name, checks[name], call))
  })
})

test('every route, page and tool has a check', () => {
  const routes = [...apiRoutes, ...gatewayRoutes].map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  const pages = ['GET /', 'GET /market.html', 'GET /leaderboard.html', 'GET /treasury-dashboard.html']
  const all = [...routes, ...pages, ...tools.map(({ name }) => name)]
  expect(checkNames.toSorted()).toEqual(all.toSorted())
})

test('a sample of all mutations is noticed', async () => {
  const sample = pickSample(runs(50))
  const queue = checkNames.filter((name) => sample.has(name))
  const results: Result[] = []
  // The mutations of one check are tried one after another, because a check may look at what arrived during its run.
  const work = async () => {
    for (let name = queue.shift(); name; name = queue.shift())
      for (const trial of sample.get(name) ?? []) results.push(await tryMutation(checks[name], call, trial))
  }
  await Promise.all([work(), work(), work(), work()])
  expect(results.length).toBeGreaterThan(0)
  expect(formatMisses(results)).toEqual([])
})

/** Picks every nth mutation, from a place that changes each day, so that each one has its turn. */
function pickSample(count: number): Map<CheckName, Trial[]> {
  const all = checkNames.flatMap((name) => (trials.get(name) ?? []).map((trial) => ({ name, trial })))
  const step = Math.max(1, Math.floor(all.length / count))
  const start = Math.floor(Date.now() / 86_400_000) % step
  const picked = Map.groupBy(
    all.filter((_, index) => index % step === start),
    ({ name }) => name,
  )
  return new Map([...picked].map(([name, some]) => [name, some.map(({ trial }) => trial)]))
}

describe('changes that once stayed unnoticed', () => {
  const notices = (name: CheckName, changed: Call) => expect(checks[name](changed)).rejects.toThrow()
  const changeBody =
    (to: string, change: (body: Json) => Json): Call =>
    async (request) => {
      const answer: Answer = await call(request)
      return request.to === to ? { ...answer, body: change(answer.body) } : answer
    }

  test('the leaderboard page without bonds', () =>
    notices(
      'GET /leaderboard.html',
      changeBody('GET /leaderboard.html', (body) => dropDeep(body, 'Bond')),
    ))
  test('the treasury page without its table', () =>
    notices(
      'GET /treasury-dashboard.html',
      changeBody('GET /treasury-dashboard.html', (body) => dropDeep(body, 'tables')),
    ))
  test('the Union overview of the other market', () =>
    notices('GET /api/union/overview', (request) => {
      const market = request.input.market === 'micro' ? 'standard' : 'micro'
      return call({ ...request, input: { ...request.input, market } })
    }))
  test('a chat that forwards the last message only', () =>
    notices('POST /api/role-chat', (request) => {
      const { messages } = request.input
      const kept = isList(messages) ? { messages: messages.slice(-1) } : {}
      return call({ ...request, input: { ...request.input, ...kept } })
    }))
  test('a reputation score that is always 0', () =>
    notices(
      'svc_get_agent_reputation',
      changeBody('svc_get_agent_reputation', (body) => (isObject(body) ? { ...body, score: 0 } : body)),
    ))

  /** Removes a field wherever it is. */
  function dropDeep(value: Json, name: string): Json {
    if (isList(value)) return value.map((each) => dropDeep(each, name))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) => (key === name ? [] : [[key, dropDeep(each, name)]])),
    )
  }
})
