import { createReadStream } from 'node:fs'
import { lstat, readdir, realpath } from 'node:fs/promises'
import { basename, extname, isAbsolute, join, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { SvcError } from '@svc/protocol'
import { toStream } from '@svc/protocol/internal/work'
import { type WorkFile, workLimits } from '@svc/protocol/work'

/**
 * Lists files and folders of this machine as files of a bundle, by their path below what was given. Throws INVALID_FILE for
 * links and for anything that is neither a file nor a folder: a link could point at a secret.
 *
 * @example
 * ```ts
 * const files = await listLocalFiles(['map.svg', 'sources'])
 * ```
 */
export async function listLocalFiles(paths: readonly string[]): Promise<WorkFile[]> {
  const files: WorkFile[] = []
  const add = async (path: string, name: string): Promise<void> => {
    const found = await lstat(path)
    if (found.isDirectory()) {
      for (const each of (await readdir(path)).sort()) await add(join(path, each), `${name}/${each}`)
      return
    }
    if (!found.isFile())
      throw new SvcError('INVALID_FILE', `${path} is not a file or a folder. Links are not followed.`)
    if (files.length === workLimits.files) {
      throw new SvcError('INVALID_FILE', `A bundle has at most ${workLimits.files} files. Pack them into an archive.`)
    }
    files.push({ name, type: findMediaType(name), open: () => openFile(path) })
  }
  for (const path of paths) await add(path, basename(path).normalize('NFC'))
  return files
}

const openFile = (path: string) => toStream(readChunks(path))

async function* readChunks(path: string): AsyncGenerator<Uint8Array, void> {
  const stream: Readable = createReadStream(path, { highWaterMark: 256 * 1_024 })
  for await (const chunk of stream) yield new Uint8Array(chunk)
}

/** What readers are told about a file. Only these are ever shown in a browser, so a wrong guess does no harm. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.srt': 'application/x-subrip',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.zip': 'application/zip',
}

function findMediaType(name: string): string {
  return mediaTypes[extname(name).toLowerCase()] ?? 'application/octet-stream'
}

/**
 * Lists files of one folder, for a program that must not read anything else, such as an agent that takes instructions. Paths are
 * relative to the folder. Throws INVALID_FILE for one that leads out of it, also by a link.
 *
 * @example
 * ```ts
 * const files = await listFilesInside('work', ['captions.srt'])
 * ```
 */
export async function listFilesInside(folder: string, paths: readonly string[]): Promise<WorkFile[]> {
  const root = await realpath(folder)
  const inside: string[] = []
  for (const path of paths) {
    const given = resolve(root, path)
    const real = isAbsolute(path) ? null : await realpath(given).catch(() => null)
    // A path through a link has another real path.
    if (real === null || real !== given || !real.startsWith(root + sep)) {
      throw new SvcError('INVALID_FILE', `${JSON.stringify(path)} is not a file of the work folder.`, {
        hint: 'Use a path relative to the work folder, without links.',
      })
    }
    inside.push(real)
  }
  return listLocalFiles(inside)
}
