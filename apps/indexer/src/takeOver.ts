import { hasServed, serveBuild, servingBuild } from '@svc/index'
import type { Sql } from 'postgres'

/** Lets readers see a build that is whole, unless they saw it before: one that was replaced does not come back by itself. */
export async function takeOver(sql: Sql, build: string): Promise<'serving' | 'replaced'> {
  const now = await servingBuild(sql)
  if (now === build) return 'serving'
  if (now !== null && (await hasServed(sql, build))) return 'replaced'
  await serveBuild(sql, build)
  return 'serving'
}
