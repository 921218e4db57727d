import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashSha256 } from '@svc/protocol/internal/work'
import type { PartCache } from '../uploadBundle.ts'
import { writeFileSafely } from './writeFileSafely.ts'

/**
 * Creates a cache of sealed parts in a folder, so that an upload can go on after a restart. The parts are ciphertext.
 *
 * @example
 * ```ts
 * const cache = createPartFolder(join(outbox, String(taskNumber)))
 * ```
 */
export function createPartFolder(folder: string): PartCache {
  const locate = (sha256: string) => join(folder, `${sha256}.part`)
  return {
    async savePart({ sha256 }, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFileSafely(locate(sha256), bytes)
    },
    async readPart({ sha256 }) {
      const bytes = await readFile(locate(sha256))
      if (hashSha256(bytes) !== sha256) throw new Error(`${locate(sha256)} was changed. Seal the bundle again.`)
      return bytes
    },
  }
}
