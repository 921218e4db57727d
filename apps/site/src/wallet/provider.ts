/** A wallet's EIP-1193 provider. */
export interface WalletProvider {
  request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown>
}
