/** What the gateway asks for in its 402, as far as the scheme needs it. */
interface Requirements {
  extra: Record<string, unknown>
}

/**
 * The client side of the gateway's x402 scheme, to be registered with a stock `x402Client` for the network of the 402. It asks
 * for a readiness receipt of this wallet and shows it; it signs nothing and pays nothing. Throws with the gateway's own words
 * when the wallet is not ready.
 */
export function readinessScheme(address: string, ask: typeof fetch = fetch) {
  return {
    scheme: 'svc-readiness',
    /** Nothing is spent, so a client that allows known assets only may let this one pass. */
    findDefaultAsset: (asset: string) => ({ asset, decimals: 18, symbol: 'TOK' }),
    async createPaymentPayload(x402Version: number, { extra }: Requirements) {
      const { receiptUrl, taskId } = extra
      const headers = { 'content-type': 'application/json' }
      const response = await ask(String(receiptUrl), {
        method: 'POST',
        headers,
        body: JSON.stringify({ taskId, address }),
      })
      const body = (await response.json()) as { error?: string; header?: { value: string } }
      if (!body.header) throw new Error(body.error ?? 'The gateway gave no receipt.')
      return { x402Version, payload: { receipt: body.header.value } }
    },
  }
}
