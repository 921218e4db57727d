import { readBoundedText } from '../readBoundedText.ts'
import { UnverifiedError } from './report.ts'

/** Far more than a page of a hundred tasks needs. */
const maxBytes = 8 * 1024 * 1024
const timeoutMs = 20_000

/** Fetches JSON from a URL. Follows no redirects: the response must come from the URL that is verified. */
export async function fetchAnswer(url: URL): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw new UnverifiedError(
      `${url.origin} does not respond. Check the address, or save the response and pass it with --answer.`,
    )
  })
  const text = await readBoundedText(response, maxBytes).catch(() => null)
  if (response.status !== 200 || text === null) {
    const what = text === null ? 'a body that is too large or incomplete' : `status ${response.status}`
    throw new UnverifiedError(`${url.origin} responded with ${what}, so there is nothing to verify.`)
  }
  return parseAnswer(text, `The response of ${url.origin} is not JSON.`)
}

/** Parses JSON. Throws `UnverifiedError` with the message if it is not JSON. */
export function parseAnswer(text: string, message: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnverifiedError(message)
  }
}
