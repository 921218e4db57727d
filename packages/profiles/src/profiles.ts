import { hashProfileStatement, ProfileError } from '@svc/protocol/internal/people'
import { type CheckedProfile, type Profile, parseProfile, type SignedProfile } from '@svc/protocol/profile'
import type { DatabaseOptions } from '@svc/serve'
import type { Sql } from 'postgres'
import { type Address, bytesToHex, getAddress, type Hex, hexToBytes } from 'viem'

/** The table of the profiles. */
export const profilesSchema: DatabaseOptions = {
  schema: 'profiles',
  migrations: new URL('../migrations/', import.meta.url),
}

/** The most wallets with a profile; of those that are not established, in all and of one network. */
export const maxProfiles = 200_000
const [maxNewcomers, maxOfNetwork] = [5_000, 100]

/** Where the profile of a wallet that is not established counts. */
export interface ProfilePlace {
  /** The widest network that signed it up; null if the wallet is established. */
  network: string | null
  places?: number
}

/** A profile with the statement that its wallet signed. */
export interface PublishedProfile {
  wallet: Address
  profile: Profile
  statement: SignedProfile
}

export interface ProfileSearch {
  /** All of these words occur in the profile. */
  words?: string | undefined
  skill?: string | undefined
  language?: string | undefined
  /** An offering has at most this price, in TOK wei. */
  maxPriceTokWei?: string | undefined
  /** 1 to 1,000. */
  limit: number
}

interface ProfileRow {
  wallet: Buffer
  issued_at: string
  domain: string
  chain_id: string
  profile: string
  signature: Buffer
}

/**
 * Stores a checked statement, unless the wallet signed a newer one or there are too many profiles. The same statement again is
 * the current one.
 */
export async function saveProfile(
  sql: Sql,
  checked: CheckedProfile,
  { network, places = maxProfiles }: ProfilePlace = { network: null },
): Promise<'current' | 'older' | 'full'> {
  const { wallet, domain, chainId, issuedAt, profile, signature, content } = checked
  const [key, hash] = [toBytes(wallet), toBytes(hashProfileStatement(checked))]
  const prices = (content?.offerings ?? []).map(({ priceTokWei }) => BigInt(priceTokWei))
  const minPrice = prices.length === 0 ? null : String(prices.reduce((a, b) => (a < b ? a : b)))
  const [room] = await sql<{ full: boolean }[]>`
    select not exists (select from profiles.profile where wallet = ${key}) and (
      (select count(*) from (select from profiles.profile limit ${places}) known) >= ${places}
      or (${network}::text is not null and (
        (select count(*) from profiles.profile where not established) >= ${maxNewcomers}
        or (select count(*) from profiles.profile where not established and network = ${network}) >= ${maxOfNetwork}))
    ) as full`
  if (room?.full) return 'full'
  const rows = await sql`
    insert into profiles.profile as current
      (wallet, issued_at, hash, domain, chain_id, profile, signature, words, skills, languages, min_price,
       established, network)
    values (${key}, ${issuedAt}, ${hash}, ${domain}, ${chainId}, ${profile}, ${toBytes(signature)},
      to_tsvector('simple', ${content ? listSearchedTexts(content) : ''}),
      array(select json_array_elements_text(${JSON.stringify(content?.skills ?? [])}::text::json)),
      array(select json_array_elements_text(${JSON.stringify(content?.languages ?? [])}::text::json)), ${minPrice},
      ${network === null}, ${network ?? ''})
    on conflict (wallet) do update set issued_at = excluded.issued_at, hash = excluded.hash, domain = excluded.domain,
      chain_id = excluded.chain_id, profile = excluded.profile, signature = excluded.signature, words = excluded.words,
      established = excluded.established, skills = excluded.skills, languages = excluded.languages, min_price = excluded.min_price
    where (excluded.issued_at, excluded.hash) >= (current.issued_at, current.hash)
    returning 1`
  return rows.length === 1 ? 'current' : 'older'
}

