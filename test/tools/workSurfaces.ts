import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { accounts, type Person, publicKeys } from '@svc/devnet'
import type { PrepareInput } from '@svc/protocol/actions'
import type { BriefFile } from '@svc/protocol/internal/work'
import type { BundleKind, SignedStatement } from '@svc/protocol/work'
import type { Hex } from 'viem'
import { callTool } from '../../apps/tools/src/callTool.ts'
import type { Markets } from '../../apps/tools/src/market.ts'
import { createToolDeps } from '../../apps/tools/src/toolDeps.ts'
import { tools } from '../../apps/tools/src/tools/index.ts'
import { runWork } from '../../apps/tools/src/work/runWork.ts'
import { createToolWork } from '../../apps/tools/src/work/toolWork.ts'
import { testDomain } from '../harness/storeApp.ts'

/** What a person sends, with files by their name. */
interface Sending {
  kind: BundleKind
  text: string
  files?: Readonly<Record<string, string>>
}

interface Opened {
  text: string
  files: readonly string[]
}

/** The ways to work with a store that the same test goes through. Each person has a machine of their own. */
export interface WorkSurface {
  signIn: (person: Person) => Promise<SignedStatement>
  /** Returns the hash and, for a delivery, the receipt. Throws what the surface says about a refusal. */
  send: (
    person: Person,
    id: string,
    what: Sending,
  ) => Promise<{ hash: Hex; receipt?: PrepareInput<'submit-proof'>['receipt'] | null }>
  open: (person: Person, id: string, hash?: Hex) => Promise<Opened>
  /** The status of every bundle, in the order of the chain. */
  list: (person: Person, id: string) => Promise<string[]>
  /** Describes files for the terms of a new task. */
  nameFiles: (
    person: Person,
    files: Readonly<Record<string, string>>,
    forEveryone: readonly string[],
  ) => Promise<BriefFile[]>
  /** Sends files that were described. */
  sendBrief: (person: Person, id: string, names: readonly string[]) => Promise<{ isAnnounced?: boolean }>
  /** The files that the text names, with the hash of the bundle in which a person can open them. */
  listFiles: (person: Person, id: string) => Promise<readonly { name: string; for: string; hash: Hex | null }[]>
}

export interface SurfacePlaces {
  markets: Markets
  storeUrl: string
  /** A folder for all machines. */
  folder: string
  environment: Readonly<Record<string, string>>
}

const fileOptions: Readonly<Record<BundleKind, string>> = {
  delivery: 'deliver',
  revision: 'request-changes',
  evidence: 'evidence',
  ruling: 'rule',
  brief: 'brief',
}

/** The command line. */
export function createCommandSurface({ storeUrl, folder, environment }: SurfacePlaces): WorkSurface {
  const run = async (person: Person, args: readonly string[]) => {
    const home = join(folder, 'cli', person)
    await mkdir(home, { recursive: true })
    let output = ''
    let errors = ''
    const code = await runWork([...args, '--store', storeUrl, '--domain', testDomain, '--json'], {
      environment: { ...environment, HOME: home, PRIVATE_KEY: publicKeys[person] },
      input: new PassThrough(),
      output: new PassThrough().on('data', (chunk) => {
        output += chunk
      }),
      errors: new PassThrough().on('data', (chunk) => {
        errors += chunk
      }),
      now: () => Math.floor(Date.now() / 1000),
    })
    await new Promise((resolve) => setImmediate(resolve))
    if (code !== 0) throw new Error(`${output}${errors}`)
    return { home, json: JSON.parse(output) }
  }
  return {
    async signIn(person) {
      const file = join(folder, `${person}-statement.json`)
      const { json } = await run(person, ['sign-in', '--statement', file, '--store-address', accounts.store.address])
      return json.statement
    },
    async send(person, id, { kind, text, files = {} }) {
      const place = await mkdtemp(join(folder, 'files-'))
      const paths = await writeFiles(place, files)
      const receipt = kind === 'delivery' ? ['--receipt', join(place, 'receipt.json')] : []
      const { json } = await run(person, [fileOptions[kind], id, ...paths, '--text', text, ...receipt])
      return json
    },
    async open(person, id, hash) {
      const { json } = await run(person, ['open', id, ...(hash ? [hash] : [])])
      const { text, files } = json.untrusted
      return { text, files: files.map(({ name }: { name: string }) => name) }
    },
    async list(person, id) {
      const { json } = await run(person, ['status', id])
      return json.bundles.map(({ status }: { status: string }) => status)
    },
    async nameFiles(person, files, forEveryone) {
      const paths = await writeFiles(folder, files)
      const out = join(folder, 'files.json')
      return (await run(person, ['name-files', ...paths, '--for-everyone', forEveryone.join(','), '--out', out])).json
        .files
    },
    sendBrief: async (person, id, names) =>
      (await run(person, ['brief', id, ...names.map((name) => join(folder, name))])).json,
    listFiles: async (person, id) => (await run(person, ['status', id])).json.untrusted.files,
  }
}

