import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProvider, createRpc, createViemChain, type Deployments } from '@svc/chain'
import { type Devnet, publicKeys, startDevnet } from '@svc/devnet'
import { zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DoctorContext } from '../../apps/admin/src/doctor/diagnosis.ts'
import { diagnose, doctorChecks } from '../../apps/admin/src/doctor/doctor.ts'
import { compileCache } from '../harness/env.ts'
import { findProgram } from '../harness/programs.ts'

let devnet: Devnet
let deployments: Deployments
beforeAll(async () => {
  devnet = await startDevnet()
  deployments = { ...devnet.deployments, startBlock: 1 }
})
afterAll(() => devnet?.stop())

const environment = {
  CHAIN_RPC_URL: 'https://one.example/v1,https://two.example/v1,https://three.example/v1',
  SVC_PUBLIC_RPC_URL: 'https://rpc.example',
  SVC_DATABASE_URL: 'postgres://svc_api@127.0.0.1:5432/market',
  SVC_DEPLOYMENTS: 'deployments.json',
  SVC_SITE_DIR: 'site',
  SVC_SITE_URL: 'https://market.example',
  SVC_STORE_URL: 'http://127.0.0.1:4030',
  SVC_STORE_ADDRESS: '0x02484cb50AAC86Eae85610D6f4Bf026f30f6627D',
  SVC_NOTIFY_URL: 'http://127.0.0.1:4040',
  SVC_KEEPER_KEY_FILE: 'keeper.key',
  SVC_STORE_FOLDER: 'work',
}

interface Machine {
  environment: Record<string, string | undefined>
  files: Record<string, string | null>
  rows: Record<string, unknown>
  context: Partial<DoctorContext>
  /** What the second provider answers; undefined: the truth. */
  second: (method: string, params: readonly unknown[]) => unknown
}

/** A machine without a fault, except for what a case changes. */
function createContext(change: Partial<Machine>): DoctorContext {
  const files: Record<string, string | null> = {
    'deployments.json': JSON.stringify(deployments),
    'site/index.html': '<html>',
    'keeper.key': `0x${'ab'.repeat(32)}\n`,
    ...change.files,
  }
  return {
    environment: { ...environment, ...change.environment },
    knownVariables: [...Object.keys(environment), 'SVC_TRUSTED_PROXIES', 'SVC_KEEPER_KEY', 'CHAIN_WS_URL'],
    nodeVersion: 'v24.21.0',
    now: Date.now,
    readText: async (path) => files[path] ?? null,
    readMode: async (path) => (files[path] === null || files[path] === undefined ? null : 0o600),
    canWrite: async () => true,
    readFreeBytes: async () => 2n ** 40n,
    connect(_, index, chainId) {
      const rpc = createRpc({ name: `provider ${index + 1}`, url: devnet.rpcUrl })
      const request: typeof rpc.request = async (method, params, signal) => {
        const lie = index === 1 ? change.second?.(method, params) : undefined
        if (lie instanceof Error) throw lie
        return lie ?? rpc.request(method, params, signal)
      }
      return createProvider({ ...rpc, request }, createViemChain(chainId))
    },
    query: async () => [{ super: false, creates: true, version: 150_004, standby: false, ...change.rows }],
    requestJson: async () => ({ address: environment.SVC_STORE_ADDRESS }),
    requestStatus: async () => 200,
    ...change.context,
  }
}

const refuse = (method: string) => (asked: string) => (asked === method ? new Error('not supported') : undefined)
const swap = (change: (own: Deployments) => unknown) => ({ files: { 'deployments.json': 'swap' }, swap: change })

interface Case extends Partial<Machine> {
  says: string
  /** Changes the deployments file. */
  swap?: (own: Deployments) => unknown
  line: RegExp
}

