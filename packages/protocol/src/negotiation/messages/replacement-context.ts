import * as z from 'zod/mini'
import { taskId } from '../../taskId.ts'
import { prose } from '../../taskText.ts'
import { bytes32 } from '../../wire.ts'
import type { Kind } from '../kind.ts'

const payload = z.strictObject({
  previousTaskId: z.optional(taskId),
  previousDigest: bytes32,
  summary: prose,
})

/** The poster tells of the earlier task that this one goes on with: nothing in it is checked. */
export const replacementContext = { payload, apply: () => ({}) } as const satisfies Kind<z.output<typeof payload>>
