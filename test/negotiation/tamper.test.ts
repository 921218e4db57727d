import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson, sealTerms, type TermsDocument } from '@svc/protocol'
import { MessageRefusedError, readMessage } from '@svc/protocol/negotiation'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBook } from '../../apps/tools/src/negotiate/book.ts'
import { accept, counter, propose, sayAny } from '../../apps/tools/src/negotiate/speak.ts'
import { bookIn, deployments, speakerOf, termsBetween, transcriptOf } from './books.ts'
import { draftFor, openPair, type Pair } from './pair.ts'
import { tamperings } from './tampered.ts'
import { newWallet } from './wallet.ts'

let pair: Pair
beforeAll(async () => {
  pair = await openPair()
})
afterAll(() => pair?.close())

/** A whole negotiation by the real commands' code, in a book that both write to: its lines. */
async function honest(name: string): Promise<string[]> {
  const dir = join(pair.folder, name)
  const book = bookIn(dir)
  const [poster, worker] = [speakerOf(book, pair.poster), speakerOf(book, pair.worker)]
  const { state } = await propose(poster, termsBetween(pair.poster.address, pair.worker.address))
  const id = state.negotiationId
  const countered = await counter(worker, id, resealed, 'Longer.')
  for (const each of [worker, poster]) await accept(each, id, countered.state.terms.settlementDigest, 3_600)
  const json = { proofHash: `0x${'cd'.repeat(32)}`, note: 'Done.', links: ['https://example.org/a'] }
  for (let milestone = 0; milestone < 2; milestone++) {
    await sayAny(worker, id, { type: 'DeliveryNotice', json, taskId: 'v2:micro:1' })
    await sayAny(poster, id, { type: 'AcceptDelivery', json: {}, taskId: 'v2:micro:1' })
  }
  return (await transcriptOf(dir, id)).trimEnd().split('\n')
}

test('no message can be changed on its way: each change is refused, and the transcript stays as it was', async () => {
  const lines = await honest('shared')
  const dir = join(pair.folder, 'changed')
  const book = bookIn(dir)
  const me = pair.worker.address
  const stranger = privateKeyToAccount(newWallet().key)
  let tried = 0
  for (const line of lines) {
    const message = readMessage(line)
    const before = await contents(dir)
    for (const { how, text } of await tamperings(message, stranger, deployments.chainId)) {
      const outcome = await book.take(text, { me }).catch((error: unknown) => error)
      expect(outcome, `${message.envelope.type}: ${how}`).toBeInstanceOf(MessageRefusedError)
      tried++
    }
    expect(await contents(dir)).toEqual(before)
    expect(await book.take(line, { me })).toMatchObject({ known: false })
  }
  expect(Object.values(await contents(dir))).toEqual([`${lines.join('\n')}\n`])
  expect(tried).toBeGreaterThan(500)
})

test('messages that are left out, sent twice, out of order or from another negotiation change nothing', async () => {
  const [lines, others] = [await honest('first'), await honest('second')]
  const dir = join(pair.folder, 'moved')
  const book = bookIn(dir)
  const me = pair.worker.address
  const refused = async (line: string | undefined, reason: RegExp) => {
    const before = await contents(dir)
    await expect(book.take(line ?? '', { me })).rejects.toThrow(reason)
    expect(await contents(dir)).toEqual(before)
  }
  await refused(lines[1], /no message of this negotiation is here/)
  for (const [index, line] of lines.entries()) {
    await refused(others[index + 1], /no message of this negotiation is here|its text is not JSON/)
    if (index > 0) await refused(lines[index + 1], /its sequence is|its text is not JSON/)
    await book.take(line, { me })
    const before = await contents(dir)
    expect(await book.take(line, { me })).toMatchObject({ known: true })
    expect(await contents(dir)).toEqual(before)
  }
  // The other negotiation is another transcript, and its messages never come into the first.
  await book.take(others[0] ?? '', { me })
  await refused(others[2], /its sequence is 3 where 2 must follow/)
  expect(await book.list()).toHaveLength(2)
})

test('a proposal between others, for another registry or by another inbox does not begin a negotiation', async () => {
  const [first = ''] = await honest('elsewhere')
  const book = bookIn(join(pair.folder, 'none'))
  const me = pair.worker.address
  await expect(book.take(first, { me: newWallet().address })).rejects.toThrow(/between others/)
  await expect(book.take(first, { me, only: newWallet().address })).rejects.toThrow(/it is not from/)
  await expect(book.take(first, { me, from: [newWallet().address] })).rejects.toThrow(
    /another wallet than the one it names/,
  )
  const terms = resealed({ ...termsBetween(pair.poster.address, me), asset: newWallet().address })
  const fakeMarket = { ...deployments, shared: { ...deployments.shared, tokToken: terms.asset } }
  const away = join(pair.folder, 'away')
  const { messages } = await propose(
    speakerOf(createBook({ folder: away, deployments: fakeMarket }), pair.poster),
    terms,
  )
  await expect(book.take(canonicalJson(messages[0]), { me })).rejects.toThrow(/its asset is/)
  expect(await book.list()).toEqual([])
})