/** The MCP server, as its tools are called. Wallets sign with their own tool. */
export function createToolSurface({ markets, storeUrl, folder }: SurfacePlaces): WorkSurface & {
  /** Saves the newest work of a task. Returns the folder of its files. */
  save: (person: Person, id: string) => Promise<string>
  /** Sends files of these names as a brief, without writing them before. */
  sendNames: (person: Person, id: string, files: readonly string[]) => Promise<unknown>
  /** Calls a tool. Throws its error. */
  // biome-ignore lint/suspicious/noExplicitAny: results differ by tool.
  call: (person: Person, name: string, args: Record<string, unknown>) => Promise<any>
} {
  const call = async (person: Person, name: string, args: Record<string, unknown>) => {
    const tool = tools.find((each) => each.name === name)
    if (!tool) throw new Error(`There is no tool ${name}.`)
    const home = join(folder, 'mcp', person)
    const workFolder = join(home, 'work')
    await mkdir(workFolder, { recursive: true })
    const env = { SVC_API_URL: `http://${testDomain}`, SVC_STORE_URL: storeUrl, SVC_WORK_FOLDER: workFolder }
    const work = createToolWork(markets, env, join(home, 'state'))
    const deps = createToolDeps(markets, 'http://127.0.0.1:9', undefined, work)
    const input = 'poster' in args ? args : { address: accounts[person].address, ...args }
    const answer = await callTool(tool, input, deps, (error) => {
      throw error
    })
    const [content] = answer.content
    const text = content?.type === 'text' ? content.text : ''
    if (answer.isError) throw new Error(text)
    return { json: JSON.parse(text), workFolder }
  }
  return {
    async signIn(person) {
      const { json: first } = await call(person, 'svc_work_sign_in', {})
      if (first.signedIn) return first.statement
      const signature = await accounts[person].signMessage({ message: first.message })
      const { json } = await call(person, 'svc_work_sign_in', { message: first.message, signature })
      return json.statement
    },
    async send(person, id, { kind, text, files = {} }) {
      const { workFolder } = await call(person, 'svc_work_sign_in', {})
      const outbox = join(workFolder, id.replaceAll(':', '-'), 'outbox')
      await mkdir(outbox, { recursive: true })
      await writeFiles(outbox, files)
      const actionInput = kind === 'ruling' ? { forWorker: true } : {}
      const { json } = await call(person, 'svc_send_work', { id, kind, text, files: Object.keys(files), actionInput })
      if (!json.prepared?.ready) throw new Error(JSON.stringify(json))
      return json
    },
    async open(person, id, hash) {
      const { json } = await call(person, 'svc_read_work', { id, ...(hash && { hash }) })
      if (!json.opened) throw new Error(JSON.stringify(json.work))
      const { untrustedText, untrustedFiles } = json.opened
      return { text: untrustedText, files: untrustedFiles.map(({ name }: { name: string }) => name) }
    },
    call: async (person, name, args) => (await call(person, name, args)).json,
    sendNames: (person, id, files) => call(person, 'svc_send_work', { id, kind: 'brief', text: 'Mine.', files }),
    async save(person, id) {
      const { json, workFolder } = await call(person, 'svc_read_work', { id, save: true })
      return join(workFolder, json.savedTo)
    },
    async list(person, id) {
      const { json } = await call(person, 'svc_read_work', { id })
      return json.work.map(({ status }: { status: string }) => status)
    },
    async nameFiles(person, files, forEveryone) {
      const outbox = join(folder, 'mcp', person, 'work', 'new', 'outbox')
      await mkdir(outbox, { recursive: true })
      await writeFiles(outbox, files)
      const named = Object.keys(files).map((name) => ({
        name,
        for: forEveryone.includes(name) ? 'everyone' : 'worker',
      }))
      const milestones = [{ title: 'All', amount: '30 TOK', duration: '2 hours' }]
      const terms = {
        market: 'micro',
        poster: accounts[person].address,
        title: 'Any',
        criteria: 'All.',
        milestones,
        store: 'none',
      }
      const input = { ...terms, files: named, document: true }
      return (await call(person, 'svc_build_task_terms', input)).json.untrustedTerms.files
    },
    sendBrief: async (person, id, files) => (await call(person, 'svc_send_work', { id, kind: 'brief', files })).json,
    listFiles: async (person, id) => (await call(person, 'svc_read_work', { id })).json.untrustedFiles,
  }
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  const paths = []
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), content)
    paths.push(join(folder, name))
  }
  return paths
}
