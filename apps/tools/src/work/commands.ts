import { readFile, writeFile } from 'node:fs/promises'
import { formatTaskId, SvcError } from '@svc/protocol'
import { type BundleKind, type ExpectedBundle, sealBundle } from '@svc/protocol/work'
import {
  createMemoryPartCache,
  type FetchedBundle,
  fetchBundle,
  findReaders,
  issueReceipt,
  uploadBundle,
} from '@svc/work'
import { exportBundle, listLocalFiles } from '@svc/work/folder'
import { type Address, isAddressEqual } from 'viem'
import type { Answer } from '../negotiate/command.ts'
import type { Options } from '../negotiate/context.ts'
import { quoteLines, toSingleLine } from '../negotiate/plainText.ts'
import type { WorkPlace } from './context.ts'

/** One command of `svc-work`. */
export interface WorkCommand {
  name: string
  /** The arguments after the task id, in commander's notation. */
  args: string
  summary: string
  options?: readonly (readonly [flags: string, description: string])[]
  run: (
    place: WorkPlace,
    options: Options,
    args: readonly (string | readonly string[] | undefined)[],
  ) => Promise<Answer>
}

const contentOptions = [
  ['--text <markdown>', 'what you want to say, in Markdown'],
  ['--text-file <file>', 'the same, from a file'],
] as const

export const workCommands: readonly WorkCommand[] = [
  {
    name: 'sign-in',
    args: '',
    summary: 'Make your reading key known at the store, so that others can seal work for you.',
    run: async ({ account, store }) => {
      const statement = store.keys?.statement
      if (statement) await store.calls.putStatement(statement)
      return { json: { wallet: account.address }, text: `The store knows the reading key of ${account.address}.` }
    },
  },
  {
    name: 'deliver',
    args: '[files...]',
    summary: 'Seal files and text for the poster, send them to the store, and get a receipt.',
    options: [...contentOptions, ['--receipt <file>', "where to write the store's receipt (default: receipt.json)"]],
    run: async (place, options, [files]) => {
      const { poster, worker } = place.detail.task
      assertAuthor(place, 'worker', [worker])
      const { sealed, json, lines } = await sendBundle(place, 'delivery', [poster], options, files)
      const receipt = place.namedStore ? await issueReceipt(place.store, sealed, place.checks) : null
      const receiptJson = receipt && {
        size: Number(receipt.size),
        until: Number(receipt.until),
        signature: receipt.signature,
      }
      const file = options.receipt ?? 'receipt.json'
      if (receiptJson) await writeFile(file, `${JSON.stringify(receiptJson)}\n`)
      const rest = `--proof-hash ${sealed.hash}${receiptJson ? ` --receipt ${file}` : ''}`
      return answer(place, { ...json, receipt: receiptJson }, lines, `submit-proof ${rest}`)
    },
  },
  {
    name: 'request-changes',
    args: '[files...]',
    summary: 'Seal what should change for the worker, and send it to the store.',
    options: contentOptions,
    run: async (place, options, [files]) => {
      const { poster, worker } = place.detail.task
      assertAuthor(place, 'poster', [poster])
      const { sealed, json, lines } = await sendBundle(place, 'revision', listWallets([worker]), options, files)
      return answer(place, json, lines, `request-revision --reason-hash ${sealed.hash}`)
    },
  },
  {
    name: 'evidence',
    args: '[files...]',
    summary: 'Seal evidence for the other party and the judge, and send it to the store.',
    options: contentOptions,
    run: async (place, options, [files]) => {
      const { poster, worker } = place.detail.task
      assertAuthor(place, 'poster or worker', [poster, worker])
      const readers = listWallets([poster, worker, place.detail.dispute?.judge])
      const { sealed, json, lines } = await sendBundle(place, 'evidence', readers, options, files)
      const action = place.detail.dispute ? 'submit-evidence' : 'open-dispute'
      return answer(place, json, lines, `${action} --evidence-hash ${sealed.hash}`)
    },
  },
  {
    name: 'open',
    args: '[hash]',
    summary: 'Fetch, check and show a bundle: the one with this hash, or the newest one of the task.',
    run: async (place, _, [hash]) => {
      const expected = findReference(place, hash)
      const { manifest } = await fetchBundle(place.store, expected)
      const { text, files, links } = manifest
      return {
        json: { ...toJson(expected), untrusted: { text, files, links } },
        text: [
          `A ${expected.kind} by ${expected.author}: every byte matches the hash on chain.`,
          ...quoteLines(text),
          ...files.map(({ name, size }) => `  ${toSingleLine(name)} (${size} bytes)`),
          ...links.map((link) => `  ${toSingleLine(link)}`),
        ].join('\n'),
      }
    },
  },
  {
    name: 'export',
    args: '<folder> [hash]',
    summary: 'Write a checked bundle into a new folder, for svc-verify and for yourself.',
    run: async (place, _, [folder, hash]) => {
      const expected = findReference(place, hash)
      const bundle: FetchedBundle = await fetchBundle(place.store, expected)
      const target = String(folder)
      await exportBundle(bundle, target)
      const text = `Wrote ${bundle.manifest.files.length} files to ${target}. Run svc-verify ${target} to check them again.`
      return { json: { ...toJson(expected), folder: target }, text }
    },
  },
]

