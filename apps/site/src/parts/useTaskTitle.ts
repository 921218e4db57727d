import { parseTaskId, sanitizeText } from '@svc/protocol'
import { useApi } from '../api.ts'
import { text } from '../text/common.ts'

/** What people call a task: its title, or its number until that is known. It is a stranger's text. */
export function useTaskTitle(id: string): string {
  const { body } = useApi('getTask', { id })
  if (!body) return text.taskNumber(parseTaskId(id).number)
  return body.task.text ? sanitizeText(body.task.text.title) : text.privateTask
}
