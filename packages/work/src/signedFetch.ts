import type { DeviceKeys } from './deviceKeys.ts'
import type { Fetch } from './retryFetch.ts'

/** Creates a `fetch` that sends a session. It is opened when it is first needed; one that the service no longer knows is replaced once. */
export function createSignedFetch(
  fetch: Fetch,
  keys: DeviceKeys,
  openSession: (keys: DeviceKeys) => Promise<string>,
): (request: Request) => Promise<Response> {
  let session: Promise<string> | null = null
  return async (request) => {
    const body = request.method === 'GET' ? null : await request.arrayBuffer()
    const send = async () => {
      session ??= openSession(keys)
      const token = await session.catch((error: unknown) => {
        session = null
        throw error
      })
      const headers = new Headers(request.headers)
      headers.set('authorization', `Bearer ${token}`)
      const { url, method, signal } = request
      return { token: session, response: await fetch(new Request(url, { method, headers, signal, body })) }
    }
    const first = await send()
    if (first.response.status !== 401) return first.response
    await first.response.body?.cancel()
    if (session === first.token) session = null
    return (await send()).response
  }
}

/** What makes two proofs of one second different: a proof opens one session. */
export const createNonce = (): string => crypto.randomUUID().replaceAll('-', '')
