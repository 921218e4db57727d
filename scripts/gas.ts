// pnpm gas: measures every call of contracts/test/gas and writes contracts/gas.json. `pnpm test:contracts` compares with it.
import { writeFile } from 'node:fs/promises'
import { parseGas } from './proof/figures.ts'
import { forge } from './run.ts'

const { exitCode, output } = await forge(['test', '-vv', '--match-path', 'contracts/test/gas/*'], 'default')
const figures = parseGas(output)
if (exitCode !== 0 || Object.keys(figures).length === 0) throw new Error('The gas tests failed.')
await writeFile(new URL('../contracts/gas.json', import.meta.url), `${JSON.stringify(figures, null, 2)}\n`)
console.log(`${Object.keys(figures).length} calls -> contracts/gas.json`)
