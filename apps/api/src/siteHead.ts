import type { SitePath } from '@svc/operations'
import { decodeTaskText, formatTaskId, sanitizeText, type TaskId } from '@svc/protocol'

/** What the head of a page says about it. */
export interface PageHead {
  title: string
  description: string
  type: 'website' | 'article' | 'profile'
}

const name = 'Task Market'
const [maxTitle, maxDescription] = [120, 200]

/** The head of a page that is about nothing in particular. */
export const describePage = (pattern: SitePath): PageHead => {
  const title = titles[pattern]
  return {
    title: title ? `${title} · ${name}` : name,
    description: 'Tasks that wallets post, claim, work on and are paid for, on chain.',
    type: 'website',
  }
}

const titles: Partial<Record<SitePath, string>> = {
  '/tasks': 'Open tasks',
  '/post': 'Post a task',
  '/inbox': 'Inbox',
  '/work': 'My work',
  '/wallet': 'Wallet',
  '/judge': 'Judge',
  '/leaderboard': 'Leaderboard',
  '/fees': 'Fees',
  '/help': 'Help',
  '/settings': 'Settings',
  '/plans': 'Plans',
}

export const missingPage: PageHead = {
  title: `Nothing here · ${name}`,
  description: 'There is nothing at this address.',
  type: 'website',
}

/** The head of a task's page. Only an open task has a text; a private one says nothing but its id. */
export function describeTask(id: TaskId, text: string | null): PageHead {
  if (text === null) {
    return { title: `Private task ${formatTaskId(id)} · ${name}`, description: 'A private task.', type: 'article' }
  }
  const { title, criteria } = decodeTaskText(text)
  return {
    title: `${shorten(title, maxTitle) || formatTaskId(id)} · ${name}`,
    description: shorten(criteria, maxDescription),
    type: 'article',
  }
}

/** The head of a wallet's page. */
export const describeWallet = (address: string): PageHead => ({
  title: `${address.slice(0, 6)}…${address.slice(-4)} on ${name}`,
  description: `The record of ${address}: tasks posted, work done, ratings and disputes.`,
  type: 'profile',
})

/** One line of a stranger's text, of a limited length and without characters that hide or reorder it. */
function shorten(text: string, max: number): string {
  const line = sanitizeText(text, { mark: ' ', strict: true }).replace(/\s+/g, ' ').trim()
  return line.length <= max ? line : `${line.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Puts a head into the page: its title and description are replaced, the rest is added. */
export function fillHead(page: string, { title, description, type }: PageHead, canonical: string | null): string {
  const meta = (attribute: 'name' | 'property', key: string, content: string) =>
    `<meta ${attribute}="${key}" content="${escapeHtml(content)}" />`
  const head = [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', description),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:type', type),
    meta('property', 'og:site_name', name),
    ...(canonical
      ? [meta('property', 'og:url', canonical), `<link rel="canonical" href="${escapeHtml(canonical)}" />`]
      : []),
  ].join('\n    ')
  // As functions, because `$` in a replacement text has a meaning.
  return page.replace(/<meta name="description"[^>]*>\s*/, () => '').replace(/<title>[^<]*<\/title>/, () => head)
}

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0)};`)
