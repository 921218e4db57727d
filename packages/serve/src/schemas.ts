/**
 * Every schema of the database: `backup` is kept, `derived` comes from the chain again, or is worth nothing after a restore. Nothing
 * else may be created: `svc-admin backup` refuses a database with a schema that is not here.
 */
export const schemas = {
  posting: 'backup',
  profiles: 'backup',
  store: 'backup',
  notify: 'backup',
  notify_jobs: 'backup',
  /** The views of the index that readers see. Each build has a schema of its own: see {@link keepOf}. */
  market: 'derived',
  limits: 'derived',
  /** When `svc-admin` made and tried backups. */
  operations: 'derived',
} as const satisfies Record<string, 'backup' | 'derived'>

export type SchemaName = keyof typeof schemas

/** Lists the schemas that are kept. */
export const listKeptSchemas = (): string[] =>
  Object.entries(schemas).flatMap(([name, keep]) => (keep === 'backup' ? [name] : []))

/** Returns what a schema is; undefined if it is not declared. */
export function keepOf(name: string): 'backup' | 'derived' | undefined {
  if (/^index_\w+$/.test(name) || name === 'public') return 'derived'
  return new Map<string, 'backup' | 'derived'>(Object.entries(schemas)).get(name)
}
