// node scripts/bundle.ts <app folder>: bundles each command of an app into one file in its dist folder. With a manifest.json it also
// creates an .mcpb bundle of the first one, which MCP clients install with one click.
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bundleFile } from './bundleFile.ts'
import { createZip } from './zip.ts'

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Name the folder of the app to bundle, such as apps/tools.')

const root = new URL(`../${folder}/`, import.meta.url)
const { bin } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as { bin: Record<string, string> }

await rm(new URL('dist', root), { recursive: true, force: true })
for (const [name, source] of Object.entries(bin)) {
  await bundleFile(fileURLToPath(new URL(source, root)), fileURLToPath(new URL(`dist/${name}.js`, root)))
}

const manifest = new URL('manifest.json', root)
if (existsSync(manifest)) {
  const data = await readFile(manifest)
  const { name, server } = JSON.parse(data.toString()) as { name: string; server: { entry_point: string } }
  const files = [
    { name: 'manifest.json', data },
    { name: server.entry_point, data: await readFile(new URL(`dist/${name}.js`, root)) },
  ]
  await writeFile(new URL(`dist/${name}.mcpb`, root), createZip(files))
}
