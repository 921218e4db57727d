import { mkdir, writeFile } from 'node:fs/promises'
import { buildJsonSchemas } from '../../packages/protocol/src/negotiation/jsonSchemas.ts'
import { formatJsonFile } from './jsonFile.ts'

const folder = 'packages/protocol/schemas'

/** Writes the JSON Schemas of the negotiation messages, for readers that are not TypeScript. */
export async function genSchemas(): Promise<void> {
  const root = new URL(`../../${folder}/`, import.meta.url)
  await mkdir(root, { recursive: true })
  const files = Object.entries(buildJsonSchemas())
  for (const [name, schema] of files) await writeFile(new URL(name, root), formatJsonFile(schema))
  console.log(`${files.length} schemas -> ${folder}`)
}
