import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react'
import { useTransactions } from '../actions/transactions.ts'
import { useApi } from '../api.ts'
import { MarketNotice } from '../parts/MarketNotice.tsx'
import { useDraft } from '../parts/useDraft.ts'
import { setQuery, useLocation } from '../router.tsx'
import '../style/post.css'
import { text } from '../text/post.ts'
import { Button } from '../ui/Button.tsx'
import { MarketSwitch } from '../ui/MarketSwitch.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Stepper } from '../ui/Stepper.tsx'
import { useMarket } from '../useMarket.ts'
import { usePageTitle } from '../usePageTitle.ts'
import { usePrice } from '../usePrice.ts'
import { useWallet } from '../wallet/useWallet.ts'
import { DescribeStep } from './post/DescribeStep.tsx'
import { emptyDraft, findProblems, type PostDraft, type Step, steps } from './post/draft.ts'
import { Preview, TotalSoFar } from './post/Preview.tsx'

// The later steps are loaded as soon as somebody writes, and what is said of a quota with a wallet.
const loadMilestones = () => import('./post/MilestonesStep.tsx')
const loadAudience = () => import('./post/AudienceStep.tsx')
const MilestonesStep = lazy(async () => ({ default: (await loadMilestones()).MilestonesStep }))
const AudienceStep = lazy(async () => ({ default: (await loadAudience()).AudienceStep }))
const QuotaNotice = lazy(async () => ({ default: (await import('../parts/QuotaNotice.tsx')).QuotaNotice }))

// What signs is loaded when somebody is about to, with what is shown after it.
const ReviewStep = lazy(async () => {
  const [{ ReviewStep }] = await Promise.all([import('./post/ReviewStep.tsx'), loadPosted()])
  return { default: ReviewStep }
})
const loadPosted = () => import('./post/Posted.tsx')
const Posted = lazy(async () => ({ default: (await loadPosted()).Posted }))

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

  const isEmpty = draft.title === '' && draft.criteria === ''
  useEffect(() => {
    if (!isEmpty) void Promise.all([loadMilestones(), loadAudience()]).catch(() => {})
  }, [isEmpty])

  if (posted && address) {
    return (
      <Suspense>
        <Posted
          market={market}
          address={address}
          hasFiles={draft.files.length > 0}
          onShown={() => setDraft(emptyDraft)}
          onAnother={() => {
            setOpenedAt(Date.now())
            setQuery({ step: null })
          }}
        />
      </Suspense>
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
        <h1>{text.headings[step]}</h1>
        <MarketSwitch />
      </div>
      <MarketNotice />
      <Stepper steps={steps.map((each) => text.steps[each])} at={at} />
      <Suspense>
        {quota.body && address && <QuotaNotice quota={quota.body} market={market} wallet={address} />}
      </Suspense>
      {step === 'review' ? (
        <Suspense fallback={<Skeleton lines={6} />}>
          <ReviewStep draft={draft} change={change} isBlocked={quota.body?.canPost === false} onEdit={go} />
        </Suspense>
      ) : (
        <div className="post-layout">
          <form className="stack loose" noValidate onSubmit={advance}>
            {step === 'describe' && <DescribeStep {...props} />}
            <Suspense fallback={<Skeleton lines={6} />}>
              {step === 'milestones' && <MilestonesStep {...props} />}
              {step === 'audience' && <AudienceStep {...props} />}
            </Suspense>
            <div className="row between wrapping">
              {before ? (
                <Button look="quiet" onClick={() => go(before)}>
                  {text.back}
                </Button>
              ) : (
                <span className="small faint">{text.saved}</span>
              )}
              <Button type="submit" look="primary" size="big">
                {text.continue[step]}
              </Button>
            </div>
          </form>
          {step === 'describe' ? <Preview draft={draft} /> : <TotalSoFar draft={draft} />}
        </div>
      )}
    </div>
  )
}
