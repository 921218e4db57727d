import { HttpError } from '@svc/serve'
import { z } from 'zod'

/** One of the conversation's messages, as OpenAI-compatible gateways take them. */
export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface Reply {
  text: string
  model: string
}

export interface GatewayOptions {
  /** Up to and without `/chat/completions`. */
  baseUrl: string
  key: string
  model: string
  timeoutMs?: number
  /** A longer reply is not read to its end. */
  maxReplyBytes?: number
}

/** Asks once, and gives up when `signal` says so. */
export type Gateway = (messages: readonly Message[], signal: AbortSignal) => Promise<Reply>

const completion = z.object({
  model: z.string().max(200),
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
})

/** A gateway over HTTP: one attempt, bounded in time and size. Nothing it says of errors goes further. */
export function createGateway(options: GatewayOptions): Gateway {
  const { baseUrl, key, model, timeoutMs = 30_000, maxReplyBytes = 256 * 1024 } = options
  const url = `${baseUrl.replace(/\/+$/, '')}/chat/completions`

  return async (messages, signal) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages }),
        // The key must not follow a redirect to somebody else.
        redirect: 'error',
        signal: AbortSignal.any([signal, timeout]),
      })
      if (!response.ok) {
        await response.body?.cancel()
        throw response.status === 429 ? busy(response.headers.get('retry-after')) : failed()
      }
      return replyOf(await textOf(response, maxReplyBytes))
    } catch (error) {
      if (error instanceof HttpError) throw error
      // Nobody hears it; the log does.
      if (signal.aborted) throw new HttpError(499, 'CHAT_FAILED', 'The client left.')
      if (timeout.aborted) throw new HttpError(504, 'CHAT_TIMED_OUT', 'The chat gateway did not answer in time.')
      throw failed()
    }
  }

  function replyOf(text: string): Reply {
    const { data } = completion.safeParse(JSON.parse(text))
    const content = data?.choices[0]?.message.content
    // A gateway that repeats what it was sent must not give the key away.
    if (!data || content === undefined || `${content}${data.model}`.includes(key)) throw failed()
    return { text: content, model: data.model }
  }
}

async function textOf(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw failed()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const failed = () => new HttpError(502, 'CHAT_FAILED', 'The chat gateway failed.')

/** A minute at most, whatever the gateway wishes. */
function busy(retryAfter: string | null): HttpError {
  const seconds = /^\d{1,3}$/.test(retryAfter ?? '') ? Math.min(60, Math.max(1, Number(retryAfter))) : 5
  return new HttpError(429, 'CHAT_BUSY', 'The chat gateway has too many requests.', {
    headers: { 'retry-after': String(seconds) },
  })
}
