import { createRandom, type Random } from '../sim/random.ts'
import { type Operation, operations } from './contract.ts'
import type { RawRequest, Spoil } from './request.ts'
import { bodySpoils } from './spoilBody.ts'
import { envelopeSpoils } from './spoilEnvelope.ts'
import { querySpoils } from './spoilQuery.ts'

type Input = Readonly<Record<string, unknown>>

/** Draws the requests of a run: first every URL trick in every field that takes words, then chance. */
export function createDraw(seed: number, tricks: readonly string[]) {
  const sweep = operations.flatMap((operation) =>
    operation.words.flatMap((field) => tricks.map((trick) => ({ operation, field, trick }))),
  )

  return {
    swept: sweep.length,
    draw(index: number): RawRequest {
      const first = sweep[index]
      if (first) {
        const { operation, field, trick } = first
        const request = written(operation, { ...operation.good[0], [field]: trick })
        return { ...request, label: `a URL in ${field}` }
      }
      const random = createRandom(seed, index)
      const operation = random.pick(operations)
      let request = written(operation, random.pick(operation.good))
      if (random.chance(0.05)) return request
      for (let spoils = 1 + random.below(3); spoils > 0; spoils--) {
        const [name, spoil] = drawSpoil(operation, random)
        request = { ...spoil(request, random), label: `${request.label}, ${name}` }
      }
      return request
    },
  }
}

function drawSpoil({ method }: Operation, random: Random): readonly [string, Spoil] {
  const spoils = random.chance(0.3) ? envelopeSpoils : method === 'POST' ? bodySpoils : querySpoils
  const [name, spoil] = random.pick(Object.entries(spoils))
  if (name === 'a block to wait for' && !random.chance(0.05)) return drawSpoil({ method } as Operation, random)
  return [name, spoil]
}

/** A good request of an operation. */
function written({ method, path }: Operation, input: Input): RawRequest {
  const label = `${method} ${path}`
  if (method === 'POST') {
    const body = Buffer.from(JSON.stringify(input))
    return { method, target: path, headers: [['Content-Type', 'application/json']], body, label }
  }
  const query = Object.entries(input).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return { method, target: query.length > 0 ? `${path}?${query.join('&')}` : path, headers: [], body: null, label }
}
