import { readFile, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { AdminError } from '../adminError.ts'
import { hashPlan, type Plan } from '../plan/planFile.ts'

const stateSchema = z.strictObject({
  plan: z.string(),
  chainId: z.number(),
  /** The block of the first transaction: no log of the suite is older. */
  startBlock: z.number().nullable(),
  transactions: z.array(z.strictObject({ name: z.string(), hash: z.string() })),
})

/** How far a deployment has come. The chain decides what exists; the file remembers what was sent, and the first block. */
export type DeployState = z.output<typeof stateSchema>

/** Loads the state of a deployment; a new one if the file does not exist. Throws if it belongs to another plan. */
export async function loadState(file: string, plan: Plan): Promise<DeployState> {
  const text = await readFile(file, 'utf8').catch(() => null)
  const fresh = { plan: hashPlan(plan), chainId: plan.chainId, startBlock: null, transactions: [] }
  if (text === null) return fresh
  const parsed = stateSchema.safeParse(JSON.parse(text))
  if (!parsed.success)
    throw new AdminError(`${file} is not the state of a deployment. Move it away to start without it.`)
  if (parsed.data.plan !== fresh.plan)
    throw new AdminError(`${file} belongs to another plan. A deployment that was begun is finished with its own plan.`)
  return parsed.data
}

/** Writes the state. Renames a whole file, so an interruption leaves the old one or the new one. */
export async function saveState(file: string, state: DeployState): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`)
  await rename(`${file}.new`, file)
}
