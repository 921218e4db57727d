import { createRandom, type Random } from '@svc/simulation/random'
import { bodyMutators } from './bodyMutators.ts'
import { type Operation, operations } from './contract.ts'
import { envelopeMutators } from './envelopeMutators.ts'
import { queryMutators } from './queryMutators.ts'
import type { Mutator, RawRequest } from './request.ts'

type Input = Readonly<Record<string, unknown>>

/**
 * Generates the requests of a run: random mutations, and every SSRF URL in every text field. Until the URLs are used up, every
 * second request tries one, and each URL is tried in all fields before the next, so that a short run has some of everything.
 */
export function createRequestGenerator(seed: number, tricks: readonly string[]) {
  const sweep = tricks.flatMap((trick) =>
    operations.flatMap((operation) => operation.words.map((field) => ({ operation, field, trick }))),
  )

  return {
    urls: sweep.length,
    draw(index: number): RawRequest {
      const swept = index % 2 === 0 ? sweep[index / 2] : undefined
      if (swept) {
        const { operation, field, trick } = swept
        const request = buildRequest(operation, { ...operation.good[0], [field]: trick })
        return { ...request, label: `a URL in ${field}` }
      }
      const random = createRandom(seed, index)
      const operation = random.pick(operations)
      let request = buildRequest(operation, random.pick(operation.good))
      if (random.chance(0.05)) return request
      for (let mutations = 1 + random.below(3); mutations > 0; mutations--) {
        const [name, mutate] = drawMutator(operation, random)
        request = { ...mutate(request, random), label: `${request.label}, ${name}` }
      }
      return request
    },
  }
}

function drawMutator({ method }: Operation, random: Random): readonly [string, Mutator] {
  const mutations = random.chance(0.3) ? envelopeMutators : method === 'POST' ? bodyMutators : queryMutators
  const [name, mutate] = random.pick(Object.entries(mutations))
  if (name === 'a block to wait for' && !random.chance(0.05)) return drawMutator({ method } as Operation, random)
  return [name, mutate]
}

/** Builds a valid request of an operation. */
function buildRequest({ method, path }: Operation, input: Input): RawRequest {
  const label = `${method} ${path}`
  if (method === 'POST') {
    const body = Buffer.from(JSON.stringify(input))
    return { method, target: path, headers: [['Content-Type', 'application/json']], body, label }
  }
  const query = Object.entries(input).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return { method, target: query.length > 0 ? `${path}?${query.join('&')}` : path, headers: [], body: null, label }
}
