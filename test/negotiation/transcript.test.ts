import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, lstat, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canonicalJson } from '@svc/protocol'
import { checkChain, maxMessageBytes, maxMessages, readMessage, sealMessage } from '@svc/protocol/negotiation'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBook } from '../../apps/tools/src/negotiate/book.ts'
import { BusyError, locked } from '../../apps/tools/src/negotiate/locked.ts'
import { propose, sayAny } from '../../apps/tools/src/negotiate/speak.ts'
import { DamagedFileError } from '../../apps/tools/src/negotiate/transcriptFile.ts'
import { bookIn, deployments, speakerOf, termsBetween, transcriptOf } from './books.ts'
import { draftFor, openPair, type Pair } from './pair.ts'

let pair: Pair
beforeAll(async () => {
  pair = await openPair()
})
afterAll(() => pair?.close())

const wordy = { claims: Array.from({ length: 3 }, (_, index) => `${index}${'x'.repeat(8_000)}`) }

/** A negotiation of a proposal and some long messages. */
async function begun(name: string, messages: number) {
  const dir = join(pair.folder, name)
  const book = bookIn(dir)
  const { state } = await propose(speakerOf(book, pair.poster), termsBetween(pair.poster.address, pair.worker.address))
  const id = state.negotiationId
  for (let count = 1; count < messages; count++) {
    await sayAny(speakerOf(book, pair.worker), id, { type: 'CapabilityProof', json: wordy })
  }
  return { dir, id, text: await transcriptOf(dir, id) }
}

test('a writer that is killed at any moment loses nothing that it said was written, and the next one goes on', async () => {
  const { id, text } = await begun('long', 12)
  const lines = text.trimEnd().split('\n')
  const source = join(pair.folder, 'lines')
  await writeFile(source, text)
  const dir = join(pair.folder, 'killed')
  let [written, kills] = [0, 0]
  while (written < lines.length) {
    const writer = start('take', dir, pair.worker.address, source)
    // Some writes after it began, in the middle of one or between two.
    const goal = written + 1 + (kills % 3)
    const told = follow(writer, (length) => length >= goal && setTimeout(() => writer.kill('SIGKILL'), kills % 5))
    await once(writer, 'close')
    kills++
    const { messages } = await bookIn(dir).read(id)
    expect(messages.length).toBeGreaterThanOrEqual(told())
    expect(messages.map((message, index) => message.hash === readMessage(lines[index] ?? '').hash)).not.toContain(false)
    written = messages.length
  }
  expect(await transcriptOf(dir, id)).toBe(text)
  expect(kills).toBeGreaterThan(3)
})

test('a last line that was cut anywhere is as if it had never been, and is written again whole', async () => {
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
    const book = bookIn(dir)
    expect((await book.read(id)).messages, `${cut} bytes are left`).toHaveLength(2)
    await book.take(last, { me: pair.worker.address })
    expect(await readFile(file, 'utf8')).toBe(text)
  }
})

test('processes that write to one transcript at the same time come one after the other', async () => {
  const { dir, id } = await begun('crowd', 1)
  const crowd = [1, 2, 3].map(() => start('say', dir, id, '8'))
  const told = crowd.map((each) => {
    const lengths: number[] = []
    follow(each, (length) => lengths.push(length))
    return lengths
  })
  const codes = await Promise.all(crowd.map((each) => once(each, 'close').then(([code]) => code)))
  expect(codes).toEqual([0, 0, 0])
  // No number twice and none left out.
  expect(told.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, index) => index + 2))
  const lines = (await transcriptOf(dir, id)).trimEnd().split('\n')
  expect(await checkChain(lines.map(readMessage), { chainId: deployments.chainId })).toMatchObject({ length: 25 })
})

test('a writer that does not let go keeps others out, and a dead one does not', async () => {
  const file = join(pair.folder, 'lock')
  await locked(file, async () => {
    await expect(locked(file, async () => 'in', 50)).rejects.toThrow(BusyError)
  })
  expect(await locked(file, async () => 'in', 0)).toBe('in')
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
  // Checking a thousand signatures is not what this is about.
  const book = createBook({ folder: dir, deployments, verifySignature: async () => true })
  const signature = `0x${'11'.repeat(64)}1b` as Hex
  const account = { ...speakerOf(book, pair.worker).account, signTypedData: async () => signature }
  const worker = { ...speakerOf(book, pair.worker), account }
  const { state, messages } = await propose(
    speakerOf(book, pair.poster),
    termsBetween(pair.poster.address, pair.worker.address),
  )
  const id = state.negotiationId
  const file = join(dir, `${id}.jsonl`)
  const second = (await sayAny(worker, id, { type: 'CapabilityProof', json: { claims: ['Mine.'] } })).messages.at(-1)
  if (!second) throw new Error('Nothing was said.')
  let lines = [messages[0], second].map((each) => canonicalJson(each))
  let { hash } = second
  for (let sequence = 3; sequence <= maxMessages; sequence++) {
    const next = sealMessage({ ...second.envelope, sequence, previousHash: hash }, signature)
    hash = next.hash
    lines.push(canonicalJson(next))
  }
  await writeFile(file, `${lines.join('\n')}\n`)
  await expect(sayAny(worker, id, { type: 'CapabilityProof', json: { claims: ['More.'] } })).rejects.toThrow(
    /at most 1000 messages/,
  )
  lines = [...lines, 'x']
  await writeFile(file, `${lines.join('\n')}\n`)
  await expect(book.read(id)).rejects.toThrow(DamagedFileError)
  await truncate(file, 0)
  await truncate(file, 17 * 1024 * 1024)
  await expect(book.read(id)).rejects.toThrow(/is no transcript: it is larger than/)
  await writeFile(file, Buffer.from([0xff, 0xfe, 10]))
  await expect(book.read(id)).rejects.toThrow(/not UTF-8/)
})

test('strangers can begin only so many negotiations', async () => {
  const { text } = await begun('one', 1)
  const dir = join(pair.folder, 'many')
  await mkdir(dir)
  await Promise.all(Array.from({ length: 1_000 }, () => writeFile(join(dir, `${crypto.randomUUID()}.jsonl`), '')))
  await expect(bookIn(dir).take(text.trimEnd(), { me: pair.worker.address })).rejects.toThrow(
    /1000 negotiations already/,
  )
})

test('what is no message in a mailbox is refused and gone, whatever it is', async () => {
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

test('a full mailbox is not written to, and a message that was not sent waits in the transcript', async () => {
  const { poster, worker, mailbox } = pair
  const box = join(mailbox, worker.address.toLowerCase(), 'new')
  await mkdir(box, { recursive: true })
  await Promise.all(Array.from({ length: 1_000 }, (_, index) => writeFile(join(box, String(index)), '')))
  const { exit, err } = await poster.negotiate('propose', await pair.file(draftFor(worker.address)))
  expect(exit).toBe(3)
  const [, id = ''] = /is full\. .* try again: svc-negotiate send (\S+)/.exec(err) ?? []
  expect((await worker.receive()).exit).toBe(4)
  expect((await poster.negotiate('send', id, '--me', poster.address)).exit).toBe(0)
  expect((await worker.receive()).out).toContain('TaskProposal')
})

function start(...argv: string[]): ChildProcess {
  const env = { PRIVATE_KEY: pair.worker.key }
  return spawn(process.execPath, [writerFile, ...argv], { env, stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Hears each number that a writer prints; returns the last one when asked. */
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
