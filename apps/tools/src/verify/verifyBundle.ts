import { formatTaskId } from '@svc/protocol'
import { checkDescriptor, encodeDescriptor } from '@svc/protocol/work'
import { verifyExport } from '@svc/work/folder'
import { listTaskBundles } from '../listTaskBundles.ts'
import type { Markets } from '../market.ts'
import { toSingleLine } from '../negotiate/plainText.ts'
import type { Report } from './report.ts'

/**
 * Verifies an exported bundle: its files and its manifest offline, and if the markets are configured, that the task has its hash
 * on chain. Throws `WorkError` for the first difference.
 */
export async function verifyBundle(folder: string, markets: Markets | null): Promise<Report> {
  const { hash, descriptor, manifest } = await verifyExport(folder)
  const { kind, taskId, milestone, revision, author } = descriptor
  const task = formatTaskId(taskId)
  const json = { hash, kind, taskId: task, milestone, revision, author, files: manifest.files.length }
  const lines = [
    `A ${kind} of ${task}, milestone ${milestone}, revision ${revision}, by ${author}.`,
    `All ${manifest.files.length} files match the manifest, and the manifest matches the descriptor:`,
    ...manifest.files.map(({ name, size }) => `  ${toSingleLine(name)} (${size} bytes)`),
    `Hash ${hash}`,
  ]
  if (!markets) return { isTrue: true, lines: [...lines, 'The chain is not configured, so it was not asked.'], json }
  const { references, blockNumber } = await listTaskBundles(markets, taskId)
  const expected = references.find((each) => each.hash === hash)
  if (expected) checkDescriptor(encodeDescriptor(descriptor), expected)
  return {
    isTrue: expected !== undefined,
    lines: [...lines, `${task} ${expected ? 'has' : 'does not have'} this hash on the chain, at block ${blockNumber}.`],
    json: { ...json, onChain: expected !== undefined, block: Number(blockNumber) },
  }
}
