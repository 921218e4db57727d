import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The repository, with a slash at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** A page of the documentation. */
export interface Page {
  path: string
  text: string
  /** Without the blocks of code. */
  prose: string
  /** What stands in backticks in a line, and each line of blocks that a shell would run. */
  spans: string[]
  shellLines: string[]
  /** What a link can name after `#`. */
  anchors: ReadonlySet<string>
}

const strange = new Set(['node_modules', '.git', 'out', 'out-lite'])

/** Every page that is written or generated in this repository. */
export function readPages(): Page[] {
  const files = globSync('**/*.md', { cwd: root, exclude: (name) => strange.has(name) })
  return files.sort().map((path) => pageOf(path, readFileSync(root + path, 'utf8')))
}

/** One page of them. */
export function readPage(path: string): Page {
  return pageOf(path, readFileSync(root + path, 'utf8'))
}

function pageOf(path: string, text: string): Page {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '')
  const shell = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.split('\n'))
  return {
    path,
    text,
    prose,
    spans: [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span),
    shellLines: shell.map((line) => line.replace(/(?:^|\s)#.*$/, '').trim()).filter((line) => line !== ''),
    anchors: anchorsOf(prose),
  }
}

/** As GitHub makes them of headings. */
function anchorsOf(prose: string): ReadonlySet<string> {
  const seen = new Map<string, number>()
  const anchors = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-')
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  })
  return new Set(anchors)
}

/** The part of a page under one heading, up to the next of the same or a higher rank. */
export function sectionOf({ path, text }: Page, heading: string): string {
  const start = text.indexOf(`\n${heading}\n`)
  if (start < 0) throw new Error(`${path} has no heading "${heading}".`)
  const rank = heading.indexOf(' ')
  const rest = text.slice(start + heading.length + 2)
  const end = rest.search(new RegExp(`^#{1,${rank}} `, 'm'))
  return end < 0 ? rest : rest.slice(0, end)
}
