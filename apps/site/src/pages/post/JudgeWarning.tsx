import { assessArbitrator } from '@svc/protocol/internal/terms'
import { isAddress } from 'viem'
import { useApi } from '../../api.ts'
import { text } from '../../text/post.ts'
import { Note } from '../../ui/Note.tsx'
import { useMarket } from '../../useMarket.ts'
import { usePrice } from '../../usePrice.ts'
import { type PostDraft, readAmount } from './draft.ts'

/** What speaks against the judge that a draft names. Nothing if it names none, or nothing does. */
export function JudgeWarning({ draft }: { draft: PostDraft }) {
  const market = useMarket()
  const price = usePrice()
  const address = draft.arbitrator.trim()
  const { body } = useApi('getWallet', { address, market }, isAddress(address, { strict: false }))
  if (!body) return null
  const { arbitrator } = body
  const facts = arbitrator && {
    ...arbitrator,
    bond: BigInt(arbitrator.bondTokWei),
    locked: BigInt(arbitrator.lockedTokWei),
    unbondAt: arbitrator.unbondAt ?? 0,
  }
  const amounts = draft.milestones.map(({ amount }) => readAmount(amount, draft.unit, price) ?? 0n)
  const warnings = assessArbitrator(facts, {
    amount: amounts.reduce((largest, each) => (each > largest ? each : largest), 0n),
    usdPerTok: price && BigInt(Math.round(price.usdPerTok * 1e8)),
  })
  if (warnings.length === 0) return null
  return (
    <Note>
      <p>{text.audience.aboutJudge}</p>
      <ul className="bullets small">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Note>
  )
}
