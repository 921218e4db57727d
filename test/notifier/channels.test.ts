import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { baseSepolia } from '@svc/protocol'
import { Webhook } from 'standardwebhooks'
import { getAddress, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import type { OutgoingMessage } from '../../apps/notifier/src/channels/channel.ts'
import { createEmailChannel } from '../../apps/notifier/src/channels/email.ts'
import { createPublicRequester, type PublicRequesterOptions } from '../../apps/notifier/src/channels/publicRequest.ts'
import { createPushChannel } from '../../apps/notifier/src/channels/push.ts'
import { createNameResolver } from '../../apps/notifier/src/channels/resolveName.ts'
import { createWebhookChannel, createWebhookSecret } from '../../apps/notifier/src/channels/webhook.ts'
import { startForTests } from '../harness/startForTests.ts'
import { startMailServer, startPushService, startReceiver } from './receivers.ts'

const message: OutgoingMessage = {
  id: 'msg_1',
  kind: 'delivered',
  wallet: '0x1111111111111111111111111111111111111111',
  market: 'micro',
  taskId: 'v2:micro:7',
  title: 'Work was delivered',
  text: 'Answer within 2 days, or the worker is paid.',
  url: 'https://market.example/tasks/v2:micro:7',
  deadline: Math.floor(Date.now() / 1_000) + 7_200,
  createdAt: Math.floor(Date.now() / 1_000),
  data: { milestone: 0 },
}
const never = new AbortController().signal
const secret = createWebhookSecret()

describe('webhook', () => {
  const receiver = startForTests(startReceiver, 'stop')

  const send = (url: string, options: PublicRequesterOptions = {}, given = message) =>
    createWebhookChannel(createPublicRequester({ allowedOrigins: [receiver.origin], ...options })).send(
      { url, secret },
      given,
      never,
    )

  test('carries a signature that the receiver verifies, and the same id in every attempt', async () => {
    receiver.answerWith((response) => response.writeHead(500).end())
    expect(await send(`${receiver.origin}/hook?a=1`)).toEqual({ result: 'retry', reason: 'The receiver answered 500.' })
    receiver.answerWith((response) => response.writeHead(204).end())
    expect(await send(`${receiver.origin}/hook?a=1`)).toEqual({ result: 'sent' })
    const attempts = receiver.received.splice(0)
    expect(attempts.map(({ path, headers }) => [path, headers['webhook-id']])).toEqual([
      ['/hook?a=1', 'msg_1'],
      ['/hook?a=1', 'msg_1'],
    ])
    for (const { headers, body } of attempts) {
      const content = new Webhook(secret).verify(body, headers as Record<string, string>)
      expect(content).toMatchObject({
        type: 'delivered',
        data: { id: 'msg_1', taskId: 'v2:micro:7', wallet: message.wallet, details: { milestone: 0 } },
      })
      expect(() => new Webhook(createWebhookSecret()).verify(body, headers as Record<string, string>)).toThrow()
    }
  })

  test('stays below 20 kB', async () => {
    receiver.answerWith((response) => response.end())
    await send(receiver.origin, {}, { ...message, text: '\u{1f600}'.repeat(9_000), data: { big: 'x'.repeat(50_000) } })
    const [request] = receiver.received.splice(0)
    expect(request?.body.length).toBeLessThan(20_000)
    expect(JSON.parse(String(request?.body)).data.details).toBeNull()
  })

  test.each([
    [301, {}, { result: 'retry', reason: 'The receiver answered 301; redirects are not followed.' }],
    [400, {}, { result: 'retry', reason: 'The receiver answered 400.' }],
    [410, {}, { result: 'gone', reason: 'The receiver answered 410 Gone.' }],
    [429, { 'retry-after': '120' }, { result: 'retry', reason: 'The receiver answered 429.', afterMs: 120_000 }],
    [
      503,
      { 'retry-after': '999999999' },
      { result: 'retry', reason: 'The receiver answered 503.', afterMs: 86_400_000 },
    ],
    [503, { 'retry-after': 'soon' }, { result: 'retry', reason: 'The receiver answered 503.' }],
  ])('answer %i %o', async (status, headers, expected) => {
    const elsewhere = await startReceiver()
    receiver.answerWith((response) => response.writeHead(status, { location: elsewhere.origin, ...headers }).end())
    expect(await send(receiver.origin, { allowedOrigins: [receiver.origin, elsewhere.origin] })).toEqual(expected)
    expect(elsewhere.received).toEqual([])
    await elsewhere.stop()
  })

  test('does not wait for a receiver that hangs, drips or never ends', async () => {
    const timeouts = { connectMs: 300, headersMs: 200, totalMs: 600 }
    receiver.answerWith(() => {})
    expect(await send(receiver.origin, { timeouts })).toEqual({ result: 'retry', reason: 'No answer in time.' })
    const silent = createTcpServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const origin = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`
    expect(await send(origin, { timeouts, allowedOrigins: [origin] })).toEqual({
      result: 'retry',
      reason: 'No connection in time.',
    })
    silent.close()
    receiver.answerWith((response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('.'), 50)
      response.on('close', () => clearInterval(timer))
    })
    // The status counts; the rest is cut off.
    expect(await send(receiver.origin, { timeouts })).toEqual({ result: 'sent' })
    let written = 0
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    receiver.answerWith((response) => {
      response.on('close', resolve)
      response.writeHead(200)
      const pump = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536
      }
      response.on('drain', pump)
      pump()
    })
    expect(await send(receiver.origin)).toEqual({ result: 'sent' })
    await closed
    expect(written).toBeLessThan(20_000_000)
    receiver.received.splice(0)
  })

  test.each([
    ['http://hooks.example/', ['93.184.216.34'], 'The URL is not https.'],
    ['https://user:pass@hooks.example/', ['93.184.216.34'], 'The URL contains a user name or a password.'],
    ['ftp://hooks.example/', ['93.184.216.34'], 'The URL is not https.'],
    ['not a url', [], 'The URL is not valid.'],
    ['https://127.1/', [], 'The URL leads to an address that is not public.'],
    ['https://0x7f.1/', [], 'The URL leads to an address that is not public.'],
    ['https://2130706433/', [], 'The URL leads to an address that is not public.'],
    ['https://[::ffff:127.0.0.1]/', [], 'The URL leads to an address that is not public.'],
    ['https://hooks.example/', ['169.254.169.254'], 'The URL leads to an address that is not public.'],
    ['https://hooks.example/', ['93.184.216.34', '10.0.0.1'], 'The URL leads to an address that is not public.'],
    ['https://hooks.example/', ['fd00::1'], 'The URL leads to an address that is not public.'],
    ['https://hooks.example/', [], 'The name does not resolve.'],
    ['https://localhost/', undefined, 'The URL leads to an address that is not public.'],
  ])('refuses %s at %j', async (url, addresses, reason) => {
    const resolve = addresses && (async () => addresses)
    expect(await send(url, { ...(resolve && { resolve }) })).toEqual({ result: 'retry', reason })
  })

  test('refuses a long URL', async () => {
    expect(await send(`${receiver.origin}/${'x'.repeat(2_048)}`)).toEqual({
      result: 'retry',
      reason: 'The URL is not valid.',
    })
  })

  test('names that never resolve delay only the wallets that added them', async () => {
    const silent = createSocket('udp4')
    silent.on('message', (query, { port }) => {
      // Answers the fast name with one public address, and nothing else.
      if (!query.includes('fast')) return
      const end = query.indexOf(0, 12) + 5
      const isV4 = query[end - 3] === 1
      const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, isV4 ? 1 : 0, 0, 0, 0, 0])
      const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 216, 34])
      silent.send(Buffer.concat([head, query.subarray(12, end), ...(isV4 ? [answer] : [])]), port)
    })
    silent.bind(0, '127.0.0.1')
    await once(silent, 'listening')
    const resolve = createNameResolver([`127.0.0.1:${silent.address().port}`])
    const { checkTarget } = createPublicRequester({ resolve })
    const wallets = Array.from({ length: 8 }, (_, index) => getAddress(`0x${String(index).padStart(40, '1')}`))
    const slow = wallets.flatMap((wallet) =>
      Array.from({ length: 2 }, (_, index) => checkTarget(`https://slow${index}.example/`, wallet).catch(String)),
    )
    const began = performance.now()
    await checkTarget('https://fast.example/', zeroAddress)
    expect(performance.now() - began).toBeLessThan(500)
    expect(new Set(await Promise.all(slow))).toEqual(new Set(['Error: The name does not resolve.']))
    silent.close()
  })

  test('resolves a name once, connects to the checked address and checks the certificate against the name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tls-'))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=hooks.invalid'
    execFileSync(
      'openssl',
      [...request.split(' '), ...['-addext', 'subjectAltName=DNS:hooks.invalid', '-keyout', key, '-out', cert]],
      { stdio: 'ignore' },
    )
    const names: (string | undefined | false)[] = []
    const server = createServer({ key: await readFile(key), cert: await readFile(cert) }, (incoming, response) => {
      names.push(incoming.headers.host)
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const defaults = getCACertificates('default')
    setDefaultCACertificates([...defaults, await readFile(cert, 'utf8')])
    const asked: string[] = []
    const resolve = async (host: string) => {
      asked.push(host)
      return ['127.0.0.1']
    }
    const [right, wrong] = [`https://hooks.invalid:${port}`, `https://other.invalid:${port}`]
    expect(await send(`${right}/x`, { resolve, allowedOrigins: [right] })).toEqual({ result: 'sent' })
    expect(names).toEqual([`hooks.invalid:${port}`])
    expect(asked).toEqual(['hooks.invalid'])
    expect(await send(`${wrong}/x`, { resolve, allowedOrigins: [wrong] })).toEqual({
      result: 'retry',
      reason: 'The connection failed (ERR_TLS_CERT_ALTNAME_INVALID).',
    })
    setDefaultCACertificates(defaults)
    server.close()
    server.closeAllConnections()
    await rm(folder, { recursive: true })
  })
})

