import { exitDeposit, formatDuration, parseDuration } from '@svc/protocol'
import { useMemo, useState } from 'react'
import { type Address, bytesToBigInt } from 'viem'
import { ActionForm } from '../../actions/ActionForm.tsx'
import { getSigningContext } from '../../deployments.ts'
import { CourtLine } from '../../parts/CourtLine.tsx'
import { useSending } from '../../talk/useSending.ts'
import { spellDuration } from '../../text/duration.ts'
import { text } from '../../text/post.ts'
import { reviewText as labels } from '../../text/postReview.ts'
import { Amount, formatShort, formatUsd } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useMarket } from '../../useMarket.ts'
import { type Price, usePrice } from '../../usePrice.ts'
import { Connect } from '../../wallet/Connect.tsx'
import { useWallet } from '../../wallet/useWallet.ts'
import { useStore } from '../../work/useStore.ts'
import { useWorkKeys } from '../../work/useWorkKeys.ts'
import { buildPostTaskInput, type PostStore } from './buildTerms.ts'
import { computeTimes, type PostDraft, readAmount, type Step, sumMilestones } from './draft.ts'
import { DraftView } from './Preview.tsx'

interface ReviewStepProps {
  draft: PostDraft
  change: (changes: Partial<PostDraft>) => void
  /** Whether the posting quota is used up. The page says so. */
  isBlocked: boolean
  onEdit: (step: Step) => void
}

/** The draft in a sentence, what happens if, and the receipt to sign. */
export function ReviewStep({ draft, change, isBlocked, onEdit }: ReviewStepProps) {
  const price = usePrice()
  const { address } = useWallet()
  const market = useMarket()
  const times = computeTimes(draft, market, Math.floor(Date.now() / 1000))
  const pay = sumMilestones(draft, price)
  const format = (amount: bigint) => (price ? formatUsd(amount, price) : formatShort(amount, 'tok'))
  const until = formatDay(times.claimUntil)
  const review = spellDuration(times.review)
  const back = labels.whatIf.back(format(exitDeposit + (draft.fundNow ? pay : 0n)))
  const sentence = labels.sentence({
    title: draft.title.trim().replaceAll('*', ''),
    pay: format(pay),
    isChosen: draft.claimPolicy === 'PERMIT',
    until,
    work: spellDuration(times.work),
    review,
    revisions: times.revisions,
    parts: draft.milestones.length,
  })
  const rows = [
    [labels.whatIf.nobody(until), back],
    [labels.whatIf.nothing, back],
    [labels.whatIf.silence(review), labels.whatIf.paid],
    [labels.whatIf.disagree, draft.arbitrator.trim() === '' ? labels.whatIf.noJudge : labels.whatIf.judge],
  ]
  return (
    <div className="post-layout">
      <section className="stack loose">
        <p className="review-sentence" dir="auto">
          {sentence.split('*').map((part, index) => {
            const Part = index % 2 === 1 ? 'strong' : 'span'
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change place
            return <Part key={index}>{part}</Part>
          })}
        </p>
        <p className="row wrapping">
          {(['describe', 'milestones', 'audience'] as const).map((step) => (
            <Button key={step} size="small" onClick={() => onEdit(step)}>
              {labels.edit[step]}
            </Button>
          ))}
        </p>
        <div className="stack">
          <h2 className="section-title">{labels.whatIf.title}</h2>
          <dl className="what-if">
            {rows.map(([if_, then]) => (
              <div key={if_} className="row between">
                <dt className="soft">{if_}</dt>
                <dd>{then}</dd>
              </div>
            ))}
          </dl>
          <CourtLine market={market} />
        </div>
        <details className="stack" open={!draft.fundNow || undefined}>
          <summary>{labels.fund}</summary>
          <fieldset className="options">
            <legend className="visually-hidden">{labels.fund}</legend>
            {(
              [
                [true, labels.fundNow, labels.fundNowHelp],
                [false, labels.fundLater, labels.fundLaterHelp],
              ] as const
            ).map(([fundNow, label, help]) => (
              <label key={label} className="option">
                <input
                  type="radio"
                  name="fund"
                  checked={draft.fundNow === fundNow}
                  onChange={() => change({ fundNow })}
                />
                <span className="stack tight">
                  <strong>{label}</strong>
                  <span className="small soft">{help}</span>
                </span>
              </label>
            ))}
          </fieldset>
        </details>
        <details className="stack">
          <summary>{labels.all}</summary>
          <div className="card pad">
            <DraftView draft={draft} />
          </div>
          <ol className="plain-list">
            {draft.milestones.map(({ title, amount, days }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a milestone is identified by its number
              <li key={index} className="row between">
                <span>
                  {index + 1}. {title} <span className="soft small">{formatDays(days)}</span>
                </span>
                <Amount of={readAmount(amount, draft.unit, price) ?? 0n} usd />
              </li>
            ))}
          </ol>
        </details>
      </section>
      <section className="post-side card pad stack loose lifted">
        {address ? (
          <SignPost draft={draft} poster={address} price={price} isBlocked={isBlocked} />
        ) : (
          <div className="stack">
            <p className="soft">{labels.posterIsWallet}</p>
            <Connect big />
          </div>
        )}
      </section>
    </div>
  )
}

