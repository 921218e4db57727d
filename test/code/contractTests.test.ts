import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)

test('no contract test expects a revert of a bare `new`', () => {
  // Dynamic test linking turns `new` into a cheatcode that `expectRevert` does not see: such a test passes whatever the
  // constructor does. Deploy in an external function of the test instead.
  const vacuous = globSync('contracts/test/**/*.sol', { cwd: root }).filter((file) =>
    /expectRevert\([^;]*;\s*(?:[\w.\s]+=\s*)?new\s/.test(readFileSync(new URL(file, root), 'utf8')),
  )
  expect(vacuous).toEqual([])
})
