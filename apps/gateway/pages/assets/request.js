/** A request at the gateway that served this page. */
export function requestAt(id) {
  let telling = Promise.resolve()
  const path = `/v1/requests/${id}`

  return {
    /** As the gateway has it, at once or when its status changes; null when it has none. Throws when there is no answer. */
    async ask({ waits }) {
      const response = await fetch(waits ? `${path}?wait=25` : path, { signal: AbortSignal.timeout(40_000) })
      if (response.status === 404) return null
      if (!response.ok) throw new Error(`status ${response.status}`)
      return response.json()
    },
    /** Says what was done here, one word after the other. The chain alone is believed: a lost word costs nothing but time. */
    tell(what, body = {}) {
      telling = telling.then(() => post(`${path}/${what}`, body))
      return telling
    },
    /** Settles when all was said. */
    said: () => telling,
  }
}

/** Posts, and again where the gateway is away; the answer, or undefined when it never came. */
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
      // Told again.
    }
    await new Promise((done) => setTimeout(done, 1_000 * 2 ** attempt))
  }
}
