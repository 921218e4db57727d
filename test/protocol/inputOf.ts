import type { Scene } from '@svc/devnet'
import { type AnyAction, writeInput } from '@svc/protocol/actions'
import { bring, readTerms } from './bring.ts'
import type { Case } from './cases.ts'
import { readStandings } from './readStanding.ts'

/** The input as JSON without what the task answers. */
export async function inputOf(
  scene: Scene,
  action: AnyAction,
  { by, job, input = {} }: Case,
): Promise<Record<string, unknown>> {
  if (!job || !('taskId' in action.input.shape)) return writeInput(action, input)
  const [standing] = await readStandings(scene, [job.id], [by.address])
  const terms = (await readTerms(scene)).get(job.id)
  if (!standing || !terms) throw new Error('no task')
  const whole = { ...(await bring(scene, { action, standing, terms, wallet: by.address })), ...input }
  const known = Object.keys(action.known?.(standing, by.address) ?? {}).filter((name) => !(name in input))
  return Object.fromEntries(Object.entries(writeInput(action, whole)).filter(([name]) => !known.includes(name)))
}
