import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseSources } from './ast.ts'
import { isOwnTest, readProject } from './project.ts'
import { parseForgeDuration } from './runTests.ts'

const sources = {
  'contracts/src/types/Limits.sol': 'uint256 constant LIMIT = 5;\n',
  'contracts/src/parts/Sums.sol': 'library Sums { function f() internal pure returns (uint256) { return 1; } }\n',
  'contracts/src/Vault.sol': `import { LIMIT } from "./types/Limits.sol";
import { Sums } from "./parts/Sums.sol";
contract Vault { function g() external pure returns (uint256) { return LIMIT + Sums.f(); } }
`,
  'contracts/src/Other.sol': 'contract Other { uint256 public x; }\n',
}
const tests = {
  'contracts/test/Deployment.sol': 'import { Vault } from "../src/Vault.sol";\n',
  'contracts/test/vault/g.t.sol': 'import {\n    Deployment\n} from "../Deployment.sol";\n',
  'contracts/test/vault/Sums.t.sol': `import { Sums } from "../../src/parts/Sums.sol";
contract SumsTest {
    using Sums for uint256;
}
`,
  'contracts/test/other/x.t.sol': 'import { Other } from "../../src/Other.sol";\n',
  'contracts/test/invariant/Walk.t.sol': 'import { Vault } from "../../src/Vault.sol";\n',
}

function createProject() {
  const root = mkdtempSync(join(tmpdir(), 'project-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [path, text] of Object.entries({ ...sources, ...tests })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return readProject(root, parseSources(sources))
}

test('a change alters every contract that imports it, and tests with the library in them', () => {
  const project = createProject()
  const vault = { source: 'contracts/src/Vault.sol', name: 'Vault' }
  expect(project.listDependents('contracts/src/types/Limits.sol')).toEqual([vault])
  expect(project.listDependents('contracts/src/parts/Sums.sol')).toEqual([
    vault,
    { source: 'contracts/src/parts/Sums.sol', name: 'Sums' },
    { source: 'contracts/test/vault/Sums.t.sol', name: 'SumsTest' },
  ])
})

test('the tests of a change are those that import the contract, without the slow ones', () => {
  const project = createProject()
  const vault = { source: 'contracts/src/Vault.sol', name: 'Vault' }
  expect(project.listTests([vault])).toEqual(['contracts/test/vault/g.t.sol'])
  expect(isOwnTest('contracts/test/vault/g.t.sol', vault)).toBe(true)
  expect(isOwnTest('contracts/test/vaultings/g.t.sol', vault)).toBe(false)
})

test('reads durations as forge prints them', () => {
  expect(parseForgeDuration('1m 2s 30ms 500µs 9ns')).toBeCloseTo(62.0305, 6)
})
