import { getServingBuild, hasServed, serveBuild } from '@svc/index'
import type { Sql } from 'postgres'

/** Switches readers to a complete build, unless it served before: a build that was replaced does not return by itself. */
export async function promoteBuild(sql: Sql, build: string): Promise<'serving' | 'replaced'> {
  const current = await getServingBuild(sql)
  if (current === build) return 'serving'
  if (current !== null && (await hasServed(sql, build))) return 'replaced'
  await serveBuild(sql, build)
  return 'serving'
}
