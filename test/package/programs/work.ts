import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import { ensureKeys } from '@svc/work'
import { createKeyFolder } from '@svc/work/folder'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const account = privateKeyToAccount(generatePrivateKey())
// Whoever has this folder can open what is sealed for the wallet.
const keyStore = createKeyFolder(await mkdtemp(join(tmpdir(), 'keys-')))
const { statement } = await ensureKeys({
  wallet: account.address,
  keyStore,
  domain: 'market.example',
  chainId: 1,
  now: Math.floor(Date.now() / 1_000),
  verifySignature: verifyKeySignature,
  signMessage: (message) => account.signMessage({ message }),
})
console.log(statement?.message)
