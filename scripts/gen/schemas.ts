import { mkdir, writeFile } from 'node:fs/promises'
import { jsonSchemas } from '../../packages/protocol/src/negotiation/jsonSchemas.ts'

const folder = 'packages/protocol/schemas'

/** Writes the JSON Schemas of the negotiation's messages, for readers that are not TypeScript. */
export async function genSchemas(): Promise<void> {
  const root = new URL(`../../${folder}/`, import.meta.url)
  await mkdir(root, { recursive: true })
  const files = Object.entries(jsonSchemas())
  for (const [name, schema] of files) await writeFile(new URL(name, root), fileText(schema))
  console.log(`${files.length} schemas -> ${folder}`)
}

/** Short lists on one line, as the formatter wants them. */
function fileText(schema: unknown): string {
  const json = JSON.stringify(schema, null, 2)
  const short = (lines: string, start: string, items: string) => {
    const line = `${start}[${items.trim().replace(/\n */g, ' ')}]`
    return line.length < 120 ? line : lines
  }
  return `${json.replace(/^(.*)\[\n([^[\]{}]*?)\n *\]/gm, short)}\n`
}
