import { type Indexer, startProgram } from '../process/indexer.ts'
import type { Stage } from '../process/stage.ts'

/** The real API as a process. */
export interface Replica {
  url: string
  program: Indexer
}

/** Starts a replica on this port, zero for a free one, and waits until it is ready. */
export async function startReplica(
  stage: Pick<Stage, 'env'>,
  port = 0,
  more: Readonly<Record<string, string>> = {},
): Promise<Replica> {
  const program = startProgram('api', {
    ...stage.env('a'),
    SVC_PUBLIC_RPC_URL: 'http://127.0.0.1:8545',
    SVC_SITE_PORT: String(port),
    SVC_RATE_READS: '100000000',
    SVC_RATE_CALLS: '100000000',
    SVC_DRAIN_MS: '200',
    SVC_LOG_LEVEL: 'info',
    ...more,
  })
  const said = (lines: readonly { msg: string }[]) => lines.some(({ msg }) => msg === 'listening')
  await program.until('listening', said, 30_000)
  const heard = program.lines.find(({ msg }) => msg === 'listening')?.port
  const url = `http://127.0.0.1:${heard}`
  await settled('it is ready', 15_000, async () => (await ask(`${url}/readyz`)).status === 200)
  return { url, program }
}

/** What a client sees of an answer. */
export interface Seen {
  status: number
  path: string | null
  retryAfter: string | null
  warning: string | null
  // biome-ignore lint/suspicious/noExplicitAny: what a client sees is judged field by field
  body: any
}

/** Asks once, for 10 seconds at most. */
export async function ask(url: string): Promise<Seen> {
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

/** Settles when this holds and answers after how many milliseconds; throws when it takes longer. */
export async function settled(what: string, ms: number, holds: () => Promise<boolean>): Promise<number> {
  const began = Date.now()
  while (!(await holds().catch(() => false))) {
    if (Date.now() - began > ms) throw new Error(`After ${ms} ms it still does not hold that ${what}.`)
    await new Promise((done) => setTimeout(done, 20))
  }
  return Date.now() - began
}
