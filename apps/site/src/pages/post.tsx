import { type FormEvent, useState } from 'react'
import { useTransactions } from '../actions/transactions.ts'
import { useApi } from '../api.ts'
import { MarketNotice } from '../parts/MarketNotice.tsx'
import { QuotaNotice } from '../parts/QuotaNotice.tsx'
import { useDraft } from '../parts/useDraft.ts'
import { setQuery, useLocation } from '../router.tsx'
import '../style/post.css'
import { text } from '../text/post.ts'
import { Button } from '../ui/Button.tsx'
import { MarketSwitch } from '../ui/MarketSwitch.tsx'
import { Stepper } from '../ui/Stepper.tsx'
import { useMarket } from '../useMarket.ts'
import { usePageTitle } from '../usePageTitle.ts'
import { usePrice } from '../usePrice.ts'
import { useWallet } from '../wallet/useWallet.ts'
import { AudienceStep } from './post/AudienceStep.tsx'
import { DescribeStep } from './post/DescribeStep.tsx'
import { emptyDraft, findProblems, type PostDraft, type Step, steps } from './post/draft.ts'
import { MilestonesStep } from './post/MilestonesStep.tsx'
import { Posted } from './post/Posted.tsx'
import { ReviewStep } from './post/ReviewStep.tsx'

/** Posting a task in four steps. The draft is saved as it is typed, and cleared once the task is on the chain. */
export function PostPage() {
  usePageTitle(text.title)
  const market = useMarket()
  const price = usePrice()
  const { address } = useWallet()
  const wanted = useLocation().searchParams.get('step')
  const [draft, setDraft] = useDraft<PostDraft>(`post-${market}`, emptyDraft)
  // The step whose problems are shown: one that the user tried to leave.
  const [checked, setChecked] = useState<Step | null>(null)
  const [openedAt, setOpenedAt] = useState(() => Date.now())
  const quota = useApi('getQuota', { address: address ?? '', market }, address !== undefined)
  const posted = useTransactions().find(
    ({ action, began, stage, market: of }) =>
      action === 'post-task' && of === market && began >= openedAt && (stage === 'in block' || stage === 'safe'),
  )

  if (posted && address) {
    return (
      <Posted
        market={market}
        address={address}
        onShown={() => setDraft(emptyDraft)}
        onAnother={() => {
          setOpenedAt(Date.now())
          setQuery({ step: null })
        }}
      />
    )
  }

  const hasProblems = (step: Step) => Object.keys(findProblems(step, draft, market, price)).length > 0
  // A link leads to a later step only if those before it are complete.
  const firstOpen = steps.findIndex(hasProblems)
  const asked = Math.max(
    0,
    steps.findIndex((step) => step === wanted),
  )
  const at = Math.min(asked, firstOpen < 0 ? steps.length - 1 : firstOpen)
  const step = steps[at] ?? 'describe'
  const change = (changes: Partial<PostDraft>) => setDraft({ ...draft, ...changes })
  const go = (to: Step) => {
    setQuery({ step: to })
    window.scrollTo(0, 0)
  }
  const advance = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setChecked(step)
    const next = steps[at + 1]
    if (next && !hasProblems(step)) return go(next)
    // The fields know that they are wrong once they are drawn again.
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  const props = { draft, change, problems: checked === step ? findProblems(step, draft, market, price) : {} }
  const before = steps[at - 1]
  return (
    <div className="post stack loose">
      <div className="row between wrapping">
        <h1>{text.title}</h1>
        <MarketSwitch />
      </div>
      <MarketNotice />
      <Stepper steps={steps.map((each) => text.steps[each])} at={at} />
      {quota.body && address && <QuotaNotice quota={quota.body} market={market} wallet={address} />}
      {step === 'review' ? (
        <ReviewStep draft={draft} change={change} isBlocked={quota.body?.canPost === false} onEdit={go} />
      ) : (
        <form className="card pad stack loose" noValidate onSubmit={advance}>
          <h2>{text.steps[step]}</h2>
          {step === 'describe' && <DescribeStep {...props} />}
          {step === 'milestones' && <MilestonesStep {...props} />}
          {step === 'audience' && <AudienceStep {...props} />}
          <div className="row between">
            {before ? (
              <Button look="quiet" onClick={() => go(before)}>
                {text.back}
              </Button>
            ) : (
              <span className="small faint">{text.saved}</span>
            )}
            <Button type="submit" look="primary" size="big">
              {text.continue}
            </Button>
          </div>
        </form>
      )}
    </div>
  )
}
