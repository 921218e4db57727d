import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import { matchSitePath, type SiteMatch } from '@svc/operations'
import { formatTaskId, parseTaskId, type TaskId } from '@svc/protocol'
import { type RequestContext, respond } from '@svc/serve'
import { getAddress, isAddress } from 'viem'
import { z } from 'zod'
import {
  describePage,
  describeTask,
  describeWallet,
  escapeHtml,
  fillPage,
  missingPage,
  type PageHead,
} from './siteHead.ts'
import { findSiteOrigin } from './siteOrigin.ts'
import type { SiteReader } from './siteReader.ts'

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

/** Names the origins that a build with optional wallets needs. */
const originsFile = '/origins.json'

/** The built web site, in memory. */
export type Site = ReadonlyMap<string, SiteFile>

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.json': 'application/json',
}
const maxFiles = 500

/**
 * Allows only files of this origin and the style that the build put into the page: no inline scripts, no frames, and no third
 * parties but the origins of the wallets that the operator chose when the site was built.
 */
function buildPolicy(site: Site, index: string): string {
  const { connect, frame } = readOrigins(site)
  const styles = [...index.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css = '']) => {
    return `'sha256-${createHash('sha256').update(css).digest('base64')}'`
  })
  const frames = frame.length > 0 ? ` frame-src ${frame.join(' ')};` : ''
  return `default-src 'none'; script-src 'self'; style-src ${["'self'", ...styles].join(' ')}; img-src 'self' data: blob:; font-src 'self'; manifest-src 'self'; worker-src 'self'; connect-src ${["'self'", ...connect].join(' ')};${frames} base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

/** The origins that the build asks for: those it connects to, and those it shows in a frame. */
function readOrigins(site: Site): { connect: readonly string[]; frame: readonly string[] } {
  const file = site.get(originsFile)
  if (!file) return { connect: [], frame: [] }
  const read = origins.safeParse(JSON.parse(new TextDecoder().decode(file.bytes)))
  if (!read.success) throw new Error(`${originsFile} lists something that is not an https or wss origin.`)
  return read.data
}

const origins = z.strictObject({
  // On loopback, a fake relay of a test.
  connect: z.array(z.string().regex(/^(?:(?:https|wss):\/\/[a-z0-9.-]+|ws:\/\/127\.0\.0\.1:\d+)$/)),
  frame: z.array(z.string().regex(/^https:\/\/[a-z0-9.-]+$/)),
})

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
    const gzip = new Uint8Array(gzipSync(bytes, { level: 9 }))
    site.set(path, { bytes, gzip, type, etag: computeEtag(bytes), isFixed: path.startsWith('/assets/') })
  }
  if (!site.has('/index.html')) throw new Error(`${folder} has no index.html.`)
  return site
}

/** Weak, because the compressed and the plain form share it. */
const computeEtag = (bytes: Uint8Array) => `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`

export interface SiteOptions {
  site: Site
  reader: SiteReader
  /** The public URL of the site. */
  siteUrl?: string | undefined
}

/** Answers a request for the site; null for everything that is not part of it. */
export type SiteAnswer = (request: Request, path: string, context: RequestContext) => Promise<Response | null>

/**
 * Answers with the files and pages of the site. Every page is the same file with a head of its own, so that shared links have a
 * title and search engines find tasks. What does not exist answers 404 with the page, which then says so.
 */
export function createSite({ site, reader, siteUrl }: SiteOptions): SiteAnswer {
  const index = new TextDecoder().decode(site.get('/index.html')?.bytes)
  const policy = buildPolicy(site, index)

  return async (request, path, context) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null
    const file = path === '/index.html' ? undefined : site.get(path)
    if (file) return send(policy, request, context, 200, file)
    const origin = findSiteOrigin(siteUrl, request)
    if (path === '/robots.txt' && origin) {
      return send(policy, request, context, 200, packFile(writeRobots(origin), 'text/plain; charset=utf-8'))
    }
    if (path === '/sitemap.xml' && origin) {
      const tasks = await reader.listOpen().catch(() => [])
      return send(
        policy,
        request,
        context,
        200,
        packFile(writeSitemap(origin, tasks), 'application/xml; charset=utf-8'),
      )
    }
    if (path.startsWith('/api/') || path.startsWith('/assets/')) return null
    const match = matchSitePath(path)
    // Another unknown path is most likely a mistyped route, unless a browser asks.
    if (!accepts(request, match ? ['text/html', 'text/*', '*/*'] : ['text/html'])) return null
    const { status, head, canonical } = match ? await describeMatch(match) : missing
    const html = fillPage(index, head, origin && canonical && `${origin}${canonical}`)
    // Old links move on. Their answer has the same head, for clients that do not follow.
    const moves = status === 200 && match?.pattern === '/task/:id'
    const location = moves ? { location: `${canonical}${new URL(request.url).search}` } : {}
    return send(policy, request, context, moves ? 301 : status, packFile(html, types['.html'] ?? ''), location)
  }

  async function describeMatch({ pattern, params }: SiteMatch): Promise<Description> {
    if (params.id !== undefined) return describeTaskPage(params.id)
    const { address } = params
    if (address === undefined) return { status: 200, head: describePage(pattern), canonical: fillPath(pattern, params) }
    if (!isAddress(address, { strict: false })) return missing
    return { status: 200, head: describeWallet(getAddress(address)), canonical: `/u/${getAddress(address)}` }
  }

  /** Without an answer in time, the page says nothing about the task, but it is served. */
  async function describeTaskPage(given: string): Promise<Description> {
    const id = readTaskId(given)
    if (!id) return missing
    const canonical = `/tasks/${formatTaskId(id)}`
    try {
      const text = await reader.readText(id)
      return text === undefined ? missing : { status: 200, head: describeTask(id, text), canonical }
    } catch {
      return { status: 200, head: describePage('/tasks/:id'), canonical }
    }
  }
}

interface Description {
  status: 200 | 404
  head: PageHead
  /** The one path of this page. */
  canonical: string | null
}

const missing: Description = { status: 404, head: missingPage, canonical: null }

const fillPath = (pattern: string, params: SiteMatch['params']) =>
  pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

function readTaskId(text: string): TaskId | null {
  try {
    return parseTaskId(text)
  } catch {
    return null
  }
}

function accepts(request: Request, types: readonly string[]): boolean {
  const accept = request.headers.get('accept') ?? '*/*'
  return types.some((type) => accept.includes(type))
}

/** Makes a file of text that was written for one request. */
function packFile(text: string, type: string): SiteFile {
  const bytes = new TextEncoder().encode(text)
  return { bytes, gzip: new Uint8Array(gzipSync(bytes)), type, etag: computeEtag(bytes), isFixed: false }
}

function send(
  policy: string,
  request: Request,
  context: RequestContext,
  status: number,
  file: SiteFile,
  more: Readonly<Record<string, string>> = {},
): Response {
  const headers = {
    'content-type': file.type,
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'referrer-policy': 'no-referrer',
    vary: 'accept-encoding',
    'cache-control': file.isFixed ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: file.etag,
    ...more,
  }
  if (status === 200 && request.headers.get('if-none-match') === file.etag) return respond(context, 304, null, headers)
  const isPacked = request.headers.get('accept-encoding')?.includes('gzip') === true
  const body = isPacked ? file.gzip : file.bytes
  const packed = isPacked ? { ...headers, 'content-encoding': 'gzip' } : headers
  return respond(context, status, request.method === 'HEAD' ? null : body, packed)
}

/** Pages that are the same for everybody. */
const pages = ['/', '/tasks', '/agents', '/leaderboard', '/fees', '/help']

/** Writes robots.txt: everything except the API, whose answers are not pages. */
const writeRobots = (origin: string): string =>
  ['User-agent: *', 'Allow: /', 'Disallow: /api/', `Sitemap: ${origin}/sitemap.xml`, ''].join('\n')

/** Writes sitemap.xml: the pages of the site, and these tasks. */
function writeSitemap(origin: string, tasks: readonly TaskId[]): string {
  const urls = [...pages, ...tasks.map((id) => `/tasks/${formatTaskId(id)}`)]
  const lines = urls.map((path) => `<url><loc>${escapeHtml(`${origin}${path}`)}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('\n')}\n</urlset>\n`
}
