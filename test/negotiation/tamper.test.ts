import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalizeJson, sealTerms, type TermsDocument } from '@svc/protocol'
import { MessageRefusedError, parseMessageLine } from '@svc/protocol/negotiation'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { acceptOffer, makeCounterOffer, proposeTerms, writePayload } from '../../apps/tools/src/negotiate/messages.ts'
import { createTranscriptStore } from '../../apps/tools/src/negotiate/transcriptStore.ts'
import { startForTests } from '../harness/startForTests.ts'
import { draftFor, openPair } from './pair.ts'
import { buildTermsBetween, createSender, fakeDeployments, openTranscriptStore, readTranscriptFile } from './stores.ts'
import { listTamperings } from './tampered.ts'
import { createTestWallet } from './wallet.ts'

const pair = startForTests(openPair, 'close')

/** Runs a whole negotiation with the code of the commands, in a shared store. Returns its lines. */
async function honest(name: string): Promise<string[]> {
  const dir = join(pair.folder, name)
  const store = openTranscriptStore(dir)
  const [poster, worker] = [createSender(store, pair.poster), createSender(store, pair.worker)]
  const { state } = await proposeTerms(poster, buildTermsBetween(pair.poster.address, pair.worker.address))
  const id = state.negotiationId
  const countered = await makeCounterOffer(worker, id, resealed, 'Longer.')
  for (const each of [worker, poster]) await acceptOffer(each, id, countered.state.terms.settlementDigest, 3_600)
  const json = { proofHash: `0x${'cd'.repeat(32)}`, note: 'Done.', links: ['https://example.org/a'] }
  for (let milestone = 0; milestone < 2; milestone++) {
    await writePayload(worker, id, { type: 'DeliveryNotice', json, taskId: 'v2:micro:1' })
    await writePayload(poster, id, { type: 'AcceptDelivery', json: {}, taskId: 'v2:micro:1' })
  }
  return (await readTranscriptFile(dir, id)).trimEnd().split('\n')
}

test('a message changed in transit is rejected, and the transcript stays unchanged', async () => {
  const lines = await honest('shared')
  const dir = join(pair.folder, 'changed')
  const store = openTranscriptStore(dir)
  const me = pair.worker.address
  const stranger = privateKeyToAccount(createTestWallet().key)
  let tried = 0
  for (const line of lines) {
    const message = parseMessageLine(line)
    const before = await contents(dir)
    for (const { how, text } of await listTamperings(message, stranger, fakeDeployments.chainId)) {
      const outcome = await store.receive(text, { me }).catch((error: unknown) => error)
      expect(outcome, `${message.envelope.type}: ${how}`).toBeInstanceOf(MessageRefusedError)
      tried++
    }
    expect(await contents(dir)).toEqual(before)
    expect(await store.receive(line, { me })).toMatchObject({ known: false })
  }
  expect(Object.values(await contents(dir))).toEqual([`${lines.join('\n')}\n`])
  expect(tried).toBeGreaterThan(500)
})

test('missing, repeated, reordered or foreign messages change nothing', async () => {
  const [lines, others] = [await honest('first'), await honest('second')]
  const dir = join(pair.folder, 'moved')
  const store = openTranscriptStore(dir)
  const me = pair.worker.address
  const refused = async (line: string | undefined, reason: RegExp) => {
    const before = await contents(dir)
    await expect(store.receive(line ?? '', { me })).rejects.toThrow(reason)
    expect(await contents(dir)).toEqual(before)
  }
  await refused(lines[1], /this negotiation is unknown here/)
  for (const [index, line] of lines.entries()) {
    await refused(others[index + 1], /this negotiation is unknown here|its text is not JSON/)
    if (index > 0) await refused(lines[index + 1], /its sequence is|its text is not JSON/)
    await store.receive(line, { me })
    const before = await contents(dir)
    expect(await store.receive(line, { me })).toMatchObject({ known: true })
    expect(await contents(dir)).toEqual(before)
  }
  // The other negotiation has its own transcript, and its messages never enter the first one.
  await store.receive(others[0] ?? '', { me })
  await refused(others[2], /its sequence is 3, but the next one is 2/)
  expect(await store.list()).toHaveLength(2)
})

