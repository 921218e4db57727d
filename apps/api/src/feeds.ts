import { createHash } from 'node:crypto'
import { type EventJson, eventJson, ServiceError, taskRowJson } from '@svc/operations'
import { formatAmount } from '@svc/protocol'
import { type ReadHandler, reads } from '@svc/reads'
import { open, type RequestContext, respond } from '@svc/serve'
import { z } from 'zod'
import type { ReadResponder } from './reads/handler.ts'
import { escapeHtml } from './siteHead.ts'
import { findSiteOrigin } from './siteOrigin.ts'

/** The paths of the feeds: the newest tasks of a search, and the newest events of a wallet, in both formats. */
export const feedPaths = ['/feeds/tasks.atom', '/feeds/tasks.json', '/feeds/wallet.atom', '/feeds/wallet.json'] as const

const maxEntries = 50

interface Entry {
  /** Never changes, so that readers show an entry once. */
  id: string
  url: string
  title: string
  text: string
  at: number
  tags: readonly string[]
}

interface Feed {
  title: string
  home: string
  self: string
  entries: readonly Entry[]
}

const found = z.object({ tasks: z.array(taskRowJson) })
const events = z.object({ events: z.array(eventJson) })

/** Answers the feeds. A feed is the answer of a read in another format, so it has the same bounds, cache and errors. */
export function createFeeds({ responder, siteUrl }: { responder: ReadResponder; siteUrl: string | undefined }) {
  return async (request: Request, context: RequestContext): Promise<Response> => {
    const url = new URL(request.url)
    const origin = findSiteOrigin(siteUrl, request)
    if (!origin) throw new ServiceError('INVALID_REQUEST', 'The Host header is not a valid host.')
    const self = `${origin}${url.pathname}${url.search}`
    const isAtom = url.pathname.endsWith('.atom')
    const feed = url.pathname.startsWith('/feeds/tasks')
      ? await readTasks(url.searchParams, context, origin, self)
      : await readWallet(url.searchParams, context, origin, self)
    const body = isAtom ? writeAtom(feed) : writeJson(feed)
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    const headers = {
      ...open,
      'cache-control': 'public, max-age=60',
      'content-type': isAtom ? 'application/atom+xml; charset=utf-8' : 'application/feed+json; charset=utf-8',
      etag,
    }
    const isKnown = request.headers.get('if-none-match') === etag
    return isKnown ? respond(context, 304, null, headers) : respond(context, 200, body, headers)
  }

  async function readTasks(
    given: URLSearchParams,
    context: RequestContext,
    origin: string,
    self: string,
  ): Promise<Feed> {
    const query = new URLSearchParams(given)
    for (const [name, value] of [
      ['sort', 'newest'],
      ['limit', String(maxEntries)],
    ] as const)
      query.set(name, value)
    const { tasks } = found.parse(await ask('/api/market/search', query, context, reads.searchTasks))
    const searchText = given.get('q')
    return {
      title: searchText ? `Tasks: ${searchText}` : 'Open tasks',
      home: `${origin}/tasks`,
      self,
      entries: tasks.map(({ id, title, excerpt, tags, totalAmountTokWei, postedAt }) => ({
        id: `${origin}/tasks/${id}`,
        url: `${origin}/tasks/${id}`,
        title: `${title} (${formatAmount(BigInt(totalAmountTokWei), 'tok')})`,
        text: excerpt,
        at: postedAt,
        tags,
      })),
    }
  }

  async function readWallet(
    given: URLSearchParams,
    context: RequestContext,
    origin: string,
    self: string,
  ): Promise<Feed> {
    const address = given.get('address')
    if (!address) throw new ServiceError('INVALID_ADDRESS', 'address is required: 0x and 40 hex digits.')
    const query = new URLSearchParams(given)
    query.set('limit', String(maxEntries))
    const { events: list } = events.parse(await ask('/api/market/events', query, context, reads.listEvents))
    const home = `${origin}/u/${address}`
    return {
      title: `Events of ${address}`,
      home,
      self,
      entries: list.toReversed().map((event) => toEntry(event, origin, home)),
    }
  }

  async function ask(path: string, query: URLSearchParams, context: RequestContext, handler: ReadHandler) {
    const response = await responder.respond(new Request(`http://localhost${path}?${query}`), context, handler)
    return response.json()
  }
}

const toEntry = (event: EventJson, origin: string, home: string): Entry => ({
  id: `${origin}/api/market/events#${event.transactionHash}:${event.logIndex}`,
  url: event.taskId ? `${origin}/tasks/${event.taskId}` : home,
  title: event.taskId ? `${event.event}: ${event.taskId}` : event.event,
  text: JSON.stringify(event.args),
  at: event.timestamp,
  tags: [],
})

const formatDate = (seconds: number) => new Date(seconds * 1000).toISOString()

function writeJson({ title, home, self, entries }: Feed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: home,
    feed_url: self,
    items: entries.map(({ id, url, title, text, at, tags }) => ({
      id,
      url,
      title,
      content_text: text,
      date_published: formatDate(at),
      ...(tags.length > 0 && { tags }),
    })),
  })
}

/** Characters that XML cannot contain, even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const toXml = (text: string) => escapeHtml(text.toWellFormed().replaceAll(notInXml, ''))

function writeAtom({ title, home, self, entries }: Feed): string {
  const newest = entries.reduce((latest, { at }) => Math.max(latest, at), 0)
  const items = entries.map(
    ({ id, url, title, text, at, tags }) => `<entry>
<id>${toXml(id)}</id>
<title type="text">${toXml(title)}</title>
<link href="${toXml(url)}"/>
<updated>${formatDate(at)}</updated>
<content type="text">${toXml(text)}</content>
${tags.map((tag) => `<category term="${toXml(tag)}"/>`).join('')}
</entry>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${toXml(self)}</id>
<title type="text">${toXml(title)}</title>
<link rel="self" href="${toXml(self)}"/>
<link href="${toXml(home)}"/>
<author><name>Task Market</name></author>
<updated>${formatDate(newest)}</updated>
${items.join('\n')}
</feed>
`
}
