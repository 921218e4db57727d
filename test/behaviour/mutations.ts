// Changes of behaviour, made between a check and the service that it asks. They are computed from the requests and answers of a
// plain run of the check, so that a new route, field or parameter is mutated without a line here.
import { accounts } from '@svc/devnet'
import { type Answer, isList, isObject, type Json, type JsonObject, type Request } from './call.ts'

export const mutationKinds = {
  'other market': 'the request is answered for the other market',
  'other wallet': 'the request is answered for another wallet',
  'other task': 'the request is answered for another task',
  'part of the input': 'a field of the request, or part of a list in it, never arrives',
  'field of the other market': 'a field has the value that it has in the other market',
  'field of another row': 'a field has the value of the first row in every row',
  constant: 'a field always has the same value',
  'dropped field': 'a field is missing',
  'dropped row': 'the first or the last row of a list is missing',
  'reversed list': 'the order of a list is reversed',
  'skipped check': 'a request that must be refused is answered like a right one',
} as const

export type MutationKind = keyof typeof mutationKinds

/** One change of the behaviour of one route. */
export interface Mutation {
  kind: MutationKind
  /** The route, page or tool. */
  to: string
  /** What it changes: a field such as `body.tasks.*.state`, or a parameter. */
  what: string
  change:
    | { request: (request: Request) => Request }
    /** `index` counts the requests of the check to the route. */
    | { answer: (answer: Answer, request: Request, index: number) => Answer }
}

/** What one request of a check was answered. */
export interface Exchange {
  request: Request
  answer: Answer
}

/** Lists the mutations of one route, from what a check asked it and got. */
export function listMutations(to: string, trace: readonly Exchange[]): Mutation[] {
  const exchanges = trace.filter(({ request }) => request.to === to)
  return [
    ...listRequestMutations(to, exchanges),
    ...listAnswerMutations(to, exchanges),
    ...listSkippedChecks(to, exchanges),
  ]
}

function listRequestMutations(to: string, exchanges: readonly Exchange[]): Mutation[] {
  const inputs = exchanges.filter(isAnswered).map(({ request }) => request.input)
  const all = JSON.stringify(inputs)
  const swap = (kind: MutationKind, what: string, swapText: (text: string) => string): Mutation => ({
    kind,
    to,
    what,
    change: { request: ({ input, ...rest }) => ({ ...rest, input: mapTexts(name(input), swapText) }) },
  })
  // A market that is not named is the standard one.
  const name = (input: JsonObject) =>
    !/v2:|"market"/.test(JSON.stringify(input)) && inputs.some((each) => 'market' in each)
      ? { ...input, market: 'standard' }
      : input
  const names = [...new Set(inputs.flatMap((input) => Object.keys(input)))]
  const lists = names.filter((name) => inputs.some((input) => isList(input[name])))
  const change = (what: string, change: (input: JsonObject) => JsonObject): Mutation => ({
    kind: 'part of the input',
    to,
    what,
    change: { request: (request) => ({ ...request, input: change(request.input) }) },
  })
  const part = (name: string, what: string, take: (list: readonly Json[]) => readonly Json[]) =>
    change(`${name}: ${what}`, (input) => {
      const list = input[name]
      return isList(list) ? { ...input, [name]: take(list) } : input
    })
  return [
    ...(/"(?:standard|micro)"|v2:(?:standard|micro):/.test(all) ? [swap('other market', 'market', swapMarket)] : []),
    ...(findWallets(all).length > 0 ? [swap('other wallet', 'wallet', swapWallet)] : []),
    ...(/v2:(?:standard|micro):/.test(all) ? [swap('other task', 'task', swapTask)] : []),
    ...names.map((name) => change(name, ({ [name]: _, ...rest }) => rest)),
    ...lists.flatMap((name) => [
      part(name, 'only the last', (list) => list.slice(-1)),
      part(name, 'without the first', (list) => list.slice(1)),
    ]),
  ]
}

const isAnswered = ({ answer }: Exchange) => answer.status < 400

const swapMarket = (text: string) =>
  text.replace(/^(?:standard|micro)$|(?<=^|,)v2:(?:standard|micro):/g, (name) =>
    name.includes('micro') ? name.replace('micro', 'standard') : name.replace('standard', 'micro'),
  )
