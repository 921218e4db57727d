import { createHash } from 'node:crypto'
import type { TaskId } from '@svc/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSite, type Site } from './site.ts'
import { createSiteReader, type SiteReader } from './siteReader.ts'

const index = `<!doctype html><html><head>
    <meta name="description" content="old" />
    <title>Task Market</title>
    <script type="module" src="/assets/a.js" integrity="sha384-x"></script>
    <style>a:is(b>c){width<=3px}</style>
  </head><body><main><!--page--><h1>First page</h1><!--/page--></main></body></html>`
const pack = (text: string, type: string, isFixed: boolean) => {
  const bytes = new TextEncoder().encode(text)
  return { bytes, gzip: bytes, type, etag: 'W/"x"', isFixed }
}
const site: Site = new Map([
  ['/index.html', pack(index, 'text/html; charset=utf-8', false)],
  ['/assets/a.js', pack('run()', 'text/javascript', true)],
])
const context = { id: 'request1', client: '127.0.0.1', limit: null, left: 0 }

const texts: Readonly<Record<string, string | null>> = {
  'v2:micro:1': `"><script>alert(1)</script> $& 'Map'\n\n${'Draw <b>every</b> street. '.repeat(100)}`,
  'v2:micro:2': null,
}
const reader: SiteReader = {
  readText: async ({ market, number }) => texts[`v2:${market}:${number}`],
  listOpen: async () => [{ market: 'micro', number: 1n }],
}