describe('push', () => {
  const service = startForTests(startPushService, 'stop')
  const options = { subject: 'mailto:ops@market.example', privateKey: randomBytes(32).toString('base64url') }
  const send = (allowedOrigins: string[] = [service.origin]) =>
    createPushChannel(options, createPublicRequester({ allowedOrigins })).send(service.subscription, message, never)

  test('is encrypted for the browser, signed, and lives as long as the deadline', async () => {
    expect(await send()).toEqual({ result: 'sent' })
    const [request] = service.received.splice(0)
    if (!request) throw new Error('Nothing came.')
    expect(service.open(request)).toEqual({
      id: 'msg_1',
      kind: 'delivered',
      taskId: 'v2:micro:7',
      title: message.title,
      text: message.text,
      url: message.url,
    })
    expect(request.body.toString('latin1')).not.toContain('delivered')
    const { ttl, urgency, topic } = request.headers
    expect(Number(ttl)).toBeGreaterThan(7_100)
    expect(Number(ttl)).toBeLessThanOrEqual(7_200)
    expect(urgency).toBe('high')
    expect(topic).toMatch(/^[\w-]{32}$/)
  })

  test.each([
    [404, 'gone'],
    [410, 'gone'],
    [413, 'retry'],
    [429, 'retry'],
  ])('answer %i means %s', async (status, result) => {
    service.answerWith((response) => response.writeHead(status).end())
    expect(await send()).toMatchObject({ result })
  })

  test('endpoints follow the rules of webhooks', async () => {
    expect(await send([])).toEqual({ result: 'retry', reason: 'The URL is not https.' })
  })
})

