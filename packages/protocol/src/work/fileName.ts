import { normalizeText, sanitizeText } from '../base/plainText.ts'
import { workLimits } from './limits.ts'

/**
 * Explains why a file name of a manifest is not safe to write below a folder on any common system. Returns null for a safe
 * name. Folders are separated by `/`.
 *
 * @example
 * ```ts
 * findFileNameProblem('../secret') // 'it leaves its folder'
 * ```
 */
export function findFileNameProblem(name: string): string | null {
  if (new TextEncoder().encode(name).length > workLimits.fileNameBytes) return 'it is too long'
  if (!isVisible(name)) return 'it has hidden characters or is not normalized'
  const segments = name.split('/')
  if (segments.length > workLimits.folderDepth) return 'it lies too deep'
  if (segments.some((segment) => segment === '' || /^\.{1,2}$/.test(segment))) return 'it leaves its folder'
  // Windows reads these as drives, streams, separators and devices, and drops dots and spaces at the end.
  if (/[\\:*?"<>|]/.test(name)) return 'it has characters that some systems do not allow'
  if (segments.some((segment) => /^ |[ .]$/.test(segment)))
    return 'a part of it begins or ends with a space or ends with a dot'
  if (segments.some((segment) => devices.test(segment))) return 'it is reserved on some systems'
  return null
}

/**
 * Finds two names that would be one file, or a file and a folder, on a system that ignores case. Returns the second one, or
 * null.
 *
 * @example
 * ```ts
 * findCollidingName(['a.txt', 'A.txt']) // 'A.txt'
 * ```
 */
export function findCollidingName(names: readonly string[]): string | null {
  const files = new Set<string>()
  const folders = new Set<string>()
  for (const name of names) {
    const folded = foldCase(name)
    const parents = listParents(folded)
    if (files.has(folded) || folders.has(folded) || parents.some((parent) => files.has(parent))) return name
    files.add(folded)
    for (const parent of parents) folders.add(parent)
  }
  return null
}

const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i

const isVisible = (name: string) =>
  name.isWellFormed() && !/[\r\n\t]/.test(name) && sanitizeText(name, { strict: true }) === name && isNormalized(name)

const isNormalized = (name: string) => normalizeText(`.${name}.`) === `.${name}.`

const foldCase = (name: string) => name.toUpperCase().toLowerCase().normalize('NFC')

function listParents(name: string): string[] {
  const segments = name.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}
