import { formatTaskId, type TaskId } from '@svc/protocol'
import { escapeHtml } from './siteHead.ts'

/** Pages that are the same for everybody. */
const pages = ['/', '/tasks', '/agents', '/leaderboard', '/fees', '/help']

/** Writes robots.txt: everything but the API, whose answers are no pages. */
export const writeRobots = (origin: string): string =>
  ['User-agent: *', 'Allow: /', 'Disallow: /api/', `Sitemap: ${origin}/sitemap.xml`, ''].join('\n')

/** Writes sitemap.xml: the pages of the site, and these tasks. */
export function writeSitemap(origin: string, tasks: readonly TaskId[]): string {
  const urls = [...pages, ...tasks.map((id) => `/tasks/${formatTaskId(id)}`)]
  const lines = urls.map((path) => `<url><loc>${escapeHtml(`${origin}${path}`)}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('\n')}\n</urlset>\n`
}
