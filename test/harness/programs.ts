import { fileURLToPath } from 'node:url'
import { programBundles } from './env.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The name of a program's bundle, without its ending. */
export const nameBundle = (source: string): string => source.replace(/\.ts$/, '').replaceAll('/', '.')

/** The file to start for a program such as `apps/api/src/main.ts`: its bundle if this run made one, or its source. */
export function findProgram(source: `apps/${string}.ts`): string {
  const bundles = programBundles.get()
  return bundles ? `${bundles}/${nameBundle(source)}.js` : root + source
}
