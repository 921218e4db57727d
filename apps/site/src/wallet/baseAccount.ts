import { baseAccount } from 'wagmi/connectors'
import { text } from '../text/common.ts'

/** Base Account: a wallet with a passkey, without an extension. Its window is at keys.coinbase.com. */
export const connector = baseAccount({ appName: text.siteName, preference: { telemetry: false } })