const cases: readonly Case[] = [
  { says: 'an old Node', context: { nodeVersion: 'v22.9.0' }, line: /^Node v22\.9\.0 is too old/ },
  { says: 'a misspelt variable', environment: { SVC_DATABSE_URL: 'x' }, line: /^SVC_DATABSE_URL is not a variable/ },
  {
    says: 'quotes around a value',
    environment: { SVC_STORE_ADDRESS: '"0x02484cb50AAC86Eae85610D6f4Bf026f30f6627D"' },
    line: /^SVC_STORE_ADDRESS has quotes/,
  },
  { says: 'no RPC URL', environment: { CHAIN_RPC_URL: '' }, line: /^CHAIN_RPC_URL is not set/ },
  {
    says: 'an RPC URL that is none',
    environment: { CHAIN_RPC_URL: 'https://one.example,two.example' },
    line: /^CHAIN_RPC_URL: entry 2 is not/,
  },
  {
    says: 'one provider',
    environment: { CHAIN_RPC_URL: 'https://one.example' },
    line: /^CHAIN_RPC_URL has one provider/,
  },
  {
    says: 'no third provider',
    environment: { CHAIN_RPC_URL: 'https://one.example,https://two.example' },
    line: /^CHAIN_RPC_URL has two providers\. If one is silent, the index stops/,
  },
  {
    says: 'one company',
    environment: { CHAIN_RPC_URL: 'https://one.example/a,https://one.example/b,https://one.example/c' },
    line: /same host/,
  },
  {
    says: 'a WebSocket too few',
    environment: { CHAIN_WS_URL: 'wss://one.example' },
    line: /^CHAIN_WS_URL has 1 entries/,
  },
  {
    says: 'a key in the public URL',
    environment: { SVC_PUBLIC_RPC_URL: 'https://rpc.example/v2/abcdefghijklmnopqrstuvwx' },
    line: /^SVC_PUBLIC_RPC_URL seems to contain a key/,
  },
  {
    says: 'no database URL',
    environment: { SVC_DATABASE_URL: '', SVC_KEEPER_KEY_FILE: '' },
    line: /^SVC_DATABASE_URL is not set/,
  },
  {
    says: 'a database URL of another kind',
    environment: { SVC_DATABASE_URL: 'mysql://x/y' },
    line: /^SVC_DATABASE_URL is not a postgres/,
  },
  { says: 'no deployments file', files: { 'deployments.json': null }, line: /^SVC_DEPLOYMENTS: cannot read/ },
  {
    says: 'a deployments file that is no JSON',
    files: { 'deployments.json': '{' },
    line: /^SVC_DEPLOYMENTS: deployments\.json is not JSON/,
  },
  {
    says: 'an unknown chain',
    ...swap((own) => ({ ...own, chainId: 1 })),
    line: /^SVC_DEPLOYMENTS: chain 1 has no profile/,
  },
  {
    says: 'a zero treasury',
    ...swap((own) => ({ ...own, shared: { ...own.shared, treasury: zeroAddress } })),
    line: /^SVC_DEPLOYMENTS: treasury is the zero address/,
  },
  {
    says: 'an address twice',
    ...swap((own) => ({ ...own, markets: { ...own.markets, micro: own.markets.standard } })),
    line: /two contracts have the same address/,
  },
  { says: 'start block 0', ...swap((own) => ({ ...own, startBlock: 0 })), line: /startBlock is 0/ },
  { says: 'no code hashes', ...swap((own) => ({ ...own, codeHashes: {} })), line: /codeHashes is not complete/ },
  {
    says: 'a site that is not built',
    files: { 'site/index.html': null },
    line: /^SVC_SITE_DIR: site has no index\.html/,
  },
  {
    says: 'a site over plain text',
    environment: { SVC_SITE_URL: 'http://market.example' },
    line: /^SVC_SITE_URL is not https/,
  },
  { says: 'a store without its address', environment: { SVC_STORE_ADDRESS: '' }, line: /^SVC_STORE_ADDRESS is needed/ },
  {
    says: 'a key twice',
    environment: { SVC_KEEPER_KEY: '0x1' },
    line: /^SVC_KEEPER_KEY_FILE and SVC_KEEPER_KEY are both set/,
  },
  { says: 'no key file', files: { 'keeper.key': null }, line: /^SVC_KEEPER_KEY_FILE: cannot read/ },
  {
    says: 'a key file that others can read',
    context: { readMode: async () => 0o644 },
    line: /^SVC_KEEPER_KEY_FILE: others can read/,
  },
  { says: 'a key of the local chain', files: { 'keeper.key': publicKeys.keeper }, line: /public knowledge/ },
  {
    says: 'a folder that cannot be written to',
    context: { canWrite: async () => false },
    line: /^SVC_STORE_FOLDER: work is not a folder/,
  },
  { says: 'a full disk', context: { readFreeBytes: async () => 2n ** 20n }, line: /^The disk has 1 MiB left/ },
  { says: 'every proxy trusted', environment: { SVC_TRUSTED_PROXIES: '0.0.0.0/0' }, line: /^SVC_TRUSTED_PROXIES/ },
  { says: 'a provider that does not answer', second: () => new Error('nobody'), line: /^provider 2 does not answer/ },
  {
    says: 'a provider on another chain',
    second: (method) => (method === 'eth_chainId' ? '0x1' : undefined),
    line: /^provider 2 is on chain 1/,
  },
  {
    says: 'a provider with other code',
    second: (method) => (method === 'eth_getCode' ? '0x6000' : undefined),
    line: /^provider 2 does not have our contracts/,
  },
  { says: 'a provider that is behind', context: { now: () => Date.now() + 3_600_000 }, line: /^provider 1 is behind/ },
  { says: 'a late clock', context: { now: () => Date.now() - 3_600_000 }, line: /the clock of this machine is late/ },
  {
    says: 'a provider without finalized',
    second: (method, params) =>
      method === 'eth_getBlockByNumber' && params[0] === 'finalized' ? new Error('unknown tag') : undefined,
    line: /^provider 2 does not know the tag finalized/,
  },
  { says: 'a provider without logs', second: refuse('eth_getLogs'), line: /^provider 2 does not return the logs/ },
  {
    says: 'a provider without simulation',
    second: refuse('eth_simulateV1'),
    line: /^provider 2 does not support eth_simulateV1/,
  },
  {
    says: 'providers that disagree',
    second: (method, params) =>
      method === 'eth_getBlockByNumber' && String(params[0]).startsWith('0x')
        ? { number: '0x1', hash: zeroHash, timestamp: '0x1', transactions: [] }
        : undefined,
    line: /^The providers disagree/,
  },
  {
    says: 'a database that is down',
    context: { query: () => Promise.reject(Object.assign(new Error('secret'), { code: 'ECONNREFUSED' })) },
    line: /^SVC_DATABASE_URL: cannot connect \(ECONNREFUSED\)\.$/,
  },
  { says: 'a superuser', rows: { super: true }, line: /^SVC_DATABASE_URL: the role is a superuser/ },
  { says: 'a role without privileges', rows: { creates: false }, line: /^SVC_DATABASE_URL: the role cannot create/ },
  { says: 'an old Postgres', rows: { version: 140_001 }, line: /^SVC_DATABASE_URL: Postgres 140001 is too old/ },
  { says: 'a standby', rows: { standby: true }, line: /^SVC_DATABASE_URL: this is a standby/ },
  {
    says: 'a store that does not answer',
    context: { requestStatus: () => Promise.reject(new Error('down')) },
    line: /^SVC_STORE_URL: the store does not answer/,
  },
  {
    says: 'a store with another key',
    context: { requestJson: async () => ({ address: zeroAddress }) },
    line: /^SVC_STORE_ADDRESS is 0x02484\S+, but the store signs with 0x0{40}/,
  },
  {
    says: 'a notifier that fails',
    context: { requestStatus: async () => 502 },
    line: /^SVC_NOTIFY_URL: the notifier answers with status 502/,
  },
]