const swapTask = (text: string) =>
  text.replace(/(?<=^|,)(v2:\w+:)(\d+)/g, (_, market, number) => `${market}${BigInt(number) + 1n}`)

const wallets = Object.values(accounts).map(({ address }) => address)
const findWallets = (text: string) => wallets.filter((each) => text.toLowerCase().includes(each.toLowerCase()))
/** Posters and workers have something everywhere, so their neighbour has something else. */
const swapWallet = (text: string) =>
  text.replace(/0x[0-9a-fA-F]{40}\b/g, (wallet) => {
    const index = wallets.findIndex((each) => each.toLowerCase() === wallet.toLowerCase())
    return index < 0 ? wallet : (wallets[index === 0 ? 1 : index - 1] ?? wallet)
  })

function mapTexts(input: JsonObject, change: (text: string) => string): JsonObject {
  const map = (value: Json): Json => {
    if (typeof value === 'string') return change(value)
    if (isList(value)) return value.map(map)
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, map(each)])) : value
  }
  return Object.fromEntries(Object.entries(input).map(([name, each]) => [name, map(each)]))
}

/** A place in an answer: names of fields, and `*` for every row of a list. */
type Path = readonly string[]

function listAnswerMutations(to: string, exchanges: readonly Exchange[]): Mutation[] {
  return Object.entries(Object.groupBy(exchanges, (each) => (isAnswered(each) ? 'answered' : 'refused'))).flatMap(
    ([group, some = []]) => {
      const places = findPlaces(some.map(({ answer }) => toBody(answer)))
      // Of a refusal, its status, its code, its words and the quota are promised.
      const isPromised = (path: Path) =>
        group === 'answered' || /^(?:status|body\.(?:code|error|quota)\b)/.test(path.join('.'))
      const leaves = places.leaves.filter(({ path }) => isPromised(path))
      const [fields, lists] = [places.fields.filter(isPromised), places.lists.filter(isPromised)]
      const make = (kind: MutationKind, path: Path, change: (body: Json, request: Request) => Json): Mutation => ({
        kind,
        to,
        what: `${path.join('.')}${group === 'refused' ? ' of a refusal' : ''}`,
        change: {
          answer: (answer, request) =>
            isAnswered({ answer, request }) === (group === 'answered')
              ? toAnswer(change(toBody(answer), request))
              : answer,
        },
      })
      const twins = findTwins(some)
      return [
        ...leaves.flatMap(({ path, values }) => [
          make('constant', path, (body) => changeAt(body, path, () => pickConstant(values))),
          ...(some.some(({ answer }) => hasDifferentRows(toBody(answer), path))
            ? [make('field of another row', path, (body) => changeAt(body, path, pickFirst(body, path)))]
            : []),
          ...(twins.size > 0 && group === 'answered'
            ? [
                make('field of the other market', path, (body, request) =>
                  copyAt(body, twins.get(toKey(request)), path),
                ),
              ]
            : []),
        ]),
        ...fields.map((path) => make('dropped field', path, (body) => changeAt(body, path, () => undefined))),
        ...lists.flatMap((path) => [
          make('dropped row', [...path, 'first'], (body) => changeList(body, path, (list) => list.slice(1))),
          make('dropped row', [...path, 'last'], (body) => changeList(body, path, (list) => list.slice(0, -1))),
          ...(some.some(({ answer }) => hasDifferentRows(toBody(answer), [...path, '*']))
            ? [make('reversed list', path, (body) => changeList(body, path, (list) => list.toReversed()))]
            : []),
        ]),
      ]
    },
  )
}

const toBody = ({ status, body }: Answer): Json => ({ status, body })
function toAnswer(value: Json): Answer {
  if (!isObject(value)) throw new TypeError('An answer is an object.')
  return { status: typeof value.status === 'number' ? value.status : 0, body: value.body ?? null }
}

const toKey = (request: Request) => JSON.stringify(request)

/** The answers to the same requests about the other market, by request. */
function findTwins(exchanges: readonly Exchange[]): Map<string, Json> {
  const twins = new Map<string, Json>()
  for (const one of exchanges) {
    for (const other of exchanges) {
      const swapped = { ...one.request, input: mapTexts(one.request.input, swapMarket) }
      if (toKey(swapped) !== toKey(one.request) && toKey(swapped) === toKey(other.request))
        twins.set(toKey(one.request), toBody(other.answer))
    }
  }
  return twins
}

