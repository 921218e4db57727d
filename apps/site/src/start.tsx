import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { WagmiProvider } from 'wagmi'
import { App } from './App.tsx'
import { loadPage } from './routes.tsx'
import { wagmiConfig } from './wallet/wagmiConfig.ts'

/** How long the placeholder in the HTML may stay while a page loads. */
const patienceMs = 1_000

/** Replaces the placeholder in the HTML with the app, as soon as the app shows more than skeletons. */
function replacePlaceholder(root: HTMLElement): void {
  const first = document.getElementById('first')
  if (!first) return
  const show = () => {
    observer.disconnect()
    clearTimeout(timer)
    first.remove()
    root.hidden = false
  }
  const observer = new MutationObserver(() => {
    if (root.firstChild && !root.querySelector('main .skeleton')) show()
  })
  observer.observe(root, { childList: true, subtree: true })
  const timer = setTimeout(show, patienceMs)
}

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element #root.')
// With the page at hand, the first thing rendered is the page itself. A page that does not load is reported by its boundary.
await loadPage(location.pathname).catch(() => {})
replacePlaceholder(root)
// In a transition, React yields to the visitor's input while it renders.
startTransition(() => {
  createRoot(root).render(
    <WagmiProvider config={wagmiConfig}>
      <QueryClientProvider client={new QueryClient()}>
        <App />
      </QueryClientProvider>
    </WagmiProvider>,
  )
})
