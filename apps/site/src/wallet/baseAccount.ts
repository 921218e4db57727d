import { baseAccount } from 'wagmi/connectors'
import { text } from '../text/common.ts'

// A constant of the build: the page of the wallet, if it is not Base Account's own.
declare const __BASE_ACCOUNT_URL__: string | null

/** Base Account: a wallet with a passkey, without an extension. Its window is at keys.coinbase.com. */
export const connector = baseAccount({
  appName: text.siteName,
  preference: { telemetry: false, ...(__BASE_ACCOUNT_URL__ && { walletUrl: __BASE_ACCOUNT_URL__ }) },
})
