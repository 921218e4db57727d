// Usage: publishPeople.ts <domain>, with SVC_DATABASE_URL. Signs what the people of the demo world say about themselves, and saves
// it: judges without a deposit cannot publish, but have names all the same.
import { listNamed } from '@svc/devnet'
import { profilesSchema, saveProfile } from '@svc/profiles'
import { base } from '@svc/protocol'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import { buildProfileTypedData, checkProfile, encodeProfile } from '@svc/protocol/profile'
import { createDatabase } from '@svc/serve'
import postgres from 'postgres'

const [, , domain = ''] = process.argv
const sql = postgres(process.env.SVC_DATABASE_URL ?? '', { max: 1, onnotice: () => {} })
const known = createDatabase(sql, profilesSchema)
const now = Math.floor(Date.now() / 1_000)
for (const { account, profile } of listNamed()) {
  const statement = {
    wallet: account.address,
    domain,
    chainId: base.id,
    issuedAt: now,
    profile: encodeProfile(profile),
  }
  const signed = { ...statement, signature: await account.signTypedData(buildProfileTypedData(statement)) }
  const checks = { domains: [domain], chainId: base.id, now, verifySignature: verifyKeySignature }
  const checked = await checkProfile(signed, checks)
  await known((database) => saveProfile(database, checked))
}
await sql.end()
