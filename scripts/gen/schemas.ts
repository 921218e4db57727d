import { mkdir } from 'node:fs/promises'
import { buildJsonSchemas } from '../../packages/protocol/src/negotiation/jsonSchemas.ts'
import { formatJsonFile } from './jsonFile.ts'
import { writeDerived } from './writeDerived.ts'

const folder = 'packages/protocol/schemas'

/** Writes the JSON Schemas of the negotiation messages, for readers that are not TypeScript. */
export async function genSchemas(): Promise<void> {
  const root = new URL(`../../${folder}/`, import.meta.url)
  await mkdir(root, { recursive: true })
  const files = Object.entries(buildJsonSchemas())
  for (const [name, schema] of files) await writeDerived(new URL(name, root), formatJsonFile(schema))
  console.log(`${files.length} schemas -> ${folder}`)
}
