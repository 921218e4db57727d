import { examplesOf, requestOf } from '../../../apps/api/src/contract/examples.ts'
import { methodOf, type Route } from '../../../apps/api/src/route.ts'
import { routes } from '../../../apps/api/src/routes/index.ts'
import { faultWords } from './lacks.ts'
import { realInput } from './realInput.ts'
import { type Bench, type Lack, type Proof, proven, type Statement } from './statement.ts'

const isGet = (route: Route) => methodOf(route) === 'get'
const json = { 'content-type': 'application/json' }

/** Sends an example of a route. */
async function sendExample(bench: Bench, route: Route, { index = 0, headers = {}, lack }: Given = {}) {
  const example = examplesOf(route)[index]
  if (!example) throw new Error(`${route.path} has no example.`)
  const { url, body } = requestOf(route, { ...example, input: await realInput(bench, route, example.input) })
  return bench.send(url, body === null ? { headers } : { method: 'POST', body, headers: { ...json, ...headers } }, lack)
}

interface Given {
  index?: number
  headers?: Record<string, string>
  lack?: Lack
}

type Row = readonly [status: number, says: string, prove: (bench: Bench, route: Route) => Promise<void>]

const rows: readonly Row[] = [
  [
    200,
    'Answers the examples of the contract',
    async (bench, route) => {
      const examples = examplesOf(route)
      bench.expect(examples.length).toBeGreaterThan(0)
      for (const index of examples.keys()) {
        const { status, body } = await sendExample(bench, route, { index })
        bench.expect(status, JSON.stringify(body)).toBe(200)
      }
    },
  ],
  [
    405,
    'Answers one method only',
    async ({ send, expect }, route) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        if (method.toLowerCase() === methodOf(route)) continue
        const { status, headers } = await send(route.path, { method })
        expect(status, method).toBe(405)
        expect(headers.get('allow')).toContain(methodOf(route).toUpperCase())
      }
    },
  ],
  [
    414,
    'A URL of more than 4,096 characters is refused',
    async ({ send, expect }, route) => {
      const { status } = await send(`${route.path}?x=${'y'.repeat(5_000)}`, { method: methodOf(route).toUpperCase() })
      expect(status).toBe(414)
    },
  ],
  [
    429,
    'More requests than one client may send are refused',
    async (bench, route) => {
      const { status, body, headers } = await sendExample(bench, route, { lack: 'limited' })
      bench.expect({ status, body }).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
      bench.expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    },
  ],
  [
    500,
    'A fault of ours tells nothing of itself',
    async (bench, route) => {
      const { status, body } = await sendExample(bench, route, { lack: 'faulty' })
      bench.expect({ status, body }).toEqual({ status: 500, body: { error: 'Internal error', code: 'INTERNAL' } })
      bench.expect(JSON.stringify(body)).not.toContain(faultWords)
    },
  ],
  [
    503,
    'More requests at once than the service can work on are refused',
    async (bench, route) => {
      const { status, body, headers } = await sendExample(bench, route, { lack: 'crowded' })
      bench.expect({ status, body }).toMatchObject({ status: 503, body: { code: 'BUSY' } })
      bench.expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    },
  ],
]

const ofGets: readonly Row[] = [
  [
    400,
    'A parameter that is given twice is refused',
    async ({ send, expect }, route) => {
      const { status, body } = await send(`${route.path}?market=micro&market=standard`)
      expect({ status, body }).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
    },
  ],
]

const ofReads: readonly Row[] = [
  [
    304,
    'An ETag that still holds is answered without a body',
    async (bench, route) => {
      const { headers } = await sendExample(bench, route)
      const etag = headers.get('etag') ?? ''
      const again = await sendExample(bench, route, { headers: { 'if-none-match': etag } })
      bench.expect(again).toMatchObject({ status: 304, body: '' })
      bench.expect(again.headers.get('etag')).toBe(etag)
    },
  ],
  [
    503,
    'Where neither index nor chain can be read, says so and when to come back',
    async (bench, route) => {
      const { status, body, headers } = await sendExample(bench, route, { lack: 'away' })
      bench.expect({ status, body }).toMatchObject({ status: 503, body: { code: 'CHAIN_UNREACHABLE' } })
      bench.expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    },
  ],
]

const ofPosts: readonly Row[] = [
  [
    400,
    'A body that is no JSON object is refused',
    async ({ send, expect }, { path }) => {
      const bodies = ['', '{', '[]', 'null', '"x"', '1', '{"a":1}{', Buffer.from([0x7b, 0xff, 0x7d])]
      for (const body of bodies) {
        const reply = await send(path, { method: 'POST', body, headers: json })
        expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
      }
    },
  ],
  [
    413,
    'A body that is too large is refused',
    async ({ send, expect }, { path }) => {
      const body = JSON.stringify({ address: 'x'.repeat(300_000) })
      const reply = await send(path, { method: 'POST', body, headers: json })
      expect(reply).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } })
    },
  ],
  [
    415,
    'Bodies are JSON with Content-Type application/json',
    async ({ send, expect }, { path }) => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', '']) {
        const reply = await send(path, { method: 'POST', body: '{}', headers: { 'content-type': type } })
        expect(reply, type).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } })
      }
    },
  ],
]

/** Section 4 for every route of the table: each status that holds for all of its kind. */
export const everyRoute: readonly Statement[] = routes.flatMap((route) => {
  const all = [...rows, ...(isGet(route) ? ofGets : ofPosts), ...(route.kind === 'read' ? ofReads : [])]
  const name = `${methodOf(route).toUpperCase()} ${route.path}`
  const proof =
    (prove: Row[2]): Proof =>
    (bench) =>
      prove(bench, route)
  return proven(
    4,
    all.map(([status, says, prove]) => [`${name} ${status}`, says, proof(prove)] as const),
  )
})