test('what is changed in the mailbox is refused by the command, with exit code 4, and taken out of the way', async () => {
  const { poster, worker, mailbox } = pair
  const { negotiationId } = await poster.ask('propose', await pair.file(draftFor(worker.address)))
  const box = join(mailbox, worker.address.toLowerCase(), 'new')
  const [name = ''] = await readdir(box)
  const good = await readFile(join(box, name), 'utf8')
  await writeFile(join(box, name), good.replace('Caption ten photos', 'Caption two photos'))
  const refused = await worker.receive('--json')
  expect(refused).toMatchObject({ exit: 4 })
  expect(JSON.parse(refused.out)).toMatchObject({ accepted: [], untrustedRefused: [expect.stringMatching(/hash/)] })
  expect(await readdir(box)).toEqual([])
  expect((await worker.receive()).exit).toBe(5)
  // The way out: it is sent again.
  expect((await poster.ask('send', negotiationId, '--me', poster.address)).sent).toHaveLength(1)
  expect((await worker.receive()).exit).toBe(0)
})

test('a transcript that somebody changed is refused whole, and other negotiations go on', async () => {
  const { poster, worker } = pair
  const [one, two] = [await begin(), await begin()]
  const file = join(worker.dir, `${one}.jsonl`)
  await writeFile(file, (await readFile(file, 'utf8')).replace('Caption ten', 'Caption two'))
  expect(await worker.negotiate('show', one)).toMatchObject({
    exit: 4,
    err: expect.stringMatching(/Message 1 is broken/),
  })
  expect((await worker.negotiate('list')).out).toMatch(new RegExp(`${one}  BROKEN`))
  const context = await pair.file({ previousDigest: `0x${'ab'.repeat(32)}`, summary: 'Before.' })
  for (const id of [one, two]) await poster.ask('say', id, 'ReplacementContext', context)
  const received = await worker.receive('--json')
  expect(JSON.parse(received.out)).toMatchObject({
    accepted: [{ negotiationId: two }],
    untrustedRefused: [expect.stringMatching(/its transcript here is broken/)],
  })

  async function begin(): Promise<string> {
    const { negotiationId } = await poster.ask('propose', await pair.file(draftFor(worker.address)))
    expect((await worker.receive('--only', poster.address)).exit).toBe(0)
    return negotiationId
  }
})

test('when both write at once, one takes its message back and the negotiation goes on', async () => {
  const { poster, worker } = pair
  const { negotiationId: id } = await poster.ask('propose', await pair.file(draftFor(worker.address)))
  await worker.receive()
  const proof = await pair.file({ claims: ['I can.'] })
  const context = await pair.file({ previousDigest: `0x${'ab'.repeat(32)}`, summary: 'Before.' })
  await worker.ask('say', id, 'CapabilityProof', proof)
  await poster.ask('say', id, 'ReplacementContext', context)
  for (const side of [poster, worker]) {
    expect(await side.receive()).toMatchObject({
      exit: 4,
      out: expect.stringMatching(/you wrote message 2 at the same time/),
    })
  }
  expect((await poster.negotiate('withdraw', id, '--me', worker.address)).exit).toBe(4)
  expect((await worker.ask('withdraw', id, '--me', worker.address)).length).toBe(1)
  await poster.ask('send', id, '--me', poster.address, '--from', '2')
  expect((await worker.receive()).exit).toBe(0)
  await worker.ask('say', id, 'CapabilityProof', proof)
  expect((await poster.receive()).exit).toBe(0)
  expect(await transcriptOf(poster.dir, id)).toBe(await transcriptOf(worker.dir, id))
})

/** What stands in a folder of transcripts. */
async function contents(dir: string): Promise<Record<string, string>> {
  await mkdir(dir, { recursive: true })
  const names = (await readdir(dir)).filter((name) => name.endsWith('.jsonl'))
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(dir, name), 'utf8')])),
  )
}

/** The same terms with a longer first milestone, hashed again. */
function resealed(terms: TermsDocument): TermsDocument {
  return sealTerms({
    ...terms,
    milestones: terms.milestones.with(0, { ...terms.milestones[0], durationSeconds: 7_200n } as never),
  })
}
