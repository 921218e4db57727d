import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { context, remembered, transcript } from '../../test/negotiation.ts'
import { verifyAgreement, writeAgreement } from './agreement.ts'

const verifySignature = remembered()
const options = { chainId: context.chainId, verifySignature }
const steps = ['TaskProposal poster', 'TaskAcceptance worker', 'TaskAcceptance poster', 'DeliveryNotice worker']
const { messages } = await transcript(steps, verifySignature)
const text = await writeAgreement(messages, options)

test('an agreement file proves terms, parties and acceptances', async () => {
  const agreement = await verifyAgreement(text, { head: messages[2]?.hash })
  expect(agreement).toMatchObject({
    phase: 'DELIVERED',
    length: 4,
    head: messages[3]?.hash,
    terms: { title: 'Caption photos', settlementDigest: agreement.settlementDigest },
    acceptances: { poster: { nonce: 1_007n, expiry: 1_800_086_400n }, worker: { nonce: 1_007n } },
  })
})

test('no byte of an agreement file can be changed, added or left out', { timeout: 300_000 }, async () => {
  const bytes = Buffer.from(await writeAgreement(messages.slice(0, 3), options))
  let refused = 0
  const mustFail = async (changed: Buffer, what: string) => {
    // A byte that is no UTF-8 becomes a replacement character here, as in any lenient reader.
    await expect(verifyAgreement(changed.toString('utf8'), { verifySignature }), what).rejects.toThrow()
    refused++
  }
  for (const [at, byte] of bytes.entries()) {
    // Another digit or letter, another case, and no ASCII at all.
    for (const other of [byte ^ 0x01, byte ^ 0x20, byte ^ 0x80]) {
      await mustFail(Buffer.from(bytes).fill(other, at, at + 1), `byte ${at} as ${other}`)
    }
  }
  for (const space of [' ', '\n', '\ufeff']) {
    await mustFail(Buffer.concat([bytes, Buffer.from(space)]), 'something behind')
    await mustFail(Buffer.concat([Buffer.from(space), bytes]), 'something before')
  }
  await mustFail(bytes.subarray(0, -1), 'no line feed')
  console.log(`${refused} changes of ${bytes.length} bytes refused`)
  expect(refused).toBe(3 * bytes.length + 7)
})

test('a file is refused whose messages agree on something else, or on nothing', async () => {
  const zero = `0x${'00'.repeat(32)}` as const
  await expect(verifyAgreement(text, { digest: zero, verifySignature })).rejects.toThrow('not about 0x00')
  await expect(verifyAgreement(text, { head: zero, verifySignature })).rejects.toMatchObject({ position: 5 })
  const other = text.replace(/("settlementDigest":)"0x\w+"}\n$/, `$1"${zero}"}\n`)
  await expect(verifyAgreement(other, { verifySignature })).rejects.toThrow('but its messages agree on')
  await expect(writeAgreement(messages.slice(0, 2), options)).rejects.toThrow('HALF_ACCEPTED: both parties must accept')
  const repeatedKey = text.replace('{', '{"format":"svc-agreement-v1",')
  await expect(verifyAgreement(repeatedKey, { verifySignature })).rejects.toThrow('not canonical JSON')
})

test('svc-verify says in words what was agreed, or which message is broken', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-verify-'))
  const file = join(folder, 'agreement.json')
  const command = fileURLToPath(new URL('../../bin/verify.ts', import.meta.url))
  const svcVerify = (...args: string[]) => promisify(execFile)(process.execPath, [command, file, ...args])
  const digest = /"settlementDigest":"(0x\w{64})"}\n$/.exec(text)?.[1] as string
  try {
    await writeFile(file, text)
    const { stdout } = await svcVerify('--digest', digest)
    expect(stdout).toContain('Pays 10 TOK for 2 milestones:\n  1. Ten captions: 5 TOK, 1 h\n')
    expect(stdout).toContain(digest)
    await expect(svcVerify('--digest', messages[0]?.hash as string)).rejects.toMatchObject({ code: 1 })
    const captions = text.lastIndexOf('example.org')
    await writeFile(file, `${text.slice(0, captions)}f${text.slice(captions + 1)}`)
    await expect(svcVerify()).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Message 4 is broken: its hash is not the hash of its envelope.\n',
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})
