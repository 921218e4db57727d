import * as z from 'zod/mini'
import { formatTaskId, InvalidTaskIdError, parseTaskId, type TaskId } from './taskId.ts'

/** A codec between the text of a task id and `TaskId`. Apart from the id, so that a page which only parses one does not load zod. */
export const taskId = z.codec(z.string(), z.custom<TaskId>(), {
  decode: (id, context) => {
    try {
      return parseTaskId(id)
    } catch (error) {
      if (!(error instanceof InvalidTaskIdError)) throw error
      context.issues.push({ code: 'custom', message: error.message, input: id })
      return z.NEVER
    }
  },
  encode: formatTaskId,
})
