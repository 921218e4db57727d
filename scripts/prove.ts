// pnpm prove [--counts <file>] [--print <name>]
// Proves properties of the tables with z3, for any number of tasks, milestones, disputes and calls and for any amounts. Then
// plants defects, each of which must break the proof of its property, and compares what the words of the tables mean with the
// model. --counts writes {passed, failed} for .ci/run.
// --print writes one query instead: of a property by its name, or of a defect by its text.
import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { defects } from '../packages/simulation/src/proof/defects.ts'
import { compareWithModel } from '../packages/simulation/src/proof/modelSteps.ts'
import { properties } from '../packages/simulation/src/proof/properties.ts'
import { type Property, writeQuery } from '../packages/simulation/src/proof/query.ts'
import { type Rules, rules } from '../packages/simulation/src/proof/rules.ts'
import { listSteps } from '../packages/simulation/src/proof/steps.ts'

interface Query {
  property: string
  /** The name of the property, or the text of a defect. */
  name: string
  write: () => string
  /** Says what is wrong with z3's answer. */
  findFaults: (output: string) => readonly string[]
}

interface Answer {
  faults: readonly string[]
  seconds: number
}

/** How much z3 may work on a query: a busy machine does not change it. The hardest query takes a twentieth of it. */
const workAllowed = 100_000_000
const secondsAllowed = 300
const modelStatement = 'Every row is a step of the model, and every word does what the model does.'
const meanings: Readonly<Record<string, string>> = {
  sat: 'the property holds',
  unsat: 'the property can be violated',
  unknown: 'z3 gave up',
}
const { values } = parseArgs({ options: { counts: { type: 'string' }, print: { type: 'string' } } })
const all: readonly [name: string, property: Property][] = Object.entries(properties)
const steps = listSteps(rules)
const queries = [compareModel(), ...all.flatMap(([name, property]) => listQueries(name, property))]
if (values.print === undefined) await prove()
else print(values.print)

function listQueries(property: string, own: Property): Query[] {
  const planted: Readonly<Record<string, Readonly<Record<string, Rules>>>> = defects
  const expect = (answer: string, name: string) => (output: string) =>
    output === answer ? [] : [`${name}: ${meanings[output] ?? output}`]
  return [
    { property, name: property, write: () => writeQuery(own, rules), findFaults: expect('sat', property) },
    ...Object.entries(planted[property] ?? {}).map(([name, broken]) => ({
      property,
      name,
      write: () => writeQuery(own, broken),
      findFaults: expect('unsat', `${property}, with the defect "${name}"`),
    })),
  ]
}

function compareModel(): Query {
  let findFaults: Query['findFaults'] = () => []
  const write = () => {
    const comparison = compareWithModel(steps, Object.values(properties))
    findFaults = comparison.findFaults
    return comparison.query
  }
  return { property: 'model', name: 'model', write, findFaults: (output) => findFaults(output) }
}

function print(name: string): void {
  const query = queries.find((each) => each.name === name)
  if (!query) {
    console.error(`--print takes model, ${all.map(([each]) => each).join(', ')}, or the text of a defect; not ${name}.`)
    process.exit(2)
  }
  console.log(query.write())
}

async function prove(): Promise<void> {
  const started = performance.now()
  const answers = new Map<Query, Answer>()
  const queue = queries.values()
  const work = async () => {
    for (const query of queue) answers.set(query, await ask(query))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  const isRight = (query: Query) => answers.get(query)?.faults.length === 0

  console.log('property      seconds  defects refuted')
  for (const [name, { statement }] of [['model', { statement: modelStatement }] as const, ...all]) {
    const [proof, ...planted] = queries.filter(({ property }) => property === name)
    const seconds = (proof && answers.get(proof)?.seconds) ?? 0
    const refuted = `${planted.filter(isRight).length} of ${planted.length}`
    console.log(`${name.padEnd(14)}${seconds.toFixed(2).padStart(7)}  ${refuted}  ${statement}`)
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${all.length} properties, ${queries.length} queries, ${seconds} s`)
  const faults = [...answers.values()].flatMap((answer) => answer.faults)
  for (const fault of faults) console.error(`not proven: ${fault}`)
  if (values.counts) {
    const failed = queries.filter((query) => !isRight(query)).length
    await mkdir(dirname(values.counts), { recursive: true })
    await writeFile(values.counts, `${JSON.stringify({ passed: queries.length - failed, failed })}\n`)
  }
  process.exitCode = faults.length > 0 ? 1 : 0
}

async function ask({ name, write, findFaults }: Query): Promise<Answer> {
  const query = write()
  const started = performance.now()
  const child = spawn('z3', ['-in', `-T:${secondsAllowed}`, `rlimit=${workAllowed}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.once('error', () => {
    console.error('z3 is missing: install it, on Debian by apt-get install z3.')
    process.exit(1)
  })
  child.stdin.end(query)
  const output = (await text(child.stdout)).trim()
  const isLate = output.endsWith('timeout')
  const faults = isLate ? [`${name}: z3 has no answer in ${secondsAllowed} s`] : findFaults(output)
  return { faults, seconds: (performance.now() - started) / 1000 }
}
