import { expect, test } from 'vitest'
import { runs } from '../../../../test/harness/runs.ts'
import { buildTranscript, context, remembered } from '../../test/negotiation.ts'
import { formatAgreement, verifyAgreement } from './agreement.ts'

const verifySignature = remembered()
const options = { chainId: context.chainId, verifySignature }
const steps = ['TaskProposal poster', 'TaskAcceptance worker', 'TaskAcceptance poster', 'DeliveryNotice worker']
const { messages } = await buildTranscript(steps, verifySignature)
const text = await formatAgreement(messages, options)

test('an agreement file proves terms, parties and acceptances', async () => {
  const agreement = await verifyAgreement(text, { head: messages[2]?.hash })
  expect(agreement).toMatchObject({
    phase: 'DELIVERED',
    taskId: null,
    length: 4,
    head: messages[3]?.hash,
    terms: { title: 'Caption photos', settlementDigest: agreement.settlementDigest },
    acceptances: { poster: { nonce: 1_007n, expiry: 1_800_086_400n }, worker: { nonce: 1_007n } },
  })
})

test('no byte of an agreement file can be changed, added or removed', async () => {
  const bytes = Buffer.from(await formatAgreement(messages.slice(0, 3), options))
  const perByte = runs(1) >= 3 ? 3 : 1
  let refused = 0
  const mustFail = async (changed: Buffer, what: string) => {
    // Invalid UTF-8 becomes a replacement character here, as in any lenient reader.
    await expect(verifyAgreement(changed.toString('utf8'), { verifySignature }), what).rejects.toThrow()
    refused++
  }
  for (const [at, byte] of bytes.entries()) {
    // Another digit or letter, another case, and no ASCII at all: in turn, or all three in a deep run.
    const changes = [0x01, 0x20, 0x80]
    for (const [nth, change] of changes.entries()) {
      if (perByte < changes.length && at % changes.length !== nth) continue
      const other = byte ^ change
      await mustFail(Buffer.from(bytes).fill(other, at, at + 1), `byte ${at} as ${other}`)
    }
  }
  for (const space of [' ', '\n', '\ufeff']) {
    await mustFail(Buffer.concat([bytes, Buffer.from(space)]), 'something behind')
    await mustFail(Buffer.concat([Buffer.from(space), bytes]), 'something before')
  }
  await mustFail(bytes.subarray(0, -1), 'no line feed')
  console.log(`${refused} changes of ${bytes.length} bytes refused`)
  expect(refused).toBe(perByte * bytes.length + 7)
})

test('a file is rejected if its messages agree on something else, or on nothing', async () => {
  const zero = `0x${'00'.repeat(32)}` as const
  await expect(verifyAgreement(text, { digest: zero, verifySignature })).rejects.toThrow('not 0x00')
  await expect(verifyAgreement(text, { head: zero, verifySignature })).rejects.toMatchObject({ position: 5 })
  const other = text.replace(/("settlementDigest":)"0x\w+"}\n$/, `$1"${zero}"}\n`)
  await expect(verifyAgreement(other, { verifySignature })).rejects.toThrow('but its messages agree on')
  await expect(formatAgreement(messages.slice(0, 2), options)).rejects.toThrow(
    'HALF_ACCEPTED, but both parties must have accepted',
  )
  const repeatedKey = text.replace('{', '{"format":"svc-agreement-v1",')
  await expect(verifyAgreement(repeatedKey, { verifySignature })).rejects.toThrow('not canonical JSON')
})
