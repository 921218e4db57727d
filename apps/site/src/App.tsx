import { lazy, Suspense } from 'react'
import { MarketPage } from './pages/MarketPage.tsx'
import { Link, useLocation } from './router.tsx'
import { Connect } from './wallet/Connect.tsx'
import { Tray } from './wallet/Tray.tsx'

const TaskPage = lazy(async () => ({ default: (await import('./pages/TaskPage.tsx')).TaskPage }))
const PostPage = lazy(async () => ({ default: (await import('./pages/PostPage.tsx')).PostPage }))
const WorkPage = lazy(async () => ({ default: (await import('./pages/WorkPage.tsx')).WorkPage }))
const LedgerPage = lazy(async () => ({ default: (await import('./pages/LedgerPage.tsx')).LedgerPage }))
const DisputesPage = lazy(async () => ({ default: (await import('./pages/DisputesPage.tsx')).DisputesPage }))
const DepositPage = lazy(async () => ({ default: (await import('./pages/DepositPage.tsx')).DepositPage }))
const UnionPage = lazy(async () => ({ default: (await import('./pages/UnionPage.tsx')).UnionPage }))
const PlansPage = lazy(async () => ({ default: (await import('./pages/PlansPage.tsx')).PlansPage }))
const ActionPage = lazy(async () => ({ default: (await import('./pages/ActionPage.tsx')).ActionPage }))

const navigation = [
  ['/', 'Market'],
  ['/post', 'Post'],
  ['/work', 'My work'],
  ['/ledger', 'Ledger'],
  ['/disputes', 'Disputes'],
  ['/deposit', 'Deposit'],
  ['/union', 'Union'],
  ['/plans', 'Plans'],
] as const

/** The layout of every page. */
export function App() {
  const { pathname } = useLocation()
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="top">
        <Link href="/" className="brand">
          Task Market
        </Link>
        <nav aria-label="Pages of the site">
          {navigation.map(([path, label]) => (
            <Link key={path} href={path} aria-current={pathname === path ? 'page' : undefined}>
              {label}
            </Link>
          ))}
          <a href="/docs">API</a>
        </nav>
        <Connect />
      </header>
      <main id="main" tabIndex={-1}>
        <Suspense fallback={<p className="loading">Loading …</p>}>{renderPage(pathname)}</Suspense>
      </main>
      <Tray />
      <footer>
        <p>The chain decides; this site only shows it and asks your wallet. It has no account, no cookie and no key.</p>
      </footer>
    </>
  )
}

function renderPage(path: string) {
  const task = /^\/task\/(.{1,100})$/.exec(path)?.[1]
  if (task) return <TaskPage key={task} id={decodeURIComponent(task)} />
  const action = /^\/do\/?([a-z-]{0,40})$/.exec(path)
  if (action) return <ActionPage name={action[1] ?? ''} />
  switch (path) {
    case '/':
      return <MarketPage />
    case '/post':
      return <PostPage />
    case '/work':
      return <WorkPage />
    case '/ledger':
      return <LedgerPage />
    case '/disputes':
      return <DisputesPage />
    case '/deposit':
      return <DepositPage />
    case '/union':
      return <UnionPage />
    case '/plans':
      return <PlansPage />
    default:
      return (
        <>
          <h1>There is nothing here</h1>
          <p>
            <Link href="/">Go to the market</Link>
          </p>
        </>
      )
  }
}
