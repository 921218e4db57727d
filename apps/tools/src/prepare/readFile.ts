import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { PrepareError } from './prepareError.ts'

/** Reads the file of an argument, or the standard input for `-`. */
export type ReadFile = (file: string, flag: string) => Promise<string>

/** The maximum size of an input. An agreement with signatures has about ten thousand bytes. */
const maxBytes = 1_048_576

/** Creates a reader for UTF-8 files of bounded size; `-` reads the stream. Invalid UTF-8 is an error, because repairing it would change a hash. */
export function createFileReader(input: Readable): ReadFile {
  return async (file, flag) => (file === '-' ? decode(await readAll(input, flag), flag) : readPath(file, flag))
}

async function readPath(file: string, flag: string): Promise<string> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new PrepareError('usage', `${flag}: cannot read ${file} (${error.code}).`, { hint: 'Check the path.' })
  })
  try {
    if ((await handle.stat()).isDirectory()) throw new PrepareError('usage', `${flag}: ${file} is a folder.`)
    // As a stream, because a pipe has no size.
    return decode(await readAll(handle.createReadStream({ autoClose: false }), flag), flag)
  } finally {
    await handle.close()
  }
}

async function readAll(input: Readable, flag: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > maxBytes) throw new PrepareError('usage', `${flag} is longer than 1 MiB.`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function decode(bytes: Uint8Array, flag: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new PrepareError('usage', `${flag} is not UTF-8 text.`)
  }
}
