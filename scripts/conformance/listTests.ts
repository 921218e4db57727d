import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** Lists every test as the runner names it, `<file> > <full name>`, with its project. Nothing is run. */
export function listTests(root: string): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'tests-'))
  try {
    const file = join(folder, 'tests.json')
    const vitest = join(root, 'node_modules/.bin/vitest')
    execFileSync(vitest, ['list', `--json=${file}`], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
    const tests = JSON.parse(readFileSync(file, 'utf8')) as { name: string; file: string; projectName: string }[]
    return new Map(tests.map((test) => [`${relative(root, test.file)} > ${test.name}`, test.projectName]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
