// pnpm test:contracts [--deep] [--counts <file>]
// Runs the Solidity tests with CI's fuzzing, or with --deep ten times as much; --counts writes {passed, failed} for .ci/run.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { forge } from './forge.ts'

const { values } = parseArgs({ options: { deep: { type: 'boolean', default: false }, counts: { type: 'string' } } })

const { exitCode, output } = await forge(['test'], values.deep ? 'deep' : 'ci')
const counts = countTests(output)
if (values.counts) {
  await mkdir(dirname(values.counts), { recursive: true })
  await writeFile(values.counts, `${JSON.stringify(counts)}\n`)
}
// Forge is content with finding no tests; we are not.
process.exitCode = counts.passed > 0 ? exitCode : 1

/** The counts in forge's closing line, `… 12 tests passed, 0 failed, 0 skipped …`; none when it never got that far. */
function countTests(output: string): { passed: number; failed: number } {
  const [, passed, failed] = /: (\d+) tests passed, (\d+) failed/.exec(output) ?? []
  return { passed: Number(passed ?? 0), failed: Number(failed ?? 0) }
}
