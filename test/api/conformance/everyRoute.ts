import { describeInputFields, type Route } from '@svc/operations'
import { paymentGatewayAbi } from '@svc/protocol/abis'
import { buildExampleRequest } from '@svc/serve'
import { expect } from 'vitest'
import { listExamples } from '../../../apps/api/src/contract/examples.ts'
import { type Condition, faultMessage } from './conditions.ts'
import type { ProofContext } from './proofContext.ts'

// What holds for every route of its kind.

const json = { 'content-type': 'application/json' }
const wallet = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

/** Builds the URL of a route with those of the given fields that it takes. */
function buildUrl({ path, operation }: Route, given: Readonly<Record<string, string>>): string {
  const fields = describeInputFields(operation)
  return `${path}?${new URLSearchParams(Object.entries(given).filter(([name]) => name in fields))}`
}

export async function answersExamples(context: ProofContext, route: Route): Promise<void> {
  const examples = listExamples(route)
  expect(examples.length).toBeGreaterThan(0)
  for (const index of examples.keys()) {
    const { status, body } = await sendExample(context, route, { index })
    expect(status, JSON.stringify(body)).toBe(200)
  }
}

export async function answersOneMethod({ send }: ProofContext, route: Route): Promise<void> {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    if (method.toLowerCase() === route.method) continue
    const { status, headers } = await send(route.path, { method })
    expect(status, method).toBe(405)
    expect(headers.get('allow')).toContain(route.method.toUpperCase())
  }
}

export async function refusesLongUrl({ send }: ProofContext, route: Route): Promise<void> {
  const { status } = await send(`${route.path}?x=${'y'.repeat(5_000)}`, { method: route.method.toUpperCase() })
  expect(status).toBe(414)
}

export async function refusesTooMany(context: ProofContext, route: Route): Promise<void> {
  const { status, body, headers } = await sendExample(context, route, { condition: 'limited' })
  expect({ status, body }).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
}

export async function hidesFaults(context: ProofContext, route: Route): Promise<void> {
  const { status, body } = await sendExample(context, route, { condition: 'faulty' })
  expect({ status, body }).toEqual({ status: 500, body: { error: 'Internal error', code: 'INTERNAL' } })
  expect(JSON.stringify(body)).not.toContain(faultMessage)
}

export async function refusesCrowd(context: ProofContext, route: Route): Promise<void> {
  const { status, body, headers } = await sendExample(context, route, { condition: 'crowded' })
  expect({ status, body }).toMatchObject({ status: 503, body: { code: 'BUSY' } })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
}

export async function refusesTwice({ send }: ProofContext, route: Route): Promise<void> {
  const { status, body } = await send(`${route.path}?market=micro&market=standard`)
  expect({ status, body }).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
}

export async function takesBothMarkets({ send }: ProofContext, route: Route): Promise<void> {
  const ask = (market?: string) => {
    const id = `v2:${market ?? 'standard'}:1`
    return send(buildUrl(route, { address: wallet, addresses: wallet, tier: 'basic', id, ...(market && { market }) }))
  }
  const [preset, standard, micro] = await Promise.all([ask(), ask('standard'), ask('micro')])
  expect([preset.status, standard.status, micro.status]).toEqual([200, 200, 200])
  expect(standard.body).toEqual(preset.body)
  // A price may be the same in both markets.
  if (!route.path.endsWith('tok-preview')) expect(micro.body).not.toEqual(preset.body)
}

export async function refusesOtherMarkets({ send }: ProofContext, route: Route): Promise<void> {
  for (const market of ['', 'Standard', 'big', 'standard,micro', '__proto__']) {
    const reply = await send(
      buildUrl(route, { address: wallet, addresses: wallet, tier: 'basic', id: 'v2:standard:1', market }),
    )
    expect(reply, market).toMatchObject({ status: 400, body: { code: 'INVALID_MARKET' } })
  }
}

export async function answersEtag(context: ProofContext, route: Route): Promise<void> {
  const { headers } = await sendExample(context, route)
  const etag = headers.get('etag') ?? ''
  const again = await sendExample(context, route, { headers: { 'if-none-match': etag } })
  expect(again).toMatchObject({ status: 304, body: '' })
  expect(again.headers.get('etag')).toBe(etag)
}

export async function saysUnreachable(context: ProofContext, route: Route): Promise<void> {
  const { status, body, headers } = await sendExample(context, route, { condition: 'away' })
  expect({ status, body }).toMatchObject({ status: 503, body: { code: 'CHAIN_UNREACHABLE' } })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
}

export async function refusesOtherBodies({ send }: ProofContext, { path }: Route): Promise<void> {
  const bodies = ['', '{', '[]', 'null', '"x"', '1', '{"a":1}{', Buffer.from([0x7b, 0xff, 0x7d])]
  for (const body of bodies) {
    const reply = await send(path, { method: 'POST', body, headers: json })
    expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
  }
}

export async function refusesLargeBody({ send }: ProofContext, { path }: Route): Promise<void> {
  const body = JSON.stringify({ address: 'x'.repeat(300_000) })
  const reply = await send(path, { method: 'POST', body, headers: json })
  expect(reply).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } })
}

export async function refusesOtherTypes({ send }: ProofContext, { path }: Route): Promise<void> {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', '']) {
    const reply = await send(path, { method: 'POST', body: '{}', headers: { 'content-type': type } })
    expect(reply, type).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } })
  }
}

interface Given {
  index?: number
  headers?: Record<string, string>
  condition?: Condition
}

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
