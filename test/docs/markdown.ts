import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The root of the repository, with a trailing slash. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** A page of the documentation. */
export interface Page {
  path: string
  text: string
  /** The text without code blocks. */
  prose: string
  /** Inline code, and each line of the shell blocks. */
  spans: string[]
  shellLines: string[]
  /** What a link can name after `#`. */
  anchors: ReadonlySet<string>
}

const excludedFolders = new Set(['node_modules', '.git', 'out', 'out-lite'])

/** Reads every page of this repository, written or generated, that says what is true now: not the change logs of packages. */
export function readPages(): Page[] {
  const files = globSync('**/*.md', { cwd: root, exclude: (name) => excludedFolders.has(name) })
  const current = files.filter((path) => !/^(?:apps|packages)\/[^/]+\/CHANGELOG\.md$/.test(path))
  return current.sort().map((path) => parsePage(path, readFileSync(root + path, 'utf8')))
}

export function readPage(path: string): Page {
  return parsePage(path, readFileSync(root + path, 'utf8'))
}

function parsePage(path: string, text: string): Page {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '')
  const shell = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.split('\n'))
  return {
    path,
    text,
    prose,
    spans: [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span),
    shellLines: shell.map((line) => line.replace(/(?:^|\s)#.*$/, '').trim()).filter((line) => line !== ''),
    anchors: listAnchors(prose),
  }
}

/** The anchors that GitHub creates for the headings. */
function listAnchors(prose: string): ReadonlySet<string> {
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

/** The part of a page under one heading, up to the next one of the same or a higher level. */
export function extractSection({ path, text }: Page, heading: string): string {
  const start = text.indexOf(`\n${heading}\n`)
  if (start < 0) throw new Error(`${path} has no heading "${heading}".`)
  const rank = heading.indexOf(' ')
  const rest = text.slice(start + heading.length + 2)
  const end = rest.search(new RegExp(`^#{1,${rank}} `, 'm'))
  return end < 0 ? rest : rest.slice(0, end)
}
