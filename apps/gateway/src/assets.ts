import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'

/** A file that pages load. */
export interface Asset {
  type: string
  bytes: Uint8Array<ArrayBuffer>
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Loads the files of a folder once, keyed by the path they are served at, so no request reads from disk. */
export async function readAssets(folder: URL): Promise<ReadonlyMap<string, Asset>> {
  const names = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const assets = new Map<string, Asset>()
  for (const name of names) {
    const type = types[extname(name)]
    if (type) assets.set(`/${name}`, { type, bytes: new Uint8Array(await readFile(new URL(name, folder))) })
  }
  return assets
}
