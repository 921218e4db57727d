// pnpm openapi: writes the OpenAPI documents of all services to dist/openapi. `pnpm lint:openapi` reads them there.
import { mkdir, writeFile } from 'node:fs/promises'
import { formatOpenapi } from '@svc/serve'
import { documents } from './gen/openapi.ts'

const folder = new URL('../dist/openapi/', import.meta.url)
await mkdir(folder, { recursive: true })
for (const [name, document] of Object.entries(documents)) {
  await writeFile(new URL(`${name}.yaml`, folder), await formatOpenapi(document))
}
