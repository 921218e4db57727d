// pnpm bench store [--parts N] [--at-once N] [--rounds N]: 1 MB parts up and down through the real store, beside the bare S3
// (Swift) in the same run, and the memory of the store with 200 uploads at once. Needs Swift, which shares the CPU with everything.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { accounts, formatTable } from '@svc/devnet'
import { createS3Signer } from '../../apps/store/src/objects/signS3.ts'
import { startStoreWorld } from '../../chaos/store/world.ts'
import { sha256, signIn } from '../../test/store/storeClient.ts'

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: '100' },
    'at-once': { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
  },
  allowPositionals: true,
})
const [count, atOnce, rounds] = [Number(values.parts), Number(values['at-once']), Number(values.rounds)]
const partBytes = 1_000_000
const heavyLoad = 200

// Sweeps as rarely as an operator's store does.
const world = await startStoreWorld(1, { SVC_STORE_SWEEP_SECONDS: '600' })
try {
  const [taskId, [url = '']] = [world.tasks[0], world.urls]
  if (!world.swift || !taskId) throw new Error('This bench needs Swift.')
  // The same HTTP client on both sides, so that the ratio is that of the servers.
  const { url: bucket, ...credentials } = world.swift
  const sign = createS3Signer(credentials)
  const sendBare = (method: 'GET' | 'PUT', { bytes, name }: Part) => {
    const target = new URL(`${bucket}/bare/${name}`)
    const headers = sign(method, target, method === 'PUT' ? name : sha256(Buffer.alloc(0)), new Date())
    return fetch(target, { method, headers, ...(method === 'PUT' && { body: bytes }) })
  }
  const { client } = await signIn(url, accounts.emeka, accounts.store.address)
  const parts = Array.from({ length: count }, () => randomBytes(partBytes)).map((bytes) => ({
    bytes,
    name: sha256(bytes),
  }))
  type Part = (typeof parts)[number]

  const ways: Readonly<Record<string, (part: Part) => Promise<unknown>>> = {
    // The answer is read: a connection with an unread answer is not used again.
    'store up': async ({ bytes, name }) => expectOk(await client.putPart(taskId, bytes, name)).bytes(),
    'S3 up': async (part) => expectOk(await sendBare('PUT', part)).bytes(),
    'store down': async ({ name }) => expectOk(await client.getPart(taskId, name)).bytes(),
    'S3 down': async (part) => expectOk(await sendBare('GET', part)).bytes(),
  }
  const speeds = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(ways)) {
      const began = performance.now()
      await runAll(parts, atOnce, run)
      speeds.get(name)?.push((count * partBytes) / 1000 / (performance.now() - began))
    }
  }
  const median = (name: string) => (speeds.get(name) ?? []).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
  const rows = ['up', 'down'].map((way) => {
    const [store, s3] = [median(`store ${way}`), median(`S3 ${way}`)]
    return [way, store.toFixed(1), s3.toFixed(1), (store / s3).toFixed(2)]
  })
  console.log(
    `\n${count} parts of 1 MB, ${atOnce} at once, median of ${rounds} rounds; load ${loadavg()[0]?.toFixed(1)}`,
  )
  console.log(formatTable([['way', 'store MB/s', 'bare S3 MB/s', 'ratio'], ...rows]))

  const pid = world.pids()[0] ?? 0
  const before = await readMemory(pid)
  let peak = before
  const watching = setInterval(async () => {
    peak = Math.max(peak, await readMemory(pid))
  }, 100)
  const many = Array.from({ length: heavyLoad }, (_, index) => parts[index % parts.length]).filter(
    (part) => part !== undefined,
  )
  let refused = 0
  await runAll(many, heavyLoad, async ({ bytes, name }) => {
    const answer = await client.putPart(taskId, bytes, name)
    // One wallet has a share of the places.
    if (answer.status === 429) refused++
    else await expectOk(answer).bytes()
  })
  clearInterval(watching)
  console.log(
    `\n${heavyLoad} uploads of one wallet at once, ${refused} refused: ${before} MB before, ${peak} MB at the peak`,
  )
} finally {
  await world.stop()
}

function expectOk(answer: Response): Response {
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}.`)
  return answer
}

/** Runs a function for every item, so many at once. */
async function runAll<T>(items: readonly T[], lanes: number, run: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...items]
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await run(item)
  }
  await Promise.all(Array.from({ length: lanes }, work))
}

/** The resident memory of a process, in MB. */
async function readMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
