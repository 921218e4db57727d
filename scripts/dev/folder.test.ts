import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeFolder } from './folder.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'folder-'))
})
afterEach(() => rm(dir, { recursive: true }))

test('a run goes on from one that wrote its chain down, and only then', async () => {
  const first = await takeFolder(dir, 'a', false)
  expect(first).toMatchObject({ goesOn: false, why: null })
  await runToTheEnd(first)
  const second = await takeFolder(dir, 'a', false)
  expect(second).toMatchObject({ goesOn: true, why: null })
  await second.begin()
  // The chain of before is still there, but was not written when this one stopped.
  await second.leave(Date.now() + 1_000)
  const third = await takeFolder(dir, 'a', false)
  expect(third).toMatchObject({ goesOn: false, why: 'The last run never was ready, or lost its chain' })
  expect(existsSync(third.stateFile)).toBe(false)
})

test('what was kept stays when a run ends before it began, as on a taken port', async () => {
  await runToTheEnd(await takeFolder(dir, 'a', false))
  await (await takeFolder(dir, 'a', false)).leave(null)
  expect(await takeFolder(dir, 'a', false)).toMatchObject({ goesOn: true })
})

test.each([
  ['another database', 'b', false, 'The last run had another database'],
  ['--fresh', 'a', true, null],
])('%s means a new world', async (_, server, fresh, why) => {
  await runToTheEnd(await takeFolder(dir, 'a', false))
  const next = await takeFolder(dir, server, fresh)
  expect(next).toMatchObject({ goesOn: false, why })
  expect(existsSync(next.stateFile)).toBe(false)
})

test('a folder that a living run has, and one that is somebody else’s, are refused and left alone', async () => {
  await takeFolder(dir, 'a', false)
  await expect(takeFolder(dir, 'a', true)).rejects.toThrow(`already, as process ${process.pid}`)
  await rm(join(dir, 'about.txt'))
  await writeFile(join(dir, 'thesis.txt'), 'mine')
  await expect(takeFolder(dir, 'a', true)).rejects.toThrow('pnpm dev did not write')
  expect(await readFile(join(dir, 'thesis.txt'), 'utf8')).toBe('mine')
})

test('what a killed run left is ended; another program with such a number is not', async () => {
  const [left, stranger] = ['1000', '2000'].map((ms) => spawn('sleep', [ms], { detached: true, stdio: 'ignore' }))
  if (!left?.pid || !stranger?.pid) throw new Error('sleep does not start')
  const gone = once(left, 'close')
  const dead = spawn('true', { stdio: 'ignore' })
  await once(dead, 'close')
  await takeFolder(dir, 'a', false)
  const parts = [
    { pid: left.pid, commandLine: 'sleep 1000' },
    { pid: stranger.pid, commandLine: 'sleep 1000' },
  ]
  await writeFile(join(dir, 'run.json'), JSON.stringify({ pid: dead.pid, parts }))
  expect(await takeFolder(dir, 'a', false)).toMatchObject({ goesOn: false, why: 'The last run was killed' })
  expect(await gone).toEqual([null, 'SIGKILL'])
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  stranger.kill()
})

async function runToTheEnd({ begin, leave, stateFile }: Awaited<ReturnType<typeof takeFolder>>): Promise<void> {
  await begin()
  const toldAt = Date.now() - 1_000
  await writeFile(stateFile, '{}')
  await leave(toldAt)
}
