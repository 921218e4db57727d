import { boundedText } from '../boundedText.ts'
import { UnverifiedError } from './report.ts'

/** Far more than a page of a hundred tasks. */
const maxBytes = 8 * 1024 * 1024
const timeoutMs = 20_000

/** What a service answers at a URL, as JSON. Follows no redirect: the answer must be of the URL that was asked for. */
export async function fetchAnswer(url: URL): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw new UnverifiedError(`${url.origin} does not answer. Check the address, or save the answer and give --answer.`)
  })
  const text = await boundedText(response, maxBytes).catch(() => null)
  if (response.status !== 200 || text === null) {
    const what = text === null ? 'an answer that cannot be read to its end' : `status ${response.status}`
    throw new UnverifiedError(`${url.origin} answered with ${what}, which says nothing about a block.`)
  }
  return jsonOf(text, `${url.origin} answered with something else than JSON.`)
}

/** JSON out of text; otherwise throws with these words. */
export function jsonOf(text: string, words: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnverifiedError(words)
  }
}
