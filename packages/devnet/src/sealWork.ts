import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BundleSubject, hashDescriptor, listParts, parseDescriptor, sealBundle } from '@svc/protocol/work'
import type { Hex } from 'viem'

/** What somebody of the demo world delivers, asks for, shows or decides. */
export interface Work {
  /** Markdown. */
  text: string
  files?: Readonly<Record<string, string | Uint8Array>>
  links?: readonly string[]
}

/** A sealed bundle, as a store takes it. */
export interface DemoBundle {
  hash: Hex
  /** The exact bytes of the descriptor. */
  bytes: Uint8Array
  /** By SHA-256. */
  parts: ReadonlyMap<string, Uint8Array>
}

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  js: 'text/javascript',
  md: 'text/markdown',
  png: 'image/png',
  srt: 'application/x-subrip',
  txt: 'text/plain',
}

/**
 * Seals work into a public bundle. Reading keys are random and belong to a device, so nobody who tries the demo world could
 * open an encrypted one.
 */
export async function sealWork(subject: BundleSubject, { text, files = {}, links = [] }: Work): Promise<DemoBundle> {
  const parts = new Map<string, Uint8Array>()
  const { hash, bytes } = await sealBundle({
    subject,
    text,
    links,
    files: Object.entries(files).map(([name, content]) => ({
      name,
      type: types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      open: () => new Blob([typeof content === 'string' ? content : Uint8Array.from(content)]).stream(),
    })),
    readers: null,
    savePart: ({ sha256 }, part) => void parts.set(sha256, part),
  })
  return { hash, bytes, parts }
}

/** Writes bundles to a folder that a store can import: descriptors as `<keccak256>.json`, parts as `<sha256>.part`. */
export async function saveBundles(folder: string, bundles: readonly DemoBundle[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { hash, bytes, parts } of bundles) {
    for (const [sha256, part] of parts) await writeFile(join(folder, `${sha256}.part`), part)
    await writeFile(join(folder, `${hash}.json`), bytes)
  }
}

/** Loads bundles that `saveBundles` wrote. */
export async function loadBundles(folder: string): Promise<DemoBundle[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'))
  return Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name))
      const parts = new Map<string, Uint8Array>()
      for (const { sha256 } of listParts(parseDescriptor(bytes))) {
        parts.set(sha256, await readFile(join(folder, `${sha256}.part`)))
      }
      return { hash: hashDescriptor(bytes), bytes, parts }
    }),
  )
}
