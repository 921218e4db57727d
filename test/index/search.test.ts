import {
  accounts,
  advanceTime,
  createScene,
  getChainTime,
  type Job,
  type Scene,
  sendApprovals,
  sendCancellation,
  sendClaim,
  sendFunding,
  sendPost,
  sendTokens,
  sendTopUp,
} from '@svc/devnet'
import { operations, parseInput } from '@svc/operations'
import { decodeTaskText, markets } from '@svc/protocol'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import { type SearchFilter, type SearchQuery, type SearchSort, searchSorts } from '@svc/protocol/internal/tasks'
import { computeReputationScore } from '@svc/protocol/records'
import { createRandom, type Random } from '@svc/simulation/random'
import { parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'
import { runs } from '../harness/runs.ts'

const seed = Date.now() % 2 ** 31
const market = 'micro'
const posters = [accounts.ada, accounts.bruno]
const hour = 3_600

const subjects = ['photos', 'contract', 'menu', 'lighthouse', 'invoice', 'website', 'IT manual', 'café sign']
const verbs = ['Translate', 'Caption', 'Transcribe', 'Review', 'Summarise', 'Illustrate']
const details = ['in Portuguese', 'within a day', 'with sources', 'for children', 'as a table', 'naïve readers first']
const tags = ['translation', 'writing', 'images', 'lang:pt', 'lang:en', 'urgent']

let world: IndexedWorld
let scene: Scene
const posted: Job[] = []
const random = createRandom(seed)

beforeAll(async () => {
  world = await startIndexedWorld({
    fill: async (client, deployments) => {
      for (const { address } of [...posters, accounts.emeka])
        await sendTokens(client, deployments, address, { tok: parseUnits('9000000', 18), usdc: parseUnits('9000', 6) })
      for (const each of markets.map((name) => createScene(client, deployments, name))) {
        for (const wallet of [...posters, accounts.emeka]) {
          await sendApprovals(each, wallet)
          await sendTopUp(each, wallet, parseUnits('900', 6))
        }
        if (each.market === market) scene = each
      }
      for (let count = 0; count < 36; count++) posted.push(await postRandom())
      for (const job of posted.slice(0, 4)) await sendClaim(scene, job, accounts.emeka)
      for (const job of posted.slice(4, 7)) await sendCancellation(scene, job)
      for (const job of posted.slice(7, 10)) await sendFunding(scene, job).catch(() => {})
      return []
    },
  })
  await world.reachedHead()
}, 120_000)
afterAll(() => world?.stop())

/** Posts a task with random words, tags, pay and deadlines. */
async function postRandom(): Promise<Job> {
  const { client, params } = scene
  const amount = parseUnits(String(random.pick([50, 100, 100, 250, 1_000, 2_500])), 18)
  const own = tags.filter(() => random.chance(0.3))
  const text = `${random.pick(verbs)} ${random.pick(subjects)}\n\n${random.pick(details)}, ${random.pick(subjects)} ${random.pick(details)}`
  const offer = {
    poster: random.pick(posters),
    text,
    ...(own.length > 0 && { tags: own }),
    amounts: random.chance(0.3) ? [amount, amount] : [amount],
    duration: params.minDuration * (1 + random.below(5)),
    claimDeadline: (await getChainTime(client)) + params.claimCutoff + random.pick([1, 5, 20]) * hour,
    permitOnly: random.chance(0.3),
  }
  return sendPost(scene, offer, random.pick([0n, offer.amounts.length === 1 ? amount : 0n]))
}

const removeMarks = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '')

/** A task as it is on the chain, with what its text says. */
interface Listed {
  task: TaskSnapshot
  title: string
  tags: readonly string[]
  /** The words of the text by Postgres, from the chain's text. */
  matches: (words: string) => boolean
  posterScore: number
}

