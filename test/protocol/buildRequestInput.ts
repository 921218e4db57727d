import type { Scene } from '@svc/devnet'
import { type AnyAction, encodeActionInput } from '@svc/protocol/actions'
import { deriveInput } from '@svc/protocol/internal/actions'
import { buildFullInput, readTermsByTask } from './buildFullInput.ts'
import type { Case } from './cases.ts'
import { readTaskContexts } from './readTaskContext.ts'

/** Builds the input as JSON, without the fields that are derived from the task. */
export async function buildRequestInput(
  scene: Scene,
  action: AnyAction,
  { by, job, input = {} }: Case,
): Promise<Record<string, unknown>> {
  if (!job || !('taskId' in action.input.shape)) return encodeActionInput(action, input)
  const [context] = await readTaskContexts(scene, [job.id], [by.address])
  const terms = (await readTermsByTask(scene)).get(job.id)
  if (!context || !terms) throw new Error('no task')
  const whole = { ...(await buildFullInput(scene, { action, context, terms, wallet: by.address })), ...input }
  const derived = Object.keys(deriveInput(action, context, by.address)).filter((name) => !(name in input))
  return Object.fromEntries(
    Object.entries(encodeActionInput(action, whole)).filter(([name]) => !derived.includes(name)),
  )
}
