import { readFileSync } from 'node:fs'
import { docsPage, docsPolicy } from './docs.ts'
import { llmsText } from './llms.ts'
import { openapiDocument } from './openapi.ts'

/** A page or file that is the same for every client until the next release. */
export interface Document {
  path: `/${string}`
  type: string
  text: string
  /** The content security policy, if the default does not fit. */
  policy?: string
}

/** The service's own documents, built once at start. */
export function createDocuments(): readonly Document[] {
  return [
    {
      path: '/openapi.yaml',
      type: 'application/yaml',
      text: readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'),
    },
    { path: '/docs', type: 'text/html; charset=utf-8', text: docsPage(openapiDocument()), policy: docsPolicy },
    { path: '/llms.txt', type: 'text/plain; charset=utf-8', text: llmsText() },
  ]
}
