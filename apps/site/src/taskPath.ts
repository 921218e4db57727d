/** The address of a task's page. The title is decoration: the id alone finds the task. */
export function buildTaskPath(id: string, title?: string | null): string {
  const labels = (title ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}/gu, '')
    .replace(/[^\p{Letter}\p{Number}]+/gu, '-')
  const slug = Array.from(labels)
    .slice(0, 60)
    .join('')
    .replace(/^-+|-+$/g, '')
  return slug === '' ? `/tasks/${id}` : `/tasks/${id}/${encodeURIComponent(slug)}`
}

/** The part of a path that says which page it is. Whatever follows the id of a task does not. */
export const getPageKey = (path: string): string => path.replace(/^\/tasks?\/([^/]+).*$/, '/tasks/$1')
