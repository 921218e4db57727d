import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { SvcError } from '@svc/protocol'
import type { Part } from '@svc/protocol/internal/work'
import { hashDescriptor, listParts, parseDescriptor, workLimits } from '@svc/protocol/work'
import type { Hex } from 'viem'
import type { StoreDeps } from './deps.ts'
import { findMissingParts, partKey } from './heldParts.ts'

export type ImportDeps = Pick<StoreDeps, 'bundles' | 'parts' | 'objects' | 'chainId' | 'signingContext'>

export interface ImportReport {
  imported: number
  /** Bundles that the store held completely before. */
  known: number
}

/**
 * Imports bundles from a folder of descriptors (`<keccak256>.json`) and parts (`<sha256>.part`), for example from another store.
 * Form, hashes, chain and quota are checked as for an upload. Write access is not checked: only the operator of the store can run this.
 * Importing again changes nothing. Throws for the first bundle that cannot be imported.
 */
export async function importFolder(folder: string, deps: ImportDeps): Promise<ImportReport> {
  const names = (await readdir(folder)).filter((name) => /^0x[0-9a-f]{64}\.json$/.test(name)).sort()
  const report: ImportReport = { imported: 0, known: 0 }
  for (let at = 0; at < names.length; at += atOnce) {
    const outcomes = names.slice(at, at + atOnce).map((name) => importBundle(folder, name, deps))
    for (const outcome of await Promise.all(outcomes)) report[outcome] += 1
  }
  return report
}

/** Bundles that are imported at the same time. Most of the time goes into waiting for the disk. */
const atOnce = 8

async function importBundle(folder: string, name: string, deps: ImportDeps): Promise<keyof ImportReport> {
  const refuse = (why: string) => new SvcError('INVALID_IMPORT', `${name}: ${why}`)
  const bytes = await readLimited(join(folder, name), workLimits.descriptorBytes)
  const hash: Hex = hashDescriptor(bytes)
  if (`${hash}.json` !== name) throw refuse(`its keccak256 is ${hash}.`)
  const descriptor = parseDescriptor(bytes)
  const { chainId, registry, taskId, author } = descriptor
  if (chainId !== deps.chainId) throw refuse(`it is for chain ${chainId}, not ${deps.chainId}.`)
  const taskRegistry = deps.signingContext(taskId.market).taskRegistry
  if (registry !== taskRegistry) throw refuse(`it is for the registry ${registry}, not ${taskRegistry}.`)

  const wanted = listParts(descriptor)
  const missing = new Set(await findMissingParts(deps, taskId, wanted))
  if (missing.size === 0 && (await deps.bundles.find(hash))) return 'known'
  const importPart = async (part: Part) => {
    const content = await readLimited(join(folder, `${part.sha256}.part`), part.size)
    await deps.parts.reserve(taskId, part, { wallet: author, quota: workLimits.taskBytes[taskId.market] })
    await deps.objects.put(partKey(taskId, part.sha256), Readable.from([content]), part)
    await deps.parts.hold(taskId, part, author)
  }
  for (const part of wanted) if (missing.has(part.sha256)) await importPart(part)
  const lost = await deps.bundles.save(hash, bytes, descriptor)
  if (lost.length > 0) throw refuse(`the store does not hold ${lost.length} of its parts.`)
  return 'imported'
}

/** Reads a file, but not one that is larger than it may be. */
async function readLimited(path: string, limit: number): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > limit) throw new SvcError('INVALID_IMPORT', `${path} has ${size} bytes, but the limit is ${limit}.`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}
