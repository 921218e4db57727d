import { ServiceError } from '@svc/operations'
import { z } from 'zod'

/** One message of the conversation, in the format of OpenAI-compatible gateways. */
export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

interface Reply {
  text: string
  model: string
  /** What the gateway says that the question and its answer used; null if it does not say. */
  tokens: number | null
}

export interface GatewayOptions {
  /** The base URL, without `/chat/completions`. */
  baseUrl: string
  key: string
  model: string
  /** The field that asks the model for a short reply, for gateways that know one. Models differ in its name, and refuse others. */
  limit?: { field: 'max_tokens' | 'max_completion_tokens'; tokens: number } | undefined
  timeoutMs?: number
  /** A longer reply is rejected before it is read completely. */
  maxReplyBytes?: number
}

/** Asks once, and gives up when `signal` aborts. */
export type Gateway = (messages: readonly Message[], signal: AbortSignal) => Promise<Reply>

const completion = z.object({
  model: z.string().max(200),
  usage: z
    .object({ total_tokens: z.number().int().min(0).max(10_000_000) })
    .nullish()
    .catch(null),
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
})

/** A gateway over HTTP: one attempt, bounded in time and size. Its error texts are never passed on to the client. */
export function createChatGateway(options: GatewayOptions): Gateway {
  const { baseUrl, key, model, limit, timeoutMs = 30_000, maxReplyBytes = 256 * 1024 } = options
  const url = `${baseUrl.replace(/\/+$/, '')}/chat/completions`

  return async (messages, signal) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages, ...(limit && { [limit.field]: limit.tokens }) }),
        // The key must not follow a redirect to another host.
        redirect: 'error',
        signal: AbortSignal.any([signal, timeout]),
      })
      if (!response.ok) {
        await response.body?.cancel()
        throw response.status === 429 ? busy(response.headers.get('retry-after')) : failed()
      }
      return parseReply(await extractText(response, maxReplyBytes))
    } catch (error) {
      if (error instanceof ServiceError) throw error
      // The client is gone; this only reaches the log.
      if (signal.aborted) throw new ServiceError('CHAT_CANCELLED', 'The client closed the connection.')
      if (timeout.aborted) throw new ServiceError('CHAT_TIMED_OUT', 'The chat gateway did not answer in time.')
      throw failed()
    }
  }

  function parseReply(text: string): Reply {
    const { data } = completion.safeParse(JSON.parse(text))
    const content = data?.choices[0]?.message.content
    // A gateway that echoes the request must not leak the key.
    if (!data || content === undefined || `${content}${data.model}`.includes(key)) throw failed()
    return { text: content, model: data.model, tokens: data.usage?.total_tokens ?? null }
  }
}

async function extractText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw failed()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const failed = () => new ServiceError('CHAT_FAILED', 'The chat gateway failed.')

/** At most a minute, even if the gateway asks for more. */
function busy(retryAfter: string | null): ServiceError {
  const seconds = /^\d{1,3}$/.test(retryAfter ?? '') ? Math.min(60, Math.max(1, Number(retryAfter))) : 5
  return new ServiceError('CHAT_RATE_LIMITED', 'The chat gateway is rate limited.', { retryAfter: seconds })
}
