import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSigningContext } from '@svc/chain'
import { saveBundles, type World } from '@svc/devnet'
import { parseDescriptor } from '@svc/protocol/work'
import { createDatabase } from '@svc/serve'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ImportDeps, importFolder } from '../../apps/store/src/importFolder.ts'
import { createRecords, storeSchema } from '../../apps/store/src/records/records.ts'
import { startDemoWorld } from '../harness/demoWorld.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'
import { startTestStore, type TestStore } from '../harness/storeApp.ts'
import { type Engine, startEngine } from './engines.ts'

let world: World
let folder: string
let engine: Engine
let database: TestDatabase
let service: TestStore
let deps: ImportDeps
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-'))
  world = await startDemoWorld()
  await saveBundles(join(folder, 'all'), world.bundles)
  engine = await startEngine('folder')
  database = await createTestDatabase()
  const { deployments } = world.devnet
  const fail = async () => {
    throw new Error('Reading a public bundle does not ask the chain.')
  }
  service = await startTestStore({
    objects: engine.objects,
    databaseUrl: database.url,
    tasks: { readTask: fail, readRecentTask: fail },
    deployments,
    verifySignature: fail,
  })
  deps = {
    ...createRecords(createDatabase(service.sql, storeSchema)),
    objects: engine.objects,
    chainId: deployments.chainId,
    signingContext: (market) => createSigningContext(deployments, market),
  }
})
afterAll(async () => {
  await service?.stop()
  await engine?.stop()
  await database?.drop()
  await world?.devnet.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a folder of bundles is imported once, and anyone can read the public ones', async () => {
  const count = world.bundles.length
  expect(count).toBeGreaterThan(80)
  expect(await importFolder(join(folder, 'all'), deps)).toEqual({ imported: count, known: 0 })
  expect(await importFolder(join(folder, 'all'), deps)).toEqual({ imported: 0, known: count })
  for (const { hash, bytes, parts } of world.bundles.slice(0, 5)) {
    const answer = await fetch(`${service.url}/v1/bundles/${hash}`)
    expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), bytes)).toBe(0)
    const { market, number } = parseDescriptor(bytes).taskId
    for (const [sha256, part] of parts) {
      const found = await fetch(`${service.url}/v1/tasks/v2:${market}:${number}/parts/${sha256}`)
      expect(Buffer.compare(Buffer.from(await found.arrayBuffer()), part)).toBe(0)
    }
  }
  // A part that was lost is brought back.
  const [first] = world.bundles
  if (!first) throw new Error('The demo world has no bundle.')
  const { market, number } = parseDescriptor(first.bytes).taskId
  await engine.objects.deletePrefix(`${market}/${number}/`)
  expect((await importFolder(join(folder, 'all'), deps)).imported).toBeGreaterThan(0)
  expect(await importFolder(join(folder, 'all'), deps)).toEqual({ imported: 0, known: count })
})

test('nothing that differs from its hash, and nothing of another chain, is imported', async () => {
  const bad = join(folder, 'bad')
  await mkdir(bad)
  const names = await readdir(join(folder, 'all'))
  const name = names.find((each) => each.endsWith('.json')) ?? ''
  const bytes = await readFile(join(folder, 'all', name))
  await writeFile(join(bad, name), bytes)
  const other: ImportDeps = { ...deps, chainId: 1 }
  await expect(importFolder(bad, other)).rejects.toThrow('it is for chain 8453, not 1')

  await engine.objects.deletePrefix(`${parseDescriptor(bytes).taskId.market}/${parseDescriptor(bytes).taskId.number}/`)
  await expect(importFolder(bad, deps)).rejects.toThrow('no such file')
  for (const part of world.bundles.find(({ hash }) => `${hash}.json` === name)?.parts ?? []) {
    await writeFile(join(bad, `${part[0]}.part`), new Uint8Array(part[1].length))
  }
  await expect(importFolder(bad, deps)).rejects.toMatchObject({ code: 'WRONG_BYTES' })
  await writeFile(join(bad, name), `${bytes} `)
  await expect(importFolder(bad, deps)).rejects.toMatchObject({ code: 'INVALID_IMPORT' })
})
