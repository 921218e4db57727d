import { readFile, writeFile } from 'node:fs/promises'
import { formatTaskId } from '@svc/protocol'
import { briefFiles, findAudience } from '@svc/protocol/internal/work'
import type { BundleKind, ExpectedBundle } from '@svc/protocol/work'
import { fetchBundle, findCourtReaders, grantTaskBundles } from '@svc/work'
import { exportBundle, listLocalFiles } from '@svc/work/folder'
import * as z from 'zod/mini'
import type { Answer } from '../negotiate/command.ts'
import type { Options } from '../negotiate/context.ts'
import { UsageError } from '../negotiate/describeExit.ts'
import { parseAddressArgument } from '../negotiate/parseArguments.ts'
import { quoteLines, toSingleLine } from '../negotiate/plainText.ts'
import { describeBriefFiles, listSealedBriefs } from './brief.ts'
import type { Argument, WorkCommand } from './command.ts'
import { keyCommands } from './keyCommands.ts'
import { notifyCommands } from './notifyCommands.ts'
import type { WorkPlace } from './place.ts'
import { findWork, listWork } from './readWork.ts'
import { type SentWork, type SharedTask, sendWork, shareTaskWork, toShared } from './sendWork.ts'
import { talkCommands } from './talkCommands.ts'

const contentOptions = [
  ['--text <markdown>', 'what you want to say, in Markdown'],
  ['--text-file <file>', 'the same, from a file'],
] as const
const clerkOption = ['--no-clerk', "do not share the task with the store's clerk; judges need your grants"] as const

export const workCommands: readonly WorkCommand[] = [
  ...keyCommands,
  ...notifyCommands,
  ...talkCommands,
  {
    about: 'task',
    name: 'deliver',
    args: '[files...]',
    summary: 'Seal files and text for the poster, send them to the store, and get a receipt.',
    options: [...contentOptions, ['--receipt <file>', "where to write the store's receipt (default: receipt.json)"]],
    run: async (place, options, [files]) => {
      const sent = await send(place, 'delivery', options, files)
      const file = options.receipt ?? 'receipt.json'
      if (sent.receipt) await writeFile(file, `${JSON.stringify(sent.receipt)}\n`)
      return answer(place, sent, sent.receipt ? ` --receipt ${file}` : '')
    },
  },
  {
    about: 'task',
    name: 'request-changes',
    args: '[files...]',
    summary: 'Seal what should change for the worker, and send it to the store.',
    options: contentOptions,
    run: async (place, options, [files]) => answer(place, await send(place, 'revision', options, files)),
  },
  {
    about: 'task',
    name: 'evidence',
    args: '[files...]',
    summary: 'Seal evidence, send it to the store, and let the judge and the clerk read the whole task.',
    options: [...contentOptions, clerkOption],
    run: async (place, options, [files]) => answer(place, await send(place, 'evidence', options, files)),
  },
  {
    about: 'task',
    name: 'rule',
    args: '[files...]',
    summary: 'Seal the reasons of your ruling for both parties, as the judge or the final court.',
    options: contentOptions,
    run: async (place, options, [files]) =>
      answer(place, await send(place, 'ruling', options, files), ' --for-worker <true|false>'),
  },
  {
    about: 'wallet',
    name: 'name-files',
    args: '<files...>',
    summary: 'Describe the files of a brief for build-task-terms, which publishes their names and sizes.',
    options: [
      [
        '--for-everyone <names>',
        'which of them anybody may open, separated by commas; the others are for the worker only',
      ],
      ['--out <file>', 'where to write the description (default: files.json)'],
    ],
    run: async (_, options, [given]) => {
      const local = await listLocalFiles(Array.isArray(given) ? given : [])
      const everyone = new Set((options['for-everyone'] ?? '').split(',').filter(Boolean))
      const files = z.parse(briefFiles, await describeBriefFiles(local, (name) => everyone.delete(name)))
      if (everyone.size > 0) throw new UsageError(`${[...everyone].join(', ')}: not among the files that you named.`)
      const out = options.out ?? 'files.json'
      await writeFile(out, `${JSON.stringify(files)}\n`)
      const lines = files.map(
        (file) =>
          `  ${file.name} (${file.size} bytes), for ${findAudience(file) === 'everyone' ? 'everyone' : 'the worker'}`,
      )
      const next = [
        `Wrote ${out}. Run svc-prepare build-task-terms … --files ${out}`,
        'Once the task is on chain, send the same files: svc-work brief <task> <files...>',
      ]
      return { json: { files, file: out }, text: [...lines, ...next].join('\n') }
    },
  },
  {
    about: 'task',
    name: 'brief',
    args: '[files...]',
    summary:
      'Send the files of your brief. Those that the text of the task names for everyone are public; everything else is sealed for the worker, who is told once there is one.',
    options: contentOptions,
    run: async (place, options, [files]) => answer(place, await send(place, 'brief', options, files)),
  },
  {
    about: 'task',
    name: 'status',
    args: '',
    summary: 'List the files of the brief and the bundles of the task, and which of them you can open.',
    run: async (place) => {
      const { files, bundles } = await listWork(place)
      const fileLines = files.map(
        ({ name, size, for: audience, hash }) =>
          `  ${toSingleLine(name)} (${size} bytes), for ${audience === 'everyone' ? 'everyone' : 'the worker'}: ${hash ? `svc-work open ${formatTaskId(place.taskId)} ${hash}` : 'you cannot open it'}`,
      )
      const lines = bundles.map(
        ({ hash, kind, milestone, revision, author, status }) =>
          `  ${status.padEnd(8)} ${kind.padEnd(8)} milestone ${milestone}, revision ${revision}, by ${author}: ${hash}`,
      )
      const id = formatTaskId(place.taskId)
      const text = [...fileLines, `${bundles.length} bundles of ${id}.`, ...lines].join('\n')
      return { json: { taskId: id, untrusted: { files }, bundles }, text }
    },
  },
  {
    about: 'task',
    name: 'open',
    args: '[hash]',
    summary: 'Fetch, check and show a bundle: the one with this hash, or the newest one of the task.',
    run: async (place, _, [hash]) => {
      const { expected, isOnChain } = await findWork(place, toText(hash))
      const { manifest } = await fetchBundle(place.store, expected)
      const { text, files, links } = manifest
      return {
        json: { ...toJson(expected), isOnChain, untrusted: { text, files, links } },
        text: [
          isOnChain
            ? `A ${expected.kind} by ${expected.author}: every byte matches the hash on chain.`
            : `A ${expected.kind} by ${expected.author}, says the store: its hash is not on chain.`,
          ...quoteLines(text),
          ...files.map(({ name, size }) => `  ${toSingleLine(name)} (${size} bytes)`),
          ...links.map((link) => `  ${toSingleLine(link)}`),
        ].join('\n'),
      }
    },
  },
  {
    about: 'task',
    name: 'export',
    args: '<folder> [hash]',
    summary: 'Write a checked bundle into a new folder, for svc-verify and for yourself.',
    run: async (place, _, [folder, hash]) => {
      const { expected } = await findWork(place, toText(hash))
      const bundle = await fetchBundle(place.store, expected)
      const target = String(folder)
      await exportBundle(bundle, target)
      const text = `Wrote ${bundle.manifest.files.length} files to ${target}. Run svc-verify ${target} to check them again.`
      return { json: { ...toJson(expected), folder: target }, text }
    },
  },
  {
    about: 'task',
    name: 'grant',
    args: '[wallets...]',
    summary:
      'Let wallets open every bundle of the task that you can open: by default the other party, its judges and the clerk.',
    options: [clerkOption],
    run: async (place, options, [wallets]) => {
      const named = (Array.isArray(wallets) ? wallets : []).map((each) => parseAddressArgument(each, 'wallet'))
      const shared = named.length > 0 ? await share(place, named) : await shareTaskWork(place, null, toClerk(options))
      return { json: { taskId: formatTaskId(place.taskId), shared }, text: describeShared(shared).join('\n') }
    },
  },
]

