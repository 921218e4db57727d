import { formatTaskId, type TaskId } from '@svc/protocol'
import { type BriefFile, findAudience } from '@svc/protocol/internal/work'
import { type ExpectedBundle, type Manifest, WorkError } from '@svc/protocol/work'
import { type Address, getAddress, isHex } from 'viem'
import { type FetchedBundle, fetchBundle } from './fetchBundle.ts'
import type { StoreConnection } from './storeConnection.ts'

/** More briefs of one party than a task needs. */
const maxBriefs = 10

/** A brief at a store. It has no place on chain: its author is the word of the store, or of a message that names it. */
export interface StoredBrief extends ExpectedBundle {
  isPublic: boolean
}

/**
 * Lists the briefs that parties of a task have stored, oldest first: the newest ten of each. A wallet without a role in the task sees
 * public ones.
 *
 * @example
 * ```ts
 * const briefs = await listBriefs(store, { chainId, registry, taskId }, [poster])
 * ```
 */
export async function listBriefs(
  store: StoreConnection,
  subject: { chainId: number; registry: Address; taskId: TaskId },
  parties: readonly Address[],
): Promise<StoredBrief[]> {
  const { body } = await store.calls.listBundles({ id: formatTaskId(subject.taskId) })
  const { chainId, registry, taskId } = subject
  return parties.flatMap((party) =>
    body.bundles
      .filter(({ kind, author }) => kind === 'brief' && author.toLowerCase() === party.toLowerCase())
      .slice(-maxBriefs)
      .flatMap(({ hash, milestone, revision, isPublic }): StoredBrief[] =>
        isHex(hash)
          ? [
              {
                chainId,
                registry,
                taskId,
                kind: 'brief',
                milestone,
                revision,
                author: getAddress(party),
                hash,
                isPublic,
              },
            ]
          : [],
      ),
  )
}

/** A file that the text of a task names, and the bundle that holds it: null if none that this device can open does. */
export interface FoundBriefFile {
  file: BriefFile
  bundle: FetchedBundle | null
  hash: ExpectedBundle['hash'] | null
}

/**
 * Finds the files that the text of a task names in the briefs of its poster, the newest first. A file for everyone counts only with
 * the hash of the text, which is on chain; one for the worker, with its name and size. Errors of the network are thrown.
 *
 * @example
 * ```ts
 * const found = await findBriefFiles(store, await listBriefs(store, subject, [poster]), text.files)
 * ```
 */
export async function findBriefFiles(
  store: StoreConnection,
  briefs: readonly StoredBrief[],
  files: readonly BriefFile[],
): Promise<FoundBriefFile[]> {
  const found: FoundBriefFile[] = files.map((file) => ({ file, bundle: null, hash: null }))
  for (const brief of briefs.toReversed()) {
    const missing = found.filter(
      ({ file, bundle }) => !bundle && brief.isPublic === (findAudience(file) === 'everyone'),
    )
    if (missing.length === 0) continue
    const bundle = await fetchReadable(store, brief)
    for (const each of missing) {
      if (bundle?.manifest.files.some((file) => isBriefFile(each.file, file)))
        Object.assign(each, { bundle, hash: brief.hash })
    }
  }
  return found
}

/**
 * Says whether a file is the one that a text names.
 *
 * @example
 * ```ts
 * manifest.files.find((file) => isBriefFile(named, file))
 * ```
 */
export const isBriefFile = (
  { name, size, sha256 }: BriefFile,
  file: Pick<Manifest['files'][number], 'name' | 'size' | 'sha256'>,
): boolean => name === file.name && size === file.size && (sha256 === undefined || sha256 === file.sha256)

/** Opens a brief; null if it was not shared with this device, or is not what its descriptor says. */
async function fetchReadable(store: StoreConnection, brief: StoredBrief): Promise<FetchedBundle | null> {
  try {
    const bundle = await fetchBundle(store, brief)
    return (bundle.descriptor.recipient === null) === brief.isPublic ? bundle : null
  } catch (error) {
    if (error instanceof WorkError) return null
    throw error
  }
}