/** Reads all tasks, their texts and posters from the chain itself. */
async function readChain(words: readonly string[]): Promise<{ listed: Listed[]; now: number }> {
  const { direct, sql } = world
  const { tasks, block } = await direct.listRecent(market, { limit: 100 })
  const { texts } = await direct.getTexts(
    market,
    tasks.map(({ number }) => number),
  )
  const { agents } = await direct.getAgents(
    market,
    tasks.map(({ poster }) => poster),
  )
  const listed = await Promise.all(
    tasks.map(async (task, index) => {
      const { title, criteria, milestones, tags = [] } = decodeTaskText(texts.get(task.number) ?? '')
      const all = [title, tags.join(' ').replaceAll(':', ' '), criteria, ...milestones].join('\n')
      const rows = await sql<{ at: string }[]>`
        select at from json_array_elements_text(${JSON.stringify(words.map(removeMarks))}::text::json) with ordinality as given(word, at)
        where to_tsvector('english', ${removeMarks(all)}) @@ websearch_to_tsquery('english', word)`
      const matching = new Set(rows.map(({ at }) => words[Number(at) - 1]))
      const agent = agents[index]
      if (!agent) throw new Error('A poster was not read.')
      return {
        task,
        title,
        tags,
        matches: (word: string) => matching.has(word),
        posterScore: computeReputationScore(agent),
      }
    }),
  )
  return { listed, now: block.timestamp }
}

/** Filters without any index. */
function filterAll({ listed, now }: { listed: readonly Listed[]; now: number }, filter: SearchFilter): Listed[] {
  return listed.filter(({ task, tags, matches, posterScore }) => {
    const closes = Number(task.claimDeadline) - scene.params.claimCutoff
    return (
      task.state === 'POSTED' &&
      (!filter.claimable || (task.claimableUntil > 0 && now <= task.claimableUntil)) &&
      (filter.words === undefined || matches(filter.words)) &&
      filter.tags.every((tag) => tags.includes(tag)) &&
      task.total >= (filter.minPay ?? 0n) &&
      task.total <= (filter.maxPay ?? 2n ** 128n) &&
      (!filter.funded || task.funded >= task.total) &&
      (filter.claimPolicy === undefined || task.claimPolicy === filter.claimPolicy) &&
      closes >= (filter.closesAfter ?? 0) &&
      closes <= (filter.closesBefore ?? 2 ** 40) &&
      posterScore >= (filter.minPosterScore ?? 0)
    )
  })
}

const sortValues: Record<Exclude<SearchSort, 'relevance'>, (task: TaskSnapshot) => bigint> = {
  newest: ({ number }) => number,
  pay: ({ total }) => total,
  payPerHour: ({ total, milestones }) =>
    (total * 3_600n) / BigInt(milestones.reduce((sum, { duration }) => sum + duration, 0)),
  closing: ({ claimDeadline }) => -BigInt(claimDeadline),
}

const queries = [
  ...subjects,
  ...verbs,
  'photo',
  'cafe',
  'translating menus',
  'contract or menu',
  'review -table',
  '"a day"',
  'naive',
  'nothing',
]

function randomQuery(random: Random, now: number): SearchQuery {
  const words = random.chance(0.7) ? random.pick(queries) : undefined
  const maybe = <T>(value: T): T | undefined => (random.chance(0.25) ? value : undefined)
  const sorts = words === undefined ? searchSorts.filter((sort) => sort !== 'relevance') : searchSorts
  return {
    words,
    tags: random.chance(0.3) ? [random.pick(tags)] : [],
    minPay: maybe(parseUnits('100', 18)),
    maxPay: maybe(parseUnits('1000', 18)),
    funded: random.chance(0.2),
    claimable: random.chance(0.7),
    claimPolicy: maybe('ANYONE' as const),
    closesAfter: maybe(now + 2 * hour),
    closesBefore: maybe(now + 10 * hour),
    minPosterScore: maybe(1),
    sort: random.pick(sorts),
    limit: random.pick([1, 3, 10, 100]),
  }
}

/** Reads all pages of a search. */
async function readPages(query: SearchQuery, between: () => Promise<unknown> = async () => {}) {
  const all = []
  for (let after: SearchQuery['after']; ; ) {
    const { found, next } = await world.indexed.search(market, { ...query, after })
    all.push(...found)
    if (!next) return all
    after = next
    await between()
  }
}

test('random searches find exactly what a filter over the chain finds, in order', {
  timeout: runs(120_000, 120_000),
}, async () => {
  console.log(`seed ${seed}`)
  await advanceTime(scene.client, 2 * hour)
  await world.reachedHead()
  const chain = await readChain(queries)
  let found = 0
  for (let count = runs(60); count > 0; count--) {
    const query = randomQuery(random, chain.now)
    const expected = filterAll(chain, query).map(({ task }) => task)
    const pages = await readPages(query)
    found += pages.length
    const numbers = pages.map(({ task }) => task.number)
    const { sort } = query
    if (sort === 'relevance')
      expect(numbers.toSorted(), JSON.stringify(query.words)).toEqual(expected.map(({ number }) => number).toSorted())
    else {
      const value = sortValues[sort]
      const compare = (a: bigint, b: bigint) => (a < b ? 1 : a > b ? -1 : 0)
      const sorted = expected.toSorted((a, b) => compare(value(a), value(b)) || compare(a.number, b.number))
      expect(numbers, `${sort} ${query.words}`).toEqual(sorted.map(({ number }) => number))
    }
    for (const { task } of pages) expect(task).toEqual(expected.find(({ number }) => number === task.number))
  }
  expect(found).toBeGreaterThan(0)
})

