import {
  buildResponseMeta,
  formatAgent,
  formatAgentCursor,
  formatSelfDeclared,
  maxRankedProfiles,
  operations,
  unavailable,
} from '@svc/operations'
import { listNames as findNames, loadProfile, type PublishedProfile, searchProfiles } from '@svc/profiles'
import { reads } from '@svc/reads'
import { implementCalls } from '@svc/serve'
import { decodeAnswer } from '../reads/answers.ts'
import type { CallDeps } from './deps.ts'

const implement = implementCalls<CallDeps>()

export const getProfile = implement(operations.getProfile)(async ({ address, market }, deps, { client }) => {
  const question = reads.getTrackRecord.ask({ address, market })
  // Profiles are optional: a wallet's record is answered without them.
  const loading = deps.profiles((sql) => loadProfile(sql, address)).catch((): 'unavailable' => 'unavailable')
  const answer = await deps.answers(question, client)
  const { meta, ...record } = operations.getTrackRecord.output.parse(decodeAnswer(answer))
  const found = await loading
  const isPublished = found !== null && found !== 'unavailable'
  return {
    record,
    selfDeclared: isPublished ? formatPublished(found) : null,
    selfDeclaredStatus: isPublished ? 'published' : (found ?? 'none'),
    meta,
  }
})

export const listNames = implement(operations.listNames)(async ({ addresses }, deps) => ({
  names: await deps.profiles((sql) => findNames(sql, addresses)).catch(refuseWithoutProfiles),
}))

export const searchAgents = implement(operations.searchAgents)(async (input, deps) => {
  const { market, limit, cursor, brief, ...search } = input
  const found = await deps
    .profiles((sql) => searchProfiles(sql, { ...search, limit: maxRankedProfiles }))
    .catch(refuseWithoutProfiles)
  const ranked = found.slice(0, maxRankedProfiles)
  const wallets = ranked.map(({ wallet }) => wallet)
  const { agents, block, path, stale } = await deps.reads.read(market, (reader) => reader.getAgents(market, wallets))
  const rows = agents
    .flatMap((agent, index) => {
      const published = ranked[index]
      return published
        ? [
            {
              record: formatAgent(agent),
              selfDeclared: brief ? { profile: published.profile } : formatPublished(published),
            },
          ]
        : []
    })
    .map((row) => ({ ...row, place: { score: row.record.score, wallet: row.record.address.toLowerCase() } }))
    .filter(({ place }) => cursor === undefined || comparePlaces(cursor, place) < 0)
    .toSorted((a, b) => comparePlaces(a.place, b.place))
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    agents: page.map(({ record, selfDeclared }) => ({ record, selfDeclared })),
    truncated: found.length > maxRankedProfiles,
    meta: {
      ...buildResponseMeta(market, block, { path, stale }),
      nextCursor: rows.length > limit && last ? formatAgentCursor(last.place) : null,
    },
  }
})

const refuseWithoutProfiles = (): never => {
  throw unavailable('PROFILES_UNAVAILABLE', 'Profiles cannot be read now.')
}

interface Place {
  score: number
  wallet: string
}

/** The best score comes first, then the lowest address. */
const comparePlaces = (a: Place, b: Place): number =>
  b.score - a.score || (a.wallet < b.wallet ? -1 : a.wallet > b.wallet ? 1 : 0)

const formatPublished = ({ profile, statement }: PublishedProfile) => formatSelfDeclared(profile, statement)
