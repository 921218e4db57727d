import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { exampleEnv } from '../harness/exampleEnv.ts'
import { type Page, readPages, root } from './markdown.ts'

const pages = readPages()
const json = (path: string) => JSON.parse(readFileSync(root + path, 'utf8'))
/** Lists wrong statements as `page: statement`. */
const wrong = (find: (page: Page) => readonly string[]) =>
  pages.flatMap((page) => find(page).map((each) => `${page.path}: ${each}`))

test('there are pages to look at', () => {
  expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(['README.md', 'docs/operations.md']))
})

test('every link leads to an existing file and heading', () => {
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const leadsNowhere = (from: string, target: string): boolean => {
    if (/^[a-z]+:/.test(target)) return false
    const [file = '', anchor] = target.split('#')
    const path = file === '' ? from : normalize(join(dirname(from), file))
    if (!existsSync(root + path)) return true
    return anchor !== undefined && !byPath.get(path)?.anchors.has(anchor)
  }
  expect(
    wrong(({ path, prose }) =>
      [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => leadsNowhere(path, target)),
    ),
  ).toEqual([])
})

test('every path that a page names exists', () => {
  const folders = globSync('*/', { cwd: root }).filter((name) => !/^(?:node_modules|deployments)/.test(name))
  const isOurs = new RegExp(`^(?:\\./)?(?:${[...folders, '.ci', '.github'].join('|').replaceAll('.', '\\.')})/`)
  const isMissing = (path: string) => {
    // Skips paths with a placeholder, and what is built or compiled.
    if (/[<>…$]|\/(?:dist|out|results)\b/.test(path)) return false
    return globSync(path.replace(/^\.\//, ''), { cwd: root }).length === 0
  }
  const words = ({ spans, shellLines }: Page) => [...spans, ...shellLines].flatMap((line) => line.split(/[\s"'=]+/))
  expect(wrong((page) => words(page).filter((word) => isOurs.test(word) && isMissing(word)))).toEqual([])
})

test('every TypeScript block is part of a file that tsc checks, named after `ts`', () => {
  const isCurrent = (file: string, block: string) => {
    if (!/^(?!contracts\/).+\.tsx?$/.test(file) || !existsSync(root + file)) return false
    const source = readFileSync(root + file, 'utf8')
    // A line `// …` stands for lines that the page leaves out.
    return block.split(/^\/\/ …$/m).every((piece) => source.includes(piece.trim()))
  }
  const blocks = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/^```(?:tsx?|typescript)\b *(\S*)\n([\s\S]*?)^```$/gm)].map(([, file = '', block = '']) => ({
      path,
      file,
      block,
    })),
  )
  expect(blocks.length).toBeGreaterThan(3)
  expect(blocks.filter(({ file, block }) => !isCurrent(file, block))).toEqual([])
})

test('test/README.md has every folder of tests, every suite and every bench', () => {
  const { text } = pages.find(({ path }) => path === 'test/README.md') ?? { text: '' }
  const folders = ['test', 'chaos', 'bench'].flatMap((place) =>
    globSync(`${place}/*/`, { cwd: root }).map((path) => path.replace(/\/$/, '').split('/').at(-1)),
  )
  expect(folders.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})

test('contracts/README.md has every contract, and no other', () => {
  const { text } = pages.find(({ path }) => path === 'contracts/README.md') ?? { text: '' }
  const table = text.slice(text.indexOf('| Contract |'), text.indexOf('`topUpWithPermit`'))
  const isContract = (name: string) => /^[A-Z]\w+$/.test(name)
  const named = [...table.matchAll(/`(?:\w+\/)?(\w+)`/g)].map(([, name = '']) => name).filter(isContract)
  const sources = globSync('contracts/src/{*,arbitration/*,courts/[!I]*,registry/*}.sol', { cwd: root })
  const contracts = sources.map((path) => path.replace(/^.*\/|\.sol$/g, ''))
  expect([...new Set([...named, 'TokToken'])].sort()).toEqual(contracts.sort())
})

test('every pnpm command that a page names exists', () => {
  const bins = Object.keys(json('apps/tools/package.json').bin)
  const known = new Set([...Object.keys(json('package.json').scripts), ...bins, 'install', 'exec'])
  const isWrong = (words: string) => {
    const [, script = '', name = ''] = /^pnpm ([\w:-]+) ?([\w-]*)/.exec(words) ?? []
    if (script === '' || script.startsWith('-')) return false
    if (!known.has(script)) return true
    return /^(?:chaos|bench)$/.test(script) && /^\w/.test(name) && !existsSync(`${root}${script}/${name}/main.ts`)
  }
  expect(wrong(({ spans, shellLines }) => [...spans, ...shellLines].filter(isWrong))).toEqual([])
})

test('every command of the tools that a page names exists, with its subcommand', () => {
  const binaries = new Set(
    globSync('{apps,packages}/*/package.json', { cwd: root }).flatMap((path) => Object.keys(json(path).bin ?? {})),
  )
  const prepared = new Set(pages.find(({ path }) => path === 'docs/prepare.md')?.anchors)
  const isWrong = (words: string) => {
    const [, command = '', name = ''] =
      /^(?:\w+=\S+ )*(?:npx )?(svc-(?!readiness)[a-z]+(?![\w-])|send-proposal)(?: ([a-z][a-z-]+))?/.exec(words) ?? []
    if (command === '' || words.includes('.mcpb')) return false
    return !binaries.has(command) || (command === 'svc-prepare' && name !== '' && !prepared.has(name))
  }
  expect(wrong(({ spans, shellLines }) => [...spans, ...shellLines].filter(isWrong))).toEqual([])
})

test('every MCP tool that a page names exists', () => {
  const tools = pages.find(({ path }) => path === 'docs/tools.md')?.anchors
  const named = (text: string) =>
    text.match(
      /\bsvc_(?!build_info|index|api|clerk|keeper|rpc|store|notifier|read|posting|chat|watch|backup|certificate|database|disk|restore|act\b)[a-z_]+[a-z]\b/g,
    ) ?? []
  expect(wrong(({ text }) => named(text).filter((name) => !tools?.has(name)))).toEqual([])
})

test('every environment variable that a page names is in .env.example', () => {
  const isOurs = /\b(?:SVC|LLM|XMTP|CHAIN)_[A-Z][A-Z_]*[A-Z]\b|\bPRIVATE_KEY\b/g
  expect(
    wrong(({ text }) => (text.match(isOurs) ?? []).filter((name) => !(name in exampleEnv) && !isTested(name))),
  ).toEqual([])
})

/** Codes that look like a variable, and the options of the site's build, which no program reads when it runs. */
const isTested = (name: string) =>
  /^(?:CHAIN_UNREACHABLE|SVC_SITE_(?:BASE_ACCOUNT(?:_URL)?|(?:CARD|EXCHANGE|BRIDGE|FAUCET)_URL|PAYMASTER_(?:CONTEXT|SPENDER|URL)|WALLETCONNECT_(?:PROJECT_ID|RELAY_URL)))$/.test(
    name,
  )
