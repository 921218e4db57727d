import { gzipSync } from 'node:zlib'
import type { Random } from '@svc/simulation/random'
import { type Mutator, type RawRequest, replaceHeaders } from './request.ts'
import { drawNastyText, drawNastyValue, protoNames } from './values.ts'

const json = { type: 'application/json' }
const withBody = (request: RawRequest, body: Buffer | string, { type } = json): RawRequest =>
  replaceHeaders({ ...request, body: Buffer.from(body as string) }, [['Content-Type', type]])

/** Parses the body's object. Returns an empty one if it is not an object any more, or is too large to keep. */
function parseObject({ body }: RawRequest): Record<string, unknown> {
  if (body === null || body.length > 4_000) return {}
  try {
    const value: unknown = JSON.parse(String(body))
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const setField = (request: RawRequest, random: Random, value: unknown): RawRequest => {
  const object = parseObject(request)
  const name = random.pick([...Object.keys(object), 'market'])
  return withBody(request, JSON.stringify({ ...object, [name]: value }))
}

const nested = (depth: number, [open, close]: readonly [string, string]) => open.repeat(depth) + close.repeat(depth)

/** Ways to corrupt a JSON body. */
export const bodyMutators: Readonly<Record<string, Mutator>> = {
  'a nasty value': (request, random) => setField(request, random, drawNastyText(random)),
  'a wrong type': (request, random) => setField(request, random, drawNastyValue(random)),
  'a field missing': (request, random) => {
    const entries = Object.entries(parseObject(request))
    return withBody(request, JSON.stringify(Object.fromEntries(entries.filter(() => random.chance(0.6)))))
  },
  'a field too many': (request, random) =>
    withBody(request, JSON.stringify({ ...parseObject(request), [drawNastyText(random)]: drawNastyValue(random) })),
  'prototype keys': (request, random) => {
    const name = random.pick(protoNames)
    const text = JSON.stringify(parseObject(request)).slice(0, -1)
    const value = random.pick(['{"address":"x","canPost":true}', '1', 'null', '[]', '{"toString":1}'])
    return withBody(request, `${text}${text === '{' ? '' : ','}"${name}":${value}}`)
  },
  'a key twice': (request, random) => {
    const text = JSON.stringify(parseObject(request)).slice(0, -1)
    return withBody(
      request,
      `${text}${text === '{' ? '' : ','}"address":${JSON.stringify(drawNastyText(random))},"market":1}`,
    )
  },
  'no object': (request, random) =>
    withBody(
      request,
      random.pick([
        '',
        ' ',
        'null',
        '[]',
        '1',
        '"x"',
        'true',
        '[{}]',
        '{}{}',
        '{"a":1',
        "{'a':1}",
        'NaN',
        '{"a":1,}',
        '//x',
        '\ufeff{}',
      ]),
    ),
  'invalid UTF-8': (request, random) =>
    withBody(
      request,
      Buffer.concat([
        Buffer.from('{"address":"'),
        Buffer.from(random.pick(['ff', 'c328', 'eda080', 'f8888080', '80', 'c0af']), 'hex'),
        Buffer.from('"}'),
      ]),
    ),
  'another encoding': (request, random) =>
    random.chance(0.5)
      ? withBody(request, Buffer.from(JSON.stringify(parseObject(request)), 'utf16le'), {
          type: 'application/json; charset=utf-16',
        })
      : replaceHeaders(withBody(request, gzipSync(JSON.stringify(parseObject(request)))), [
          ['Content-Encoding', 'gzip'],
        ]),
  'lone surrogates': (request) => withBody(request, '{"address":"\\ud800","market":"\\udfff","system":"\\ud83d"}'),
  'deep JSON': (request, random) =>
    withBody(
      request,
      random.pick([
        nested(20_000, ['[', ']']),
        `{"address":${nested(5_000, ['[', ']'])}}`,
        nested(5_000, ['{"a":', '}']).replace(':}', ':1}'),
      ]),
    ),
  'huge JSON': (request, random) =>
    withBody(request, `{"address":"${'a'.repeat(random.pick([60_000, 65_500, 65_536, 70_000, 300_000]))}"}`),
  'many keys': (request, random) =>
    withBody(request, `{${Array.from({ length: random.pick([1_000, 5_000]) }, (_, i) => `"k${i}":1`).join(',')}}`),
  'huge numbers': (request) =>
    withBody(request, `{"address":1e999,"taskAmountTok":${'9'.repeat(10_000)},"market":-0.0}`),
  'another type': (request, random) =>
    withBody(request, request.body ?? '{}', {
      type: random.pick([
        'text/plain',
        '',
        'application/json5',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/json/x',
        'APPLICATION/JSON',
        'application/json;charset="x',
        ' application/json',
        'text/json, application/json',
      ]),
    }),
  'no body': (request) => ({ ...request, body: null }),
}
