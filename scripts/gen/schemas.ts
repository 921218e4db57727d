import { mkdir, writeFile } from 'node:fs/promises'
import { jsonSchemas } from '../../packages/protocol/src/negotiation/jsonSchemas.ts'
import { jsonFile } from './jsonFile.ts'

const folder = 'packages/protocol/schemas'

/** Writes the JSON Schemas of the negotiation's messages, for readers that are not TypeScript. */
export async function genSchemas(): Promise<void> {
  const root = new URL(`../../${folder}/`, import.meta.url)
  await mkdir(root, { recursive: true })
  const files = Object.entries(jsonSchemas())
  for (const [name, schema] of files) await writeFile(new URL(name, root), jsonFile(schema))
  console.log(`${files.length} schemas -> ${folder}`)
}