interface SignPostProps {
  draft: PostDraft
  poster: Address
  price: Price | null
  isBlocked: boolean
}

/** Has the poster sign in if the terms name a store: workers encrypt for the key that is published with the task. */
function SignPost(props: SignPostProps) {
  const { draft } = props
  const found = useStore(useMarket())
  const { keys, isSignedIn, signIn } = useWorkKeys()
  const { isBusy, problem, run } = useSending()
  const address = draft.store.trim() || (draft.usesStore && found?.address) || null
  if (found === undefined || keys === undefined) return <Skeleton lines={4} />
  if (address === null) return <SignTerms {...props} store={null} />
  if (keys?.statement && isSignedIn) return <SignTerms {...props} store={{ address, statement: keys.statement }} />
  return (
    <div className="stack">
      <h3>{labels.signIn.title}</h3>
      <p className="small soft">{labels.signIn.description}</p>
      <Note tone="loss">{problem}</Note>
      <Button look="primary" size="big" busy={isBusy} onClick={() => void run(signIn)}>
        {labels.signIn.button}
      </Button>
    </div>
  )
}

/** Prepares the post and asks for the signature. The terms get their nonce and deadline here, once for each draft. */
function SignTerms(props: SignPostProps & { store: PostStore | null }) {
  const { draft, poster, isBlocked, store } = props
  // The price of the moment at which the review began: what is being signed does not change with the feed.
  const [price, setPrice] = useState(props.price)
  if (price === null && props.price !== null) setPrice(props.price)
  const market = useMarket()
  const key = JSON.stringify([draft, market, poster, draft.unit === 'usd' ? price?.usdPerTok : null, store])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key has everything that may change the terms
  const built = useMemo(() => {
    try {
      const context = {
        signing: getSigningContext,
        poster,
        now: Math.floor(Date.now() / 1000),
        nonce: bytesToBigInt(crypto.getRandomValues(new Uint8Array(16))),
      }
      return { input: buildPostTaskInput(draft, market, price, context, store), problem: null }
    } catch (error) {
      return { input: null, problem: error instanceof Error ? error.message : text.wrong.draft }
    }
  }, [key])
  if (!built.input) return <Note tone="loss">{built.problem}</Note>
  return <ActionForm key={key} name="post-task" known={built.input} isBlocked={isBlocked} />
}

/** A day of this week by its name, and any other by its date. */
function formatDay(at: number): string {
  const isNear = at * 1000 - Date.now() < 6 * 86_400_000
  return new Intl.DateTimeFormat('en', isNear ? { weekday: 'long' } : { day: 'numeric', month: 'long' }).format(
    at * 1000,
  )
}

function formatDays(days: string): string {
  try {
    return formatDuration(parseDuration(/[a-z]$/i.test(days.trim()) ? days : `${days} days`))
  } catch {
    return ''
  }
}
