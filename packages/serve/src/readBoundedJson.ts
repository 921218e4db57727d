/** The maximum size of a response. */
const maxBytes = 1_048_576

/** Reads the body of a response as JSON. Returns null if it is not JSON or too long. */
export async function readBoundedJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return null
  }
}
