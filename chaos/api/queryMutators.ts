import type { Mutator, RawRequest } from './request.ts'
import { drawNastyText, protoNames } from './values.ts'

const encode = (text: string) => encodeURIComponent(text.toWellFormed())
const add = (request: RawRequest, part: string): RawRequest => ({
  ...request,
  target: `${request.target}${request.target.includes('?') ? '&' : '?'}${part}`,
})
const names = (target: string) => (target.split('?')[1] ?? 'market=').split('&').map((part) => part.split('=')[0] ?? '')

/** Replaces the value of one parameter. */
const replace = (request: RawRequest, name: string, value: string): RawRequest => {
  const [path = '', query = ''] = request.target.split('?')
  const parts = query.split('&').filter((part) => part !== '' && !part.startsWith(`${name}=`))
  return { ...request, target: `${path}?${[...parts, `${name}=${value}`].join('&')}` }
}

/** Ways to corrupt a query. */
export const queryMutators: Readonly<Record<string, Mutator>> = {
  'a nasty value': (request, random) =>
    replace(request, random.pick(names(request.target)), encode(drawNastyText(random))),
  'raw bytes': (request, random) =>
    replace(
      request,
      random.pick(names(request.target)),
      random.pick(['\xff\xfe', '\xc3\x28', 'a b', '|{}^`"<>', '\xe2\x82']),
    ),
  'bad percents': (request, random) =>
    replace(
      request,
      random.pick(names(request.target)),
      random.pick(['%', '%zz', '%ff', '%c3%28', '%00', '%u0041', '%%41', '%25%30%30']),
    ),
  'given twice': (request, random) => {
    const name = random.pick(names(request.target))
    return add(request, `${name}=${encode(drawNastyText(random))}&${name}=1`)
  },
  'array names': (request, random) => {
    const name = random.pick(names(request.target))
    return add(
      request,
      random.pick([`${name}[]=1`, `${name}[0]=1&${name}[1]=2`, `${name}[$ne]=1`, `${name}.x=1`, `${name}%5B%5D=1`]),
    )
  },
  'prototype names': (request, random) => {
    const name = random.pick(protoNames)
    return add(
      request,
      random.pick([`${name}=1`, `${name}[x]=1`, `${name}.limit=1`, `${name}=1&${name}=2`, `x[${name}]=1`]),
    )
  },
  'too long': (request, random) =>
    replace(request, random.pick(names(request.target)), 'a'.repeat(random.pick([3_900, 4_200, 9_000]))),
  'many parameters': (request, random) =>
    add(request, Array.from({ length: random.pick([100, 500, 900]) }, (_, i) => `a${i}=`).join('&')),
  'odd separators': (request, random) =>
    add(request, random.pick(['&&&&', '=', '=&=', '&=1', '?x=1?y=2', ';a=1;b=2', '#x', '%26a%3D1', '&limit'])),
  'no query': (request) => ({ ...request, target: request.target.split('?')[0] ?? '/' }),
  // Rarely drawn, because each one waits until the request times out.
  'a block to wait for': (request, random) =>
    replace(request, 'minBlock', random.pick(['999999999999999', '99999999'])),
  'a block that was': (request, random) => replace(request, 'minBlock', String(random.below(500))),
}
