import { readFileSync } from 'node:fs'

const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** The shell lines of a section of the README, as they stand there. */
export function shellOf(section: string): string[] {
  const body = text.split(/^## /m).find((each) => each.startsWith(`${section}\n`))
  const blocks = [...(body ?? '').matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block)
  return blocks.join('').trim().split('\n')
}

/** Every command that stands in backticks, or in a shell block. */
export function commandsOf(): string[] {
  const inline = [...text.matchAll(/`((?:pnpm|node\S*|bash) [^`]*)`/g)].map(([, command = '']) => command)
  return [...new Set([...inline, ...shellOf('Start')])]
}

/** Every file that a link leads to. */
export function linksOf(): string[] {
  return [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target)
}
