import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { checkBytes } from './checkBytes.ts'
import { ObjectError, type ObjectStore } from './objectStore.ts'

/** Keys are ours, never a client's text; this only keeps a bug from leaving the folder. */
const plainKey = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*\/?$/

/** No upload takes this long. Younger files may belong to an upload of another process. */
const leftoverMs = 60 * 60 * 1_000

/** Stores objects as files below a folder, for one process or several on one machine. */
export function createFolderStore(folder: string): ObjectStore {
  const incoming = join(folder, '.incoming')
  const locate = (key: string) => {
    if (!plainKey.test(key)) throw new Error(`Not an object key: ${key}`)
    return join(folder, key)
  }
  return {
    async put(key, source, expected) {
      const path = locate(key)
      const temporary = join(incoming, randomUUID())
      try {
        await mkdir(incoming, { recursive: true })
        const file = await open(temporary, 'wx', 0o600)
        try {
          await pipeline(source, checkBytes(expected), async (chunks: AsyncIterable<Buffer>) => {
            for await (const chunk of chunks) await file.appendFile(chunk)
          })
          await file.sync()
        } finally {
          await file.close()
        }
        await mkdir(dirname(path), { recursive: true })
        await rename(temporary, path)
        // Without this, a power cut could forget the name of a file whose bytes are on disk.
        await syncFolder(dirname(path))
      } catch (error) {
        // A folder that is gone fails this too, which must not hide the reason.
        await rm(temporary, { force: true }).catch(() => {})
        throw explainFault(error)
      }
    },
    async get(key, range) {
      const file = await open(locate(key)).catch(ignoreMissing)
      if (!file) return null
      const { size } = await file.stat()
      return { body: file.createReadStream(range), size }
    },
    async head(key) {
      const found = await stat(locate(key)).catch(ignoreMissing)
      return found && { size: found.size }
    },
    delete: (key) => rm(locate(key), { force: true }),
    deletePrefix: (prefix) => rm(locate(prefix), { recursive: true, force: true }),
    async removeLeftovers() {
      const names = await readdir(incoming).catch(ignoreMissing)
      for (const name of names ?? []) {
        const path = join(incoming, name)
        const found = await stat(path).catch(ignoreMissing)
        if (found && Date.now() - found.mtimeMs > leftoverMs) await rm(path, { force: true })
      }
    },
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw explainFault(error)
}

/** Errors of the disk have a code; every other one came from the source of the bytes. */
function explainFault(error: unknown): ObjectError {
  if (error instanceof ObjectError) return error
  const { code, message, syscall } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return new ObjectError('FULL', 'The disk is full.', { cause: error })
  if (syscall && ['open', 'write', 'rename', 'mkdir', 'fsync', 'close'].includes(syscall))
    return new ObjectError('UNREACHABLE', `The folder failed: ${message}`, { cause: error })
  return new ObjectError('INCOMPLETE', 'The bytes did not arrive completely.', { cause: error })
}
