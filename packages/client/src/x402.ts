/** The fields of the gateway's 402 that the scheme needs. */
interface Requirements {
  extra: Record<string, unknown>
}

/**
 * The client side of the gateway's x402 scheme. Register it with a stock `x402Client` for the network of the 402. It requests
 * a readiness receipt for this wallet and presents it; it signs nothing and pays nothing. Throws the gateway's message if the
 * wallet is not ready.
 */
export function readinessScheme(address: string, ask: typeof fetch = fetch) {
  return {
    scheme: 'svc-readiness',
    /** Nothing is spent, so a client with an allow-list of assets can accept this one. */
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
      if (!body.header) throw new Error(body.error ?? 'The gateway returned no receipt.')
      return { x402Version, payload: { receipt: body.header.value } }
    },
  }
}
