/**
 * The paths of the web site's pages, in one place: the service answers each with the page, the site shows one for each. The
 * last line has the paths of earlier versions.
 */
export const sitePaths = [
  '/',
  '/tasks',
  '/tasks/:id',
  '/tasks/:id/:slug',
  '/post',
  '/inbox',
  '/work',
  '/u/:address',
  '/agents',
  '/wallet',
  '/judge',
  '/court',
  '/leaderboard',
  '/fees',
  '/help',
  '/settings',
  '/settings/notifications',
  '/design',
  '/do',
  '/do/:action',
  ...(['/task/:id', '/ledger', '/deposit', '/union', '/plans', '/disputes'] as const),
] as const

export type SitePath = (typeof sitePaths)[number]

/** A page of the site, with the parameters of its path. */
export interface SiteMatch {
  pattern: SitePath
  params: Readonly<Record<string, string>>
}

/** Finds the page at a path; null if there is none, or if the path is not valid percent-encoding. */
export function matchSitePath(path: string): SiteMatch | null {
  const parts = split(path.length > 1 ? path.replace(/\/$/, '') : path)
  for (const pattern of sitePaths) {
    const names = split(pattern)
    if (names.length !== parts.length) continue
    const isMatch = names.every((name, index) => (name.startsWith(':') ? parts[index] !== '' : name === parts[index]))
    const params = isMatch ? decodeParams(names, parts) : null
    if (params) return { pattern, params }
  }
  return null
}

const split = (path: string) => path.split('/').slice(1)

function decodeParams(names: readonly string[], parts: readonly string[]): Record<string, string> | null {
  try {
    const params = names.flatMap((name, index) =>
      name.startsWith(':') ? [[name.slice(1), decodeURIComponent(parts[index] ?? '')]] : [],
    )
    return Object.fromEntries(params)
  } catch {
    return null
  }
}
