import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { WagmiProvider } from 'wagmi'
import '@svc/design/font.css'
import '@svc/design/tokens.css'
import './style/base.css'
import './style/shell.css'
import './style/parts.css'
import './style/actions.css'
import { App } from './App.tsx'
import { applyTheme } from './theme.ts'
import { wagmiConfig } from './wallet/wagmiConfig.ts'

applyTheme()
const root = document.getElementById('root')
if (!root) throw new Error('There is no place for the site.')
createRoot(root).render(
  <WagmiProvider config={wagmiConfig}>
    <QueryClientProvider client={new QueryClient()}>
      <App />
    </QueryClientProvider>
  </WagmiProvider>,
)
