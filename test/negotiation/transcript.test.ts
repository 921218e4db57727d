import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, lstat, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canonicalizeJson } from '@svc/protocol'
import { maxMessages } from '@svc/protocol/internal/negotiation'
import { maxMessageBytes, parseMessageLine, sealMessage, verifyChain } from '@svc/protocol/negotiation'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { BusyError, withFileLock } from '../../apps/tools/src/negotiate/fileLock.ts'
import { proposeTerms, writePayload } from '../../apps/tools/src/negotiate/messages.ts'
import { DamagedFileError } from '../../apps/tools/src/negotiate/transcriptFile.ts'
import { createTranscriptStore } from '../../apps/tools/src/negotiate/transcriptStore.ts'
import { startForTests } from '../harness/startForTests.ts'
import { draftFor, openPair } from './pair.ts'
import { buildTermsBetween, createSender, fakeDeployments, openTranscriptStore, readTranscriptFile } from './stores.ts'

const pair = startForTests(openPair, 'close')

const wordy = { claims: Array.from({ length: 3 }, (_, index) => `${index}${'x'.repeat(8_000)}`) }

/** Starts a negotiation with a proposal and some long messages. */
async function begun(name: string, messages: number) {
  const dir = join(pair.folder, name)
  const store = openTranscriptStore(dir)
  const { state } = await proposeTerms(
    createSender(store, pair.poster),
    buildTermsBetween(pair.poster.address, pair.worker.address),
  )
  const id = state.negotiationId
  for (let count = 1; count < messages; count++) {
    await writePayload(createSender(store, pair.worker), id, { type: 'CapabilityProof', json: wordy })
  }
  return { dir, id, text: await readTranscriptFile(dir, id) }
}

test('a writer killed at any time loses nothing that it confirmed, and the next one continues', async () => {
  const { id, text } = await begun('long', 12)
  const lines = text.trimEnd().split('\n')
  const source = join(pair.folder, 'lines')
  await writeFile(source, text)
  const dir = join(pair.folder, 'killed')
  let [written, kills] = [0, 0]
  while (written < lines.length) {
    const writer = start('take', dir, pair.worker.address, source)
    // After some writes, during one or between two.
    const goal = written + 1 + (kills % 3)
    const told = follow(writer, (length) => length >= goal && setTimeout(() => writer.kill('SIGKILL'), kills % 5))
    await once(writer, 'close')
    kills++
    const { messages } = await openTranscriptStore(dir).read(id)
    expect(messages.length).toBeGreaterThanOrEqual(told())
    expect(messages.map((message, index) => message.hash === parseMessageLine(lines[index] ?? '').hash)).not.toContain(
      false,
    )
    written = messages.length
  }
  expect(await readTranscriptFile(dir, id)).toBe(text)
  expect(kills).toBeGreaterThan(3)
})

test('an incomplete last line is ignored and written again', async () => {
  const { dir, id, text } = await begun('cut', 3)
  const file = join(dir, `${id}.jsonl`)
  const whole = join(pair.folder, 'whole')
  await copyFile(file, whole)
  const start = text.slice(0, -1).lastIndexOf('\n') + 1
  const last = text.slice(start, -1)
  const cuts = [0, 1, 2, last.length - 1, last.length, ...Array.from({ length: 40 }, (_, at) => at * 601)]
  for (const cut of cuts) {
    await copyFile(whole, file)
    await truncate(file, start + cut)
    const store = openTranscriptStore(dir)
    expect((await store.read(id)).messages, `${cut} bytes are left`).toHaveLength(2)
    await store.receive(last, { me: pair.worker.address })
    expect(await readFile(file, 'utf8')).toBe(text)
  }
})

test('processes that write to one transcript at the same time are serialized', async () => {
  const { dir, id } = await begun('crowd', 1)
  const crowd = [1, 2, 3].map(() => start('say', dir, id, '8'))
  const told = crowd.map((each) => {
    const lengths: number[] = []
    follow(each, (length) => lengths.push(length))
    return lengths
  })
  const codes = await Promise.all(crowd.map((each) => once(each, 'close').then(([code]) => code)))
  expect(codes).toEqual([0, 0, 0])
  // No duplicates and no gaps.
  expect(told.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, index) => index + 2))
  const lines = (await readTranscriptFile(dir, id)).trimEnd().split('\n')
  expect(await verifyChain(lines.map(parseMessageLine), { chainId: fakeDeployments.chainId })).toMatchObject({
    length: 25,
  })
})

test('a running writer keeps the lock, and a dead one does not', async () => {
  const file = join(pair.folder, 'lock')
  await withFileLock(file, async () => {
    await expect(withFileLock(file, async () => 'in', 50)).rejects.toThrow(BusyError)
  })
  expect(await withFileLock(file, async () => 'in', 0)).toBe('in')
})

test('only their owner can read the files', async () => {
  const before = process.umask(0)
  try {
    const { poster, worker, mailbox } = pair
    const { negotiationId } = await poster.ask('propose', await pair.file(draftFor(worker.address)))
    const box = join(mailbox, worker.address.toLowerCase())
    const [mail = ''] = await readdir(join(box, 'new'))
    for (const path of [
      join(poster.dir, `${negotiationId}.jsonl`),
      join(poster.dir, '.lock'),
      join(box, 'new', mail),
    ]) {
      expect((await stat(path)).mode & 0o777, path).toBe(0o600)
    }
    for (const path of [poster.dir, box]) expect((await stat(path)).mode & 0o777, path).toBe(0o700)
    await worker.receive()
  } finally {
    process.umask(before)
  }
})

