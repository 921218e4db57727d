import { matchSitePath } from '@svc/operations'
import { BookOpen, CircleDollarSign, Compass, Inbox as InboxIcon, ListChecks, Plus } from 'lucide-react'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { Tray } from './actions/Tray.tsx'
import { chainProfile } from './deployments.ts'
import { NotFound } from './parts/NotFound.tsx'
import { Link, useLocation } from './router.tsx'
import { routes } from './routes.tsx'
import { getPageKey } from './taskPath.ts'
import { text } from './text/common.ts'
import { ErrorBoundary } from './ui/ErrorBoundary.tsx'
import { Note } from './ui/Note.tsx'
import { Skeleton } from './ui/Skeleton.tsx'
import { useLiveUpdates } from './useLiveUpdates.ts'
import { useMarket } from './useMarket.ts'
import { AccountMenu } from './wallet/AccountMenu.tsx'
import { useWallet } from './wallet/useWallet.ts'

const labels = text.navigation

// Only those with a wallet have work to share, and an inbox.
const ShareWork = lazy(async () => ({ default: (await import('./talk/ShareWork.tsx')).ShareWork }))
const InboxCount = lazy(async () => ({ default: (await import('./talk/InboxCount.tsx')).InboxCount }))

/** The frame of every page. */
export function App() {
  const { pathname } = useLocation()
  const { address } = useWallet()
  const market = useMarket()
  useLiveUpdates(market)
  return (
    <>
      <a className="skip" href="#main">
        {text.skip}
      </a>
      <header className="site-header">
        <div className="wrap">
          <Link href="/" className="logo">
            <LogoMark />
            {text.siteName}
          </Link>
          <Navigation className="site-nav" isMember={address !== undefined} path={pathname} />
          <div className="header-end">
            <Tray />
            <AccountMenu />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <div className="wrap">
          {chainProfile.banner && <Note>{chainProfile.banner}</Note>}
          <OfflineNote />
          <ErrorBoundary key={getPageKey(pathname)}>
            <Suspense fallback={<Skeleton lines={6} />}>
              <CurrentPage path={pathname} />
            </Suspense>
          </ErrorBoundary>
        </div>
      </main>
      <footer className="site-footer">
        <div className="wrap">
          <div className="stack">
            <strong className="row">
              <LogoMark /> {text.siteName}
            </strong>
            <p>{text.footer.description}</p>
          </div>
          {text.footer.columns.map(({ title, links }) => (
            <nav key={title} aria-label={title}>
              <h2>{title}</h2>
              {links.map(([href, label]) =>
                href.startsWith('/docs') || href.startsWith('/api') ? (
                  <a key={href} href={href}>
                    {label}
                  </a>
                ) : (
                  <Link key={href} href={href}>
                    {label}
                  </Link>
                ),
              )}
            </nav>
          ))}
        </div>
      </footer>
      {address && (
        <Suspense>
          <ShareWork key={address} />
        </Suspense>
      )}
      <Navigation className="site-nav bottom-nav" isMember={address !== undefined} path={pathname} />
    </>
  )
}

const LogoMark = () => (
  <span className="logo-mark" aria-hidden="true">
    <svg
      width="16"
      height="16"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="3.4"
      aria-hidden="true"
    >
      <path d="M5 12.5l4.5 4.5L19 7.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  </span>
)

function CurrentPage({ path }: { path: string }) {
  const match = matchSitePath(path)
  const { Page } = (match && routes[match.pattern]) ?? {}
  return match && Page ? <Page key={getPageKey(path)} params={match.params} /> : <NotFound />
}

function Navigation({ className, isMember, path }: { className: string; isMember: boolean; path: string }) {
  const links = isMember
    ? ([
        ['/tasks', labels.explore, Compass],
        ['/post', labels.post, Plus],
        ['/inbox', labels.inbox, InboxIcon],
        ['/work', labels.work, ListChecks],
      ] as const)
    : ([
        ['/tasks', labels.explore, Compass],
        ['/post', labels.post, Plus],
        ['/help', labels.help, BookOpen],
        ['/fees', labels.fees, CircleDollarSign],
      ] as const)
  const isBottom = className.includes('bottom')
  return (
    <nav className={className} aria-label={isBottom ? `${labels.label}, at the bottom` : labels.label}>
      {links.map(([href, label, Icon]) => (
        <Link key={href} href={href} aria-current={path === href ? 'page' : undefined}>
          {isBottom && <Icon size={20} aria-hidden="true" />}
          {label}
          {href === '/inbox' && (
            <Suspense>
              <InboxCount />
            </Suspense>
          )}
        </Link>
      ))}
    </nav>
  )
}

function OfflineNote() {
  const isOnline = useSyncExternalStore(
    (listener) => {
      addEventListener('online', listener)
      addEventListener('offline', listener)
      return () => {
        removeEventListener('online', listener)
        removeEventListener('offline', listener)
      }
    },
    () => navigator.onLine,
  )
  return isOnline ? null : <Note tone="turn">{text.offline}</Note>
}
