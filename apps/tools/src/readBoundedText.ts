/** Reads the body of a response as text. Stops and returns null if it is longer than `maxBytes`. */
export async function readBoundedText(response: Response, maxBytes: number): Promise<string | null> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
