import { createHash } from 'node:crypto'
import { errorCodes } from '@svc/operations'
import type { OpenapiDocument, OpenapiOperation, JsonSchema as Schema } from '@svc/serve'

type Schemas = Readonly<Record<string, Schema>>

/** The parts of a schema that have fields. */
interface InlineSchema {
  properties: Schemas
  required: readonly string[]
  items: Schema
  anyOf: readonly Schema[]
  oneOf: readonly Schema[]
}

const style = `
:root { color-scheme: light dark; --line: light-dark(#d8dde3, #3a4149); --soft: light-dark(#f5f7f9, #1c2126); --link: light-dark(#0b57d0, #8ab4f8); }
body { font: 1rem/1.55 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; background: light-dark(#fff, #121518); color: light-dark(#1b1f23, #e3e6e9); }
a { color: var(--link); }
code, pre { font-family: ui-monospace, monospace; font-size: .875em; overflow-wrap: anywhere; }
pre { padding: .75rem; background: var(--soft); border: 1px solid var(--line); border-radius: .4rem; white-space: pre-wrap; margin: .5rem 0; }
pre code { font-size: 1em; }
h2 { margin: 3rem 0 0; padding-bottom: .3rem; border-bottom: 2px solid var(--line); }
h2::first-letter { text-transform: uppercase; }
h3 { margin: 2.5rem 0 .5rem; }
h4 { margin: 1.25rem 0 .25rem; }
.method { padding: .1rem .4rem; margin-right: .4rem; border-radius: .3rem; background: var(--soft); border: 1px solid var(--line); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); }
td code { overflow-wrap: break-word; }
td:first-child code { white-space: nowrap; }
nav { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0 1.5rem; }
nav h2 { font-size: 1rem; margin: 1rem 0 .25rem; padding: 0; border: 0; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
summary { cursor: pointer; margin-top: 1.25rem; font-weight: 600; }
:target h3 { text-decoration: underline; }
@media (max-width: 34rem) {
  thead { display: none; }
  tr { display: block; padding: .4rem 0; border-bottom: 1px solid var(--line); }
  td { display: block; padding: 0; border: 0; }
  td:first-child { font-weight: 600; }
}
a:focus-visible, summary:focus-visible { outline: 2px solid; outline-offset: 2px; }
`

/** The page is self-contained: no scripts, no other hosts. */
export const docsPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Renders the contract as one reference page. It works without scripts, by keyboard and on a phone. */
export function docsPage({ info, tags, paths, components }: OpenapiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
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
${paragraphs(info.description)}
<p>In the examples <code>$API</code> is the address of this service; wallets and tasks are those of the demo world of <code>pnpm devnet</code>.</p>
<p>The same as a document for machines: <a href="/openapi.yaml">openapi.yaml</a>. In short, for agents: <a href="/llms.txt">llms.txt</a>.</p>
</header>
<nav aria-label="Routes">
${groups.map((group) => `<div><h2>${escaped(group.name)}</h2><ul>${group.operations.map(navItem).join('')}</ul></div>`).join('\n')}
</nav>
<main>
${groups.map((group) => `<h2>${escaped(group.name)}</h2>\n<p>${escaped(group.description)}</p>\n${group.operations.map((each) => section(each, components.schemas)).join('\n')}`).join('\n')}
<h2>schemas</h2>
${Object.entries(components.schemas)
  .map(
    ([name, schema]) =>
      `<section id="schema-${name}"><h3>${name}</h3><p>${formatInline(String(schema.description))}</p>${fields(schema, components.schemas)}</section>`,
  )
  .join('\n')}
<h2>error codes</h2>
${table(
  ['Code', 'Status', ''],
  Object.entries(errorCodes).map(([code, { status, meaning }]) => [
    `<code>${code}</code>`,
    `${status}`,
    formatInline(meaning),
  ]),
)}
</main>
</body>
</html>
`
}

type PlacedOperation = OpenapiOperation & { path: string; method: string }

const navItem = (operation: PlacedOperation) =>
  `<li><a href="#${operation.operationId}"><code>${operation.method.toUpperCase()} ${escaped(operation.path)}</code></a>${addedMark(operation)}</li>`

const addedMark = (operation: OpenapiOperation) => (operation['x-specification'] ? '' : ' <small>our addition</small>')

function section(operation: PlacedOperation, schemas: Schemas): string {
  const { operationId, method, path, summary, description, parameters, requestBody, responses } = operation
  const { 'x-chain-cost': chainCost, 'x-codeSamples': codeSamples } = operation
  const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  const samples = codeSamples.map(({ label, source }) => `# ${label}\n${source}`)
  const [, answer] = Object.entries(responses)[0] ?? []
  const schema = answer?.content?.['application/json'].schema
  const stream = answer?.content?.['text/event-stream']
  const inline = typeof schema?.$ref === 'string' ? schemas[formatSchemaName(schema.$ref)] : schema
  return `<section id="${operationId}">
<h3><code><span class="method">${method.toUpperCase()}</span>${escaped(path)}</code>${addedMark(operation)}</h3>
<p>${escaped(summary)} ${formatInline(description)}${chainCost === undefined ? '' : ` Chain cost ${chainCost}.`}</p>
${
  parameters?.length
    ? table(
        ['Parameter', 'Type', ''],
        parameters.map(({ name, in: place, required, schema, description = '' }) => [
          `<code>${name}</code>${place === 'header' ? ', header' : ''}${required ? ', required' : ''}`,
          type(schema),
          formatInline(description),
        ]),
      )
    : ''
}
${requestBody ? `<h4>Body</h4>${fields(requestBody.content['application/json'].schema, schemas)}` : ''}
${samples.length > 0 ? `<h4>Examples</h4>\n<pre><code>${escaped(samples.join('\n\n'))}</code></pre>` : ''}
<h4>Answer</h4>
${inline ? fields(inline, schemas) : ''}
${stream ? `<h4>Stream</h4>\n${paragraphs(answer.description)}\n${cases(stream.schema.items as Schema, schemas)}` : ''}
<details><summary>Errors: ${errors.map(([status]) => status).join(', ')}</summary>
${table(
  ['Status', ''],
  errors.map(([status, { description }]) => [status, formatInline(description)]),
)}
</details>
</section>`
}