async function share(place: WorkPlace, wallets: readonly `0x${string}`[]): Promise<SharedTask> {
  const { store, checks, references } = place
  const { readers, waiting } = await findCourtReaders(store, wallets, checks, { withClerk: false })
  const all = [...references, ...(await listSealedBriefs(place))]
  return toShared(readers, waiting, await grantTaskBundles(store, all, readers))
}

async function send(place: WorkPlace, kind: BundleKind, options: Options, files: Argument): Promise<SentWork> {
  const text = options.text ?? (options['text-file'] ? await readFile(options['text-file'], 'utf8') : '')
  const local = await listLocalFiles(Array.isArray(files) ? files : [])
  return sendWork(place, { kind, text, files: local, ...toClerk(options) })
}

const toClerk = ({ clerk }: Options) => ({ withClerk: clerk !== 'false' })

/** The chain gets the hash only, by an action that the wallet signs elsewhere. `rest` is added to its command. */
function answer({ wallet }: WorkPlace, sent: SentWork, rest = ''): Answer {
  const { taskId, files, hash, shared, waiting, next } = sent
  const lines = [
    `Sealed and stored ${files} files of ${taskId}. Hash ${hash}`,
    ...(shared ? describeShared(shared) : waiting.map(describeWaiting)),
  ]
  if (!next) return { json: { ...sent, next: null }, text: lines.join('\n') }
  const flag = Object.keys(next.input).find((name) => name.endsWith('Hash')) ?? ''
  const hashFlag = flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const command = `svc-prepare ${next.action} --${hashFlag} ${hash}${rest} --task-id ${taskId} --from ${wallet}`
  return {
    json: { ...sent, next: command },
    text: [...lines, 'Nothing is on chain yet. Run:', `  ${command}`].join('\n'),
  }
}

function describeShared({ with: wallets, waiting, bundles }: SharedTask): string[] {
  return [
    ...(wallets.length > 0 ? [`Shared ${bundles} bundles of the task with ${wallets.join(', ')}.`] : []),
    ...waiting.map(describeWaiting),
    ...(wallets.length + waiting.length === 0 ? ['Nobody judges the task yet, and the store has no clerk.'] : []),
  ]
}

const describeWaiting = (wallet: string) =>
  `${wallet} has not signed in at the store yet and cannot open it. Run svc-work status when it has.`

const toText = (argument: Argument) => (typeof argument === 'string' ? argument : undefined)

const toJson = ({ taskId, kind, hash, author, milestone, revision }: ExpectedBundle) => ({
  taskId: formatTaskId(taskId),
  ...{ kind, hash, author, milestone, revision },
})
