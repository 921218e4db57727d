// pnpm chaos api [--requests N] [--seed N] [--only I] [--counts FILE]: requests that our own contract does not
// mean, sent to the real API over a devnet and Postgres. Pass: only documented statuses and shapes, and nothing else happens.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { createDraw } from './draw.ts'
import { bytesOf, type RawRequest } from './request.ts'
import { sendRaw } from './send.ts'
import { startWatched } from './service.ts'
import { urlTricks } from './tricks.ts'
import { verdict } from './verdict.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    /** Sends this one alone, and prints it. */
    only: { type: 'string' },
    /** Where to leave how many requests passed and failed. */
    counts: { type: 'string' },
  },
})
const seed = Number(values.seed)
const lanes = 16
const maxFailures = 20
const mb = 2 ** 20

const watched = await startWatched()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => watched.stop().finally(() => process.exit(1)))
}
try {
  process.exitCode = (await (values.only === undefined ? storm() : one(Number(values.only)))) ? 0 : 1
} finally {
  await watched.stop()
}

async function one(index: number): Promise<boolean> {
  const request = createDraw(seed, urlTricks(watched.canaryPort)).draw(index)
  console.log(request.label)
  console.log(bytesOf(request).toString('latin1').slice(0, 2_000))
  console.log(await sendRaw(watched.port, request))
  const [, fault] = await answered(request)
  console.log(fault ?? 'as it should be', watched.seen.faults)
  return fault === null
}

async function storm(): Promise<boolean> {
  const { draw, swept } = createDraw(seed, urlTricks(watched.canaryPort))
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
  console.log(`seed ${seed}: ${next} requests (${Math.min(swept, next)} of URL tricks) in ${seconds.toFixed(1)} s`)
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
  console.log(broken.length > 0 ? `NOT as it should be: ${broken.join('; ')}` : 'as it should be')
  const sum = { passed: next - failed, failed: broken.length > 0 ? Math.max(failed, 1) : 0 }
  if (values.counts) await writeFile(values.counts, JSON.stringify(sum))
  return broken.length === 0

  async function lane(): Promise<void> {
    while (next < wanted && failed < maxFailures) {
      const index = next++
      const request = draw(index)
      const faultsBefore = watched.seen.faults.length
      const [status, fault] = await answered(request)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (fault === null && watched.seen.faults.length === faultsBefore) continue
      if (fault !== null) failed++
      console.log(`request ${index}: ${request.label}: ${fault ?? 'a fault in the log meanwhile'}`)
      console.log(`  again: pnpm chaos api --seed ${seed} --only ${index}`)
    }
  }
}

/** The status of the answer, and what is wrong with it; null when nothing is. */
async function answered(request: RawRequest): Promise<[status: number | null, fault: string | null]> {
  try {
    const answer = await sendRaw(watched.port, request)
    return [answer.status, verdict(request, answer)]
  } catch (error) {
    return [null, (error as Error).message]
  }
}

/** Every route once as it is meant: what is compiled and cached then is no growth. */
async function warmUp(): Promise<void> {
  const { draw, swept } = createDraw(0, [])
  for (let index = swept; index < 500; index++) await answered(draw(index))
}
