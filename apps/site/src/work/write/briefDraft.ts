import type { Market } from '@svc/protocol'
import { type BriefAudience, type BriefFile, briefLimits } from '@svc/protocol/internal/work'
import { bytesToHex } from 'viem'
import { briefFilesText as labels } from '../../text/briefFiles.ts'
import { changeValue, loadValue } from '../database.ts'
import { nameFiles } from './draftFiles.ts'

/** A file of a brief that is being written. Its bytes are kept beside, by `keepFiles`. */
export interface BriefDraftFile {
  name: string
  type: string
  size: number
  /** Null if it is too large to be for everyone. */
  sha256: string | null
  for: BriefAudience
}

/** The bytes of a file, kept in this browser until the store has them. */
export interface LocalFile {
  name: string
  type: string
  blob: Blob
  sha256: string | null
}

const place = 'brief files'

/** Adds files to a brief, for the worker only until the poster decides otherwise. Throws an error with a message for the user. */
export async function addBriefFiles(before: readonly BriefDraftFile[], added: readonly File[], market: Market) {
  if (before.length + added.length > briefLimits.files) throw new Error(labels.tooMany(briefLimits.files))
  const local: LocalFile[] = []
  for (const { file, name, type } of nameFiles(before, added, labels.name)) {
    const sha256 = file.size <= briefLimits.bytes.everyone[market] ? await hashBlob(file) : null
    local.push({ name, type, blob: file, sha256 })
  }
  const files = [
    ...before,
    ...local.map(
      ({ name, type, blob, sha256 }): BriefDraftFile => ({ name, type, size: blob.size, sha256, for: 'worker' }),
    ),
  ]
  return { files, local }
}

/** Keeps the bytes of files in this browser. */
export const keepFiles = (local: readonly LocalFile[]): Promise<void> =>
  changeValue('drafts', place, (value) => [...toLocal(value), ...local])

/** Finds the bytes of the files that the text of a task names. */
export async function findLocalFiles(named: readonly BriefFile[]): Promise<LocalFile[]> {
  const all = toLocal(await loadValue('drafts', place))
  return named.flatMap((file) => all.findLast((each) => isNamedFile(file, each)) ?? [])
}

/** Forgets files: the store has them, or the poster removed them. */
export const forgetFiles = (files: readonly Pick<LocalFile, 'name' | 'sha256'>[]): Promise<void> =>
  changeValue('drafts', place, (value) =>
    toLocal(value).filter(({ name, sha256 }) => !files.some((each) => each.name === name && each.sha256 === sha256)),
  )

/** Whether bytes are those of a file that a text names. */
export const isNamedFile = ({ name, size, sha256 }: BriefFile, local: LocalFile): boolean =>
  name === local.name && size === local.blob.size && (sha256 === undefined || sha256 === local.sha256)

export async function hashBlob(blob: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer())
  return bytesToHex(new Uint8Array(digest)).slice(2)
}

const toLocal = (value: unknown): LocalFile[] => (Array.isArray(value) ? value.filter(isLocal) : [])

const isLocal = (value: unknown): value is LocalFile =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'type' in value &&
  typeof value.type === 'string' &&
  'blob' in value &&
  value.blob instanceof Blob &&
  'sha256' in value &&
  (value.sha256 === null || typeof value.sha256 === 'string')
