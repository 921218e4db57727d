import { readFileSync } from 'node:fs'

/** An instruction of a Dockerfile and its arguments. */
export interface Instruction {
  name: string
  words: string
}

/** A build stage, which starts with FROM. */
export interface BuildStage {
  from: string
  instructions: readonly Instruction[]
}

/** Parses the stages of `deploy/Dockerfile` by name, and the arguments before the first stage. */
export function readDockerfile(): { stages: ReadonlyMap<string, BuildStage>; args: Readonly<Record<string, string>> } {
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
    if (name === '') throw new Error(`Cannot parse the line "${line}" of deploy/Dockerfile.`)
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

/** Parses COPY: its sources, its target, and the stage they come from; null for the build context. */
export function parseCopy(words: string): { from: string | null; sources: string[]; target: string } {
  const [, from = null] = /^--from=(\S+) /.exec(words) ?? []
  const paths = words.replace(/^--from=\S+ /, '').split(' ')
  return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' }
}

/** Parses the environment that the ENV instructions set. */
export function parseEnvInstructions(instructions: readonly Instruction[]): Record<string, string> {
  const words = instructions.filter(({ name }) => name === 'ENV').flatMap((each) => each.words.split(' '))
  return Object.fromEntries(words.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]))
}