test('a negotiation ends at its thousandth message, and a transcript at what an agreement file can hold', async () => {
  const dir = join(pair.folder, 'full')
  // Verifying a thousand signatures is not the point of this test.
  const store = createTranscriptStore({ folder: dir, deployments: fakeDeployments, verifySignature: async () => true })
  const signature = `0x${'11'.repeat(64)}1b` as Hex
  const account = { ...createSender(store, pair.worker).account, signTypedData: async () => signature }
  const worker = { ...createSender(store, pair.worker), account }
  const { state, messages } = await proposeTerms(
    createSender(store, pair.poster),
    buildTermsBetween(pair.poster.address, pair.worker.address),
  )
  const id = state.negotiationId
  const file = join(dir, `${id}.jsonl`)
  const second = (await writePayload(worker, id, { type: 'CapabilityProof', json: { claims: ['Mine.'] } })).messages.at(
    -1,
  )
  if (!second) throw new Error('Nothing was said.')
  let lines = [messages[0], second].map((each) => canonicalizeJson(each))
  let { hash } = second
  for (let sequence = 3; sequence <= maxMessages; sequence++) {
    const next = sealMessage({ ...second.envelope, sequence, previousHash: hash }, signature)
    hash = next.hash
    lines.push(canonicalizeJson(next))
  }
  await writeFile(file, `${lines.join('\n')}\n`)
  await expect(writePayload(worker, id, { type: 'CapabilityProof', json: { claims: ['More.'] } })).rejects.toThrow(
    /at most 1000 messages/,
  )
  lines = [...lines, 'x']
  await writeFile(file, `${lines.join('\n')}\n`)
  await expect(store.read(id)).rejects.toThrow(DamagedFileError)
  await truncate(file, 0)
  await truncate(file, 17 * 1024 * 1024)
  await expect(store.read(id)).rejects.toThrow(/is not a valid transcript: it is larger than/)
  await writeFile(file, Buffer.from([0xff, 0xfe, 10]))
  await expect(store.read(id)).rejects.toThrow(/not UTF-8/)
})

test('the number of negotiations is limited', async () => {
  const { text } = await begun('one', 1)
  const dir = join(pair.folder, 'many')
  await mkdir(dir)
  await Promise.all(Array.from({ length: 1_000 }, () => writeFile(join(dir, `${crypto.randomUUID()}.jsonl`), '')))
  await expect(openTranscriptStore(dir).receive(text.trimEnd(), { me: pair.worker.address })).rejects.toThrow(
    /limit of 1000 negotiations/,
  )
})

test('anything in a mailbox that is not a message is rejected and removed', async () => {
  const { worker, mailbox } = pair
  const box = join(mailbox, worker.address.toLowerCase(), 'new')
  const treasure = join(pair.folder, 'treasure')
  await writeFile(treasure, 'secret')
  await mkdir(join(box, 'folder', 'inside'), { recursive: true })
  await symlink(treasure, join(box, 'link'))
  await writeFile(join(box, 'long'), 'x'.repeat(maxMessageBytes * 4))
  await writeFile(join(box, 'bytes'), Buffer.from([0, 1, 2, 255]))
  const { exit, out } = await worker.receive('--json')
  expect(exit).toBe(4)
  expect(JSON.parse(out).untrustedRefused).toHaveLength(4)
  expect(out).not.toContain('secret')
  expect(await readdir(box)).toEqual([])
  expect((await lstat(treasure)).isFile()).toBe(true)
})

test('nothing is written to a full mailbox, and the message can be sent again from the transcript', async () => {
  const { poster, worker, mailbox } = pair
  const box = join(mailbox, worker.address.toLowerCase(), 'new')
  await mkdir(box, { recursive: true })
  await Promise.all(Array.from({ length: 1_000 }, (_, index) => writeFile(join(box, String(index)), '')))
  const { exit, err } = await poster.negotiate('propose', await pair.file(draftFor(worker.address)))
  expect(exit).toBe(3)
  const [, id = ''] = /is full .* Try again: svc-negotiate send (\S+)/.exec(err) ?? []
  expect((await worker.receive()).exit).toBe(4)
  expect((await poster.negotiate('send', id, '--me', poster.address)).exit).toBe(0)
  expect((await worker.receive()).out).toContain('TaskProposal')
})

function start(...argv: string[]): ChildProcess {
  const env = { PRIVATE_KEY: pair.worker.key }
  return spawn(process.execPath, [writerFile, ...argv], { env, stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Follows the numbers that a writer prints. Returns a function that returns the last one. */
function follow(writer: ChildProcess, hear: (length: number) => void): () => number {
  let [printed, told] = ['', 0]
  writer.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    const whole = printed.split('\n')
    printed = whole.pop() ?? ''
    for (const each of whole) {
      told = Number(each)
      hear(told)
    }
  })
  return () => told
}

const writerFile = fileURLToPath(new URL('writer.ts', import.meta.url))
