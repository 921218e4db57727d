import { readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'

/** Whether `.dockerignore` keeps a path of the repository from the builder: the last line that speaks of it decides. */
export function createIgnored(): (path: string) => boolean {
  const patterns = readFileSync(new URL('../../.dockerignore', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  return (path) => {
    const parts = path.split('/')
    const above = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
    const speaks = (pattern: string) => above.some((each) => matchesGlob(each, pattern.replace(/^!/, '')))
    return patterns.findLast(speaks)?.startsWith('!') === false
  }
}
