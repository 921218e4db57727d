import { type CreateConnectorFn, createConnector } from 'wagmi'

// Constants of the build, so that none of this code is shipped unless the operator turned it on.
declare const __BASE_ACCOUNT__: boolean
declare const __WALLETCONNECT__: boolean

/** Whether a passkey is offered, and a wallet on another device. */
export const offersPasskey = __BASE_ACCOUNT__
export const offersOther = __WALLETCONNECT__

/** Wallets of third parties, which are not in the browser. */
export const isRemote = (id: string): boolean => id === 'baseAccount' || id === 'walletConnect'

/** Loads the code of the passkey wallet from this site, so that its window opens at once when it is chosen. */
export const warmPasskey = (): void => {
  if (__BASE_ACCOUNT__) void Promise.all([import('./baseAccount.ts'), import('@base-org/account')]).catch(() => {})
}

/** The connectors of this build besides those in the browser. Third parties are contacted only once they are chosen. */
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
