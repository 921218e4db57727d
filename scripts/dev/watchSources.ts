import { existsSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Debounce: editors write a file in several steps, and a checkout writes many files. */
const settleMs = 200

/** Lists the source folders that an app consists of: its own, and those of the workspace packages it depends on. */
export function listSourceFolders(app: string): string[] {
  const found = new Set([app])
  for (const folder of found) {
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>
    }
    for (const name of Object.keys(dependencies)) {
      const dependency = name.replace(/^@svc\//, 'packages/')
      if (dependency !== name && existsSync(join(root, dependency))) found.add(dependency)
    }
  }
  return [...found].map((folder) => join(folder, 'src'))
}

/**
 * Calls `onChange` with the apps that a saved source file belongs to, and that file. Saves within a moment are reported
 * together. Test files are ignored. Returns a function that ends the watch.
 */
export function watchSources(apps: readonly string[], onChange: (apps: string[], file: string) => void): () => void {
  const appsByFolder = new Map<string, string[]>()
  for (const app of apps) {
    for (const folder of listSourceFolders(app)) appsByFolder.set(folder, [...(appsByFolder.get(folder) ?? []), app])
  }
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const watchers = [...appsByFolder].map(([folder, affected]) =>
    watch(join(root, folder), { recursive: true }, (_, name) => {
      if (!name || !/\.tsx?$/.test(name) || /\.test\.tsx?$/.test(name)) return
      for (const app of affected) changed.add(app)
      clearTimeout(timer)
      timer = setTimeout(() => {
        const due = apps.filter((app) => changed.has(app))
        changed.clear()
        onChange(due, join(folder, name))
      }, settleMs)
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