test('pages repeat no task and leave out none that stays, while tasks are posted and taken', async () => {
  for (const sort of searchSorts) {
    const query: SearchQuery = {
      words: 'day or table or sources or menu or contract',
      tags: [],
      funded: false,
      claimable: true,
      sort,
      limit: 3,
    }
    await world.reachedHead()
    const before = await readPages({ ...query, limit: 100 })
    const open = before.flatMap(({ task }) => posted.find(({ id }) => id === task.number) ?? [])
    const taken = new Set<bigint>()
    const numbers = (
      await readPages(query, async () => {
        if (taken.size >= 2) return
        posted.push(await postRandom())
        const job = open.find(({ id }) => !taken.has(id))
        if (job) {
          taken.add(job.id)
          await sendCancellation(scene, job)
        }
        await world.reachedHead()
      })
    ).map(({ task }) => task.number)
    expect(new Set(numbers).size, sort).toBe(numbers.length)
    const stayed = before.map(({ task }) => task.number).filter((number) => !taken.has(number))
    expect(numbers, sort).toEqual(expect.arrayContaining(stayed))
  }
})

test('rolls back with the index: a task that a reorganisation removes is no longer found', async () => {
  const { devnet, indexed, reachedHead } = world
  const words = 'Zeppelin'
  const query: SearchQuery = { words, tags: [], funded: false, claimable: true, sort: 'newest', limit: 10 }
  const snapshot = await devnet.client.snapshot()
  const { client, params } = scene
  await sendPost(scene, {
    poster: accounts.ada,
    text: 'Paint a zeppelin\n\nIn oil.',
    amounts: [parseUnits('100', 18)],
    duration: params.minDuration,
    claimDeadline: (await getChainTime(client)) + params.claimCutoff + hour,
  })
  await reachedHead()
  expect((await indexed.search(market, query)).found).toMatchObject([{ title: 'Paint a zeppelin', excerpt: 'In oil.' }])
  await devnet.client.revert({ id: snapshot })
  await devnet.client.mine({ blocks: 3 })
  await reachedHead()
  expect((await indexed.search(market, query)).found).toEqual([])
})

test('text that no client would publish does not stop the index', async () => {
  const { client, params } = scene
  await sendPost(scene, {
    poster: accounts.ada,
    text: '',
    published: `Quixotic \0 '@lang:pt' <1> \ud800 & | ! ${'y'.repeat(5_000)}`,
    amounts: [parseUnits('100', 18)],
    duration: params.minDuration,
    claimDeadline: (await getChainTime(client)) + params.claimCutoff + hour,
  })
  await world.reachedHead()
  const query: SearchQuery = { tags: [], funded: false, claimable: true, sort: 'newest', limit: 10 }
  expect((await world.indexed.search(market, { ...query, words: 'quixotic' })).found).toHaveLength(1)
  const tagged = await world.indexed.search(market, { ...query, words: 'quixotic', tags: ['lang:pt'] })
  expect(tagged.found).toEqual([])
  for (const words of ["'", '\\', 'a & | !', '"unclosed', '<->', '\0', '-', '🗺', 'the'])
    await world.indexed.search(market, { ...query, words })
})

test('refuses the cursor of another search', () => {
  const ask = (given: object) => parseInput(operations.searchTasks, given)
  const cursor = Buffer.from(`${ask({ q: 'map' }).fingerprint} 5 7 9`).toString('base64url')
  expect(ask({ q: 'map', cursor }).query.after).toEqual({ value: 5n, task: 7n, newest: 9n })
  expect(ask({ q: 'map', limit: 3, cursor }).query.after).toBeDefined()
  for (const other of [
    { q: 'maps' },
    { q: 'map', sort: 'pay' },
    { q: 'map', market: 'micro' },
    { q: 'map', funded: 'true' },
  ])
    expect(() => ask({ ...other, cursor }), JSON.stringify(other)).toThrow('nextCursor of the same search')
})
