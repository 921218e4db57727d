import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from 'viem'

/** Bytes that are read once, in order. */
export type ByteStream = ReadableStream<Uint8Array>

/** Hashes bytes with SHA-256, as hex without 0x. */
export function hashSha256(bytes: Uint8Array): string {
  return toHex(sha256(bytes))
}

/** Hashes and counts bytes as they pass by. */
export function createByteCounter() {
  const hash = sha256.create()
  let size = 0
  return {
    add(bytes: Uint8Array): void {
      hash.update(bytes)
      size += bytes.length
    },
    get size() {
      return size
    },
    finish: () => ({ size, sha256: toHex(hash.digest()) }),
  }
}

/** Iterates over a stream. Not every browser can do so itself. A consumer that stops early cancels the stream. */
export async function* iterateStream(stream: ByteStream): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader()
  let ended = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      yield value
    }
    ended = true
  } catch (error) {
    ended = true
    throw error
  } finally {
    if (!ended) await reader.cancel()
    reader.releaseLock()
  }
}

/** Turns a generator into a stream that reads ahead of nobody. */
export function toStream(chunks: AsyncGenerator<Uint8Array, void>): ByteStream {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Collects chunks into pieces of exactly `size` bytes; only the last one is shorter. */
export async function* cutIntoParts(chunks: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array, void> {
  let pending: Uint8Array[] = []
  let room = size
  for await (const chunk of chunks) {
    let rest = chunk
    while (rest.length >= room) {
      pending.push(rest.subarray(0, room))
      yield joinBytes(pending)
      rest = rest.subarray(room)
      pending = []
      room = size
    }
    if (rest.length > 0) {
      // A copy, because the producer may use its buffer again.
      pending.push(rest.slice())
      room -= rest.length
    }
  }
  if (pending.length > 0) yield joinBytes(pending)
}

/** Cuts bytes into pieces without copying them. */
export function* cutBytes(bytes: Uint8Array, size: number): Generator<Uint8Array, void> {
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size)
}

/** Reads everything, as one array. */
export async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return joinBytes(all)
}

function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const chunk of chunks) {
    joined.set(chunk, offset)
    offset += chunk.length
  }
  return joined
}

const toHex = (bytes: Uint8Array) => bytesToHex(bytes).slice(2)
