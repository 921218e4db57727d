import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { WagmiProvider } from 'wagmi'
import { App } from './App.tsx'
import './style.css'
import { wagmiConfig } from './wallet/wagmiConfig.ts'

const root = document.getElementById('root')
if (!root) throw new Error('There is no place for the site.')
createRoot(root).render(
  <WagmiProvider config={wagmiConfig}>
    <QueryClientProvider client={new QueryClient()}>
      <App />
    </QueryClientProvider>
  </WagmiProvider>,
)