interface Places {
  leaves: { path: Path; values: Json[] }[]
  fields: Path[]
  lists: Path[]
}

/** Finds every field, value and list of the answers. Rows of a list share their places. */
function findPlaces(bodies: readonly Json[]): Places {
  const leaves = new Map<string, { path: Path; values: Json[] }>()
  const [fields, lists] = [new Map<string, Path>(), new Map<string, Path>()]
  const walk = (value: Json, path: Path) => {
    const name = path.join('.')
    if (isList(value)) {
      if (value.length > 0) lists.set(name, path)
      for (const each of value) walk(each, [...path, '*'])
    } else if (isObject(value)) {
      for (const [key, each] of Object.entries(value)) {
        fields.set([...path, key].join('.'), [...path, key])
        walk(each, [...path, key])
      }
    } else {
      const leaf = leaves.get(name) ?? { path, values: [] }
      leaf.values.push(value)
      leaves.set(name, leaf)
    }
  }
  for (const body of bodies) walk(body, [])
  return { leaves: [...leaves.values()], fields: [...fields.values()], lists: [...lists.values()] }
}

/** A value of the same type that is not always right. */
function pickConstant(values: readonly Json[]): Json {
  const [value = null] = values.filter((each) => each !== null)
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return values.every((each) => each === 0) ? 1 : 0
  if (typeof value !== 'string') return 1
  if (/^\d+$/.test(value)) return values.every((each) => each === '0') ? '1' : '0'
  return values.every((each) => each === '') ? 'x' : ''
}

/** Changes every value at a path. A value that becomes undefined is removed. */
function changeAt(value: Json, [key, ...rest]: Path, change: (value: Json) => Json | undefined): Json {
  if (key === undefined) return change(value) ?? null
  if (isList(value) && key === '*') return value.map((each) => changeAt(each, rest, change))
  if (!isObject(value) || !(key in value)) return value
  const { [key]: own = null, ...others } = value
  const changed = rest.length === 0 ? change(own) : changeAt(own, rest, change)
  return changed === undefined ? others : { ...value, [key]: changed }
}

const changeList = (body: Json, path: Path, change: (list: readonly Json[]) => readonly Json[]) =>
  changeAt(body, path, (list) => (isList(list) ? change(list) : list))

/** Whether the rows of a list have different values at a path. Otherwise exchanging them changes nothing. */
function hasDifferentRows(body: Json, path: Path): boolean {
  const values = new Set<string>()
  if (path.includes('*')) {
    changeAt(body, path, (value) => {
      values.add(JSON.stringify(value))
      return value
    })
  }
  return values.size > 1
}

/** Returns a change that gives every row the value of the first one. */
function pickFirst(body: Json, path: Path): (value: Json) => Json {
  const values: Json[] = []
  changeAt(body, path, (value) => {
    values.push(value)
    return value
  })
  const [first] = values
  return (value) => (first === undefined ? value : first)
}

/** Copies the values at a path from another answer, row by row. */
function copyAt(body: Json, from: Json | undefined, path: Path): Json {
  if (from === undefined) return body
  const values: Json[] = []
  changeAt(from, path, (value) => {
    values.push(value)
    return value
  })
  let index = 0
  return changeAt(body, path, (value) => {
    const other = values[index++]
    return other === undefined ? value : other
  })
}

/** A refusal that is not made: the answer of the last right request instead, or an empty one. */
function listSkippedChecks(to: string, exchanges: readonly Exchange[]): Mutation[] {
  const right = exchanges.findLast(isAnswered)?.answer ?? { status: 200, body: {} }
  return exchanges.flatMap((exchange, refused): Mutation[] => {
    if (isAnswered(exchange)) return []
    const what = `${refused}: ${JSON.stringify(exchange.request.input).slice(0, 120)}`
    // What a request contains can change with each run, such as a receipt or a message to sign.
    const answer = (plain: Answer, _: Request, index: number) => (index === refused ? right : plain)
    return [{ kind: 'skipped check', to, what, change: { answer } }]
  })
}