async function ask(
  path: string,
  { accept = '*/*', use = reader, siteUrl = 'https://tasks.example', host = 'x.example' } = {},
) {
  const request = new Request(`http://x${path}`, { headers: { accept, host } })
  const response = await createSite({ site, reader: use, siteUrl: siteUrl || undefined })(
    request,
    new URL(request.url).pathname,
    context,
  )
  if (!response) return { status: null, text: '', headers: new Headers() }
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const readStatus = async (path: string, accept?: string) => (await ask(path, accept ? { accept } : {})).status

test('a link to a task has its title and text in the head, for any client', async () => {
  for (const path of ['/tasks/v2:micro:1', '/tasks/v2:micro:1/any-slug', '/task/v2:micro:1']) {
    const { text, headers } = await ask(path)
    expect(headers.get('content-type')).toContain('text/html')
    const title = /<title>(.*)<\/title>/.exec(text)?.[1]
    expect(title).toContain('Map&#39; · Task Market')
    expect(text).toContain(`<meta property="og:title" content="${title}" />`)
    expect(text).toContain('<meta property="og:type" content="article" />')
    expect(text).toContain('<link rel="canonical" href="https://tasks.example/tasks/v2:micro:1" />')
    const descriptions = [...text.matchAll(/<meta (?:name="|property="og:)description" content="([^"]*)" \/>/g)]
    expect(descriptions).toHaveLength(2)
    for (const [, description = ''] of descriptions) expect(description).toContain('Draw &#60;b&#62;every')
  }
})

test("a stranger's text cannot leave its place in the head, nor fill the page", async () => {
  const { text } = await ask('/tasks/v2:micro:1')
  expect(text.match(/<script/g)).toHaveLength(1)
  expect(text).toContain('integrity="sha384-x"')
  expect(text).toContain('$&#38;')
  expect(text.length).toBeLessThan(index.length + 2_500)
})

test('every page has its heading and first words in the HTML, and the style that it needs is allowed by its hash', async () => {
  expect((await ask('/')).text).toContain('<h1>First page</h1>')
  const { text, headers } = await ask('/tasks/v2:micro:1')
  expect(text).toMatch(
    /<h1 dir="auto">&#34;&#62;&#60;script&#62;[^<]*<\/h1><p class="first-lead soft" dir="auto">[^<]*every/,
  )
  expect(text).not.toContain('First page')
  const hash = createHash('sha256').update('a:is(b>c){width<=3px}').digest('base64')
  expect(headers.get('content-security-policy')).toContain(`style-src 'self' 'sha256-${hash}';`)
})

test('the head of a private task says nothing about it, and that of a wallet names the wallet', async () => {
  expect((await ask('/tasks/v2:micro:2')).text).toContain('<title>Private task v2:micro:2 · Task Market</title>')
  const { status, text } = await ask('/u/0x15d34aaf54267db7d7c367839aaf71a00a2c6a65')
  expect([status, text]).toEqual([200, expect.stringContaining('<title>0x15d3…6A65 on Task Market</title>')])
})

test('old links move to the new path; what does not exist is not found, with the page as body', async () => {
  const moved = await ask('/task/v2:micro:1?market=micro')
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/tasks/v2:micro:1?market=micro'])
  const missing = ['/tasks/v2:micro:9', '/task/v2:micro:9', '/tasks/7', '/task/%E0%A4%A', '/u/0x12', '/nothing']
  for (const path of missing) {
    const { status, text } = await ask(path, { accept: 'text/html,*/*;q=0.8' })
    expect([path, status, text.includes('<script type="module"')]).toEqual([path, 404, true])
  }
})

test('known paths are pages; other paths are only for browsers; the API and assets never are', async () => {
  for (const path of ['/', '/tasks', '/fees', '/do/claim-task', '/plans']) {
    expect([path, await readStatus(path)]).toEqual([path, 200])
    expect(await readStatus(path, 'application/json')).toBeNull()
  }
  expect(await readStatus('/nothing')).toBeNull()
  for (const path of ['/api/markets', '/assets/gone.js']) expect(await readStatus(path, 'text/html')).toBeNull()
  expect((await ask('/assets/a.js')).headers.get('cache-control')).toContain('immutable')
})

test('a source that fails or hangs does not keep the page from being served for more than 300 ms', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const fail = createSiteReader({ reads: { read: () => Promise.reject(new Error('down')) } })
  const hang = createSiteReader({ reads: { read: () => new Promise(() => {}) } })
  for (const use of [fail, hang]) {
    const asked = ask('/tasks/v2:micro:1', { use })
    await vi.advanceTimersByTimeAsync(300)
    const { status, text } = await asked
    expect([status, text.includes('<title>Task Market</title>')]).toEqual([200, true])
  }
})

test('robots.txt names the sitemap, which lists open tasks by their full address', async () => {
  expect((await ask('/robots.txt')).text).toContain('Sitemap: https://tasks.example/sitemap.xml')
  const { text, headers } = await ask('/sitemap.xml')
  expect(headers.get('content-type')).toContain('application/xml')
  expect(text).toContain('<loc>https://tasks.example/tasks/v2:micro:1</loc>')
})

test('without a configured URL the host is used, if it is one', async () => {
  const askHost = (path: string, host: string) => ask(path, { siteUrl: '', host })
  expect((await askHost('/robots.txt', '127.0.0.1:8080')).text).toContain('http://127.0.0.1:8080/sitemap.xml')
  expect((await askHost('/robots.txt', 'Tasks.example')).text).toContain('https://tasks.example/sitemap.xml')
  const { status, text } = await askHost('/tasks', 'evil"><b>')
  expect([status, text.includes('canonical')]).toEqual([200, false])
})

test('a sitemap lists the newest 500 open tasks of each market', async () => {
  const asked: TaskId[] = []
  const block = { number: 1n, hash: '0x01', timestamp: 1 } as const
  const use = createSiteReader({
    reads: {
      // Pages of an endless market.
      read: (_, work) =>
        work({
          getTaskSummary: async () => ({ detail: null, block }),
          async listOpen(market, { limit, before = 10_000n }) {
            const tasks = Array.from({ length: limit }, (_, index) => ({ number: before - 1n - BigInt(index) }))
            asked.push({ market, number: before })
            return { tasks, next: before - BigInt(limit), block }
          },
        }),
    },
  })
  expect(await use.listOpen()).toHaveLength(1_000)
  const reads = asked.length
  await use.listOpen()
  expect(asked).toHaveLength(reads)
})

test('the policy names no origin but its own, unless the build lists one', async () => {
  const readPolicy = async (files: Site) => {
    const answer = await createSite({ site: files, reader })(
      new Request('http://x/assets/a.js'),
      '/assets/a.js',
      context,
    )
    return answer?.headers.get('content-security-policy')
  }
  expect(await readPolicy(site)).toContain("connect-src 'self';")
  const list = (origins: unknown): Site =>
    new Map([...site, ['/origins.json', pack(JSON.stringify(origins), 'application/json', false)]])
  expect(await readPolicy(site)).not.toContain('frame-src')
  const connect = ['https://wallet.example', 'wss://relay.example']
  const policy = await readPolicy(list({ connect, frame: ['https://verify.example'] }))
  expect(policy).toContain(
    "connect-src 'self' https://wallet.example wss://relay.example; frame-src https://verify.example;",
  )
  for (const wrong of ["*; script-src 'unsafe-inline'", 'http://wallet.example', 'https:']) {
    expect(() => createSite({ site: list({ connect: [wrong], frame: [] }), reader })).toThrow('not an https')
    expect(() => createSite({ site: list({ connect: [], frame: [wrong] }), reader })).toThrow('not an https')
  }
})
