import { type Mutator, type RawRequest, replaceHeaders } from './request.ts'
import { drawNastyText } from './values.ts'

const latin = (text: string) =>
  Buffer.from(text.toWellFormed(), 'utf8')
    .toString('latin1')
    .replaceAll(/[\r\n\0]/g, '?')
const path = ({ target }: RawRequest) => target.split('?')[0] ?? '/'
const to = (request: RawRequest, target: string): RawRequest => ({ ...request, target: target.replaceAll(' ', '%20') })

const pathTricks: readonly ((path: string) => string)[] = [
  (p) => p.replaceAll('/', '%2f'),
  (p) => p.replaceAll('/', '%5c'),
  (p) => p.replaceAll('/', '\\'),
  (p) => p.replace('/api', '/api/./x/..'),
  (p) => p.replace('/api', '/%2e%2e/api'),
  (p) => p.replace('/api', '/..;/api'),
  (p) => `/../../../../etc/passwd?${p}`,
  (p) => `/%2e%2e/%2e%2e/package.json?${p}`,
  (p) => `/docs/..%2f..%2fopenapi.yaml?${p}`,
  (p) => `/${p}`,
  (p) => `//127.0.0.1:1${p}`,
  (p) => `//127.0.0.1:1/${p}`,
  (p) => `http://127.0.0.1:1${p}`,
  (p) => `http://other.example${p}`,
  (p) => `https://user:pass@[::1]:1${p}`,
  (p) => `HTTP://${'a'.repeat(300)}${p}`,
  (p) => `file://${p}`,
  (p) => `javascript:${p}`,
  (p) => `${p}/`,
  (p) => `${p}//`,
  (p) => `${p}%00`,
  (p) => `${p}%00.json`,
  (p) => `${p};x=1`,
  (p) => `${p}.json`,
  (p) => `${p}#x`,
  (p) => `${p}%20`,
  (p) => `${p}%0d%0aX-Injected:1`,
  (p) => `${p}/__proto__`,
  (p) => `${p}/constructor/prototype`,
  (p) => p.toUpperCase(),
  (p) => p.replace('a', '%61'),
  (p) => p.replace('a', '%C1%A1'),
  (p) => p.replace('a', '\xe9'),
  (p) => p.replace('api', '\xff\xfe'),
  (p) => `${p}/${'a'.repeat(5_000)}`,
  (p) => `${p}${'/x'.repeat(2_000)}`,
  (p) => `/${'%2e%2e%2f'.repeat(400)}${p}`,
  () => '*',
  () => '/',
  () => '/healthz',
  () => '/metrics',
  () => '/.env',
  () => '/.git/config',
  () => '/api',
  () => '/api/',
  () => '/v1/tasks/1',
  () => '/%',
  () => '/%zz',
  () => '?',
  () => 'api/market/open',
]

const methods = [
  'HEAD',
  'OPTIONS',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'PROPFIND',
  'SEARCH',
  'PURGE',
  'LOCK',
  'M-SEARCH',
  'QUERY',
]
const noMethods = ['get', 'FOO', 'G ET', 'GET\t', '', 'A'.repeat(500), 'GÉT', 'CONNECT', '\0']

const oddHeaders: readonly (readonly [string, string])[] = [
  ['If-None-Match', '*'],
  ['If-None-Match', `${'"x",'.repeat(2_000)}"y"`],
  ['If-None-Match', 'W/'],
  ['If-Modified-Since', 'yesterday'],
  ['Range', 'bytes=0-0,5-,-1'],
  ['Accept', '*/*;q=9, text/event-stream;q=0'],
  ['Accept-Encoding', 'gzip;q=x, br, *'],
  ['Authorization', 'Bearer x'],
  ['Authorization', 'Basic ====='],
  ['Cookie', `a=${'b'.repeat(4_000)}`],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Forwarded-For', '127.0.0.1, 10.0.0.1, x'],
  ['X-Forwarded-Host', 'other.example'],
  ['X-Forwarded-Proto', 'javascript'],
  ['Forwarded', 'for="[::1]";host=x'],
  ['X-Original-URL', '/metrics'],
  ['X-Rewrite-URL', '/metrics'],
  ['X-Request-Id', '<script>'],
  ['X-Request-Id', 'a'.repeat(3_000)],
  ['Origin', 'null'],
  ['Referer', 'http://127.0.0.1:1/'],
  ['Expect', '100-continue'],
  ['Expect', '200-maybe'],
  ['Upgrade', 'h2c'],
  ['Upgrade', 'websocket'],
  ['Connection', 'keep-alive, upgrade'],
  ['Max-Forwards', '0'],
  ['TE', 'trailers, deflate;q=0.5'],
  ['Trailer', 'Content-Length'],
  ['Content-Length', '0'],
  ['Content-MD5', 'x'],
  ['Accept-Language', '\xff\xfe'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Access-Control-Request-Method', 'POST'],
  ['Host', 'other.example'],
  ['Host', '127.0.0.1:99999'],
  ['Host', 'a b'],
  ['Host', ''],
  ['Host', 'x/y?z#'],
  ['Host', '[::1'],
  ['Host', `${'a.'.repeat(200)}example`],
  ['no-host', ''],
]

const smuggling: readonly (readonly (readonly [string, string])[])[] = [
  [
    ['Transfer-Encoding', 'chunked'],
    ['Content-Length', '5'],
  ],
  [
    ['Content-Length', '5'],
    ['Content-Length', '6'],
  ],
  [['Content-Length', '-1']],
  [['Content-Length', '1e3']],
  [['Content-Length', '99999999999999999999']],
  [['Transfer-Encoding', 'xchunked']],
  [['Transfer-Encoding', 'chunked, identity']],
  [['Transfer-Encoding', 'chunked']],
  [['Bad Name', 'x']],
  [['X-Nul', 'a\0b']],
  [['X-Break', 'a\rb']],
  [['X-Fold', 'a\r\n b']],
  [[': x', 'y']],
  [['X-Big', 'a'.repeat(20_000)]],
]

/** Ways to corrupt the request line and headers. */
export const envelopeMutators: Readonly<Record<string, Mutator>> = {
  'a path trick': (request, random) => to(request, random.pick(pathTricks)(path(request))),
  'an odd method': (request, random) => ({ ...request, method: random.pick(methods) }),
  'no method': (request, random) => ({ ...request, method: random.pick(noMethods), isMalformed: true }),
  'an odd header': (request, random) => replaceHeaders(request, [random.pick(oddHeaders)]),
  'a nasty header': (request, random) =>
    replaceHeaders(request, [
      [
        random.pick(['Accept', 'User-Agent', 'If-None-Match', 'X-Request-Id', 'Origin', 'Last-Event-ID']),
        latin(drawNastyText(random)),
      ],
    ]),
  'many headers': (request, random) =>
    replaceHeaders(
      request,
      Array.from({ length: random.pick([100, 1_900, 2_500]) }, (_, i) => [`x${i}`, ''] as const),
    ),
  smuggling: (request, random) => ({ ...replaceHeaders(request, random.pick(smuggling)), isMalformed: true }),
  'a body on a GET': (request) => ({ ...request, body: Buffer.from('{"market":"micro"}') }),
  'a stream': (request, random) =>
    replaceHeaders(
      {
        ...request,
        method: 'GET',
        body: null,
        target: `/api/market/events?market=${random.pick(['micro', 'standard', 'x'])}`,
      },
      [
        ['Accept', 'text/event-stream'],
        ['Last-Event-ID', latin(drawNastyText(random))],
      ],
    ),
}
