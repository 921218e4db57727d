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
    taskId: null,
    length: 4,
    head: messages[3]?.hash,
    terms: { title: 'Caption photos', settlementDigest: agreement.settlementDigest },
    acceptances: { poster: { nonce: 1_007n, expiry: 1_800_086_400n }, worker: { nonce: 1_007n } },
  })
})

test('no byte of an agreement file can be changed, added or left out', async () => {
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
