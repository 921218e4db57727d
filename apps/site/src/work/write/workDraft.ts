import { formatTaskId } from '@svc/protocol'
import type { BundleSubject } from '@svc/protocol/work'
import type { Hex } from 'viem'
import { loadValue, removeValues, saveValue } from '../database.ts'

/** A file of a draft. Its bytes stay on this device until it is sealed. */
export interface DraftFile {
  /** Random: two files can have the same name and size, and other bytes. */
  id: string
  name: string
  type: string
  blob: Blob
}

/** A bundle that was sealed from a draft. Its parts are stored beside it until the transaction is confirmed. */
export interface SealedDraft {
  hash: Hex
  /** The descriptor. */
  bytes: Uint8Array
  /** What it was sealed from and for: see {@link describeContent}. */
  content: string
  /** Whether the store holds it. */
  isStored: boolean
}

export interface WorkDraft {
  text: string
  files: readonly DraftFile[]
}

export const emptyDraft: WorkDraft = { text: '', files: [] }

/** Names the draft of a bundle in this browser. Another milestone, revision or wallet has another draft. */
export const nameDraft = ({ kind, taskId, milestone, revision, author }: BundleSubject): string =>
  [kind, formatTaskId(taskId), milestone, revision, author.toLowerCase()].join(' ')

/** Loads a draft, or an empty one. */
export async function loadDraft(name: string): Promise<WorkDraft> {
  const [text, files] = await Promise.all([loadValue('drafts', name), loadValue('drafts', `${name}/files`)])
  return {
    text: typeof text === 'string' ? text : '',
    files: Array.isArray(files) ? files.filter(isDraftFile) : [],
  }
}

export const saveText = (name: string, text: string): Promise<void> => saveValue('drafts', name, text)
export const saveFiles = (name: string, files: readonly DraftFile[]): Promise<void> =>
  saveValue('drafts', `${name}/files`, files)

/** Describes a draft and its readers. What was sealed from another text, other files or for other keys is never used again. */
export const describeContent = ({ text, files }: WorkDraft, keys: readonly string[]): string =>
  JSON.stringify([text, files.map(({ id, name }) => [id, name]), [...keys].sort()])

/** Loads what was sealed last from a draft; null if nothing was. */
export async function loadSealed(name: string): Promise<SealedDraft | null> {
  const found = await loadValue('drafts', `${name}/sealed`)
  return isSealedDraft(found) ? found : null
}

export const saveSealed = (name: string, sealed: SealedDraft): Promise<void> =>
  saveValue('drafts', `${name}/sealed`, sealed)

/** Forgets what was sealed. */
export async function dropSealed(name: string): Promise<void> {
  await removeValues('drafts', `${name}/sealed`)
  await removeValues('parts', name)
}

/** Removes a draft with everything that was made from it. */
export async function removeDraft(name: string): Promise<void> {
  await removeValues('drafts', name)
  await removeValues('parts', name)
}

/** The sealed parts of a draft, on the disk, so that an upload can go on after a reload. */
export const createPartStore = (name: string) => ({
  savePart: ({ sha256 }: { sha256: string }, bytes: Uint8Array) => saveValue('parts', `${name}/${sha256}`, bytes),
  async readPart({ sha256 }: { sha256: string }): Promise<Uint8Array> {
    const bytes = await loadValue('parts', `${name}/${sha256}`)
    if (!(bytes instanceof Uint8Array)) throw new MissingPartError()
    return bytes
  },
})

/** The browser removed a part that it had stored. The bundle must be sealed again. */
export class MissingPartError extends Error {}

const isDraftFile = (value: unknown): value is DraftFile =>
  isRecord(value) &&
  typeof value.id === 'string' &&
  typeof value.name === 'string' &&
  typeof value.type === 'string' &&
  'blob' in value &&
  value.blob instanceof Blob

const isSealedDraft = (value: unknown): value is SealedDraft =>
  isRecord(value) &&
  typeof value.hash === 'string' &&
  value.bytes instanceof Uint8Array &&
  typeof value.content === 'string' &&
  typeof value.isStored === 'boolean'

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