function fields(schema: Schema, schemas: Schemas): string {
  if ('discriminator' in schema) return cases(schema, schemas)
  const rows = listRows(schema, '', schemas)
  return rows.length > 0 ? table(['Field', 'Type', ''], rows) : `<p>${type(schema)}</p>`
}

/** Lists the fields of a schema as rows. The fields of an inline object follow it under their path. */
function listRows(schema: Schema, path: string, schemas: Schemas): string[][] {
  const { properties = {}, required = [], items, anyOf = [], oneOf = [] } = schema as Partial<InlineSchema>
  const rows = Object.entries(properties).flatMap(([name, each]) => [
    [
      `<code>${path}${name}</code>${required.includes(name) ? '' : ', optional'}`,
      type(each),
      formatInline(describe(each, schemas)),
    ],
    ...listRows(each, `${path}${name}.`, schemas),
  ])
  const inItems = items ? listRows(items, path.replace(/\.$/, '[].'), schemas) : []
  return [...rows, ...inItems, ...[...anyOf, ...oneOf].flatMap((each) => listRows(each, path, schemas))]
}

/** The description of a field, or else of the schema that it refers to. */
const describe = ({ description, $ref }: Schema, schemas: Schemas): string =>
  String(description ?? schemas[formatSchemaName(String($ref))]?.description ?? '')

/** Lists the schemas of which one applies, by the field that decides. */
function cases(schema: Schema, schemas: Schemas): string {
  const { propertyName, mapping } = schema.discriminator as { propertyName: string; mapping: Record<string, string> }
  return table(
    [`<code>${propertyName}</code>`, 'Schema', ''],
    Object.entries(mapping).map(([value, $ref]) => [
      `<code>${value}</code>`,
      type({ $ref }),
      formatInline(describe({ $ref }, schemas)),
    ]),
  )
}

/** Describes a type, with links to the schemas it names. */
function type(schema: Schema): string {
  const { $ref, type: kind, enum: values, oneOf, anyOf = oneOf, items, contentSchema, default: preset } = schema
  if (typeof $ref === 'string') return `<a href="#schema-${formatSchemaName($ref)}">${formatSchemaName($ref)}</a>`
  const after = preset === undefined ? '' : `, default <code>${escaped(JSON.stringify(preset))}</code>`
  if ('const' in schema) return `<code>${escaped(JSON.stringify(schema.const))}</code>`
  if (Array.isArray(values)) return values.map((value) => `<code>${escaped(String(value))}</code>`).join(' or ') + after
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((each) => type(each)))].join(' or ')
  if (contentSchema) return `JSON of ${type(contentSchema as Schema)}`
  if (kind === 'array') return `list of ${type(items as Schema)}`
  return `${escaped([kind].flat().join(' or '))}${after}`
}

/** Renders a table, without its last column if that is empty. */
function table(titles: readonly string[], lines: readonly (readonly string[])[]): string {
  const width = lines.some((line) => line.at(-1)) ? titles.length : titles.length - 1
  const [head = [], ...rows] = [titles, ...lines].map((line) => line.slice(0, width))
  const cells = (row: readonly string[], tag: string) =>
    `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  return `<div class="scroll"><table><thead>${cells(head, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table></div>`
}

const formatSchemaName = (reference: string) => reference.replace('#/components/schemas/', '')
const paragraphs = (text: string) =>
  text
    .split('\n\n')
    .map((each) => `<p>${formatInline(each)}</p>`)
    .join('\n')
const formatInline = (text: string) =>
  escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll('\n', '<br>')
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
