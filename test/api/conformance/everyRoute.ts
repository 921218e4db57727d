import { apiRoutes, type Route } from '@svc/operations'
import { paymentGatewayAbi } from '@svc/protocol/abis'
import { buildExampleRequest } from '@svc/serve'
import { listExamples } from '../../../apps/api/src/contract/examples.ts'
import { faultMessage } from './conditions.ts'
import { type Condition, type Proof, type ProofContext, proven, type Statement } from './statement.ts'

const isGet = (route: Route) => route.method === 'get'
const json = { 'content-type': 'application/json' }

/** Sends an example of a route. */
async function sendExample(context: ProofContext, route: Route, { index = 0, headers = {}, condition }: Given = {}) {
  const example = listExamples(route)[index]
  if (!example) throw new Error(`${route.path} has no example.`)
  const { url, body } = buildExampleRequest(route, {
    ...example,
    input: await fillInTxHash(context, route, example.input),
  })
  return context.send(
    url,
    body === null ? { headers } : { method: 'POST', body, headers: { ...json, ...headers } },
    condition,
  )
}

interface Given {
  index?: number
  headers?: Record<string, string>
  condition?: Condition
}

type Row = readonly [status: number, says: string, prove: (context: ProofContext, route: Route) => Promise<void>]

const rows: readonly Row[] = [
  [
    200,
    'Answers the examples of the contract',
    async (context, route) => {
      const examples = listExamples(route)
      context.expect(examples.length).toBeGreaterThan(0)
      for (const index of examples.keys()) {
        const { status, body } = await sendExample(context, route, { index })
        context.expect(status, JSON.stringify(body)).toBe(200)
      }
    },
  ],
  [
    405,
    'Answers one method only',
    async ({ send, expect }, route) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        if (method.toLowerCase() === route.method) continue
        const { status, headers } = await send(route.path, { method })
        expect(status, method).toBe(405)
        expect(headers.get('allow')).toContain(route.method.toUpperCase())
      }
    },
  ],
  [
    414,
    'A URL of more than 4,096 characters is refused',
    async ({ send, expect }, route) => {
      const { status } = await send(`${route.path}?x=${'y'.repeat(5_000)}`, { method: route.method.toUpperCase() })
      expect(status).toBe(414)
    },
  ],
  [
    429,
    'More requests than one client may send are refused',
    async (context, route) => {
      const { status, body, headers } = await sendExample(context, route, { condition: 'limited' })
      context.expect({ status, body }).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
      context.expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    },
  ],
  [
    500,
    'A fault of ours tells nothing of itself',
    async (context, route) => {
      const { status, body } = await sendExample(context, route, { condition: 'faulty' })
      context.expect({ status, body }).toEqual({ status: 500, body: { error: 'Internal error', code: 'INTERNAL' } })
      context.expect(JSON.stringify(body)).not.toContain(faultMessage)
    },
  ],
  [
    503,
    'More requests at once than the service can work on are refused',
    async (context, route) => {
      const { status, body, headers } = await sendExample(context, route, { condition: 'crowded' })
      context.expect({ status, body }).toMatchObject({ status: 503, body: { code: 'BUSY' } })
      context.expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
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
    async (context, route) => {
      const { headers } = await sendExample(context, route)
      const etag = headers.get('etag') ?? ''
      const again = await sendExample(context, route, { headers: { 'if-none-match': etag } })
      context.expect(again).toMatchObject({ status: 304, body: '' })
      context.expect(again.headers.get('etag')).toBe(etag)
    },
  ],
  [
    503,
    'Where neither index nor chain can be read, says so and when to come back',
    async (context, route) => {
      const { status, body, headers } = await sendExample(context, route, { condition: 'away' })
      context.expect({ status, body }).toMatchObject({ status: 503, body: { code: 'CHAIN_UNREACHABLE' } })
      context.expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
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

/** Section 4, for every route of the table: each status that all routes of its kind have. */
export const everyRoute: readonly Statement[] = apiRoutes.flatMap((route) => {
  const all = [...rows, ...(isGet(route) ? ofGets : ofPosts), ...(route.operation.kind === 'read' ? ofReads : [])]
  const name = `${route.method.toUpperCase()} ${route.path}`
  const proof =
    (prove: Row[2]): Proof =>
    (context) =>
      prove(context, route)
  return proven(
    4,
    all.map(([status, says, prove]) => [`${name} ${status}`, says, proof(prove)] as const),
  )
})

type Input = Readonly<Record<string, unknown>>

/** Fills in the transaction hash of an example. Hashes depend on when the demo world was built. */
async function fillInTxHash(context: ProofContext, { path }: Route, input: Input): Promise<Input> {
  if (path === '/api/posting/record') return { ...input, txHash: await findPostTx(context, String(input.taskId)) }
  if (path === '/api/posting/upgrade') return { ...input, txHash: await findPaymentTx(context, String(input.address)) }
  return input
}

async function findPostTx({ client }: ProofContext, id: string): Promise<string | undefined> {
  const { body } = await client.getTask({ id })
  return body.task.timeline.find(({ event }) => event === 'TaskPosted')?.transactionHash
}

async function findPaymentTx({ world }: ProofContext, address: string): Promise<string | undefined> {
  const { client, deployments } = world.devnet
  const events = await client.getContractEvents({
    address: deployments.markets.standard.paymentGateway,
    abi: paymentGatewayAbi,
    eventName: 'PlanPurchased',
    fromBlock: 0n,
  })
  return events.find(({ args }) => args.beneficiary === address)?.transactionHash
}