describe('e-mail', () => {
  const server = startForTests(startMailServer, 'stop')
  const target = {
    address: 'ada@example.org',
    unsubscribeUrl: 'https://market.example/notify/v1/unsubscribe/abc',
    settingsUrl: 'https://market.example/settings/notifications',
  }

  test('has text, HTML, one-click unsubscribe and a stable id', async () => {
    const channel = createEmailChannel({ smtpUrl: server.url, from: 'market@market.example' })
    expect(await channel.send(target, message, never)).toEqual({ result: 'sent' })
    expect(await channel.send(target, message, never)).toEqual({ result: 'sent' })
    const [first, second] = server.received.splice(0)
    expect(first?.to).toEqual(['ada@example.org'])
    expect(first?.headers.get('list-unsubscribe')).toBe(`<${target.unsubscribeUrl}>`)
    expect(first?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(first?.headers.get('auto-submitted')).toBe('auto-generated')
    expect(first?.headers.get('message-id')).toMatch(/^<[0-9a-f]{40}@market\.example>$/)
    expect(second?.headers.get('message-id')).toBe(first?.headers.get('message-id'))
    for (const part of [first?.text, first?.html]) {
      expect(part).toContain(message.text)
      expect(part).toContain(message.url)
      expect(part).toContain(target.unsubscribeUrl)
    }
    channel.close()
  })

  test('on a testnet every e-mail says that its tokens have no value', async () => {
    const { banner } = baseSepolia
    const channel = createEmailChannel({ smtpUrl: server.url, from: 'market@market.example', banner })
    await channel.send(target, message, never)
    await channel.sendVerification(target.address, {
      id: 'a',
      url: message.url,
      refuseUrl: message.url,
      wallet: message.wallet,
    })
    const mails = server.received.splice(0)
    expect(mails).toHaveLength(2)
    for (const { text, html } of mails) for (const part of [text, html]) expect(part).toContain(banner)
    channel.close()
  })

  test("a stranger's text adds no header, no recipient and no markup", async () => {
    const channel = createEmailChannel({ smtpUrl: server.url, from: 'market@market.example' })
    const title = 'Hi\r\nBcc: eve@example.org\r\n\r\n<b>body</b>'
    const text = '<script>alert(1)</script>\r\n.\r\nMAIL FROM:<eve@example.org>\r\n"quoted" & \u202ereversed'
    expect(await channel.send(target, { ...message, title, text }, never)).toEqual({ result: 'sent' })
    const [mail, ...more] = server.received.splice(0)
    expect(more).toEqual([])
    expect(mail?.to).toEqual(['ada@example.org'])
    expect(mail?.headers.has('bcc')).toBe(false)
    expect(mail?.headers.get('subject')).toBe('Hi Bcc: eve@example.org <b>body</b>')
    expect(mail?.html).not.toContain('<script>')
    expect(mail?.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(`${mail?.html}${mail?.text}`).not.toContain('\u202e')
    for (const address of [
      'ada@example.org, eve@example.org',
      'Ada <eve@example.org>',
      'ada@example.org\r\nBcc: x@y.z',
    ]) {
      expect(await channel.send({ ...target, address }, message, never)).toMatchObject({ result: 'gone' })
    }
    expect(server.received).toEqual([])
    channel.close()
  })

  test.each([
    [450, { result: 'retry', reason: 'The mail server did not take the message (450).' }],
    [550, { result: 'gone', reason: 'The mail server refused the recipient (550).' }],
  ])('a recipient refused with %i', async (status, expected) => {
    const channel = createEmailChannel({ smtpUrl: server.url, from: 'market@market.example' })
    server.refuseWith(status)
    expect(await channel.send(target, message, never)).toEqual(expected)
    server.refuseWith(null)
    channel.close()
  })

  test('a server that is away or refuses the password is asked again', async () => {
    const away = createEmailChannel({ smtpUrl: 'smtp://127.0.0.1:1', from: 'market@market.example' })
    expect(await away.send(target, message, never)).toMatchObject({ result: 'retry' })
    away.close()
    const refused = createEmailChannel({
      smtpUrl: server.url.replace('smtp://', 'smtp://user:wrong@'),
      from: 'market@market.example',
    })
    expect(await refused.send(target, message, never)).toMatchObject({ result: 'retry' })
    refused.close()
  })
})
