import { hashProfileStatement } from '@svc/protocol/internal/people'
import { buildProfileTypedData, encodeProfile, type Profile } from '@svc/protocol/profile'
import { mnemonicToAccount } from 'viem/accounts'
import { base } from '../../../packages/protocol/src/base/chains.ts'

const mnemonic = 'test test test test test test test test test test test junk'
const now = 1_794_700_900

const profiles: readonly { name: string; profile: (Partial<Profile> & Pick<Profile, 'displayName'>) | null }[] = [
  { name: 'a name alone', profile: { displayName: 'Ada' } },
  {
    name: 'every field',
    profile: {
      displayName: 'Chiara Åström 🦊',
      about: 'First line.\n\n"Quoted" — and a dash.',
      skills: ['translation', 'lang:pt', 'c++'],
      languages: ['it', 'pt-BR'],
      links: [{ label: 'Work', url: 'https://chiara.example/work?a=1&b=2' }],
      contact: 'chiara@chiara.example',
      offerings: [
        {
          title: 'A page of Portuguese',
          priceTokWei: '250000000000000000000',
          turnaroundHours: 24,
          inputSchema: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
          outputSchema: { type: 'string' },
        },
      ],
    },
  },
  { name: 'a removal', profile: null },
]

/** Profiles as they are signed, and texts that are not a profile. */
export async function createProfileVectors() {
  const account = mnemonicToAccount(mnemonic)
  return {
    mnemonic,
    now,
    profiles: await Promise.all(
      profiles.map(async ({ name, profile }, index) => {
        const text = profile === null ? '' : encodeProfile(profile)
        const statement = {
          wallet: account.address,
          domain: 'market.example',
          chainId: base.id,
          issuedAt: now + index,
          profile: text,
        }
        const signature = await account.signTypedData(buildProfileTypedData(statement))
        return { name, profile, text, hash: hashProfileStatement(statement), signed: { ...statement, signature } }
      }),
    ),
    refused: ['', '{}', '{"displayName":"Ada"}', ' {"displayName":"Ada"}', '{"displayName":1}', '[]'],
  }
}
