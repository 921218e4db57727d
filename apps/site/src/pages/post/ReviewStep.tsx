import { formatDuration, parseDuration } from '@svc/protocol'
import { useMemo, useState } from 'react'
import { type Address, bytesToBigInt } from 'viem'
import { ActionForm } from '../../actions/ActionForm.tsx'
import { getSigningContext } from '../../deployments.ts'
import { CourtLine } from '../../parts/CourtLine.tsx'
import { useSending } from '../../talk/useSending.ts'
import { text } from '../../text/post.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { Note } from '../../ui/Note.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useMarket } from '../../useMarket.ts'
import { type Price, usePrice } from '../../usePrice.ts'
import { Connect } from '../../wallet/Connect.tsx'
import { useWallet } from '../../wallet/useWallet.ts'
import { useStore } from '../../work/useStore.ts'
import { useWorkKeys } from '../../work/useWorkKeys.ts'
import {
  buildPostTaskInput,
  getDefaults,
  type PostDraft,
  type PostStore,
  readAmount,
  readTags,
  type Step,
  sumMilestones,
} from './draft.ts'

const labels = text.review

interface ReviewStepProps {
  draft: PostDraft
  change: (changes: Partial<PostDraft>) => void
  /** Whether the posting quota is used up. The page says so. */
  isBlocked: boolean
  onEdit: (step: Step) => void
}

/** The whole task as workers will see it, how it is funded, and the receipt to sign. */
export function ReviewStep({ draft, change, isBlocked, onEdit }: ReviewStepProps) {
  const price = usePrice()
  const { address } = useWallet()
  return (
    <div className="review-layout">
      <section className="card pad stack loose">
        <p className="small soft">{labels.check}</p>
        <div className="stack">
          <div className="row between">
            <h2>{draft.title}</h2>
            <EditButton step="describe" onEdit={onEdit} />
          </div>
          <Markdown of={draft.criteria} />
          {readTags(draft.tags).length > 0 && (
            <p className="row wrapping">
              {readTags(draft.tags).map((tag) => (
                <span key={tag} className="tag">
                  #{tag}
                </span>
              ))}
            </p>
          )}
        </div>
        <div className="stack">
          <div className="row between">
            <h3>{text.steps.milestones}</h3>
            <EditButton step="milestones" onEdit={onEdit} />
          </div>
          <ol className="plain-list">
            {draft.milestones.map(({ title, amount, days }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a milestone is identified by its number
              <li key={index} className="row between">
                <span>
                  {index + 1}. {title} <span className="soft small">{formatDays(days)}</span>
                </span>
                <span>
                  <Amount of={readAmount(amount, draft.unit, price) ?? 0n} usd />
                </span>
              </li>
            ))}
            <li className="row between">
              <strong>{text.milestones.total}</strong>
              <strong>
                <Amount of={sumMilestones(draft, price)} usd />
              </strong>
            </li>
          </ol>
        </div>
        <div className="stack">
          <div className="row between">
            <h3>{text.steps.audience}</h3>
            <EditButton step="audience" onEdit={onEdit} />
          </div>
          <Conditions draft={draft} />
          <CourtLine market={useMarket()} />
        </div>
      </section>
      <section className="card pad stack loose">
        <fieldset className="options">
          <legend className="label">{labels.fund}</legend>
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

function Conditions({ draft }: { draft: PostDraft }) {
  const defaults = getDefaults(useMarket())
  const claim = Number(draft.claimDays || defaults.claimDays) * 86_400
  const review = Number(draft.reviewHours || defaults.reviewHours) * 3_600
  const lines = [
    draft.claimPolicy === 'ANYONE' ? text.audience.anyone : text.audience.permit,
    labels.terms.claim(claim),
    labels.terms.review(review),
    labels.terms.revisions(Number(draft.revisions || defaults.revisions)),
  ]
  return (
    <ul className="row wrapping plain-tags">
      {lines.map((line) => (
        <li key={line} className="tag">
          {line}
        </li>
      ))}
    </ul>
  )
}

const EditButton = ({ step, onEdit }: { step: Step; onEdit: (step: Step) => void }) => (
  <Button size="small" aria-label={labels.edit(text.steps[step])} onClick={() => onEdit(step)}>
    {text.describe.edit}
  </Button>
)

function formatDays(days: string): string {
  try {
    return formatDuration(parseDuration(/[a-z]$/i.test(days.trim()) ? days : `${days} days`))
  } catch {
    return ''
  }
}
