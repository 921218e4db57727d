import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as amounts from '../../packages/protocol/src/money/amounts.ts'
import { defaultReviewWindow, marketParams } from '../../packages/protocol/src/money/params.ts'
import { renderLifecycleDoc } from './lifecycleDoc.ts'
import { writeDerived } from './writeDerived.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const doc = 'docs/lifecycle.md'
const vectors = 'packages/protocol/vectors/params.json'

/** Writes the lifecycle tables and constants for readers that are not TypeScript. */
export async function genLifecycle(): Promise<void> {
  await write(doc, renderLifecycleDoc())
  await write(vectors, paramsJson())
  console.log(`lifecycle -> ${doc}, ${vectors}`)
}

/** Parameters of both markets and their shared amounts, for the contracts' tests. Amounts are decimal strings. */
function paramsJson(): string {
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  const json = JSON.stringify({ ...marketParams, defaultReviewWindow, amounts }, text, 2)
  // Short lists on one line, as the formatter requires.
  return `${json.replace(/\[[\d,\s]+\]/g, (list) => list.replace(/\s+/g, '').replaceAll(',', ', '))}\n`
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeDerived(join(root, path), text)
}