test('a right configuration has no faults', async () => {
  await devnet.client.mine({ blocks: 1 })
  expect(await diagnose(createContext({}), { offline: false })).toEqual([])
  expect(doctorChecks.length).toBeGreaterThanOrEqual(25)
})

test.each([
  ['keeper', { SVC_KEEPER_KEY_FILE: 'keeper.key', SVC_API_URL: 'http://127.0.0.1:8080' }],
  [
    'clerk',
    {
      SVC_CLERK_KEY_FILE: 'keeper.key',
      SVC_CLERK_FOLDER: 'clerk',
      SVC_STORE_URL: 'http://127.0.0.1:4030',
      SVC_STORE_ADDRESS: environment.SVC_STORE_ADDRESS,
    },
  ],
  ['watcher', { SVC_WATCH_GUARDIAN: zeroAddress }],
])('the settings of a %s alone are right without a database', async (_, own) => {
  await devnet.client.mine({ blocks: 1 })
  const { CHAIN_RPC_URL, SVC_DEPLOYMENTS } = environment
  const context = createContext({})
  const given = { CHAIN_RPC_URL, SVC_DEPLOYMENTS, ...own }
  const found = await diagnose(
    { ...context, environment: given, knownVariables: Object.keys(given) },
    { offline: false },
  )
  expect(found).toEqual([])
})

