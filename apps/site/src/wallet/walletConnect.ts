import { useSyncExternalStore } from 'react'
import { UserRejectedRequestError } from 'viem'
import { type CreateConnectorFn, createConnector } from 'wagmi'
import { walletConnect } from 'wagmi/connectors'
import { text } from '../text/common.ts'
import { walletText } from '../text/wallet.ts'

// Constants of the build.
declare const __WALLETCONNECT_PROJECT_ID__: string
declare const __WALLETCONNECT_RELAY_URL__: string

/** The server that the messages pass through. */
export const relayHost = new URL(__WALLETCONNECT_RELAY_URL__).hostname.replace(/^relay\./, '')

const createOwn = walletConnect({
  projectId: __WALLETCONNECT_PROJECT_ID__,
  relayUrl: __WALLETCONNECT_RELAY_URL__,
  metadata: { name: text.siteName, description: '', url: location.origin, icons: [] },
  // Its own window would load fonts and pictures from elsewhere.
  showQrModal: false,
  telemetryEnabled: false,
})

/** WalletConnect: a wallet on another device, reached through a relay. While it connects, the visitor can cancel. */
export const connector: CreateConnectorFn = createConnector((config) => {
  const connector = createOwn(config)
  config.emitter.on('message', ({ type, data }) => {
    if (type === 'display_uri') setPairing({ ...pairing, uri: String(data) })
  })
  const connect: typeof connector.connect = async (given) => {
    // WalletConnect itself waits five minutes for an answer.
    const cancelled = Promise.withResolvers<never>()
    setPairing({ cancel: () => cancelled.reject(new UserRejectedRequestError(new Error(walletText.declined))) })
    try {
      return await Promise.race([connector.connect(given), cancelled.promise])
    } finally {
      setPairing({})
    }
  }
  return { ...connector, connect }
})

/** An attempt to connect: the link that the wallet needs, and how to give up. */
interface Pairing {
  uri?: string
  cancel?: () => void
}

let pairing: Pairing = {}
const listeners = new Set<() => void>()

function setPairing(next: Pairing): void {
  pairing = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The attempt to connect that is under way. */
export const usePairing = (): Pairing => useSyncExternalStore(subscribe, () => pairing)
