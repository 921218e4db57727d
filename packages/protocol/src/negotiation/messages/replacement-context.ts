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

/** The poster describes the earlier task that this one continues. Nothing in it is verified. */
export const replacementContext = { payload, apply: () => ({}) } as const satisfies Kind<z.output<typeof payload>>
