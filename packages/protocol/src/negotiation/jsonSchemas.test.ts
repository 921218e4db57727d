import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { buildTranscript, remembered } from '../../test/negotiation.ts'
import { buildJsonSchemas } from './jsonSchemas.ts'
import { messageTypes } from './messageTypes.ts'

const folder = new URL('../../schemas/', import.meta.url)
const published = Object.fromEntries(
  readdirSync(folder).map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), 'utf8'))]),
)

const ajv = new Ajv2020({ schemas: Object.values(published), strict: true, strictTypes: false })
ajv.addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
ajv.addFormat('date-time', (text: string) => /T\d\d:\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)))

test('the published schemas match the code', () => {
  expect(published).toEqual(JSON.parse(JSON.stringify(buildJsonSchemas())))
})

test('every field has a description', () => {
  const bare = (node: unknown, path: string): string[] => {
    if (typeof node !== 'object' || node === null) return []
    const { properties = {}, ...rest } = node as { properties?: Record<string, { description?: string }> }
    return [
      ...Object.entries(properties).flatMap(([name, each]) => [
        ...(each.description || path.endsWith('if') || path.endsWith('then') ? [] : [`${path}.${name}`]),
        ...bare(each, `${path}.${name}`),
      ]),
      ...Object.entries(rest).flatMap(([key, each]) => bare(each, `${path}/${key}`)),
    ]
  }
  expect(bare(published, '')).toEqual([])
})

test.each([
  ['published', published['envelope.json']],
  ['built', buildJsonSchemas()['envelope.json']],
])('the envelope has the nine fields of the specification: %s', (_, schema) => {
  const { type, properties, required, additionalProperties } = withoutDescriptions(schema)
  expect({ type, properties, required, additionalProperties }).toEqual({
    type: 'object',
    properties: {
      schemaVersion: { type: 'string', const: 'svc-xmtp-v1' },
      type: { type: 'string', enum: expect.arrayContaining(['TaskProposal', 'TaskAcceptance']) },
      negotiationId: { type: 'string', format: 'uuid' },
      taskId: { type: 'string', pattern: '^v2:(?:standard|micro):[1-9][0-9]{0,77}$' },
      sequence: { type: 'integer', minimum: 1, maximum: 1_000 },
      previousHash: { type: 'string', pattern: '^0x[a-fA-F0-9]{64}$' },
      timestamp: { type: 'string', format: 'date-time', maxLength: 40 },
      sender: {
        type: 'object',
        properties: {
          evmAddress: { type: 'string', pattern: '^0x[a-fA-F0-9]{40}$' },
          xmtpPublicKey: { type: 'string', maxLength: 1_024, pattern: '^[!-~]*$' },
        },
        required: ['evmAddress', 'xmtpPublicKey'],
        additionalProperties: false,
      },
      payload: { type: 'object' },
    },
    required: ['schemaVersion', 'type', 'negotiationId', 'sequence', 'previousHash', 'timestamp', 'sender', 'payload'],
    additionalProperties: false,
  })
  // Every value of `type` is a name, so none is empty.
  expect((properties as { type: { enum: string[] } }).type.enum).toEqual([...messageTypes])
})

/** A schema without the descriptions of its fields. */
function withoutDescriptions(node: unknown): Record<string, unknown> {
  const text = JSON.stringify(node, (key, value) => (key === 'description' ? undefined : value))
  return JSON.parse(text)
}

test('messages of every kind match the published schemas, but not with a missing or extra field', async () => {
  const ends = ['DisputeEvidence worker', 'ArbitratorProposal poster', 'MutualCancel worker', 'AcceptDelivery poster']
  const { messages } = await buildTranscript(
    [
      ...['TaskProposal worker', 'TaskCounterOffer poster', 'MilestoneDefinition worker', 'ArbitratorProposal poster'],
      ...['CapabilityProof worker', 'ReplacementContext poster', 'IdentityLink worker', 'IdentityLink poster'],
      ...['TaskAcceptance poster', 'TaskAcceptance worker', 'DeliveryNotice worker', 'RevisionRequest poster'],
      ...['DeliveryNotice worker', 'PaymentRequest worker', ...ends],
    ],
    remembered(),
  )
  const vetoed = await buildTranscript(
    ['TaskProposal worker', 'IdentityLink worker', 'SupervisorVeto supervisor'],
    remembered(),
  )
  const envelopes = [...messages, ...vetoed.messages].map(({ envelope }) => envelope)
  expect(new Set(envelopes.map(({ type }) => type))).toEqual(new Set(messageTypes))

  const check = ajv.getSchema('svc-xmtp-v1/envelope.json')
  for (const envelope of envelopes) {
    expect(check?.(envelope), `${envelope.type} ${JSON.stringify(check?.errors)}`).toBe(true)
    const { required = ['relation'] } = published[`${envelope.type}.json`]
    expect(check?.({ ...envelope, payload: { ...envelope.payload, extra: 1 } })).toBe(false)
    expect(check?.({ ...envelope, payload: { ...envelope.payload, [required[0]]: undefined } })).toBe(false)
    expect(check?.({ ...envelope, extra: 1 })).toBe(false)
  }
})
