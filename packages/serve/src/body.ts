import { HttpError } from './errors.ts'

/** The JSON object of a body. Refuses other types, and more than `maxBytes` while they come. */
export async function bodyOf(request: Request, maxBytes: number): Promise<Record<string, unknown>> {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new HttpError(415, 'UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.')
  }
  const bytes = await read(request, maxBytes).catch((error: unknown) => {
    if (error instanceof HttpError) throw error
    throw new HttpError(400, 'INVALID_REQUEST', 'The body did not arrive whole.')
  })
  try {
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Record<string, unknown>
  } catch {}
  throw new HttpError(400, 'INVALID_REQUEST', 'The body is not a JSON object.')
}

async function read(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new HttpError(413, 'BODY_TOO_LARGE', `The body has more than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