test('at least 25 mistakes are planted', () => expect(cases.length).toBeGreaterThanOrEqual(25))

test.each(cases)('finds $says', async ({ line, swap: change, ...machine }) => {
  await devnet.client.mine({ blocks: 1 })
  const files = change && { ...machine.files, 'deployments.json': JSON.stringify(change(deployments)) }
  const found = await diagnose(createContext({ ...machine, ...(files && { files }) }), { offline: false })
  expect(found.filter((fault) => line.test(fault))).not.toEqual([])
  expect(found.every((fault) => !fault.includes('\n') && fault.endsWith('.'))).toBe(true)
})

test('offline, nothing is asked', async () => {
  const fail = () => Promise.reject(new Error('asked'))
  const context = createContext({ context: { query: fail, requestStatus: fail } })
  expect(await diagnose({ ...context, connect: () => expect.unreachable() }, { offline: true })).toEqual([])
})

/** Runs an app with `--check-config`. */
async function checkApp(app: string, changes: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'config-'))
  const file = join(folder, 'deployments.json')
  await writeFile(file, JSON.stringify(deployments))
  const env = {
    ...compileCache.env(),
    CHAIN_RPC_URL: devnet.rpcUrl,
    SVC_DEPLOYMENTS: file,
    SVC_DATABASE_URL: 'postgres://127.0.0.1:5432/market',
    SVC_PUBLIC_RPC_URL: 'https://rpc.example',
    SVC_KEEPER_KEY: `0x${'ab'.repeat(32)}`,
    ...changes,
  }
  const child = spawn(process.execPath, [findProgram(`apps/${app}/src/main.ts`), '--check-config'], { env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const [code] = await once(child, 'close')
  await rm(folder, { recursive: true })
  return { code, output }
}

test.each([
  ['api', { SVC_SITE_DIR: '/nowhere' }, 'SVC_SITE_DIR: /nowhere has no index.html. Build the site first.'],
  ['keeper', { SVC_HOST: ' 127.0.0.1' }, 'SVC_HOST has quotes or spaces around its value.'],
])('%s --check-config runs the checks that need no network', async (app, changes, line) => {
  const good = await checkApp(app, {})
  expect(good).toMatchObject({ code: 0, output: expect.stringContaining('onfiguration is') })
  // Less than the best is said, and is no fault.
  expect(good.output).toContain('Advice: CHAIN_RPC_URL has one provider')
  // What other apps need does not matter.
  expect(await checkApp(app, { SVC_CLERK_FOLDER: '"quoted"' })).toMatchObject({ code: 0 })
  expect(await checkApp(app, changes)).toMatchObject({ code: 1, output: expect.stringContaining(line) })
})
