import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { WagmiProvider } from 'wagmi'
import { App } from './App.tsx'
import { replaceFirstWords } from './firstWords.ts'
import { loadPage } from './routes.tsx'
import { wagmiConfig } from './wallet/wagmiConfig.ts'

const root = document.getElementById('root')
if (!root) throw new Error('There is no place for the site.')
// With the page at hand, the first thing rendered is the page itself. A page that does not load is reported by its boundary.
await loadPage(location.pathname).catch(() => {})
replaceFirstWords(root)
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
