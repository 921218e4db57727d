import {
  buildResponseMeta,
  formatAgent,
  formatAgentCursor,
  formatSelfDeclared,
  maxRankedProfiles,
  operations,
  unavailable,
} from '@svc/operations'
import { loadProfile, type PublishedProfile, searchProfiles } from '@svc/profiles'
import { reads } from '@svc/reads'
import { implementCalls } from '@svc/serve'
import type { Answer } from '../reads/answers.ts'
import type { CallDeps } from './deps.ts'

const implement = implementCalls<CallDeps>()

export const getProfile = implement(operations.getProfile)(async ({ address, market }, deps, { client }) => {
  const question = reads.getTrackRecord.ask({ address, market })
  // Profiles are optional: a wallet's record is answered without them.
  const loading = deps.profiles((sql) => loadProfile(sql, address)).catch((): 'unavailable' => 'unavailable')
  const answer = await deps.answers(question, client)
  const { meta, ...record } = operations.getTrackRecord.output.parse(parseAnswer(answer))
  const found = await loading
  const isPublished = found !== null && found !== 'unavailable'
  return {
    record,
    selfDeclared: isPublished ? formatPublished(found) : null,
    selfDeclaredStatus: isPublished ? 'published' : (found ?? 'none'),
    meta,
  }
})

export const searchAgents = implement(operations.searchAgents)(async (input, deps) => {
  const { market, limit, cursor, ...search } = input
  const found = await deps
    .profiles((sql) => searchProfiles(sql, { ...search, limit: maxRankedProfiles }))
    .catch(() => {
      throw unavailable('PROFILES_UNAVAILABLE', 'Profiles cannot be read now.')
    })
  const ranked = found.slice(0, maxRankedProfiles)
  const wallets = ranked.map(({ wallet }) => wallet)
  const { agents, block, path, stale } = await deps.reads.read(market, (reader) => reader.getAgents(market, wallets))
  const rows = agents
    .flatMap((agent, index) => {
      const published = ranked[index]
      return published ? [{ record: formatAgent(agent), selfDeclared: formatPublished(published) }] : []
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

interface Place {
  score: number
  wallet: string
}

/** The best score comes first, then the lowest address. */
const comparePlaces = (a: Place, b: Place): number =>
  b.score - a.score || (a.wallet < b.wallet ? -1 : a.wallet > b.wallet ? 1 : 0)

const formatPublished = ({ profile, statement }: PublishedProfile) => formatSelfDeclared(profile, statement)

const parseAnswer = ({ body }: Answer): unknown =>
  JSON.parse(body instanceof Uint8Array ? new TextDecoder().decode(body) : body.join(''))
