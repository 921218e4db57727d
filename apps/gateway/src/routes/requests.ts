import { address, bodyOf, HttpError, parse, queryOf, txHash } from '@svc/serve'
import { z } from 'zod'
import { type Call, defineCall, once } from '../call.ts'
import { actionNamed } from '../requests/requests.ts'

const preparation = {
  action: z.string('action is required').max(40),
  input: z.record(z.string(), z.unknown(), 'input must be an object').default({}),
  from: address,
}

const submission = {
  account: address,
  /** Of EIP-5792: the chain knows nothing of it, so nothing is done with it. */
  callsId: z.string().max(8_200).optional(),
  transactionHashes: z.array(txHash).max(8).default([]),
}

const wait = z
  .string()
  .regex(/^(?:[0-9]|1[0-9]|2[0-5])$/, 'wait must be a number of seconds from 0 to 25')
  .default('0')
  .transform(Number)

/** POST /v1/requests: prepares an action of the table for a wallet to sign. */
const create = defineCall('post', '/v1/requests', async (c, { requests }) => {
  const { action, input, from } = parse(preparation, await bodyOf(c.req.raw, 64 * 1024), true)
  return once(c, 200, await requests.create(actionNamed(action), input, from))
})

/** GET /v1/requests/:id: how a request stands; with `wait`, when that changes. */
const show = defineCall('get', '/v1/requests/:id', async (c, { requests, stopping }) => {
  const { wait: seconds } = parse({ wait }, queryOf(new URL(c.req.url).searchParams))
  const signal = AbortSignal.any([c.req.raw.signal, stopping])
  return once(c, 200, await requests.wait(idOf(c.req.param('id')), seconds, signal), { 'retry-after': '2' })
})

/** POST /v1/requests/:id/submitted: the page says what the wallet sent; the chain is asked whether it did. */
const submitted = defineCall('post', '/v1/requests/:id/submitted', async (c, { requests }) => {
  const id = idOf(c.req.param('id'))
  return once(c, 200, await requests.submitted(id, parse(submission, await bodyOf(c.req.raw, 16 * 1024))))
})

/** POST /v1/requests/:id/reject: the wallet or its owner said no. */
const reject = defineCall('post', '/v1/requests/:id/reject', async (c, { requests }) =>
  once(c, 200, await requests.reject(idOf(c.req.param('id')))),
)

/** Prepared requests from the first to the last. */
export const requestCalls: readonly Call[] = [create, show, submitted, reject]

function idOf(given: string | undefined): string {
  if (given && /^req_[A-Za-z0-9_-]{22}$/.test(given)) return given
  throw new HttpError(404, 'REQUEST_NOT_FOUND', 'There is no request with this id.')
}
