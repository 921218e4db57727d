import { readFile, rename } from 'node:fs/promises'
import { type StoredRequest, storedRequest } from './request.ts'

/**
 * Imports the requests of an earlier version, which wrote one line per change to a file with the ending `.jsonl`. The file is
 * renamed afterwards. Two gateways may do it at the same time: `add` ignores what is known.
 */
export async function importOldFile(
  file: string,
  add: (found: readonly StoredRequest[]) => Promise<void>,
): Promise<void> {
  const old = file.replace(/\.sqlite$/, '.jsonl')
  if (old === file) return
  const text = await readFile(old, 'utf8').catch(ignoreMissing)
  if (text === undefined) return
  await add(parseLines(text))
  await rename(old, `${old}.imported`).catch(ignoreMissing)
}

/** Returns the last version of every request. Unreadable lines are skipped: a crash can have cut one off. */
function parseLines(text: string): StoredRequest[] {
  const found = new Map<string, StoredRequest>()
  for (const line of text.split('\n')) {
    const request = parseLine(line)
    if (request) found.set(request.id, request)
  }
  return [...found.values()]
}

function parseLine(line: string): StoredRequest | null {
  try {
    return storedRequest.parse(JSON.parse(line))
  } catch {
    return null
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
