import { matchSitePath, type SitePath } from '@svc/operations'
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { PageProps } from './pageProps.ts'

interface Page {
  Page: LazyExoticComponent<ComponentType<PageProps>>
  /** Loads its code. */
  load: () => Promise<unknown>
}

const load = (importPage: () => Promise<ComponentType<PageProps>>): Page => ({
  Page: lazy(async () => ({ default: await importPage() })),
  load: importPage,
})

// One component for all its addresses, so that a corrected address does not load the page again.
const task = load(async () => (await import('./pages/task.tsx')).TaskPage)

// The wallet has sections where earlier versions had pages.
const wallet = load(async () => (await import('./pages/wallet.tsx')).WalletPage)
const actions = load(async () => (await import('./pages/actions.tsx')).ActionsPage)
const judge = load(async () => (await import('./pages/judge.tsx')).JudgePage)

/** The page of each path of the site. */
export const routes: Readonly<Record<SitePath, Page | null>> = {
  '/': load(async () => (await import('./pages/home.tsx')).HomePage),
  '/tasks': load(async () => (await import('./pages/explore.tsx')).ExplorePage),
  '/tasks/:id': task,
  '/tasks/:id/:slug': task,
  '/task/:id': task,
  '/post': load(async () => (await import('./pages/post.tsx')).PostPage),
  '/inbox': load(async () => (await import('./pages/inbox.tsx')).InboxPage),
  '/work': load(async () => (await import('./pages/work.tsx')).WorkPage),
  '/u/:address': load(async () => (await import('./pages/profile.tsx')).ProfilePage),
  '/agents': load(async () => (await import('./pages/agents.tsx')).AgentsPage),
  '/wallet': wallet,
  '/deposit': wallet,
  '/ledger': wallet,
  '/union': wallet,
  '/judge': judge,
  '/disputes': judge,
  '/court': load(async () => (await import('./pages/court.tsx')).CourtPage),
  '/leaderboard': load(async () => (await import('./pages/leaderboard.tsx')).LeaderboardPage),
  '/fees': load(async () => (await import('./pages/fees.tsx')).FeesPage),
  '/help': load(async () => (await import('./pages/help.tsx')).HelpPage),
  '/settings': load(async () => (await import('./pages/settings.tsx')).SettingsPage),
  '/settings/notifications': load(async () => (await import('./pages/notifications.tsx')).NotificationsPage),
  '/do': actions,
  '/do/:action': actions,
  '/plans': load(async () => (await import('./pages/plans.tsx')).PlansPage),
  // Every part of every page, in all states. Only in development.
  '/design': import.meta.env.DEV ? load(async () => (await import('./pages/design.tsx')).DesignPage) : null,
}

/** Loads the code of the page at a path, if there is one. */
export async function loadPage(path: string): Promise<void> {
  const match = matchSitePath(path)
  await (match && routes[match.pattern])?.load()
}
