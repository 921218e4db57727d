// pnpm chaos api [--requests N] [--seed N] [--only I] [--counts FILE]: malformed and hostile requests, sent to the real API over a
// devnet and Postgres. Passes if there are only documented statuses and bodies, no other connections, and no growth.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { findAnswerFault } from './findAnswerFault.ts'
import { encodeRequest, type RawRequest } from './request.ts'
import { createRequestGenerator } from './requestGenerator.ts'
import { sendRaw } from './send.ts'
import { listSsrfUrls } from './ssrfUrls.ts'
import { startWatchedApi } from './watchedApi.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    /** Sends only this request, and prints it. */
    only: { type: 'string' },
    /** File for the number of passed and failed requests. */
    counts: { type: 'string' },
  },
})
const seed = Number(values.seed)
const lanes = 16
const maxFailures = 20
const mb = 2 ** 20

const watched = await startWatchedApi()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => watched.stop().finally(() => process.exit(1)))
}
try {
  process.exitCode = (await (values.only === undefined ? sendAllRequests() : sendOneRequest(Number(values.only))))
    ? 0
    : 1
} finally {
  await watched.stop()
}

async function sendOneRequest(index: number): Promise<boolean> {
  const request = createRequestGenerator(seed, listSsrfUrls(watched.canaryPort)).draw(index)
  console.log(request.label)
  console.log(encodeRequest(request).toString('latin1').slice(0, 2_000))
  console.log(await sendRaw(watched.port, request))
  const [, fault] = await sendAndCheck(request)
  console.log(fault ?? 'ok', watched.seen.faults)
  return fault === null
}

async function sendAllRequests(): Promise<boolean> {
  const { draw, urls } = createRequestGenerator(seed, listSsrfUrls(watched.canaryPort))
  const wanted = Number(values.requests)
  const statuses = new Map<number | null, number>()
  let [next, failed] = [0, 0]
  await warmUp()
  const [began, before] = [performance.now(), watched.seen.rss.at(-1) ?? 0]
  watched.seen.blockedMs = 0
  await Promise.all(Array.from({ length: lanes }, lane))
  const seconds = (performance.now() - began) / 1_000
  const { egress, faults, blockedMs, rss } = watched.seen
  const growth = (Math.max(...rss) - before) / mb
  const counts = [...statuses]
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([status, count]) => `${status ?? 'none'}: ${count}`)
  console.log(
    `seed ${seed}: ${next} requests (${Math.min(urls, Math.ceil(next / 2))} of ${urls} URL tricks) in ${seconds.toFixed(1)} s`,
  )
  console.log(`statuses ${counts.join(', ')}`)
  console.log(
    `memory ${(before / mb).toFixed(0)} MB, at most ${growth.toFixed(0)} MB more; longest turn ${blockedMs > 0 ? `${blockedMs.toFixed(0)} ms` : 'under 20 ms'}`,
  )
  const broken = [
    ...(failed > 0 ? [`${failed} answers`] : []),
    ...(egress.length > 0 ? [`connections to ${[...new Set(egress)].slice(0, 10)}`] : []),
    ...(faults.length > 0 ? [`${faults.length} faults in the log, first: ${faults[0]?.slice(0, 1_000)}`] : []),
    ...(blockedMs > 200 ? ['the event loop was blocked'] : []),
    ...(growth > 256 ? ['memory grew'] : []),
  ]
  console.log(broken.length > 0 ? `FAILED: ${broken.join('; ')}` : 'ok')
  const sum = { passed: next - failed, failed: broken.length > 0 ? Math.max(failed, 1) : 0 }
  if (values.counts) await writeFile(values.counts, JSON.stringify(sum))
  return broken.length === 0

  async function lane(): Promise<void> {
    while (next < wanted && failed < maxFailures) {
      const index = next++
      const request = draw(index)
      const faultsBefore = watched.seen.faults.length
      const [status, fault] = await sendAndCheck(request)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (fault === null && watched.seen.faults.length === faultsBefore) continue
      if (fault !== null) failed++
      console.log(`request ${index}: ${request.label}: ${fault ?? 'a fault was logged meanwhile'}`)
      console.log(`  rerun: pnpm chaos api --seed ${seed} --only ${index}`)
    }
  }
}

/** The status of the answer, and what is wrong with it; null if nothing is. */
async function sendAndCheck(request: RawRequest): Promise<[status: number | null, fault: string | null]> {
  try {
    const answer = await sendRaw(watched.port, request)
    return [answer.status, findAnswerFault(request, answer)]
  } catch (error) {
    return [null, (error as Error).message]
  }
}

/** Sends every route valid requests, so that compiled code and caches do not count as growth. */
async function warmUp(): Promise<void> {
  const { draw } = createRequestGenerator(0, [])
  for (let index = 0; index < 500; index++) await sendAndCheck(draw(index))
}
