import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type RequestContext, respond } from '@svc/serve'

/** A file of the built site. */
interface SiteFile {
  bytes: Uint8Array<ArrayBuffer>
  /** The same bytes, compressed. */
  gzip: Uint8Array<ArrayBuffer>
  type: string
  etag: string
  /** The file name contains the hash of its content, so the content never changes. */
  isFixed: boolean
}

/** The built web site, in memory. */
export type Site = ReadonlyMap<string, SiteFile>

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const maxFiles = 500

/** Allows only files of this origin: no inline scripts, no third parties, no frames. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Loads a built site. Rejects a folder without index.html or with an unexpected file type. */
export async function loadSite(folder: string): Promise<Site> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  if (files.length > maxFiles) throw new Error(`${folder} has more than ${maxFiles} files.`)
  const site = new Map<string, SiteFile>()
  for (const { parentPath, name } of files) {
    const type = types[extname(name)]
    if (!type) throw new Error(`${name} has a file type that a built site does not contain.`)
    const path = `/${relative(folder, join(parentPath, name)).replaceAll(sep, '/')}`
    const bytes = new Uint8Array(await readFile(join(parentPath, name)))
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
    // Weak, because the compressed and the plain form share it.
    const etag = `W/"${hash}"`
    const gzip = new Uint8Array(gzipSync(bytes, { level: 9 }))
    site.set(path, { bytes, gzip, type, etag, isFixed: path.startsWith('/assets/') })
  }
  if (!site.has('/index.html')) throw new Error(`${folder} has no index.html.`)
  return site
}

/** Returns a file of the site, or index.html for its root and for a browser navigation; null for everything else. */
export function answerSite(site: Site, request: Request, path: string, context: RequestContext): Response | null {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null
  const accept = request.headers.get('accept') ?? '*/*'
  // Only the root is a page for clients that accept anything: another unknown path is most likely a mistyped route.
  const wantsPage =
    (accept.includes('text/html') && !path.startsWith('/api/')) || (path === '/' && accept.includes('*/*'))
  const file =
    path === '/index.html' ? undefined : (site.get(path) ?? (wantsPage ? site.get('/index.html') : undefined))
  if (!file) return null
  const headers = {
    'content-type': file.type,
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'referrer-policy': 'no-referrer',
    vary: 'accept-encoding',
    'cache-control': file.isFixed ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: file.etag,
  }
  if (request.headers.get('if-none-match') === file.etag) return respond(context, 304, null, headers)
  const isPacked = request.headers.get('accept-encoding')?.includes('gzip') === true
  const body = isPacked ? file.gzip : file.bytes
  const packed = isPacked ? { ...headers, 'content-encoding': 'gzip' } : headers
  return respond(context, 200, request.method === 'HEAD' ? null : body, packed)
}
