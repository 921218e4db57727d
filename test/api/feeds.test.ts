import { accounts, createScene, getChainTime, sendPost } from '@svc/devnet'
import { formatTaskId } from '@svc/protocol'
import { parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type ServedWorld, startServedWorld } from '../harness/served.ts'

let served: ServedWorld
let id: string
/** A title and criteria that try to end the element, and characters that XML cannot contain. */
const title = 'Draw <b>a</b> quokka & "friends" ]]>'
beforeAll(async () => {
  served = await startServedWorld()
  const { devnet, reachedHead } = served.world
  const scene = createScene(devnet.client, devnet.deployments, 'micro')
  const { params, client } = scene
  const job = await sendPost(scene, {
    poster: accounts.ada,
    text: `${title}\n\nWith \u000b paws.</content>`,
    published: `${title}\n\nWith \u000b paws.</content>`,
    amounts: [parseUnits('120', 18)],
    duration: params.minDuration,
    claimDeadline: (await getChainTime(client)) + params.claimCutoff + 3_600,
  })
  id = formatTaskId({ market: 'micro', number: job.id })
  await reachedHead()
}, 60_000)
afterAll(() => served?.stop())

const jsonFeed = z.object({ items: z.array(z.object({ title: z.string(), date_published: z.string() })) })

const get = (path: string, headers: Record<string, string> = {}) =>
  served.service.app.request(path, { headers: { host: 'market.example', ...headers } })

test('the tasks of a search are a JSON Feed', async () => {
  const response = await get('/feeds/tasks.json?market=micro&q=quokka')
  expect(response.headers.get('content-type')).toContain('application/feed+json')
  expect(await response.json()).toMatchObject({
    version: 'https://jsonfeed.org/version/1.1',
    feed_url: 'https://market.example/feeds/tasks.json?market=micro&q=quokka',
    items: [{ id: `https://market.example/tasks/${id}`, title: expect.stringContaining('quokka') }],
  })
})

test('the same tasks are an Atom feed, in which text by strangers stays text', async () => {
  const response = await get('/feeds/tasks.atom?market=micro&q=quokka')
  expect(response.headers.get('content-type')).toContain('application/atom+xml')
  const text = await response.text()
  expect(text).toContain(`<link href="https://market.example/tasks/${id}"/>`)
  expect(text).toContain('Draw &#60;b&#62;a&#60;/b&#62; quokka &#38; &#34;friends&#34; ]]&#62; (120 TOK)')
  expect(text.match(/<content/g)).toHaveLength(1)
  expect(text.match(/<\/content>/g)).toHaveLength(1)
  expect(text).not.toContain('\u000b')
  const etag = response.headers.get('etag') ?? ''
  expect((await get('/feeds/tasks.atom?market=micro&q=quokka', { 'if-none-match': etag })).status).toBe(304)
})

test('the events of a wallet are a feed, newest first', async () => {
  const address = accounts.ada.address
  const feed = jsonFeed.parse(await (await get(`/feeds/wallet.json?market=micro&address=${address}`)).json())
  expect(feed.items.slice(0, 10)).toContainEqual(expect.objectContaining({ title: `TaskPosted: ${id}` }))
  const times = feed.items.map(({ date_published }) => date_published)
  expect(times).toEqual(times.toSorted().toReversed())
  expect(feed.items.length).toBeLessThanOrEqual(50)
  const atom = await (await get(`/feeds/wallet.atom?market=micro&address=${address}`)).text()
  expect(atom).toContain(`<title type="text">TaskPosted: ${id}</title>`)
})

test('wrong parameters are refused as by the read', async () => {
  for (const [path, code] of [
    ['/feeds/tasks.atom?colour=red', 'INVALID_REQUEST'],
    ['/feeds/tasks.json?market=grand', 'INVALID_MARKET'],
    ['/feeds/wallet.json', 'INVALID_ADDRESS'],
    ['/feeds/wallet.json?address=0x12', 'INVALID_ADDRESS'],
  ] as const) {
    const response = await get(path)
    expect([response.status, await response.json()], path).toMatchObject([400, { code }])
  }
})
