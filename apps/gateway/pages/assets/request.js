/** Client for one request at the gateway that served this page. */
export function requestAt(id) {
  let telling = Promise.resolve()
  const path = `/v1/requests/${id}`

  return {
    /** Reads the request, at once or when its status changes; null if the gateway does not have it. Throws if there is no response. */
    async ask({ waits }) {
      const response = await fetch(waits ? `${path}?wait=25` : path, { signal: AbortSignal.timeout(40_000) })
      if (response.status === 404) return null
      if (!response.ok) throw new Error(`status ${response.status}`)
      return response.json()
    },
    /** Reports what the user did, in order. The gateway trusts only the chain, so a lost report only costs time. */
    tell(what, body = {}) {
      telling = telling.then(() => post(`${path}/${what}`, body))
      return telling
    },
    /** Resolves when all reports are sent. */
    said: () => telling,
  }
}

/** Posts with retries. Returns the response, or undefined if none came. */
async function post(path, body) {
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      const response = await fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(15_000),
      })
      if (response.status < 500) return response
    } catch {
      // Retry.
    }
    await new Promise((done) => setTimeout(done, 1_000 * 2 ** attempt))
  }
}
