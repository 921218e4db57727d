import type { Deployments } from '@svc/chain'
import { encodeGrant } from '@svc/protocol/internal/grants'
import type { Page } from 'playwright-core'
import { type Address, parseEther, parseUnits } from 'viem'

/** Opens the file of an agent in the settings: three claims for a day, as `svc-agent grant` writes it. */
export async function openGrantFile(page: Page, { chainId, shared, markets }: Deployments, account: Address) {
  const grant = encodeGrant({
    version: 1,
    apiUrl: page.url(),
    chainId,
    market: 'standard',
    account,
    session: shared.tokToken,
    contracts: { ...shared, ...markets.standard },
    uses: ['earn'],
    delegationManager: shared.tokToken,
    delegation: { delegate: '0x', delegator: '0x', authority: '0x', caveats: [], salt: '0x', signature: '0x01' },
    limits: {
      allowanceTokWei: parseUnits('6000', 18),
      depositUsdc: parseUnits('51', 6),
      calls: 48,
      until: 4_000_000_000,
      gasWei: parseEther('0.05'),
      hireTokWei: 0n,
    },
  })
  await page.getByLabel('Open the file of an agent').setInputFiles({
    name: 'grant.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(grant)),
  })
  await page.getByRole('article', { name: 'Agents that spend for you' }).waitFor()
}
