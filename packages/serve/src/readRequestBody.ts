import { ServiceError } from '@svc/operations'

/** Reads a JSON object from the body. Rejects other content types, and stops reading after `maxBytes`. */
export async function readRequestBody(request: Request, maxBytes: number): Promise<Record<string, unknown>> {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.')
  }
  const bytes = await read(request, maxBytes).catch((error: unknown) => {
    if (error instanceof ServiceError) throw error
    throw new ServiceError('INVALID_REQUEST', 'The body is incomplete.')
  })
  try {
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Record<string, unknown>
  } catch {}
  throw new ServiceError('INVALID_REQUEST', 'The body is not a JSON object.')
}

async function read(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new ServiceError('BODY_TOO_LARGE', `The body has more than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
