import type { Market } from '@svc/protocol'
import type { Sql } from 'postgres'
import { marketNumber } from './cursor.ts'
import { collectWords, type KnownWords } from './knownWords.ts'
import { foldAccents } from './searchRows.ts'

/**
 * A word that this share of the newest tasks has is common. If a search has other words as well, lists of common words are not read:
 * they are long, and the tasks with the other words are few.
 */
const commonShare = 1 / 5

/** The newest tasks whose words are counted for that. */
const countedTasks = 500

/** The blocks for which words are remembered: about a minute. They only decide how fast a search is, and what it suggests. */
const rememberedBlocks = 30n

/** Remembers what was loaded for each market, until so many blocks have passed. */
export function remember<T>(load: (market: Market) => Promise<T>) {
  const loaded = new Map<Market, { value: Promise<T>; until: bigint | null }>()
  return {
    get(market: Market): Promise<T> {
      const before = loaded.get(market)
      if (before) return before.value
      const entry = { value: load(market), until: null }
      loaded.set(market, entry)
      // A failure is not remembered.
      entry.value.catch(() => loaded.delete(market))
      return entry.value
    },
    forgetBefore(market: Market, block: bigint): void {
      const entry = loaded.get(market)
      if (!entry) return
      entry.until ??= block + rememberedBlocks
      if (block >= entry.until) loaded.delete(market)
    },
  }
}

/** Loads the words that many of the newest tasks have. Public for the bench. */
export async function loadCommonWords(sql: Sql, market: Market): Promise<readonly string[]> {
  const newest = `select words from market.search where market = ${marketNumber(market)}
    order by newest_window desc, key desc limit ${countedTasks}`
  const rows = await sql<{ word: string }[]>`
    select word from ts_stat(${newest}) where ndoc >= ${Math.ceil(countedTasks * commonShare)}::integer`
  return rows.map(({ word }) => word)
}

/** The newest tasks whose words are known. */
const knownTasks = 1_000

/** Loads the words in titles and tags of the newest tasks that wait for a worker. */
export async function loadKnownWords(sql: Sql, market: Market): Promise<KnownWords> {
  const rows = await sql<{ title: string; tags: string }[]>`
    select title, tags from market.search where market = ${marketNumber(market)}
    order by newest_window desc, key desc limit ${knownTasks}`
  // The key of a tag, such as `lang`, is not a word that people look for.
  return collectWords(rows.map(({ title, tags }) => foldAccents(`${title} ${tags.replaceAll(/\S+:/g, '')}`)))
}