/** Lists wallets with a profile that were not established: of a network that has used up its places, or of all; longest not looked at first. */
export async function listNewcomerProfiles(sql: Sql, network: string | null, limit: number): Promise<Address[]> {
  const rows = await sql<{ wallet: Buffer }[]>`
    update profiles.profile p set looked_at = now() from (
      select wallet from profiles.profile where not established and (${network}::text is null or network = ${network}
        or (select count(*) from profiles.profile where not established and network = ${network}) < ${maxOfNetwork})
      order by looked_at limit ${limit}) oldest
    where p.wallet = oldest.wallet returning p.wallet`
  return rows.map(({ wallet }) => getAddress(bytesToHex(wallet)))
}

/** Keeps the profile of a newcomer that is established now, or removes it. */
export async function settleProfile(sql: Sql, wallet: Address, outcome: 'established' | 'removed'): Promise<void> {
  const key = toBytes(wallet)
  if (outcome === 'established') await sql`update profiles.profile set established = true where wallet = ${key}`
  else await sql`delete from profiles.profile where wallet = ${key} and not established`
}

/** Loads the profile of a wallet; null if it has none or removed it. */
export async function loadProfile(sql: Sql, wallet: Address): Promise<PublishedProfile | null> {
  const rows = await sql<ProfileRow[]>`
    select wallet, issued_at, domain, chain_id, profile, signature from profiles.profile
    where wallet = ${toBytes(wallet)} and profile <> ''`
  return rows.flatMap(toPublished)[0] ?? null
}

/** What a wallet calls itself. */
export interface WalletName {
  address: Address
  name: string
  picture: string | null
  kind: 'person' | 'agent'
}

/** Lists the names of those wallets that have one, in their order. */
export async function listNames(sql: Sql, wallets: readonly Address[]): Promise<WalletName[]> {
  const rows = await sql<{ wallet: Buffer; profile: string }[]>`
    select wallet, profile from profiles.profile where wallet in ${sql(wallets.map(toBytes))} and profile <> ''`
  const profiles = new Map(
    rows.map(({ wallet, profile }) => [getAddress(bytesToHex(wallet)), parseStored(profile)] as const),
  )
  return wallets.flatMap((address) => {
    const profile = profiles.get(address)
    if (!profile) return []
    const { displayName: name, picture = null, skills } = profile
    return { address, name, picture, kind: skills.includes('agent') ? 'agent' : 'person' }
  })
}

/** Lists the profiles that match a search, newest first, and one more than `limit` if there are more. */
export async function searchProfiles(
  sql: Sql,
  { words = '', skill, language, maxPriceTokWei, limit }: ProfileSearch,
): Promise<PublishedProfile[]> {
  // Postgres has no text with a zero character.
  const wanted = words.replaceAll('\0', ' ').trim()
  const rows = await sql<ProfileRow[]>`
    select wallet, issued_at, domain, chain_id, profile, signature from profiles.profile
    where profile <> ''
      ${wanted === '' ? sql`` : sql`and words @@ plainto_tsquery('simple', ${wanted})`}
      ${skill === undefined ? sql`` : sql`and skills @> array[${skill}::text]`}
      ${language === undefined ? sql`` : sql`and languages @> array[${language}::text]`}
      ${maxPriceTokWei === undefined ? sql`` : sql`and min_price <= ${maxPriceTokWei}::text::numeric`}
    order by issued_at desc, wallet limit ${limit + 1}`
  return rows.flatMap(toPublished)
}

/** A tag also counts as the words that it consists of. */
function listSearchedTexts({ displayName, about, skills, offerings }: Profile): string {
  const tags = skills.flatMap((tag) => [tag, ...tag.split(/[-.:]/)])
  return [displayName, about, ...tags, ...offerings.map(({ title }) => title)].join('\n')
}

function toPublished({ wallet, issued_at, domain, chain_id, profile, signature }: ProfileRow): PublishedProfile[] {
  const content = parseStored(profile)
  if (!content) return []
  const address = getAddress(bytesToHex(wallet))
  const statement: SignedProfile = {
    wallet: address,
    domain,
    chainId: Number(chain_id),
    issuedAt: Number(issued_at),
    profile,
    signature: bytesToHex(signature),
  }
  return [{ wallet: address, profile: content, statement }]
}

/** A profile that today's rules would reject is not shown. */
function parseStored(text: string): Profile | null {
  try {
    return parseProfile(text)
  } catch (error) {
    if (error instanceof ProfileError) return null
    throw error
  }
}

const toBytes = (hex: Hex) => Buffer.from(hexToBytes(hex))
