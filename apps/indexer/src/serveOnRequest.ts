import {
  createRegistry,
  foldFingerprint,
  type Generation,
  getSchemaName,
  listGenerations,
  marketNumber,
  saveServed,
  serveBuild,
} from '@svc/index'
import { markets } from '@svc/protocol'
import type { Sql } from 'postgres'

/**
 * Switches readers to a build because a person asked for it. Throws and says why if answers from it would be wrong or missing,
 * unless it is forced. Returns what speaks against it.
 */
export async function serveOnRequest(sql: Sql, build: string, isForced: boolean): Promise<readonly string[]> {
  await createRegistry(sql)
  const faults = await findBuildFaults(sql, build)
  if (faults.length > 0 && !isForced)
    throw new Error(`Build ${build} should not serve: ${faults.join('; ')}. Add --force to serve it anyway.`)
  await serveBuild(sql, build)
  const name = (await findGeneration(sql, build))?.name
  if (name) await saveServed(sql, name, build)
  return faults
}

/** Lists what speaks against serving a build. */
async function findBuildFaults(sql: Sql, build: string): Promise<string[]> {
  const schema = getSchemaName(build)
  const rows = await sql<{ market: number; halted: string | null; suspects: string }[]>`
    select market, halted, suspects from ${sql(schema)}.cursor`
  const faults = markets.flatMap((market) => {
    const row = rows.find((each) => each.market === marketNumber(market))
    if (!row) return [`the ${market} market has no blocks yet`]
    if (row.halted) return [`the ${market} market is halted (${row.halted})`]
    return row.suspects === '[]' ? [] : [`rows of the ${market} market differ from the chain: ${row.suspects}`]
  })
  const fingerprint = (await findGeneration(sql, build))?.fingerprint
  if (fingerprint !== undefined && fingerprint !== foldFingerprint)
    faults.push('it was filled by another version of the fold')
  return faults
}

async function findGeneration(sql: Sql, build: string): Promise<(Generation & { name: string }) | null> {
  const rows = await sql<{ name: string }[]>`select name from market.generation where build = ${build}`
  const name = rows[0]?.name
  const found = name === undefined ? undefined : (await listGenerations(sql, name)).find((each) => each.build === build)
  return found && name !== undefined ? { ...found, name } : null
}
