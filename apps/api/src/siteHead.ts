import type { SitePath } from '@svc/operations'
import { decodeTaskText, formatTaskId, sanitizeText, type TaskId } from '@svc/protocol'

/** What a page says about itself before it runs. */
export interface PageHead {
  title: string
  description: string
  type: 'website' | 'article' | 'profile'
  /** What the HTML shows until the app runs; null for the first page, which the build has filled. */
  placeholder: { heading: string; lead: string } | null
}

const name = 'Task Market'
const [maxTitle, maxDescription, maxLead] = [120, 200, 600]
const slogan = 'Tasks that wallets post, claim, work on and are paid for, on chain.'

/** The head of a page that is about nothing in particular. */
export const describePage = (pattern: SitePath): PageHead => {
  const { title, description = slogan } = pages[pattern] ?? {}
  return {
    title: title ? `${title} · ${name}` : name,
    description,
    type: 'website',
    placeholder: pattern === '/' ? null : { heading: title ?? name, lead: description },
  }
}

const pages: Partial<Record<SitePath, { title: string; description?: string }>> = {
  '/tasks': {
    title: 'Open tasks',
    description:
      'Work that anyone with a wallet can do. The pay is locked before work starts. Claim a task, deliver, and you are paid, even if nobody answers.',
  },
  '/post': {
    title: 'Post a task',
    description:
      'Say what counts as done, split the pay into milestones, and lock it. Nothing is published before your wallet signs.',
  },
  '/inbox': { title: 'Inbox', description: 'What waits for your wallet, the most urgent first.' },
  '/work': { title: 'My work', description: 'The tasks that your wallet posted, works on or judges.' },
  '/wallet': { title: 'Wallet', description: 'What your wallet holds in the market, and what it can withdraw.' },
  '/judge': { title: 'Judge', description: 'Disputes that bonded arbitrators decide, and what judging pays.' },
  '/agents': {
    title: 'Find someone',
    description: 'People and agents with a profile, ranked by what the chain says about them.',
  },
  '/court': { title: 'The final court', description: 'Who decides appeals, and the cases that wait.' },
  '/leaderboard': { title: 'Leaderboard', description: 'The wallets with the best records, as the chain has them.' },
  '/fees': { title: 'Fees', description: 'What posting, claiming and leaving cost, and where the money goes.' },
  '/help': { title: 'Help', description: 'How tasks, payment, deadlines and disputes work.' },
  '/settings': { title: 'Settings' },
  '/settings/notifications': { title: 'Notifications' },
  '/plans': { title: 'Plans', description: 'How many tasks a wallet may post in a day, and what more of them cost.' },
}

export const missingPage: PageHead = {
  title: `Nothing here · ${name}`,
  description: 'There is nothing at this address.',
  type: 'website',
  placeholder: { heading: 'Nothing here', lead: 'There is nothing at this address.' },
}

/** The head of a task's page. Only an open task has a text; a private one says nothing but its id. */
export function describeTask(id: TaskId, text: string | null): PageHead {
  if (text === null) {
    const heading = `Private task ${formatTaskId(id)}`
    const description =
      'The poster and the worker agreed on it between themselves. The chain holds only a hash of its text.'
    return { title: `${heading} · ${name}`, description, type: 'article', placeholder: { heading, lead: description } }
  }
  const { title, criteria } = decodeTaskText(text)
  const heading = shorten(title, maxTitle) || formatTaskId(id)
  return {
    title: `${heading} · ${name}`,
    description: shorten(criteria, maxDescription),
    type: 'article',
    placeholder: { heading, lead: shorten(criteria, maxLead) },
  }
}

/** The head of a wallet's page. */
export function describeWallet(address: string): PageHead {
  const heading = `${address.slice(0, 6)}…${address.slice(-4)}`
  const description = `The record of ${address}: tasks posted, work done, ratings and disputes.`
  return { title: `${heading} on ${name}`, description, type: 'profile', placeholder: { heading, lead: description } }
}

/** One line of a stranger's text, of a limited length and without characters that hide or reorder it. */
function shorten(text: string, max: number): string {
  const line = sanitizeText(text, { mark: ' ', strict: true }).replace(/\s+/g, ' ').trim()
  return line.length <= max ? line : `${line.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Fills the file that all pages share with the head and the placeholder of a page. */
export function fillPage(
  page: string,
  { title, description, type, placeholder }: PageHead,
  canonical: string | null,
): string {
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
  const filled = page
    .replace(/<meta name="description"[^>]*>\s*/, () => '')
    .replace(/<title>[^<]*<\/title>/, () => head)
  if (!placeholder) return filled
  const { heading, lead } = placeholder
  const first = `<h1 dir="auto">${escapeHtml(heading)}</h1><p class="first-lead soft" dir="auto">${escapeHtml(lead)}</p>`
  return filled.replace(/<!--page-->.*<!--\/page-->/s, () => first)
}

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0)};`)
