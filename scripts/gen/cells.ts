import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { disputePhases, taskStates } from '../../packages/protocol/src/states.ts'
import { cells, type Situation } from '../../test/model/cells.ts'
import { errorSelector } from '../../test/model/errorSelector.ts'

const file = fileURLToPath(new URL('../../packages/protocol/vectors/cells.json', import.meta.url))

/** Writes the expected result of every call in every situation, for contracts/test/cells. In columns, because forge reads those well. */
export async function genCells(): Promise<void> {
  const situations = cells()
  const json = { situations: situations.map(({ name }) => name), ...Object.fromEntries(situations.map(columns)) }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(json, null, 1)}\n`)
  const count = situations.reduce((sum, situation) => sum + situation.cells.length, 0)
  console.log(`${count} cells in ${situations.length} situations -> packages/protocol/vectors/cells.json`)
}

function columns({ name, steps, end, cells }: Situation): [string, unknown] {
  return [
    name,
    {
      steps: steps.map(({ operation }) => operation),
      actors: steps.map(({ role }) => role),
      // The last time is the situation's own.
      times: [...steps.map(({ at }) => at), end],
      operations: cells.map(({ operation }) => operation),
      roles: cells.map(({ role }) => role),
      errors: cells.map(({ error }) => (error ? Number(errorSelector(error)) : 0)),
      states: cells.map(({ state }) => taskStates.indexOf(state)),
      phases: cells.map(({ phase }) => disputePhases.indexOf(phase)),
    },
  ]
}
