import { findCollidingName, findFileNameProblem } from '@svc/protocol/internal/work'
import { workLimits } from '@svc/protocol/work'
import { workWriteText } from '../../text/workWrite.ts'
import type { DraftFile, WorkDraft } from './workDraft.ts'

const labels = workWriteText.problems

/** Room for what encryption and the manifest add to files. */
const overhead = 0.005

/** The most that a draft may hold, in bytes. */
export const getMaxDraftSize = (market: 'standard' | 'micro'): number =>
  Math.floor(workLimits.bundleBytes[market] * (1 - overhead)) - workLimits.manifestBytes

export const sumSizes = (files: readonly DraftFile[]): number => files.reduce((sum, { blob }) => sum + blob.size, 0)

/** Adds files to a draft, under names that are safe on every system. Throws an error with a message for the user. */
export function addFiles(before: readonly DraftFile[], added: readonly File[]): DraftFile[] {
  const files = [
    ...before,
    ...nameFiles(before, added, labels.name).map(({ file, ...named }) => ({
      id: crypto.randomUUID(),
      ...named,
      blob: file,
    })),
  ]
  if (files.length > workLimits.files) throw new Error(labels.tooMany(workLimits.files))
  return files
}

/** Gives files names that are safe on every system, beside those that are there. Throws an error with a message for the user. */
export function nameFiles(
  before: readonly { name: string }[],
  added: readonly File[],
  describe: (name: string, problem: string) => string,
): { name: string; type: string; file: File }[] {
  const taken = before.map(({ name }) => name)
  return added.map((file) => {
    const name = findFreeName(toSafeName(file.name), taken)
    const problem = findFileNameProblem(name)
    if (problem) throw new Error(describe(file.name, problem))
    taken.push(name)
    return { name, type: toMediaType(file.type), file }
  })
}

/** Says why a draft cannot be sent; null if it can. */
export function findDraftProblem(
  { text, files }: WorkDraft,
  market: 'standard' | 'micro',
  formatSize: (bytes: number) => string,
): string | null {
  if (text.trim() === '' && files.length === 0) return labels.empty
  if (new TextEncoder().encode(text).length > workLimits.textBytes) return labels.longText
  const maxSize = getMaxDraftSize(market)
  return sumSizes(files) > maxSize ? labels.tooLarge(formatSize(maxSize)) : null
}

/** Replaces what some systems do not allow in a name, such as the colon in the names of screenshots. */
const toSafeName = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[\\/:*?"<>|\p{Cc}]/gu, '_')
    .replace(/^ +|[ .]+$/g, '')

function findFreeName(name: string, taken: readonly string[]): string {
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? []
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${stem} (${count})${ending}`
    if (findCollidingName([...taken, free]) === null) return free
  }
}

const toMediaType = (given: string): string => {
  const [type = ''] = given.toLowerCase().split(';')
  return /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/.test(type) && type.length <= 127
    ? type
    : 'application/octet-stream'
}
