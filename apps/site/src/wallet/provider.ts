/** A wallet's EIP-1193 provider. */
export interface WalletProvider {
  request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown>
}

/** Returns the provider of a wallet; null if there is none, or if it is not an EIP-1193 provider. */
export async function findProvider(
  connector: { getProvider: () => Promise<unknown> } | undefined,
): Promise<WalletProvider | null> {
  const provider = await connector?.getProvider()
  return isProvider(provider) ? provider : null
}

const isProvider = (value: unknown): value is WalletProvider =>
  typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function'

/** Reads the code and the message of an error from a wallet. Wallets do not only throw instances of `Error`. */
export function readWalletError(error: unknown): { code: number | null; message: string } {
  if (typeof error !== 'object' || error === null) return { code: null, message: '' }
  return {
    code: 'code' in error && typeof error.code === 'number' ? error.code : null,
    message: 'message' in error && typeof error.message === 'string' ? error.message : '',
  }
}

/** Whether the user declined a request in their wallet (EIP-1193). */
export const isDeclined = (error: unknown): boolean => readWalletError(error).code === 4001
