// node test/differential/generate.ts [--sequences 500] [--steps 40] [--seed 1]
// Writes random sequences of calls with the model's results, for contracts/test/differential to repeat.
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { encode, encodeOperations } from './encode.ts'
import { sequence } from './sequence.ts'

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '500' },
    steps: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
  },
})
const file = fileURLToPath(new URL('../../contracts/cache/differential.txt', import.meta.url))
const count = Number(values.sequences)
const outcomes = new Map<string, number>()

await mkdir(dirname(file), { recursive: true })
const out = createWriteStream(file)
out.write(`${count}\n${encodeOperations()}\n`)
for (let i = 0; i < count; i++) {
  const life = sequence(Number(values.seed) * 1_000_000 + i, Number(values.steps))
  out.write(`${encode(life)}\n`)
  for (const { call, error } of life.steps) {
    const key = error ? `refused ${error}` : `done ${call.operation}`
    outcomes.set(key, (outcomes.get(key) ?? 0) + 1)
  }
}
out.end()
await finished(out)
const done = [...outcomes].filter(([key]) => key.startsWith('done')).reduce((sum, [, times]) => sum + times, 0)
console.log(`${count} sequences x ${values.steps} steps, seed ${values.seed}: ${done} calls go through`)
for (const [key, times] of [...outcomes].sort(([a], [b]) => (a < b ? -1 : 1))) console.log(`  ${key}: ${times}`)
