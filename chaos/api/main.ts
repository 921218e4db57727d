// pnpm chaos api [--requests N] [--seed N] [--only I]: malformed and hostile requests, sent to the real API over a
// devnet and Postgres. Passes if there are only documented statuses and bodies, no other connections, and no growth. --only sends
// one request, and prints it.
import { type Counts, parseOptions, runSuite } from '../shared/suite.ts'
import { findAnswerFault } from './findAnswerFault.ts'
import { encodeRequest, type RawRequest } from './request.ts'
import { createRequestGenerator } from './requestGenerator.ts'
import { sendRaw } from './send.ts'
import { listSsrfUrls } from './ssrfUrls.ts'
import { startWatchedApi, type WatchedApi } from './watchedApi.ts'

const options = parseOptions({ requests: 20_000, seed: Date.now() % 1_000_000_000, only: '' })
const { seed, only } = options
const lanes = 16
const maxFailures = 20
const mb = 2 ** 20

await runSuite(options, startWatchedApi, (watched) =>
  only === '' ? sendAllRequests(watched) : sendOneRequest(watched, Number(only)),
)

async function sendOneRequest(watched: WatchedApi, index: number): Promise<Counts> {
  const request = createRequestGenerator(seed, listSsrfUrls(watched.canaryPort)).draw(index)
  console.log(request.label)
  console.log(encodeRequest(request).toString('latin1').slice(0, 2_000))
  console.log(await sendRaw(watched.port, request))
  const [, fault] = await sendAndCheck(watched, request)
  console.log(fault ?? 'ok', watched.seen.faults)
  return fault === null ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function sendAllRequests(watched: WatchedApi): Promise<Counts> {
  const { draw, urls } = createRequestGenerator(seed, listSsrfUrls(watched.canaryPort))
  const statuses = new Map<number | null, number>()
  let [next, failed] = [0, 0]
  await warmUp(watched)
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
  return { passed: next - failed, failed: broken.length > 0 ? Math.max(failed, 1) : 0 }

  async function lane(): Promise<void> {
    while (next < options.requests && failed < maxFailures) {
      const index = next++
      const request = draw(index)
      const faultsBefore = watched.seen.faults.length
      const [status, fault] = await sendAndCheck(watched, request)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (fault === null && watched.seen.faults.length === faultsBefore) continue
      if (fault !== null) failed++
      console.log(`request ${index}: ${request.label}: ${fault ?? 'a fault was logged meanwhile'}`)
      console.log(`  rerun: pnpm chaos api --seed ${seed} --only ${index}`)
    }
  }
}

/** The status of the answer, and what is wrong with it; null if nothing is. */
async function sendAndCheck(
  watched: WatchedApi,
  request: RawRequest,
): Promise<[status: number | null, fault: string | null]> {
  try {
    const answer = await sendRaw(watched.port, request)
    return [answer.status, findAnswerFault(request, answer)]
  } catch (error) {
    return [null, (error as Error).message]
  }
}

/** Sends every route valid requests, so that compiled code and caches do not count as growth. */
async function warmUp(watched: WatchedApi): Promise<void> {
  const { draw } = createRequestGenerator(0, [])
  for (let index = 0; index < 500; index++) await sendAndCheck(watched, draw(index))
}
