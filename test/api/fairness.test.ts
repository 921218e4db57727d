import { setTimeout as wait } from 'node:timers/promises'
import { createChainQueue, createClientResolver, type FairQueue } from '@svc/serve'
import { expect, test } from 'vitest'
import type { Actions } from '../../apps/api/src/actions/actions.ts'
import { abuser as abusive, measureFairness } from '../../bench/fairness/run.ts'
import { createSingleLine } from '../../bench/fairness/singleLine.ts'
import { startBareService } from '../harness/bareService.ts'

const refuse = () => Promise.reject(new Error('not part of this test'))

/** As long as the calls of one request take that wait for each other, at 60 ms each. `pnpm bench fairness` has a real provider. */
const actions: Actions = {
  async steps() {
    for (let call = 0; call < 5; call++) await wait(60)
    return { steps: [], blocked: [], block: { number: 1n, hash: '0x00', timestamp: 1 } }
  },
  prepare: refuse,
  wallet: refuse,
  court: refuse,
  courtKind: refuse,
}

/** Writes down how many jobs of the abusive client ran while a job of the others waited. Unlike a time, it is the same on any machine. */
function recordOvertaken(queue: FairQueue, overtaken: number[]): FairQueue {
  let abusiveJobs = 0
  return Object.assign(
    <T>(job: Parameters<typeof queue<T>>[0]) => {
      const before = abusiveJobs
      const run = () => {
        if (job.client === abusive) abusiveJobs++
        else overtaken.push(abusiveJobs - before)
        return job.run()
      }
      return queue({ ...job, run })
    },
    { size: queue.size },
  )
}

async function measure(queue: FairQueue, rounds: number) {
  const overtaken: number[] = []
  const service = await startBareService({
    actions,
    chainQueue: recordOvertaken(queue, overtaken),
    resolveClient: createClientResolver(['127.0.0.1']),
    perMinute: { reads: 6_000, calls: 300 },
  })
  const options = { taskId: 'v2:micro:1', rounds, seconds: 1.2, abusePerSecond: 100, burst: 220 }
  const found = await measureFairness(service.url, options).finally(() => service.close(1_000))
  const p90 = overtaken.toSorted((a, b) => a - b)[Math.floor(overtaken.length * 0.9)] ?? Number.POSITIVE_INFINITY
  return { ...found, isFair: found.beside.success >= 0.99 && p90 <= 1 }
}

test('others keep their answers and do not wait in line behind a client that sends 100 steps a second', async () => {
  const { alone, beside, abuser, isFair } = await measure(createChainQueue(), 2)
  expect([alone.success, beside.success]).toEqual([1, 1])
  expect(isFair).toBe(true)
  expect(abuser.statuses.get(429), 'the abusive client is told that it sends too much').toBeGreaterThan(0)
  expect(abuser.statuses.get(503), 'the service is not full').toBeUndefined()
})

test('with one line for everybody, others are refused or wait', async () => {
  const { isFair } = await measure(createSingleLine(), 1)
  expect(isFair).toBe(false)
})
