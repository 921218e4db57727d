// pnpm chaos <name> [options] and pnpm bench <name> [options]: starts main.ts of that folder, which reads its own options.
import { readdir } from 'node:fs/promises'

const [place = '', name = ''] = process.argv.splice(2, 2)
const folder = new URL(`../${place}/`, import.meta.url)
const names = (await readdir(folder, { recursive: true }))
  .filter((file) => /^[^/]+\/main\.ts$/.test(file))
  .map((file) => file.slice(0, -'/main.ts'.length))
if (names.includes(name)) await import(new URL(`${name}/main.ts`, folder).href)
else {
  console.error(`Usage: pnpm ${place} <${names.sort().join('|')}> [options]; the head of its main.ts says which.`)
  process.exitCode = 2
}
