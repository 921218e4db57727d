// What a page of the gateway shows, as data: figures, tables, lists, bars and commands by heading. Prose that is the same on
// every page of its kind is left out.
import type { Json, JsonObject } from './call.ts'

/** An element with its attributes and children, which are texts and elements. */
interface Element {
  tag: string
  attributes: Readonly<Record<string, string>>
  children: (string | Element)[]
}

/** The parts of a page below one heading. */
interface Part {
  figures: Record<string, Json>
  tables: Json[]
  items: Json[]
  code: Json[]
  bars: Json[]
}

/** Parses a page into what it shows. */
export function parsePage(text: string): JsonObject {
  const root = parse(text)
  const [main] = findAll(root, ({ tag }) => tag === 'main')
  if (!main) throw new Error('The page has no content.')
  const chosen = findAll(main, ({ attributes }) => attributes['aria-current'] === 'true').map(readText)
  const [next] = findAll(main, ({ attributes }) => attributes.rel === 'next')
  const [head] = findAll(root, ({ attributes }) => attributes['data-live'] === 'head')
  const parts = readParts(main)
  const data = findAll(root, ({ attributes }) => attributes.type === 'application/json').map(
    ({ attributes, children }) => [attributes.id ?? '', JSON.parse(children.join(''))],
  )
  return {
    head: head ? readText(head) : null,
    chosen,
    ...(next && { next: next.attributes.href ?? '' }),
    ...Object.fromEntries(parts),
    ...(data.length > 0 && { data: Object.fromEntries(data) }),
  }
}

function readParts(main: Element): Map<string, JsonObject> {
  const parts = new Map<string, Part>()
  let heading = ''
  const part = () => {
    const current = parts.get(heading) ?? { figures: {}, tables: [], items: [], code: [], bars: [] }
    parts.set(heading, current)
    return current
  }
  const walk = (element: Element) => {
    const { tag, attributes, children } = element
    if (attributes.hidden !== undefined || ['script', 'button', 'form'].includes(tag)) return
    if (/^h[1-3]$/.test(tag)) heading = readText(element)
    else if (tag === 'table') part().tables.push(readTable(element))
    else if (tag === 'li') part().items.push(readItem(element))
    else if (attributes.class === 'chart') part().bars.push(...readBars(element))
    else if (tag === 'dl') Object.assign(part().figures, readFigures(element))
    else if (tag === 'pre' || attributes.class === 'formula') part().code.push(readText(element))
    else if (tag !== 'nav') for (const child of children) if (typeof child !== 'string') walk(child)
  }
  walk(main)
  // Empty ones are left out, so that each field that is there shows something.
  return new Map(
    [...parts].map(([name, { figures, ...lists }]) => [
      name,
      {
        ...(Object.keys(figures).length > 0 && { figures }),
        ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
      },
    ]),
  )
}

function readTable(table: Element): JsonObject {
  const [caption] = findAll(table, ({ tag }) => tag === 'caption')
  const rows = findAll(table, ({ tag }) => tag === 'tr').flatMap((row): JsonObject[] => {
    const cells = findAll(row, ({ attributes }) => attributes['data-label'] !== undefined)
    return cells.length > 0 ? [Object.fromEntries(cells.flatMap(readCell))] : []
  })
  return { caption: caption ? readText(caption) : '', rows }
}

/** The text of a cell by its column, and where it links to. */
function readCell(cell: Element): [string, Json][] {
  const label = cell.attributes['data-label'] ?? ''
  const [link] = findAll(cell, ({ tag }) => tag === 'a')
  const href = link?.attributes.href
  const text: [string, Json] = [label, readText(cell)]
  return href === undefined ? [text] : [text, [`${label} links to`, href]]
}

/** The texts of a list item. Those of a task are named by the class of their element. */
function readItem(item: Element): Json {
  if (item.attributes.class !== 'task') return readText(item)
  const own = item.children.filter((child) => typeof child !== 'string' && /^(?:h2|p)$/.test(child.tag))
  return Object.fromEntries(
    own.flatMap((child) =>
      typeof child === 'string' ? [] : [[child.attributes.class ?? child.tag, readText(child)] as const],
    ),
  )
}

const readFigures = (list: Element): Record<string, Json> =>
  Object.fromEntries(
    findAll(list, ({ tag }) => tag === 'div').map((pair) => {
      const read = (name: string) => findAll(pair, ({ tag }) => tag === name).map(readText)[0] ?? ''
      return [read('dt'), read('dd')]
    }),
  )

const readBars = (chart: Element): Json[] =>
  findAll(chart, ({ attributes }) => attributes.class === 'bar-row').map((row) => {
    const [wallet] = findAll(row, ({ attributes }) => attributes.class === 'hex')
    const [bar] = findAll(row, ({ tag }) => tag === 'svg')
    const widths = findAll(row, ({ tag }) => tag === 'rect').map(({ attributes }) => attributes.width ?? '')
    const last = row.children.findLast((child) => typeof child !== 'string')
    return {
      wallet: wallet?.attributes.title ?? '',
      solvency: bar?.attributes.class ?? '',
      widths,
      amount: last === undefined || typeof last === 'string' ? '' : readText(last),
    }
  })

/** The text that a person hears or reads. A time that changes with the clock is the moment that it stands for. */
function readText(element: Element): string {
  const read = (node: string | Element): string => {
    if (typeof node === 'string') return node
    const { tag, attributes, children } = node
    if (attributes['aria-hidden'] === 'true' || tag === 'button') return ''
    if ('data-age' in attributes || 'data-until' in attributes) return ` ${attributes.datetime} `
    return children.map(read).join('')
  }
  return read(element).replaceAll(/\s+/g, ' ').trim()
}

function findAll(element: Element, matches: (element: Element) => boolean): Element[] {
  return element.children.flatMap((child) =>
    typeof child === 'string' ? [] : [...(matches(child) ? [child] : []), ...findAll(child, matches)],
  )
}

const voids = new Set(['meta', 'link', 'img', 'input', 'br', 'hr'])
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const decode = (text: string) => text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')

/** Parses the well-formed markup of our own pages. */
function parse(text: string): Element {
  const root: Element = { tag: '', attributes: {}, children: [] }
  const open = [root]
  const token = /<script[^>]*>[\s\S]*?<\/script>|<!doctype[^>]*>|<\/(\w+)>|<(\w+)([^>]*)>|[^<]+/g
  for (const [all, closed, opened, attributes = ''] of text.matchAll(token)) {
    const parent = open.at(-1) ?? root
    const script = /^<script([^>]*)>([\s\S]*)<\/script>$/.exec(all)
    if (script) {
      const attributes = readAttributes(script[1] ?? '')
      parent.children.push({ tag: 'script', attributes, children: [script[2] ?? ''] })
    } else if (closed !== undefined) open.pop()
    else if (opened !== undefined) {
      const element: Element = { tag: opened, attributes: readAttributes(attributes), children: [] }
      parent.children.push(element)
      if (!voids.has(opened) && !attributes.endsWith('/')) open.push(element)
    } else if (!all.startsWith('<!')) parent.children.push(decode(all))
  }
  if (open.length > 1) throw new Error(`<${open.at(-1)?.tag}> is not closed.`)
  return root
}

const readAttributes = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, decode(value)]),
  )
