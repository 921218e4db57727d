import { depositLineOf, metaJsonOf, type WalletJson, walletJson } from '@svc/protocol/http'
import { reputationScore } from '@svc/protocol/records'
import { address, market } from '@svc/serve'
import { defineCall } from '../route.ts'

/** GET /api/wallet: all that one market knows of a wallet. */
export const wallet = defineCall({
  method: 'get',
  path: '/api/wallet',
  summary: 'Show a wallet: balances, deposit and its line, credits, stake, reputation, bond, and what waits for it.',
  tag: 'wallet',
  input: { address, market },
  answer: walletJson,
  errors: { 503: ['CHAIN_UNREACHABLE'] },
  async call({ address, market }, { actions }): Promise<WalletJson> {
    const { agent, arbitrator, tok, usdc, credits, rewards, block } = await actions.wallet(market, address)
    const { bond, openCases, resolved, timedOut, unbondAt } = arbitrator
    const { completedAsPoster, completedAsWorker, distinctCounterparties } = agent
    const { disputesWon, disputesLost, leaves, dismissals, lapses } = agent
    return {
      address,
      market,
      tokWei: String(tok),
      usdcUnits: String(usdc),
      deposit: {
        usdcUnits: String(agent.deposit),
        reservedUnits: String(agent.reserved),
        freeUnits: String(agent.deposit - agent.reserved),
        line: depositLineOf(agent.deposit),
      },
      liveClaims: agent.liveClaims,
      creditsWei: String(credits),
      stakedTokWei: String(agent.staked),
      rewardsTokWei: String(rewards),
      payoutsTokWei: String(agent.payouts),
      awardsTokWei: String(agent.awards),
      reputation: {
        score: reputationScore(agent),
        completedAsPoster,
        completedAsWorker,
        distinctCounterparties,
        disputesWon,
        disputesLost,
        leaves,
        dismissals,
        lapses,
      },
      arbitrator:
        bond + BigInt(openCases + resolved + timedOut) === 0n
          ? null
          : { bondTokWei: String(bond), openCases, resolved, timedOut, unbondAt: unbondAt || null },
      meta: metaJsonOf(market, block, false),
    }
  },
})
