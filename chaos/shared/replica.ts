import { type AppProcess, startAppProcess } from './appProcess.ts'
import { TooSlowError } from './suite.ts'

/** Requests of tests all come from one address. */
export const noLimits = {
  SVC_RATE_READS: '100000000',
  SVC_RATE_CALLS: '100000000',
  SVC_CHAIN_RUNNING: '1000',
  SVC_CHAIN_WAITING: '100000',
}

/** The real API as a process. */
export interface Replica {
  url: string
  process: AppProcess
}

/** Starts a replica on this port (0 for a free one) and waits until it is ready. */
export async function startReplica(
  fixture: { env: (build: string) => Readonly<Record<string, string>> },
  port = 0,
  more: Readonly<Record<string, string>> = {},
): Promise<Replica> {
  const process = startAppProcess('api', {
    ...fixture.env('a'),
    SVC_PUBLIC_RPC_URL: 'http://127.0.0.1:8545',
    SVC_SITE_PORT: String(port),
    ...noLimits,
    SVC_DRAIN_MS: '200',
    SVC_LOG_LEVEL: 'info',
    ...more,
  })
  await process.waitForLog('listening', undefined, 30_000)
  const boundPort = process.lines.find(({ msg }) => msg === 'listening')?.port
  const url = `http://127.0.0.1:${boundPort}`
  await waitUntil('it is ready', 15_000, async () => (await fetchClientAnswer(`${url}/readyz`)).status === 200)
  return { url, process }
}

/** The parts of a response that a client sees. */
export interface ClientAnswer {
  status: number
  path: string | null
  retryAfter: string | null
  warning: string | null
  // biome-ignore lint/suspicious/noExplicitAny: what a client sees is checked field by field
  body: any
}

/** Sends one GET request, with a timeout of 10 seconds. */
export async function fetchClientAnswer(url: string): Promise<ClientAnswer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  const { status, headers } = response
  const body = await response.json().catch(() => null)
  return {
    status,
    path: headers.get('x-read-path'),
    retryAfter: headers.get('retry-after'),
    warning: headers.get('warning'),
    body,
  }
}

/** Waits until the condition holds and returns the milliseconds it took. Throws after `ms`. */
export async function waitUntil(what: string, ms: number, holds: () => Promise<boolean>): Promise<number> {
  const began = Date.now()
  while (!(await holds().catch(() => false))) {
    if (Date.now() - began > ms) throw new TooSlowError(`Timed out after ${ms} ms: expected that ${what}.`)
    await new Promise((done) => setTimeout(done, 20))
  }
  return Date.now() - began
}
