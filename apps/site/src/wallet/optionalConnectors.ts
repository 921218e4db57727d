import { type CreateConnectorFn, createConnector } from 'wagmi'
import { optionalWalletText } from '../text/optionalWallets.ts'

// Constants of the build, so that none of this code is shipped unless the operator turned it on.
declare const __BASE_ACCOUNT__: boolean
declare const __WALLETCONNECT__: boolean

/** What a visitor should know before choosing a wallet of a third party, by the id of its connector. */
export const thirdPartyNotes: Readonly<Record<string, string>> = {
  ...(__BASE_ACCOUNT__ ? { baseAccount: optionalWalletText.baseAccount } : {}),
  ...(__WALLETCONNECT__ ? { walletConnect: optionalWalletText.walletConnect } : {}),
}

/** The connectors that the operator turned on when the site was built. Third parties are contacted only once they are chosen. */
export const listOptionalConnectors = (): CreateConnectorFn[] => [
  ...(__BASE_ACCOUNT__
    ? [createLazyConnector('baseAccount', 'Base Account', async () => (await import('./baseAccount.ts')).connector)]
    : []),
  ...(__WALLETCONNECT__
    ? [
        createLazyConnector(
          'walletConnect',
          'WalletConnect',
          async () => (await import('./walletConnect.ts')).connector,
        ),
      ]
    : []),
]

/** A connector whose code is loaded when the visitor chooses it, or has chosen it on an earlier visit. */
function createLazyConnector(id: string, name: string, load: () => Promise<CreateConnectorFn>): CreateConnectorFn {
  return createConnector((config) => {
    let loading: Promise<ReturnType<CreateConnectorFn>> | undefined
    const loadConnector = () => {
      loading ??= load().then((create) => create(config))
      return loading
    }
    // The wallet that was connected last is stored under its id.
    const isChosen = async () => loading !== undefined || (await config.storage?.getItem('recentConnectorId')) === id
    return {
      id,
      name,
      type: id,
      connect: async (given) => (await loadConnector()).connect(given),
      disconnect: async () => (await loadConnector()).disconnect(),
      getAccounts: async () => (await loadConnector()).getAccounts(),
      getChainId: async () => (await loadConnector()).getChainId(),
      getProvider: async (given) => ((await isChosen()) ? (await loadConnector()).getProvider(given) : undefined),
      isAuthorized: async () => (await isChosen()) && (await loadConnector()).isAuthorized(),
      switchChain: async (given) => {
        const { switchChain } = await loadConnector()
        if (!switchChain) throw new Error(`${name} cannot switch chains.`)
        return switchChain(given)
      },
      // The wallet's own connector listens to the wallet, with the same emitter.
      onAccountsChanged: (accounts) => void loadConnector().then((connector) => connector.onAccountsChanged(accounts)),
      onChainChanged: (chain) => void loadConnector().then((connector) => connector.onChainChanged(chain)),
      onDisconnect: (error) => void loadConnector().then((connector) => connector.onDisconnect(error)),
    }
  })
}
