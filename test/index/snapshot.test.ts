import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnector, foldFingerprint, getSchemaName, saveServed, serveBuild, startGeneration } from '@svc/index'
import { markets } from '@svc/protocol'
import { migrateSchema } from '@svc/serve'
import { buildDeployments, createNode, createSimulation } from '@svc/simulation/chain'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postingSchema } from '../../apps/api/src/posting/posting.ts'
import { loadSnapshot, saveSnapshot } from '../../apps/indexer/src/snapshot.ts'
import { createSimProvider, followSimulation, stopAtEnd } from '../harness/followSimulation.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'
import { digestTables } from '../harness/tableDigests.ts'

const simulation = createSimulation({ seed: 5, wallets: 12, liveTasks: 30, load: () => 20 })
simulation.mine(60)
const origin = buildDeployments(simulation.places, 0)
const providers = [1, 2].map((name) => createSimProvider(simulation, createNode(simulation), `node ${name}`))
const databases: TestDatabase[] = []
const clients: Sql[] = []
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snapshot-'))
})
afterAll(async () => {
  await Promise.all(clients.map((each) => each.end({ timeout: 1 })))
  await Promise.all(databases.map((each) => each.drop()))
  await rm(folder, { recursive: true, force: true })
})

async function open() {
  const database = await createTestDatabase()
  databases.push(database)
  const sql = createConnector(database.url)('public')
  clients.push(sql)
  // The digests are of the posting tables too.
  await migrateSchema(sql, postingSchema)
  return { url: database.url, sql, load: () => loadSnapshot(sql, { name: 'a', folder, origin, providers }) }
}

async function follow(url: string): Promise<void> {
  for (const market of markets)
    await followSimulation({ simulation, url, market, nodes: [createNode(simulation)], onProgress: stopAtEnd })
}

test('a snapshot has the rows of its build, is followed on like it, and is refused where it does not belong', async () => {
  const filled = await open()
  await startGeneration(filled.sql, { name: 'a', fingerprint: foldFingerprint, reason: '', now: 0 })
  await follow(filled.url)
  await expect(saveSnapshot(filled.sql, origin, folder)).rejects.toThrow('No build serves')
  await serveBuild(filled.sql, 'a')
  await saveServed(filled.sql, 'a', 'a')
  const places = await saveSnapshot(filled.sql, origin, folder)

  const empty = await open()
  const file = join(folder, 'snapshot.json')
  const saved = await readFile(file, 'utf8')
  for (const [from, to, message] of [
    [foldFingerprint, '0'.repeat(16), 'another version of the fold'],
    ['"chainId": ', '"chainId": 1', 'other contracts or another chain'],
    [places.standard.hash, `0x${'0'.repeat(64)}`, /node 1 has another block 60/],
    ['"sha256": "', '"sha256": "0000', /sha256/],
  ] as const) {
    await writeFile(file, saved.replace(from, to))
    await expect(empty.load(), String(message)).rejects.toThrow(message)
  }
  await writeFile(file, saved)
  const task = join(folder, 'task.zst')
  const rows = await readFile(task)
  await writeFile(task, await readFile(join(folder, 'agent.zst')))
  await expect(empty.load()).rejects.toThrow()
  await writeFile(task, rows)

  expect(await empty.load()).toEqual(places)
  const digests = ({ sql }: typeof empty) => digestTables(sql, getSchemaName('a'))
  expect(await digests(empty)).toEqual(await digests(filled))
  await expect(empty.load()).rejects.toThrow()
  simulation.mine(10)
  await follow(empty.url)
  await follow(filled.url)
  expect(await digests(empty)).toEqual(await digests(filled))
})