async function sendBundle(
  { account, taskId, detail, markets, store, checks, progress }: WorkPlace,
  kind: BundleKind,
  readers: readonly Address[],
  options: Options,
  files: WorkCommandArgument,
) {
  const paths = Array.isArray(files) ? files : []
  const text = options.text ?? (options['text-file'] ? await readFile(options['text-file'], 'utf8') : '')
  if (text === '' && paths.length === 0) {
    throw new SvcError('EMPTY_BUNDLE', 'There is nothing to send. Name files, or pass --text.')
  }
  const cache = createMemoryPartCache()
  const sealed = await sealBundle({
    subject: {
      kind,
      chainId: checks.chainId,
      registry: markets.deployments.markets[taskId.market].taskRegistry,
      taskId,
      milestone: detail.task.current,
      revision: detail.task.revisions,
      author: account.address,
    },
    text,
    files: await listLocalFiles(paths),
    readers: await findReaders(store, readers, checks),
    savePart: cache.savePart,
  })
  await uploadBundle(store, sealed, {
    readPart: cache.readPart,
    onProgress: ({ sentBytes, totalBytes }) => progress(formatProgress(sentBytes, totalBytes)),
  })
  const json = { taskId: formatTaskId(taskId), kind, hash: sealed.hash, files: sealed.manifest.files.length }
  const lines = [`Sealed and stored ${sealed.manifest.files.length} files of ${json.taskId}. Hash ${sealed.hash}`]
  return { sealed, json, lines }
}

type WorkCommandArgument = string | readonly string[] | undefined

/** The chain gets the hash only, by an action that the wallet signs elsewhere. */
function answer({ account, taskId }: WorkPlace, json: object, lines: readonly string[], action: string): Answer {
  const next = `svc-prepare ${action} --task-id ${formatTaskId(taskId)} --from ${account.address}`
  return { json: { ...json, next }, text: [...lines, 'Nothing is on chain yet. Run:', `  ${next}`].join('\n') }
}

function findReference({ references, taskId }: WorkPlace, hash: WorkCommandArgument): ExpectedBundle {
  const found = hash === undefined ? references.at(-1) : references.find((each) => each.hash === hash)
  if (found) return found
  throw new SvcError('BUNDLE_NOT_FOUND', `${formatTaskId(taskId)} has no ${hash ? `hash ${hash}` : 'bundle'} on chain.`)
}

function assertAuthor({ account, taskId }: WorkPlace, role: string, wallets: readonly (Address | null)[]): void {
  if (listWallets(wallets).some((wallet) => isAddressEqual(wallet, account.address))) return
  throw new SvcError('NOT_ALLOWED', `${account.address} is not the ${role} of ${formatTaskId(taskId)}.`)
}

const listWallets = (wallets: readonly (Address | null | undefined)[]): Address[] => wallets.filter((each) => !!each)

const toJson = ({ taskId, ...rest }: ExpectedBundle) => ({ ...rest, taskId: formatTaskId(taskId) })

function formatProgress(sent: number, total: number): string {
  const done = total === 0 ? 20 : Math.round((20 * sent) / total)
  return `[${'#'.repeat(done).padEnd(20)}] ${Math.round(sent / 1_000)} of ${Math.round(total / 1_000)} kB`
}
