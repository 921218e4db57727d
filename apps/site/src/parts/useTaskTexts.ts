import type { TaskJson } from '@svc/client'
import { sanitizeText } from '@svc/protocol'
import { useApi } from '../api.ts'

/** What a poster wrote. Untrusted text by strangers. */
export interface TaskWords {
  title: string
  excerpt: string
  /** Only searches have them. */
  tags?: readonly string[]
}

/** As many as one request may ask for. A page of a list has at most two such parts. */
const perRequest = 50

/** The titles and first lines of tasks of one market, by id. */
export function useTaskTexts(tasks: readonly TaskJson[]): {
  texts: ReadonlyMap<string, TaskWords>
  isPending: boolean
} {
  const ids = tasks.filter(({ scope }) => scope === 'OPEN').map(({ id }) => id)
  const first = ids.slice(0, perRequest).join(',')
  const second = ids.slice(perRequest, 2 * perRequest).join(',')
  const parts = [
    useApi('listTitles', { ids: first }, first !== ''),
    useApi('listTitles', { ids: second }, second !== ''),
  ]
  const found = parts.flatMap(({ body }) => body?.titles ?? [])
  return {
    texts: new Map(
      found.map(({ id, title, excerpt }) => [id, { title: sanitizeText(title), excerpt: sanitizeText(excerpt) }]),
    ),
    isPending: first !== '' && parts[0]?.body === undefined && parts[0]?.error === null,
  }
}
