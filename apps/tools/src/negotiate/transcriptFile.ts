import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { maxAgreementLength, maxMessages } from '@svc/protocol/negotiation'

/** The largest transcript, in bytes: one that grew further could not be exported. */
export const maxTranscriptBytes = maxAgreementLength - 1_024

/** The whole lines of a transcript, and where the last of them ends. */
export interface Lines {
  lines: string[]
  end: number
}

/**
 * Reads a transcript; one that does not exist has no lines. A last line without its end was cut off while it was written, so
 * nobody was told that it is there, and it is left out. Refuses a file that no one here can have written.
 */
export async function readLines(file: string): Promise<Lines> {
  const bytes = await readBytes(file)
  const end = bytes.lastIndexOf(10) + 1
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, end))
  } catch {
    throw new DamagedFileError(file, 'it is not UTF-8')
  }
  const lines = text.split('\n').slice(0, -1)
  if (lines.length > maxMessages) throw new DamagedFileError(file, `it has more than ${maxMessages} lines`)
  return { lines, end }
}

/**
 * Adds a line behind `end`, in place of what was cut off there, and comes back when it is on the disk. Only the holder of the lock
 * may call it.
 */
export async function appendLine(file: string, end: number, line: string): Promise<void> {
  const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = constants
  const handle = await open(file, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
  try {
    if ((await handle.stat()).size > end) await handle.truncate(end)
    await handle.appendFile(`${line}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  if (end === 0) await syncFolder(dirname(file))
}

/** Cuts the last line off, which begins at `start`, after it is safe in the file beside. Only the holder of the lock may call it. */
export async function removeLine(file: string, start: number, line: string): Promise<void> {
  const { end } = await readLines(`${file}.withdrawn`)
  await appendLine(`${file}.withdrawn`, end, line)
  const handle = await open(file, constants.O_RDWR | constants.O_NOFOLLOW)
  try {
    await handle.truncate(start)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function readBytes(file: string): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!handle) return Buffer.alloc(0)
  try {
    const { size } = await handle.stat()
    if (size > maxAgreementLength) throw new DamagedFileError(file, `it is larger than ${maxAgreementLength} bytes`)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

/** Without this a new file's name could be lost with the power. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A transcript that was changed by something else than these commands. */
export class DamagedFileError extends Error {
  override name = 'DamagedFileError'

  constructor(file: string, reason: string) {
    super(`${file} is no transcript: ${reason}. Put a copy of it in its place, or ask the other party to send theirs.`)
  }
}
