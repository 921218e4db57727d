import { createHash } from 'node:crypto'
import type { openapiDocument } from './openapi.ts'

type Document = ReturnType<typeof openapiDocument>
type Schema = Readonly<Record<string, unknown>>

interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: readonly string[]
  parameters?: readonly { name: string; required: boolean; schema: Schema; description?: string }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Readonly<Record<string, { description: string; content?: { 'application/json': { schema: Schema } } }>>
}

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere; }
pre { padding: .75rem; border: 1px solid var(--line); border-radius: .4rem; overflow-x: auto; }
section { border-top: 1px solid var(--line); margin-top: 2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); }
nav ul { columns: 16rem; padding-left: 1rem; }
:target h3 { text-decoration: underline; }
a:focus-visible { outline: 2px solid; outline-offset: 2px; }
`

/** The page needs nothing but itself: no script, no other host. */
export const docsPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** The reference as one page, from the contract. It works without scripts, by keyboard and on a phone. */
export function docsPage({ info, tags, paths, components }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...(operation as Operation) })),
  )
  const groups = tags
    .map((tag) => ({ ...tag, operations: operations.filter((each) => each.tags.includes(tag.name)) }))
    .filter((group) => group.operations.length > 0)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(info.title)}: API reference</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${escaped(info.title)} API</h1>
<p>${escaped(info.description)}</p>
<p>The same as a document for machines: <a href="/openapi.yaml">openapi.yaml</a>. In short, for agents: <a href="/llms.txt">llms.txt</a>.</p>
</header>
<nav aria-label="Routes"><ul>
${operations.map(({ operationId, method, path }) => `<li><a href="#${operationId}"><code>${method.toUpperCase()} ${escaped(path)}</code></a></li>`).join('\n')}
</ul></nav>
<main>
${groups.map((group) => `<h2>${escaped(group.name)}</h2>\n<p>${escaped(group.description)}</p>\n${group.operations.map((each) => section(each, components.schemas)).join('\n')}`).join('\n')}
<h2>schemas</h2>
${Object.entries(components.schemas)
  .map(([name, schema]) => `<section id="schema-${name}"><h3>${name}</h3>${fields(schema as Schema)}</section>`)
  .join('\n')}
</main>
</body>
</html>
`
}

function section(
  operation: Operation & { path: string; method: string },
  schemas: Readonly<Record<string, unknown>>,
): string {
  const { operationId, method, path, summary, description, parameters, requestBody, responses } = operation
  const [, answer] = Object.entries(responses)[0] ?? []
  const schema = answer?.content?.['application/json'].schema
  const inline = typeof schema?.$ref === 'string' ? schemas[nameOf(schema.$ref)] : schema
  return `<section id="${operationId}">
<h3><code>${method.toUpperCase()} ${escaped(path)}</code></h3>
<p>${escaped(summary)}${description ? ` ${escaped(description)}` : ''}</p>
${
  parameters?.length
    ? table(
        ['Parameter', 'Type', ''],
        parameters.map(({ name, required, schema, description = '' }) => [
          `<code>${name}</code>${required ? ', required' : ''}`,
          type(schema),
          words(description),
        ]),
      )
    : ''
}
${requestBody ? `<h4>Body</h4>${fields(requestBody.content['application/json'].schema)}` : ''}
<h4>Answer</h4>
${inline ? fields(inline as Schema) : ''}
<h4>Errors</h4>
${table(
  ['Status', ''],
  Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { description }]) => [status, words(description)]),
)}
</section>`
}

function fields(schema: Schema): string {
  const { properties, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] }
  if (!properties) return `<p>${type(schema)}</p>`
  return table(
    ['Field', 'Type', ''],
    Object.entries(properties).map(([name, each]) => [
      `<code>${name}</code>${required.includes(name) ? '' : ', optional'}`,
      type(each),
      words(String(each.description ?? '')),
    ]),
  )
}

/** A type in words, with links to the schemas it names. */
function type(schema: Schema): string {
  const { $ref, type: kind, enum: values, anyOf, items, properties, default: preset } = schema
  if (typeof $ref === 'string') return `<a href="#schema-${nameOf($ref)}">${nameOf($ref)}</a>`
  const after = preset === undefined ? '' : `, default <code>${escaped(JSON.stringify(preset))}</code>`
  if ('const' in schema) return `<code>${escaped(JSON.stringify(schema.const))}</code>`
  if (Array.isArray(values)) return values.map((value) => `<code>${escaped(String(value))}</code>`).join(' or ') + after
  if (Array.isArray(anyOf)) return anyOf.map((each) => type(each)).join(' or ')
  if (kind === 'array') return `list of ${type(items as Schema)}`
  if (kind === 'object' && properties)
    return `{ ${Object.keys(properties)
      .map((name) => `<code>${name}</code>`)
      .join(', ')} }`
  return `${escaped([kind].flat().join(' or '))}${after}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[], tag: string) =>
    `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  return `<div class="scroll"><table><thead>${cells(head, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table></div>`
}

const nameOf = (reference: string) => reference.replace('#/components/schemas/', '')
const words = (text: string) =>
  escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll('\n', '<br>')
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
