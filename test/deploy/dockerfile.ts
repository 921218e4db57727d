import { readFileSync } from 'node:fs'

/** One line of a Dockerfile: what is to be done, and with what. */
export interface Instruction {
  name: string
  words: string
}

/** What one FROM begins. */
export interface Stage {
  from: string
  instructions: readonly Instruction[]
}

/** The stages of `deploy/Dockerfile` by name, and the arguments that stand before the first. */
export function readDockerfile(): { stages: ReadonlyMap<string, Stage>; args: Readonly<Record<string, string>> } {
  const text = readFileSync(new URL('../../deploy/Dockerfile', import.meta.url), 'utf8')
  const lines = text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const stages = new Map<string, { from: string; instructions: Instruction[] }>()
  const args: Record<string, string> = {}
  let stage: { instructions: Instruction[] } | undefined
  for (const line of lines) {
    const [, name = '', words = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (name === '') throw new Error(`Not understood: ${line}`)
    if (name === 'FROM') {
      const [from = '', , as = ''] = words.split(' ')
      const begun = { from, instructions: [] }
      stages.set(as, begun)
      stage = begun
    } else if (stage) stage.instructions.push({ name, words })
    else Object.assign(args, Object.fromEntries([words.split('=', 2)]))
  }
  return { stages, args }
}

/** The instructions of a stage and of those it begins from, first to last. */
export function instructionsOf(stages: ReadonlyMap<string, Stage>, name: string): Instruction[] {
  const stage = stages.get(name)
  return stage ? [...instructionsOf(stages, stage.from), ...stage.instructions] : []
}

/** What COPY takes, and where from: a stage, or null for the folder that is built. */
export function sourcesOf(words: string): { from: string | null; sources: string[]; target: string } {
  const [, from = null] = /^--from=(\S+) /.exec(words) ?? []
  const paths = words.replace(/^--from=\S+ /, '').split(' ')
  return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' }
}

/** The environment that an image has by itself. */
export function envOf(instructions: readonly Instruction[]): Record<string, string> {
  const words = instructions.filter(({ name }) => name === 'ENV').flatMap((each) => each.words.split(' '))
  return Object.fromEntries(words.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]))
}

/** The last of such instructions as a list of words. */
export function listOf(instructions: readonly Instruction[], name: 'CMD' | 'HEALTHCHECK'): string[] {
  const words = instructions.findLast((each) => each.name === name)?.words ?? ''
  return JSON.parse(words.slice(words.indexOf('[')))
}
