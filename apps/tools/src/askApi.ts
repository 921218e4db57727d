import { readBoundedText } from './readBoundedText.ts'

/** More than the longest answer that tools ask for: twenty profiles. */
const maxBytes = 2 * 1024 * 1024

type Query = Readonly<Record<string, string | number | undefined>>

/** Gets JSON from a path of the API; null if the answer is an error or not JSON. Throws if nothing answers. */
export type AskApi = (path: string, query: Query) => Promise<unknown>

/** Creates the client of an API. Its answers are not trusted: callers check them against the chain. */
export const createAskApi =
  (apiUrl: string): AskApi =>
  async (path, query) => {
    const url = new URL(path, apiUrl)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(15_000) })
    const text = await readBoundedText(response, maxBytes)
    return response.ok && text !== null ? JSON.parse(text) : null
  }
