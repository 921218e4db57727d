import { readFileSync } from 'node:fs'

/** The variables of `.env.example`. They must be all that the apps read. */
export const exampleEnv = Object.fromEntries(
  readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
)