test('a proposal between other parties, for another registry or from another inbox does not start a negotiation', async () => {
  const [first = ''] = await honest('elsewhere')
  const store = openTranscriptStore(join(pair.folder, 'none'))
  const me = pair.worker.address
  await expect(store.receive(first, { me: createTestWallet().address })).rejects.toThrow(/do not name/)
  await expect(store.receive(first, { me, only: createTestWallet().address })).rejects.toThrow(/it is not from/)
  await expect(store.receive(first, { me, from: [createTestWallet().address] })).rejects.toThrow(
    /a wallet other than the sender it names/,
  )
  const terms = resealed({ ...buildTermsBetween(pair.poster.address, me), asset: createTestWallet().address })
  const fakeMarket = { ...fakeDeployments, shared: { ...fakeDeployments.shared, tokToken: terms.asset } }
  const away = join(pair.folder, 'away')
  const { messages } = await proposeTerms(
    createSender(createTranscriptStore({ folder: away, deployments: fakeMarket }), pair.poster),
    terms,
  )
  await expect(store.receive(canonicalizeJson(messages[0]), { me })).rejects.toThrow(/its asset is/)
  expect(await store.list()).toEqual([])
})

test('a message changed in the mailbox is rejected with exit code 4 and removed', async () => {
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
  // To recover, it is sent again.
  expect((await poster.ask('send', negotiationId, '--me', poster.address)).sent).toHaveLength(1)
  expect((await worker.receive()).exit).toBe(0)
})

test('a changed transcript is rejected, and other negotiations continue', async () => {
  const { poster, worker } = pair
  const [one, two] = [await begin(), await begin()]
  const file = join(worker.dir, `${one}.jsonl`)
  await writeFile(file, (await readFile(file, 'utf8')).replace('Caption ten', 'Caption two'))
  expect(await worker.negotiate('show', one)).toMatchObject({
    exit: 4,
    err: expect.stringMatching(/Message 1 is invalid/),
  })
  expect((await worker.negotiate('list')).out).toMatch(new RegExp(`${one}  BROKEN`))
  const context = await pair.file({ previousDigest: `0x${'ab'.repeat(32)}`, summary: 'Before.' })
  for (const id of [one, two]) await poster.ask('say', id, 'ReplacementContext', context)
  const received = await worker.receive('--json')
  expect(JSON.parse(received.out)).toMatchObject({
    accepted: [{ negotiationId: two }],
    untrustedRefused: [expect.stringMatching(/the local transcript is broken/)],
  })

  async function begin(): Promise<string> {
    const { negotiationId } = await poster.ask('propose', await pair.file(draftFor(worker.address)))
    expect((await worker.receive('--only', poster.address)).exit).toBe(0)
    return negotiationId
  }
})

test('when both write at the same time, the one who did not write last stands, and both continue', async () => {
  const { poster, worker } = pair
  const { negotiationId: id } = await poster.ask('propose', await pair.file(draftFor(worker.address)))
  await worker.receive()
  const proof = await pair.file({ claims: ['I can.'] })
  const context = await pair.file({ previousDigest: `0x${'ab'.repeat(32)}`, summary: 'Before.' })
  await worker.ask('say', id, 'CapabilityProof', proof)
  await poster.ask('say', id, 'ReplacementContext', context)
  expect(await worker.receive()).toMatchObject({ exit: 4, out: expect.stringMatching(/that one stands/) })
  expect(await poster.receive()).toMatchObject({
    exit: 0,
    out: expect.stringMatching(/Your message 2, ReplacementContext, is dropped/),
  })
  expect(await readFile(join(poster.dir, `${id}.jsonl.dropped`), 'utf8')).toContain('ReplacementContext')
  await poster.ask('say', id, 'ReplacementContext', context)
  expect((await worker.receive()).exit).toBe(0)
  expect(await readTranscriptFile(poster.dir, id)).toBe(await readTranscriptFile(worker.dir, id))
})

/** Reads all transcripts in a folder. */
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
