import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SvcError } from '@svc/protocol'
import { maxAgreementLength, maxMessages } from '@svc/protocol/internal/negotiation'

/** The maximum size of a transcript, in bytes. A larger one could not be exported. */
export const maxTranscriptBytes = maxAgreementLength - 1_024

/** The complete lines of a transcript, and where the last one ends. */
export interface Lines {
  lines: string[]
  end: number
}

/**
 * Reads a transcript. A missing file has no lines. A last line without a line feed is an interrupted write that was never
 * confirmed, so it is ignored. Throws `DamagedFileError` for a file that these commands cannot have written.
 */
export async function readTranscriptLines(file: string): Promise<Lines> {
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
 * Writes a line at `end`, replacing an interrupted write, and returns after it is synced to disk. The caller must hold the lock.
 */
export async function appendTranscriptLine(file: string, end: number, line: string): Promise<void> {
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

/** Removes the last line, which starts at `start`, after copying it to a second file. The caller must hold the lock. */
export async function removeTranscriptLine(file: string, start: number, line: string): Promise<void> {
  const { end } = await readTranscriptLines(`${file}.dropped`)
  await appendTranscriptLine(`${file}.dropped`, end, line)
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

/** Syncs the folder, so that a new file survives a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Thrown for a transcript that was not written by these commands. */
export class DamagedFileError extends SvcError {
  override name = 'DamagedFileError'

  constructor(file: string, reason: string) {
    super(
      'DAMAGED_FILE',
      `${file} is not a valid transcript: ${reason}. Restore a copy, or ask the other party to send their messages again.`,
    )
  }
}
